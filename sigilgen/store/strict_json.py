"""Reads one canonical JSON object and says precisely what is wrong with bytes that are not one."""

import json
from codecs import BOM_UTF8
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from sigilgen.errors import RecordError
from sigilgen.store.canonical import INTEGER_MAX, Unusable, canonical_bytes, faults_in
from sigilgen.store.limits import DEPTH_MAX, FLAWS_SHOWN

LONGEST_INTEGER = len(str(-INTEGER_MAX))

TWICE = Unusable("the key appears twice")
NUMBER = Unusable(f"is not an integer up to {INTEGER_MAX}")

_decode = msgspec.json.Decoder().decode


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong with a stored file: the JSON path of the field, what, and the line of a file that has several."""

    field: str
    what: str
    line: int | None = None


def read_object(data: bytes) -> tuple[dict[str, Any] | None, tuple[Flaw, ...]]:
    """The object that `data` holds, which must be its canonical bytes and a line feed, and every flaw.

    The object is None when a flaw leaves its content in doubt; bytes in another form than the canonical one do not.
    """
    try:
        value = _decode(data)
        if isinstance(value, dict) and canonical_bytes(value) + b"\n" == data:
            return value, ()
    except (RecursionError, ValueError, RecordError):
        pass  # what is wrong is found more slowly below
    return _diagnose(data)


def _diagnose(data: bytes) -> tuple[dict[str, Any] | None, tuple[Flaw, ...]]:
    tree = _parse(data)
    try:
        canonical = canonical_bytes(tree) + b"\n"
    except RecordError:
        return None, tuple(Flaw(path, what) for path, what in islice(faults_in(tree), FLAWS_SHOWN))
    if not isinstance(tree, dict):
        return None, (Flaw("$", "is not an object"),)
    return tree, (_difference(data, canonical),)


def _parse(data: bytes) -> object:
    if data.startswith(BOM_UTF8):
        return Unusable("starts with a byte order mark")
    shown = iter(range(FLAWS_SHOWN))

    def number(text: str) -> Unusable:
        """The first ones are quoted: more are never shown, and a hostile file has millions."""
        if next(shown, None) is None:
            return NUMBER
        return Unusable(f"{text[:40]} is not an integer up to {INTEGER_MAX}, the only numbers in records")

    def integer(text: str) -> int | Unusable:
        return int(text) if len(text) <= LONGEST_INTEGER else number(text)

    try:
        return json.loads(
            data.decode(), object_pairs_hook=_members, parse_constant=number, parse_float=number, parse_int=integer
        )
    except UnicodeDecodeError as error:
        return Unusable(f"is not UTF-8: byte {data[error.start]:#04x} at offset {error.start}")
    except RecursionError:
        return Unusable(f"nested more than {DEPTH_MAX} deep")
    except json.JSONDecodeError as error:
        return Unusable(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}")


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for key, value in pairs:
        members[key] = TWICE if key in members else value
    return members


def _difference(found: bytes, expected: bytes) -> Flaw:
    same = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
    if same is None:
        same = min(len(found), len(expected))
    return Flaw(
        "$",
        f"bytes are not canonical JSON (RFC 8785) and a line feed: offset {same} has {found[same : same + 12]!r}, "
        f"not {expected[same : same + 12]!r}",
    )
