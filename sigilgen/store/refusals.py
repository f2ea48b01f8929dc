"""What may not lie in a sealed folder: whatever would be installed and not be sealed, or not everywhere alike."""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sigilgen.store.walk import EntryKind, TreeEntry

UNSEALED_NAMES = frozenset({"sigil.yaml", "evidence.json", ".DS_Store"})
"""Names that the seal leaves out, in every folder."""


LONGEST_PATH_BYTES = 1_024
DEEPEST_FOLDER = 128
"""What every system can hold below a folder of its own, and what can be walked without care."""


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """One path that cannot be sealed, and the reason."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{visible(self.path)}: {self.reason}"


def visible(path: str) -> str:
    """`path` on one line, with everything that does not print written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in path)


def find_refusals(entries: Sequence[TreeEntry]) -> list[Refusal]:
    """Every reason not to seal `entries`."""
    found = [Refusal(entry.path, reason) for entry in entries for reason in _reasons(entry)]
    return [*found, *_collisions([entry.path for entry in entries])]


def is_unsealed(path: str) -> bool:
    """Whether the seal leaves out the file at `path` because of its name."""
    return path.rpartition("/")[2] in UNSEALED_NAMES


def _reasons(entry: TreeEntry) -> Iterator[str]:
    if entry.kind is EntryKind.UNREADABLE:
        yield entry.detail
    elif entry.kind is not EntryKind.FILE:
        yield f"is {entry.kind}; only regular files are sealed"
    elif len(os.fsencode(entry.path)) > LONGEST_PATH_BYTES or entry.path.count("/") > DEEPEST_FOLDER:
        yield f"its path is longer than {LONGEST_PATH_BYTES:,} bytes or {DEEPEST_FOLDER} folders"
    yield from _name_reasons(entry.path)
    if is_unsealed(entry.path):
        yield "the seal leaves out every file of this name, so none may be installed"


def _name_reasons(path: str) -> Iterator[str]:
    categories = {unicodedata.category(character) for character in path}
    if "Cs" in categories:
        yield "its name is not valid UTF-8"
    if categories & {"Cc", "Zl", "Zp"}:
        yield "its name holds a control character or line break"
    if "\\" in path:
        yield "its name holds a back-slash, which the documented command writes in two ways"
    if path.startswith(("-", "+")):
        yield f"its name begins with {path[0]}, which the documented command takes for an option"


def _collisions(paths: Sequence[str]) -> Iterator[Refusal]:
    """Files and folders whose names many file systems hold to be the same: letter case and Unicode form differ."""
    spellings: dict[str, str] = {}
    for path in sorted(_with_folders(paths)):
        folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())
        first = spellings.setdefault(folded, path)
        if first != path and first.rpartition("/")[0] == path.rpartition("/")[0]:
            yield Refusal(path, f"differs from {first} only in letter case or Unicode form")


def _with_folders(paths: Sequence[str]) -> set[str]:
    """`paths`, and every folder above them."""
    places: set[str] = set()
    for file in paths:
        path = file
        while path and path not in places:
            places.add(path)
            path = path.rpartition("/")[0]
    return places
