"""Restores an archive into a folder: all of it, or nothing."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from coldstore.errors import RestoreError
from coldstore.limits import Limits
from coldstore.plan import plan
from coldstore.readers import DAMAGED, Entry, TarReader, ZipReader, open_archive
from coldstore.report import Report

BLOCK = 1024 * 1024


def restore(
    archive: str | os.PathLike[str], destination: str | os.PathLike[str], limits: Limits = Limits()
) -> Report:
    """Put everything that is in `archive` into the folder `destination`, which is made if need be.

    The archive is unpacked beside the destination first. If it has to be refused, nothing has been changed.
    """
    archive, destination = Path(archive), Path(destination)
    try:
        reader = open_archive(archive)
    except DAMAGED as error:
        raise RestoreError(f"{archive.name} is not an archive: {error}") from error
    with contextlib.closing(reader), _stage(destination) as stage:
        try:
            entries = plan(reader.entries(), limits)
            _unpack(reader, entries, stage, limits)
        except DAMAGED as error:
            raise RestoreError(f"{archive.name} is damaged: {error}") from error
        _check_place(entries, destination)
        _move(entries, stage, destination)
    report = Report()
    for entry in entries:
        report.add("link" if entry.kind == "hard link" else entry.kind, entry.size)
    return report


@contextlib.contextmanager
def _stage(destination: Path) -> Iterator[Path]:
    """An empty folder on the volume of `destination`, gone afterwards with all that is in it."""
    parent = next(folder for folder in destination.absolute().parents if folder.exists())
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=parent) as stage:
        yield Path(stage)


def _unpack(reader: TarReader | ZipReader, entries: list[Entry], stage: Path, limits: Limits) -> None:
    left = limits.max_bytes
    for entry in entries:
        path = stage / entry.name
        folder = path if entry.kind == "folder" else path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise RestoreError(f"{entry.name!r} needs a folder where the archive has a file") from None
        if entry.kind == "file":
            left -= _unpack_file(reader, entry, path, left)
        elif entry.kind == "hard link":
            os.link(stage / os.path.normpath(entry.target), path)
        elif entry.kind == "link":
            os.symlink(entry.target, path)


def _unpack_file(reader: TarReader | ZipReader, entry: Entry, path: Path, left: int) -> int:
    """Unpack one file of at most `left` bytes and return its size: what the archive says of it may be wrong."""
    size = 0
    with reader.open(entry) as source, open(path, "xb", opener=_private) as file:
        while block := source.read(BLOCK):
            size += len(block)
            if size > left:
                raise RestoreError(f"{entry.name!r}: more bytes in all than allowed")
            file.write(block)
    path.chmod(0o644 if entry.mode is None else entry.mode & 0o777)
    if entry.mtime is not None:
        os.utime(path, (entry.mtime, entry.mtime))
    return size


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _check_place(entries: list[Entry], destination: Path) -> None:
    """Refuse what cannot be moved to its place without following an old link or removing an old folder."""
    folders = {Path(entry.name).parent for entry in entries} | {Path(e.name) for e in entries if e.kind == "folder"}
    for folder in sorted({parent for folder in folders for parent in (folder, *folder.parents)} - {Path()}):
        place = destination / folder
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise RestoreError(f"{str(folder)!r} is a folder in the archive and something else in {destination}")
    for entry in entries:
        place = destination / entry.name
        if entry.kind != "folder" and place.is_dir() and not place.is_symlink():
            raise RestoreError(f"{entry.name!r} is a folder in {destination} and something else in the archive")


def _move(entries: list[Entry], stage: Path, destination: Path) -> None:
    destination.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        place = destination / entry.name
        (place if entry.kind == "folder" else place.parent).mkdir(parents=True, exist_ok=True)
        if entry.kind == "hard link":
            place.unlink(missing_ok=True)  # renaming one name of a file over another does nothing at all
        if entry.kind != "folder":
            os.replace(stage / entry.name, place)
    for entry in entries:
        if entry.kind == "folder" and entry.mode is not None:
            (destination / entry.name).chmod(entry.mode & 0o777)
