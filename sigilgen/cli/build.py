"""`sigil build`."""

from pathlib import Path
from typing import Literal

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit


@click.command("build")
@click.option("--pages-only", is_flag=True, help="Write the page sources below site_src/ and stop there.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Where the site goes.  [default: build/site in the checkout]",
)
@click.option(
    "--builder",
    type=click.Choice(["mkdocs", "zensical"]),
    default="mkdocs",
    show_default=True,
    help="What turns the page sources into a site.",
)
@repository_option
@format_option
def build_command(
    pages_only: bool, output: Path | None, builder: Literal["mkdocs", "zensical"], repository: Path, form: str
) -> None:
    """Turn the evidence into pages and build the site.

    Writes Markdown, SVG and JSON for every capability, result and suite below site_src/, removes what is stale
    there, and builds the site. The same evidence always gives the same pages. Look at it with `sigil serve`.
    """
    from sigilgen.commands.build import build, render

    built = build(
        repository,
        output=output,
        builder=builder,
        pages_only=pages_only,
        say=lambda text: click.echo(text, err=True),
    )
    emit(built, form, render)
