"""The one place where values become canonical bytes: RFC 8785, without floating-point numbers."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import NoneType
from typing import Any, cast

import msgspec
import rfc8785

from sigilgen.errors import RecordError
from sigilgen.store.limits import DEPTH_MAX, FLAWS_SHOWN

INTEGER_MAX = 2**53 - 1

_PLAIN = frozenset({str, bool, NoneType})
_encode = msgspec.json.Encoder(order="sorted").encode


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands where JSON text held something that canonical JSON cannot hold, and says what."""

    what: str


def canonical_bytes(value: object) -> bytes:
    """`value` as canonical JSON: null, booleans, integers up to 2^53-1, text, lists and objects, 32 levels deep.

    Raises RecordError with the JSON path of everything else, floating-point numbers and lone surrogates included.
    """
    try:
        in_domain, ascii_keys = _survey(value)
    except TypeError:  # a key that is no text cannot be joined to others
        in_domain, ascii_keys = False, False
    if not in_domain:
        raise _refusal(value)
    try:
        # msgspec sorts keys by code points and RFC 8785 by UTF-16 units. For ASCII keys that is the same order.
        return _encode(value) if ascii_keys else rfc8785.dumps(cast("Any", value))
    except ValueError:
        raise _refusal(value) from None


def digest_of(data: bytes) -> str:
    """The sha256 of `data`, with its algorithm."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def faults_in(value: object) -> Iterator[tuple[str, str]]:
    """JSON path and description of everything in `value` that canonical JSON cannot hold."""
    waiting = [iter([("$", value)])]  # one for each level, so that a long list is never a long list of paths
    while waiting:
        path, item = next(waiting[-1], ("", None))
        if not path:
            waiting.pop()
        elif what := f"nested more than {DEPTH_MAX} deep" if len(waiting) > DEPTH_MAX + 1 else _fault(item):
            yield path, what
        elif isinstance(item, dict):
            yield from ((path, f"the key {key!r} is not Unicode text") for key in item if not _is_unicode(key))
            waiting.append(_members(path, item))
        elif isinstance(item, list | tuple):
            waiting.append(_items(path, item))


def _members(path: str, item: dict[object, object]) -> Iterator[tuple[str, object]]:
    return ((_member_path(path, key), inner) for key, inner in item.items())


def _member_path(path: str, key: object) -> str:
    return f"{path}.{key}" if isinstance(key, str) and key.isidentifier() else f"{path}[{key!r}]"


def _items(path: str, item: Sequence[object]) -> Iterator[tuple[str, object]]:
    return ((f"{path}[{index}]", inner) for index, inner in enumerate(item))


def _survey(value: object) -> tuple[bool, bool]:
    """Whether canonical JSON can hold `value` (surrogates aside), and whether all its keys are ASCII.

    Raises TypeError for a key that is no text.
    """
    ascii_keys = True
    level: list[Any] = [value]
    for _ in range(DEPTH_MAX + 1):
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict:
                ascii_keys = "".join(item).isascii() and ascii_keys
                below.extend(item.values())
            elif kind is list or kind is tuple:
                below.extend(item)
            elif kind not in _PLAIN and _fault(item):
                return False, False
        if not below:
            return True, ascii_keys
        level = below
    return False, False


def _fault(item: object) -> str | None:
    if isinstance(item, str):
        return None if _is_unicode(item) else "text with half of a surrogate pair"
    if item is None or isinstance(item, bool | dict | list | tuple):
        return None
    if isinstance(item, int):
        return None if abs(item) <= INTEGER_MAX else f"an integer beyond {INTEGER_MAX}"
    if isinstance(item, Unusable):
        return item.what
    return f"a value of type {type(item).__name__}"


def _is_unicode(text: object) -> bool:
    try:
        return isinstance(text, str) and text.encode() is not None
    except UnicodeEncodeError:
        return False


def _refusal(value: object) -> RecordError:
    faults = [f"\n  {path}: {what}" for path, what in islice(faults_in(value), FLAWS_SHOWN)]
    return RecordError("cannot be written as canonical JSON:" + "".join(faults))
