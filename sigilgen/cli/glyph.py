"""`sigil glyph`."""

from pathlib import Path

import click

from sigilgen.cli.output import emit


@click.command("glyph")
@click.argument("payload_or_digest")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the SVG to this new file as well.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "svg", "json"]),
    default="text",
    show_default=True,
    help="What to print on standard output.",
)
def glyph_command(payload_or_digest: str, output: Path | None, form: str) -> None:
    """Draw the sigil of a payload or digest.

    PAYLOAD_OR_DIGEST is the folder of a payload, the name of a capability of the repository around the current
    folder, or a digest. The picture helps to recognise a content at a glance. It is never a check: whoever wants to
    can find another content with a picture much like it. Compare the digests.
    """
    from sigilgen.commands.glyph import draw, render, render_svg

    emit(draw(payload_or_digest, output=output), form, render_svg if form == "svg" else render)
