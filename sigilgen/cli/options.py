"""Options that several commands share, declared once."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sigilgen.errors import RequestError

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_JOBS = max(1, min(4, (os.cpu_count() or 1) // 2))


def format_option(function: F) -> F:
    """`--format text|json`: what goes to standard output."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="What to print on standard output.",
    )(function)


def jobs_option(function: F) -> F:
    """`--jobs`: how many runs at the same time."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        default=DEFAULT_JOBS,
        help="Runs at the same time.  [default: half the processors, at most 4]",
    )(function)


def repository_option(function: F) -> F:
    """`--repository`: the checkout to work in; by default the one around the current folder."""
    return click.option(
        "--repository",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=None,
        callback=_repository,
        help="The checkout to work in.  [default: the one around the current folder]",
    )(function)


def _repository(_context: click.Context, _parameter: click.Parameter, value: Path | None) -> Path:
    return the_repository(value)


def the_repository(value: Path | None) -> Path:
    """The checkout that `--repository` names, or the one around the current folder. RequestError if there is none."""
    from sigilgen.commands.find_repository import find_repository

    start = (value or Path.cwd()).resolve()
    found = find_repository(start)
    if found is None:
        raise RequestError(
            f"no Sigil repository at or above {start}",
            hint="It has the folders catalog/ and tasks/. Change into a checkout, or name one with --repository.",
        )
    return found
