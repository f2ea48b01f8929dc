"""Reading JSON lines that an agent printed, which may be cut anywhere and hold anything."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def events(stdout: bytes) -> Iterator[dict[str, Any]]:
    """Every line that is a JSON object; other lines mean nothing here."""
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


def text(value: object) -> str | None:
    """`value` when it is text. Half of a surrogate pair, which JSON can spell and no file can hold, is replaced."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else None


def count(value: object) -> int | None:
    """`value` when it is a whole number that a record can hold."""
    return value if type(value) is int and 0 <= value < 2**53 else None


def table(value: object) -> Mapping[str, Any]:
    """`value` when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[Any]:
    """`value` when it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []
