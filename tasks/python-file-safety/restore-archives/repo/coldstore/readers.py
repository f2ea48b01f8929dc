"""One interface for tar and zip: what is in an archive, and putting one entry into a folder."""

import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Entry:
    """Something in an archive. `kind` is "file", "folder" or "link"; `raw` is what the library made of it."""

    name: str
    kind: str
    size: int
    raw: Any


class TarReader:
    def __init__(self, path: Path) -> None:
        self._tar = tarfile.open(path)

    def entries(self) -> Iterator[Entry]:
        for member in self._tar.getmembers():
            kind = "folder" if member.isdir() else "link" if member.issym() or member.islnk() else "file"
            yield Entry(member.name, kind, member.size, member)

    def extract(self, entry: Entry, destination: Path) -> None:
        self._tar.extract(entry.raw, destination)

    def close(self) -> None:
        self._tar.close()


class ZipReader:
    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)

    def entries(self) -> Iterator[Entry]:
        for info in self._zip.infolist():
            kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(info.external_attr >> 16) else "file"
            yield Entry(info.filename, kind, info.file_size, info)

    def extract(self, entry: Entry, destination: Path) -> None:
        path = destination / entry.name
        mode = stat.S_IMODE(entry.raw.external_attr >> 16)
        if entry.kind == "folder":
            path.mkdir(parents=True, exist_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "link":
            path.unlink(missing_ok=True)
            os.symlink(os.fsdecode(self._zip.read(entry.raw)), path)
            return
        with self._zip.open(entry.raw) as source, open(path, "wb") as file:
            shutil.copyfileobj(source, file)
        if mode:
            path.chmod(mode)

    def close(self) -> None:
        self._zip.close()


def open_archive(path: Path) -> TarReader | ZipReader:
    return ZipReader(path) if zipfile.is_zipfile(path) else TarReader(path)
