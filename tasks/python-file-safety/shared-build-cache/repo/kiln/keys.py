"""The key of a step: a digest of everything that goes into it."""

import hashlib
from collections.abc import Mapping, Sequence


def key_of(command: Sequence[str], inputs: Mapping[str, bytes]) -> str:
    """64 hexadecimal digits that depend on the command and on the names and contents of the inputs."""
    digest = hashlib.sha256()
    for part in command:
        _add(digest, part.encode("utf-8"))
    for name, content in sorted(inputs.items()):
        _add(digest, name.encode("utf-8"))
        _add(digest, content)
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", part: bytes) -> None:
    # With their lengths, so that ("ab", "c") and ("a", "bc") differ.
    digest.update(len(part).to_bytes(8, "big"))
    digest.update(part)


def check_key(key: str) -> str:
    if len(key) != 64 or not set(key) <= set("0123456789abcdef"):
        raise ValueError(f"{key!r} is not a key")
    return key
