"""Opening files that somebody else put there: regular files only, never through a link, never waiting for a pipe."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHUNK_BYTES = 256 << 10


@contextmanager
def open_regular(path: str | Path) -> Iterator[int]:
    """A descriptor that reads the regular file at `path`. OSError for anything else, a link at `path` included."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        yield descriptor
    finally:
        os.close(descriptor)


def chunks(descriptor: int) -> Iterator[bytes]:
    """What is left to read, in pieces of bounded size."""
    while chunk := os.read(descriptor, CHUNK_BYTES):
        yield chunk


def why(error: OSError) -> str:
    """What went wrong, in words that fit behind the name of a file."""
    if error.errno == errno.ELOOP:
        return "is a symbolic link"
    return f"cannot be read: {(error.strerror or str(error)).lower()}"
