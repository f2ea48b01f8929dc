"""Files in a folder that several processes use at the same time."""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


def replace_file(path: Path, content: bytes, folder: Path) -> None:
    """Make or replace `path` in one step. `folder`, on the same volume, is where the new file is written first.

    Nothing is synced: what is lost in a power cut can be built again.
    """
    temporary = folder / secrets.token_hex(16)
    try:
        with open(temporary, "xb") as file:  # not tempfile: its files can be read by their owner only
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes out. The kernel opens the lock when its holder ends, however it ends."""
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
