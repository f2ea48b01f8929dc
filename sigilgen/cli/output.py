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
    if form == "json":
        click.echo(json.dumps(msgspec.to_builtins(result, str_keys=True), indent=2, ensure_ascii=False))
    else:
        click.echo(printable(render(result)))
