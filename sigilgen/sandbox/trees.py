"""Copying and clearing folders that an agent may have filled with anything: links, pipes, locked folders."""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

LONGEST_PATH_BYTES = 2_000
"""Half of what systems take: such a path can still be named when its tree stands below another folder."""

READ_BUDGET_BYTES = 8 << 30
"""Bytes that are read of one workspace at most. A file can claim to be far larger than any disk."""


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


def tame(root: Path) -> None:
    """Make what an agent left at `root` fit to be read, moved and replaced, whatever it did to it.

    Afterwards `root` is a real folder, and its owner may read and change every folder in it. A path too long to be
    named, and files beyond what can be read in bounded time, are taken away: nobody could judge them.
    """
    if root.is_symlink() or not root.is_dir():
        remove(root)
        root.mkdir(parents=True)
    _unlock(root)
    left = READ_BUDGET_BYTES
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            found = list(entries)
        for entry in found:
            place = Path(entry.path)
            if len(os.fsencode(entry.path)) - len(os.fsencode(root)) > LONGEST_PATH_BYTES:
                remove(place)
            elif entry.is_dir(follow_symlinks=False):
                _unlock(place)
                pending.append(place)
            elif is_plain(entry):
                size = entry.stat(follow_symlinks=False).st_size
                if size > left:
                    place.unlink()
                else:
                    left -= size


def remove(path: Path) -> None:
    """Remove a file, link or folder with all that is in it, however locked or deep; nothing is fine."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        _remove_stubborn(path)


def _remove_stubborn(root: Path) -> None:
    """Unlock every folder, and lift it to the top before it is emptied, so that no path gets long."""
    _unlock(root)
    top = Path(tempfile.mkdtemp(dir=root))
    pending = [root]
    lifted = 0
    while pending:
        folder = pending.pop()
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if entry.path != str(top)]
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                _unlock(Path(entry.path))
                pending.append(Path(entry.path).rename(top / str(lifted)))
                lifted += 1
            else:
                Path(entry.path).unlink()
        if folder != root:
            folder.rmdir()
    top.rmdir()
    root.rmdir()


def _unlock(folder: Path) -> None:
    if stat.S_IMODE(folder.lstat().st_mode) & 0o700 != 0o700:
        folder.chmod(0o700)


def tree_digest(root: Path) -> str:
    """`sha256:<hex>` of all files and links below `root`: their paths, modes and contents."""
    lines = []
    for path, entry in walk(root):
        mode = stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode)
        content = file_digest(Path(entry.path)) if is_plain(entry) else str(Path(entry.path).readlink())
        lines.append(repr((path, mode, content)))
    return f"sha256:{hashlib.sha256(os.fsencode(chr(10).join(lines))).hexdigest()}"


def write_at_once(path: Path, text: str) -> None:
    """Write a short file so that it is there with all of its text or not at all."""
    partial = path.with_name(f"{path.name}.new")
    partial.write_text(text, encoding="ascii")
    partial.rename(path)


def is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether `entry` is a regular file, not a link, pipe, socket or device."""
    return entry.is_file(follow_symlinks=False)


def file_digest(path: Path) -> str:
    """`sha256:<hex>` of a regular file, read in pieces."""
    if not os.access(path, os.R_OK):
        path.chmod(0o600)
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
