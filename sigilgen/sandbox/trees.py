"""Copying and clearing folders that an agent may have filled with anything: links, pipes, locked folders."""

import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path


def walk(root: Path, *, skip: Callable[[str], bool] = lambda _path: False) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every entry below `root` that is not a real folder, with its path relative to `root`, in a stable order.

    Links are reported and never followed. `skip` is asked for files and folders alike. Folders that cannot be
    listed are opened up first: they are ours.
    """
    pending = [""]
    while pending:
        prefix = pending.pop()
        for entry in _entries(root / prefix):
            path = f"{prefix}{entry.name}"
            if skip(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(f"{path}/")
            else:
                yield path, entry


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except PermissionError:
        folder.chmod(0o700)
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)


def copy_tree(source: Path, target: Path) -> None:
    """Copy `source` to the new folder `target`, links as links."""
    shutil.copytree(source, target, symlinks=True)


def lay_over(source: Path, target: Path) -> None:
    """Put every file of `source` into `target`, replacing whatever stands in its way; never write through a link."""
    for path, entry in walk(source):
        place = clear_way(target, path)
        if entry.is_symlink():
            place.symlink_to(Path(entry.path).readlink())
        else:
            shutil.copy2(entry.path, place)


def put_file(root: Path, path: str, data: bytes, *, mode: int = 0o644) -> None:
    """Write one file below `root` in the same careful way."""
    place = clear_way(root, path)
    place.write_bytes(data)
    place.chmod(mode)


def clear_way(root: Path, path: str) -> Path:
    """The place of `path` below `root`, with real folders above it and nothing at it."""
    folder = root
    *parents, name = path.split("/")
    for parent in parents:
        folder = folder / parent
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            folder.unlink()
        folder.mkdir(exist_ok=True)
    place = folder / name
    if place.is_symlink() or place.exists():
        remove(place)
    return place


def remove(path: Path) -> None:
    """Remove a file, link or folder with all that is in it, even where an agent has locked it; nothing is fine."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    for folder, _, _ in os.walk(path, onerror=None):
        _unlock(Path(folder))
    shutil.rmtree(path, onerror=_unlock_and_retry)


def _unlock(folder: Path) -> None:
    if stat.S_IMODE(folder.lstat().st_mode) & 0o700 != 0o700:
        folder.chmod(0o700)


def _unlock_and_retry(function: Callable[[str], object], path: str, _error: object) -> None:
    _unlock(Path(path).parent)
    if Path(path).is_dir() and not Path(path).is_symlink():
        _unlock(Path(path))
        shutil.rmtree(path)
    else:
        function(path)


def is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether `entry` is a regular file, not a link, pipe, socket or device."""
    return entry.is_file(follow_symlinks=False)


def file_digest(path: Path) -> str:
    """`sha256:<hex>` of a regular file, read in pieces."""
    if not os.access(path, os.R_OK):
        path.chmod(0o600)
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
