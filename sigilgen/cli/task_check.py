"""`sigil task check`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, jobs_option, repository_option
from sigilgen.cli.output import emit


@click.command("check")
@click.argument("suite")
@click.argument("tasks", nargs=-1)
@jobs_option
@repository_option
@format_option
def task_check_command(suite: str, tasks: tuple[str, ...], jobs: int, repository: Path, form: str) -> None:
    """Prove that the tasks of SUITE are fair; with TASKS only those.

    For each task: the untouched repo fails; an idle agent fails and the reference solution passes, five times each;
    the verifier needs no network and still holds with the clock two years ahead; the prompt names neither Sigil nor
    a capability; the starting repo gives nothing away; no task is a copy of another. Each failure says what to change.
    What this machine cannot check is said, and is not a pass. `sigil build` shows the last complete check on the page
    of the suite.

    \b
    Exit status: 0 everything passes · 1 something fails
                 4 nothing fails, but something could not be checked
    """  # noqa: D301  (\b is Click's mark for lines that stay as they are)
    from sigilgen.cli.steps import steps
    from sigilgen.commands.task_check import check_suite, exit_status, render
    from sigilgen.store.fairness import keep_proof

    with steps(f"checking {suite}") as step:
        checked = check_suite(repository, suite, only=tasks, jobs=jobs, step=step)
    emit(checked, form, render)
    if not tasks:
        keep_proof(repository, checked)
    raise SystemExit(exit_status(checked))
