"""`sigil serve`."""

from pathlib import Path

import click

from sigilgen.cli.options import repository_option


@click.command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), default=8_000, show_default=True, help="0 takes any free one.")
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The built site.  [default: build/site in the checkout]",
)
@repository_option
def serve_command(port: int, site: Path | None, repository: Path) -> None:
    """Show the built site on this machine, and on no other, until Ctrl-C (exit status 130)."""
    from sigilgen.commands.serve import serve

    serve(site or repository / "build" / "site", port=port, say=click.echo)
