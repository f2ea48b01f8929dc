"""`sigil digest`."""

import click

from sigilgen.cli.options import format_option
from sigilgen.cli.output import emit


@click.command("digest")
@click.argument("payload")
@click.option("--files", is_flag=True, help="Also list every sealed file with its own sha256.")
@format_option
def digest_command(payload: str, files: bool, form: str) -> None:
    """Print the digest that seals a payload.

    PAYLOAD is its folder, or the name of a capability of the repository around the current folder. The digest is the
    sha256 of a sorted list of "<file sha256>  <path>" lines over every installed file, and can be reproduced without
    Sigil: see the method page. A payload with files that would be installed but not sealed is refused (exit status 3).
    """
    from sigilgen.commands.digest import digest, render

    emit(digest(payload, files=files), form, render)
