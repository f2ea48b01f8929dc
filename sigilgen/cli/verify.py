"""`sigil verify`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("verify")
@click.option(
    "--since",
    metavar="REF",
    default=None,
    help="Also prove that evidence was only added since HEAD parted from this branch, tag or commit.",
)
@repository_option
@format_option
def verify_command(since: str | None, repository: Path, form: str) -> int:
    """Recompute every number in the evidence and name what disagrees.

    Reads every record, run and transcript below evidence/, without network: schemas, ids, digests, names, the fit of
    runs to plans, outcomes, counts, intervals and verdicts, and in git's history that no file was ever changed or
    removed. Exit status 1 means that something disagrees; each disagreement names its file and field.
    """
    from sigilgen.commands.verify import render, verify

    report = verify(repository, since=since)
    emit(report, form, render)
    return 1 if report.disagreements else 0
