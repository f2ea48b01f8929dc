"""What lies below a folder, without following links."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sigilgen.store.regular import why


class EntryKind(StrEnum):
    """What stands at a path. The value is how people read it."""

    FILE = "a regular file"
    LINK = "a symbolic link"
    SPECIAL = "a pipe, socket or device"
    UNREADABLE = "a folder that cannot be listed"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path relative to the folder. Bytes that are not UTF-8 stand in it as lone surrogates, as Python does it."""

    path: str
    kind: EntryKind
    detail: str = ""


def walk(folder: Path) -> Iterator[TreeEntry]:
    """Everything below `folder` but the folders themselves and what is in its own `.git`; in no particular order.

    A folder that cannot be listed is one entry, with the reason as its detail.
    """
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(f"{folder}/{prefix}") as entries:
                for entry in entries:
                    path = prefix + entry.name
                    if not entry.is_dir(follow_symlinks=False):
                        yield TreeEntry(path, _kind(entry))
                    elif path != ".git":
                        pending.append(f"{path}/")
        except OSError as error:
            yield TreeEntry(prefix or ".", EntryKind.UNREADABLE, why(error))


def _kind(entry: "os.DirEntry[str]") -> EntryKind:
    if entry.is_symlink():
        return EntryKind.LINK
    return EntryKind.FILE if entry.is_file(follow_symlinks=False) else EntryKind.SPECIAL
