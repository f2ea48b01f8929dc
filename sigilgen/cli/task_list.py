"""`sigil task list`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("list")
@click.argument("suite", required=False)
@repository_option
@format_option
def task_list_command(suite: str | None, repository: Path, form: str) -> None:
    """List all suites, or only SUITE, with their tasks, time limits and digests.

    SUITE is the name of a suite or the path to its folder. Every file of a task is read on the way: faults are
    listed all at once, each with its file and line (exit status 3).
    """
    from sigilgen.commands.task_list import render, task_list

    emit(task_list(repository, suite), form, render)
