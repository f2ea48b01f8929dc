"""`sigil reference`, for people who change Sigil itself."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("reference", hidden=True)
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 means that a file is stale.")
@repository_option
@format_option
def reference_command(check: bool, repository: Path, form: str) -> int:
    """Write the generated files again: schemas/ and site_src/reference/.

    They follow from the program itself: JSON Schemas of stored records, and the pages on commands, file formats and
    errors.
    """
    from sigilgen.cli import cli
    from sigilgen.cli.manual import manual
    from sigilgen.commands.reference import reference, render

    result = reference(repository, commands_page=manual(cli, "sigil"), check=check)
    emit(result, form, render)
    return 1 if check and result.changed else 0
