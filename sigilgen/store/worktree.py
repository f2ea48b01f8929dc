"""Puts evidence files into the work tree: whole or not at all, never over another content, never through a link."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sigilgen.errors import RecordError, StoreError
from sigilgen.store.reading import read_file

MODE = 0o644


def refuse_conflicts(repository: Path, files: Mapping[str, bytes]) -> None:
    """StoreError if the work tree already has something else where one of `files` is to go."""
    for path, data in files.items():
        _check_path(path)
        target = _target(repository, path)
        if not os.path.lexists(target):
            continue
        try:
            same = read_file(target, limit=len(data)) == data
        except RecordError:
            same = False
        if not same:
            raise StoreError(
                f"{path} is there already, with another content; evidence is never changed",
                hint="Look at it with: git log -p -- " + path,
            )


def write_files(repository: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` below `repository`, each under a temporary name first. Those that are there already stay."""
    refuse_conflicts(repository, files)
    for path, data in files.items():
        target = repository / path
        if not target.exists():
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                replace_file(target, data)
            except OSError as error:
                raise StoreError(f"cannot write {path}: {error.strerror}") from error


def _target(repository: Path, path: str) -> Path:
    """Where `path` goes. StoreError if a part of it is something else than a folder."""
    folder = repository
    for part in PurePosixPath(path).parts[:-1]:
        folder /= part
        if os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()):
            raise StoreError(f"cannot write {path}: {folder.relative_to(repository)} is not a folder")
    return repository / path


def _check_path(path: str) -> None:
    parts = path.split("/")
    if any(part in {"", ".", "..", ".git"} for part in parts) or "\0" in path:
        raise StoreError(f"{path!r} is no path inside the repository")


def replace_file(target: Path, data: bytes) -> None:
    """Write `data` to `target` under a temporary name first: whole or not at all, also when the machine stops."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            os.fchmod(descriptor, MODE)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
