"""`sigil status`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("status")
@repository_option
@format_option
def status_command(repository: Path, form: str) -> None:
    """List experiments: running, stopped, finished and abandoned.

    A plan without a result is running if a process on this machine works on it. It is stopped if nobody does and the
    work so far is here: `sigil prove --resume` goes on with it. Otherwise it is abandoned, or running elsewhere. RUNS
    counts what came to an end, of what was planned.
    """
    from sigilgen.commands.status import render, status

    emit(status(repository), form, render)
