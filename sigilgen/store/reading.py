"""Reads files of the store and lists them, never through a symbolic link and never more than their limit."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import RecordError
from sigilgen.store.layout import EVIDENCE, FILE, FOLDER
from sigilgen.store.regular import chunks, open_regular, why


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths relative to the repository: files where the layout has them, and what does not belong there and why."""

    files: tuple[str, ...]
    strange: tuple[tuple[str, str], ...]


def read_file(path: Path, *, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes. RecordError says why not, without the path."""
    data = bytearray()
    try:
        with open_regular(path) as descriptor:
            size = os.fstat(descriptor).st_size
            if size <= limit:
                for chunk in chunks(descriptor):
                    data += chunk
                    if (size := len(data)) > limit:
                        break
    except FileNotFoundError:
        raise RecordError("is missing") from None
    except OSError as error:
        raise RecordError(why(error)) from None
    if size > limit:
        raise RecordError(f"has {size} bytes; at most {limit} are read")
    return bytes(data)


def list_evidence(repository: Path) -> Listing:
    """Everything below `evidence/`, in the order of the paths. Folders outside the layout are not entered."""
    files: list[str] = []
    strange: list[tuple[str, str]] = []
    waiting = [EVIDENCE] if os.path.lexists(repository / EVIDENCE) else []
    while waiting:
        path = waiting.pop()
        try:
            what = _strangeness(path, (repository / path).lstat().st_mode)
            if what:
                strange.append((path, what))
            elif FILE.fullmatch(path):
                files.append(path)
            else:
                waiting += [f"{path}/{entry.name}" for entry in (repository / path).iterdir()]
        except OSError as error:
            strange.append((path, why(error)))
    return Listing(tuple(sorted(files)), tuple(sorted(strange)))


def _strangeness(path: str, mode: int) -> str | None:
    if stat.S_ISLNK(mode):
        return "is a symbolic link; evidence is regular files only"
    if stat.S_ISDIR(mode):
        return None if FOLDER.fullmatch(path) else "is a folder that does not belong here"
    if not stat.S_ISREG(mode):
        return "is neither a file nor a folder"
    if not FILE.fullmatch(path):
        return "is a file that does not belong here"
    return "is executable; evidence never runs" if mode & 0o111 else None
