"""Writing a file so that it is never seen, or left behind, in a half-written state."""

import contextlib
import os
import secrets
import stat


def replace_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the content of `path` in one step, keeping its permissions and the links that lead to it.

    If anything goes wrong the old content stays as it is.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    # Beside the target, because a rename works only inside one volume.
    temporary = os.path.join(folder, f".inkwell-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), _mode_for(target))
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _mode_for(target: str) -> int:
    """The mode of the file that is replaced; a new one is private, since it is going to hold the sync token."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return 0o600


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
