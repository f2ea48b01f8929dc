"""The generated part of the page sources on disk: written whole, changed only where it differs, nothing stale left."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import StoreError

GENERATED = ("catalogue", "results", "suites")
"""Folders below the page sources that belong to the generator alone; git ignores them."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How many files were written because they were new or different, and how many were removed."""

    written: int
    removed: int


def write_pages(sources: Path, pages: Mapping[str, bytes]) -> Changes:
    """Make the generated folders below `sources` hold exactly `pages`, by path; no symbolic link is followed.

    Raises:
        StoreError: A generated folder is a symbolic link or a file, or the file system refused.
        ValueError: A page would stand outside the generated folders.
    """
    for path in pages:
        if path.partition("/")[0] not in GENERATED or ".." in path.split("/"):
            raise ValueError(f"{path} is not below a generated folder")
    try:
        removed = sum(_clear(sources / name, sources, pages) for name in GENERATED)
        written = sum(_write(sources / path, content) for path, content in pages.items())
    except OSError as error:
        raise StoreError(f"cannot write the pages below {sources}: {error.strerror or error}") from error
    return Changes(written, removed)


def _clear(folder: Path, sources: Path, wanted: Mapping[str, bytes]) -> int:
    """Remove everything below `folder` that is not a wanted regular file; return how many files that were."""
    if folder.is_symlink() or folder.is_file():
        raise StoreError(
            f"{folder} is not a folder of its own",
            hint="`sigil build` writes there and removes what is stale. Move it away, then build again.",
        )
    removed = 0
    for entry in _below(folder):
        if entry.is_dir(follow_symlinks=False):
            if not os.listdir(entry.path):  # noqa: PTH208  (a scan entry knows its path as text)
                os.rmdir(entry.path)  # noqa: PTH106  (likewise)
            continue
        if entry.is_symlink() or Path(entry.path).relative_to(sources).as_posix() not in wanted:
            os.unlink(entry.path)  # noqa: PTH108  (likewise)
            removed += 1
    return removed


def _below(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Everything below `folder`, what a folder holds before the folder itself."""
    if not os.path.isdir(folder):  # noqa: PTH112  (a scan entry knows its path as text)
        return
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path)
        yield entry


def _write(file: Path, content: bytes) -> bool:
    """Write `content` unless the file holds it already, so that builders with a cache see what has changed."""
    try:
        if file.read_bytes() == content:
            return False
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return True
