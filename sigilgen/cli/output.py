"""How results reach standard output: text for people, JSON for programs."""

import json
from collections.abc import Callable
from typing import TypeVar

import click
import msgspec

from sigilgen.cli.boundary import printable

T = TypeVar("T")


def emit(result: T, form: str, render: Callable[[T], str]) -> None:
    """Print `result` as JSON (its fields as they are) or as the text that `render` makes of it."""
    click.echo(as_json(result) if form == "json" else printable(render(result)))


def as_json(result: object) -> str:
    """`result` as JSON in which whatever could drive a terminal is escaped; other text stays readable."""
    text = json.dumps(msgspec.to_builtins(result, str_keys=True), indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text)
