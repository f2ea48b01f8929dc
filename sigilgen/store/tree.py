r"""The seal of a folder: sha256 over a sorted list of its files.

It is, byte for byte, what the method's pipeline prints:

    find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
      | sed 's|^\./||' | LC_ALL=C sort \
      | while IFS= read -r f; do shasum -a 256 "$f"; done \
      | shasum -a 256
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sigilgen.model.capability import PayloadFile
from sigilgen.store.refusals import Refusal, find_refusals, is_unsealed
from sigilgen.store.regular import chunks, open_regular, why
from sigilgen.store.walk import EntryKind, TreeEntry, walk

MAX_FILES = 50_000
MAX_BYTES = 4 << 30

Mark = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """The sealed files of a folder, sorted by the bytes of their paths. With refusals, they seal nothing."""

    files: tuple[PayloadFile, ...]
    refusals: tuple[Refusal, ...]


def read_tree(folder: Path, *, leave_out: Callable[[str], bool]) -> Tree:
    """Read everything below `folder` once, in pieces, and collect every reason not to seal it.

    Files for which `leave_out` is true belong there and are not sealed. Any other file that the seal would leave out
    is refused, and so is a tree that changes meanwhile.
    """
    entries = list(islice(walk(folder), MAX_FILES + 1))
    if len(entries) > MAX_FILES:
        return Tree((), (Refusal(".", f"holds more than {MAX_FILES:,} files"),))
    covered = [entry for entry in entries if not leave_out(entry.path)]
    files, unread = seal_files(folder, sealed_paths(covered))
    refusals = find_refusals(covered) + unread
    if set(islice(walk(folder), MAX_FILES + 1)) != set(entries):
        refusals.append(Refusal(".", "files came or went while it was read; stop what writes there"))
    return Tree(files, tuple(sorted(refusals)))


def sealed_paths(entries: Iterable[TreeEntry]) -> list[str]:
    """The regular files among `entries` that the seal covers, in its order."""
    paths = (entry.path for entry in entries if entry.kind is EntryKind.FILE)
    return sorted((path for path in paths if not is_unsealed(path)), key=os.fsencode)


def seal_files(folder: Path, paths: Iterable[str]) -> tuple[tuple[PayloadFile, ...], list[Refusal]]:
    """Size and sha256 of each path below `folder`, and what could not be read or changed while it was."""
    files: list[PayloadFile] = []
    refusals: list[Refusal] = []
    marks: dict[str, Mark] = {}
    total = 0
    for path in paths:
        try:
            with open_regular(f"{folder}/{path}") as descriptor:
                status = os.fstat(descriptor)
                total += status.st_size
                if total > MAX_BYTES:
                    refusals.append(Refusal(".", f"holds more than {MAX_BYTES >> 30} GiB"))
                    break
                marks[path] = _mark(status)
                files.append(PayloadFile(path, status.st_size, _sha256(descriptor)))
        except OSError as error:
            refusals.append(Refusal(path, why(error)))
    return tuple(files), refusals + _changed(folder, marks)


def digest_lines(files: Iterable[PayloadFile]) -> Iterator[bytes]:
    """The lines that the seal covers, in its order: sha256, two spaces, path.

    Like sha256sum and shasum, a name with a back-slash is written with each doubled, and its line begins with one.
    """
    for file in sorted(files, key=lambda file: os.fsencode(file.path)):
        name = os.fsencode(file.path)
        escaped = name.replace(b"\\", b"\\\\")
        mark = b"\\" if escaped != name else b""
        yield mark + file.sha256.encode() + b"  " + escaped + b"\n"


def tree_digest(files: Iterable[PayloadFile]) -> str:
    """The seal over `files`: the sha256 of their lines."""
    hasher = hashlib.sha256()
    for line in digest_lines(files):
        hasher.update(line)
    return f"sha256:{hasher.hexdigest()}"


def _sha256(descriptor: int) -> str:
    hasher = hashlib.sha256()
    for chunk in chunks(descriptor):
        hasher.update(chunk)
    return hasher.hexdigest()


def _changed(folder: Path, marks: dict[str, Mark]) -> list[Refusal]:
    """Files that are not as they were when they were opened: their digests may belong to no state of the tree."""
    reason = "changed while the folder was read; stop what writes there"
    return [Refusal(path, reason) for path, mark in marks.items() if _mark_at(f"{folder}/{path}") != mark]


def _mark_at(path: str) -> Mark | None:
    try:
        return _mark(os.lstat(path))
    except OSError:
        return None


def _mark(status: os.stat_result) -> Mark:
    """What tells one state of a file from another without reading it."""
    return (stat.S_IFMT(status.st_mode), status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
