"""Reads and writes files that belong to other people."""

import contextlib
import os
import secrets
import stat
from pathlib import Path


def read_file(path: Path) -> str | None:
    """The text of a file, or None if there is none.

    Bytes that are not UTF-8 become lone surrogates, which `write_file` turns back into the same bytes. Line ends
    are left as they are.
    """
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def write_file(path: Path, text: str) -> None:
    """Give a file a new text in one step; if that fails the old one stays.

    Permissions stay, and so do symbolic links: the file that they lead to is replaced.
    """
    data = text.encode("utf-8", "surrogateescape")
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".hostkeeper-{secrets.token_hex(8)}")  # hidden from whoever reads a conf.d
    try:
        before = target.stat()
    except FileNotFoundError:
        before = None
    # A file that is replaced may be private; a new one gets what the umask allows, like any other.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    try:
        with open(descriptor, "wb") as file:
            if before is not None:
                _copy_access(before, descriptor)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _copy_access(before: os.stat_result, descriptor: int) -> None:
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
