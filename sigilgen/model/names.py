"""Names and digests: the strings that identify things, and the only patterns that accept them."""

import re
from typing import Annotated

import msgspec

# In Python `$` also matches before a last line feed; the look-ahead refuses it, and JSON Schema understands it too.
DIGEST_PATTERN = r"^sha256:[0-9a-f]{64}$(?!\n)"
SLUG_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)"
NAME_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$(?!\n)"
TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$(?!\n)"
SLUG_MAX = 64

Digest = Annotated[str, msgspec.Meta(pattern=DIGEST_PATTERN, description="sha256 of some bytes, with its algorithm")]
Slug = Annotated[
    str, msgspec.Meta(pattern=SLUG_PATTERN, max_length=SLUG_MAX, description="lower-case words joined by hyphens")
]
Name = Annotated[str, msgspec.Meta(pattern=NAME_PATTERN, max_length=2 * SLUG_MAX + 1, description="<namespace>/<slug>")]
Time = Annotated[str, msgspec.Meta(pattern=TIME_PATTERN, description="RFC 3339, always UTC, with Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


def is_slug(text: str) -> bool:
    """Whether `text` may name a namespace, capability, suite or task: lower-case ASCII words joined by hyphens."""
    return len(text) <= SLUG_MAX and re.fullmatch(SLUG_PATTERN, text) is not None


def is_digest(text: str) -> bool:
    """Whether `text` is written like a digest: `sha256:` and 64 lower-case hexadecimal digits."""
    return re.fullmatch(DIGEST_PATTERN, text) is not None


def short(digest: str) -> str:
    """First 16 hexadecimal digits of a digest: enough for a folder name, never for a check."""
    return digest.removeprefix("sha256:")[:16]
