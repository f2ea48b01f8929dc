"""`sigil serve`."""

from pathlib import Path

import click

from sigilgen.cli.options import format_option, the_repository
from sigilgen.cli.output import emit


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), default=8_000, show_default=True, help="0 takes any free one.")
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The built site.  [default: build/site in the checkout]",
)
@click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The checkout whose site it is.  [default: the one around the current folder]",
)
@format_option
def serve_command(port: int, site: Path | None, repository: Path | None, form: str) -> None:
    """Show the built site on this machine, and on no other, until Ctrl-C (exit status 130).

    Build it first with `sigil build`. A site that is named with --site needs no checkout. The address is
    printed as soon as the site can be opened.
    """
    from sigilgen.commands.serve import SITE, render, serve

    serve(site or the_repository(repository) / SITE, port=port, say=lambda serving: emit(serving, form, render))
