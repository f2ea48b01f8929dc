"""`sigil digest`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option
from sigilgen.cli.output import emit


@click.command("digest")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--files", is_flag=True, help="Also list every sealed file with its own sha256.")
@format_option
def digest_command(folder: Path, files: bool, form: str) -> None:
    """Print the digest that seals the payload in FOLDER.

    It is the sha256 of a sorted list of "<file sha256>  <path>" lines over every installed file, and can be
    reproduced without Sigil: see the method page. A payload with files that would be installed but not sealed is
    refused (exit status 3).
    """
    from sigilgen.commands.digest import digest, render

    emit(digest(folder, files=files), form, render)
