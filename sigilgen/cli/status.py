"""`sigil status`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("status")
@repository_option
@format_option
def status_command(repository: Path, form: str) -> None:
    """List experiments: finished, running and abandoned.

    A plan without a result is running if this machine has its journal, and goes on with `sigil prove --resume`.
    Otherwise it is abandoned: it was started somewhere and never came to a result. RUNS counts what came to an end, of
    what was planned.
    """
    from sigilgen.commands.status import render, status

    emit(status(repository), form, render)
