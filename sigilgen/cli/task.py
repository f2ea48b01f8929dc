"""`sigil task`."""

import click

from sigilgen.cli.lazy import LazyGroup

COMMANDS = {
    "check": "sigilgen.cli.task_check:task_check_command",
    "list": "sigilgen.cli.task_list:task_list_command",
}

SUMMARIES = {
    "check": "Prove that tasks are fair.",
    "list": "List suites and their tasks.",
}


@click.group("task", cls=LazyGroup, commands_at=COMMANDS, summaries=SUMMARIES)
def task_group() -> None:
    """List tasks, or prove that they are fair.

    A task is a small repository, a request, and a hidden verifier that decides whether the request was met. Tasks
    are kept in suites, below tasks/. Start your own with `sigil new suite NAME`.
    """
