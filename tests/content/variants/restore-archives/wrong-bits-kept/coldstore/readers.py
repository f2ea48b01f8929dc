"""One interface for tar and zip: what is in an archive, and the content of a file in it.

Nothing here writes anything; what an archive says is passed on as it is and must not be trusted.
"""

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

# What the libraries raise when they come to a damaged, encrypted or unknown part.
DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)

LONGEST_TARGET = 4096


@dataclass(frozen=True)
class Entry:
    """Something in an archive. `kind` is "file", "folder", "link", "hard link" or "other".

    `mode` and `mtime` are None where the archive does not say. `raw` is what the library made of it.
    """

    name: str
    kind: str
    size: int
    mode: int | None
    mtime: float | None
    target: str
    raw: Any


class TarReader:
    def __init__(self, path: Path) -> None:
        self._tar = tarfile.open(path)

    def entries(self) -> Iterator[Entry]:
        """One entry after the other, so that the caller can stop before much has been read."""
        for member in self._tar:
            mode = stat.S_IMODE(member.mode)
            yield Entry(
                member.name, _tar_kind(member), member.size, mode, member.mtime, member.linkname, member
            )

    def open(self, entry: Entry) -> IO[bytes]:
        return self._tar.extractfile(entry.raw)

    def close(self) -> None:
        self._tar.close()


class ZipReader:
    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)

    def entries(self) -> Iterator[Entry]:
        for info in self._zip.infolist():
            mode = info.external_attr >> 16
            kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
            target = self._target(info) if kind == "link" else ""
            yield Entry(info.filename, kind, info.file_size, stat.S_IMODE(mode) or None, None, target, info)

    def open(self, entry: Entry) -> IO[bytes]:
        return self._zip.open(entry.raw)

    def close(self) -> None:
        self._zip.close()

    def _target(self, info: zipfile.ZipInfo) -> str:
        with self._zip.open(info) as file:
            target = file.read(LONGEST_TARGET + 1)
        if len(target) > LONGEST_TARGET:
            raise zipfile.BadZipFile(f"{info.filename!r} is too long for a link")
        return os.fsdecode(target)


def _tar_kind(member: tarfile.TarInfo) -> str:
    if member.isdir():
        return "folder"
    if member.issym():
        return "link"
    if member.islnk():
        return "hard link"
    return "file" if member.isreg() else "other"


def open_archive(path: Path) -> TarReader | ZipReader:
    return ZipReader(path) if zipfile.is_zipfile(path) else TarReader(path)
