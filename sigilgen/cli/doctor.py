"""`sigil doctor`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option
from sigilgen.cli.output import emit


@click.command("doctor")
@format_option
def doctor_command(form: str) -> int:
    """Say what is installed, what is missing and how to get it.

    Each line says whether a thing is there, what it is for and, when it is missing, how to get it. Nothing is
    installed or changed. Exit status 0 means that experiments can be run on this machine, 3 that something needed is
    missing; missing optional things cost only what their line names.
    """
    from sigilgen.commands.doctor import diagnose, render

    diagnosis = diagnose(Path.cwd())
    emit(diagnosis, form, render)
    return 0 if diagnosis.ready else 3
