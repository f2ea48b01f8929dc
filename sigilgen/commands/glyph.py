"""Draw the sigil of a payload or a digest."""

from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import RequestError
from sigilgen.model.names import is_digest
from sigilgen.pages.glyph import NOTE, VERSION, glyph_svg, glyph_text
from sigilgen.store.payload import read_payload


@dataclass(frozen=True, slots=True)
class Drawn:
    """A glyph with the digest that it must never be shown without."""

    version: str
    digest: str
    svg: str
    note: str


def draw(wanted: str) -> Drawn:
    """The glyph of `wanted`: the folder of a payload, `sha256:<hex>`, or 64 hexadecimal digits."""
    digest = _digest(wanted)
    return Drawn(VERSION, digest, glyph_svg(digest), NOTE)


def _digest(wanted: str) -> str:
    bare = wanted.lower()
    for written in (bare, f"sha256:{bare}"):
        if is_digest(written):
            return written
    if Path(wanted).is_dir():
        return read_payload(Path(wanted)).digest
    raise RequestError(
        f"{wanted!r} is neither a folder nor a digest",
        hint="A digest is written sha256: and 64 hexadecimal digits; `sigil digest FOLDER` prints one.",
    )


def render(drawn: Drawn) -> str:
    """The glyph in half blocks, the digest below it, and what it is good for."""
    return "\n".join([*glyph_text(drawn.digest), "", drawn.digest, drawn.note])


def render_svg(drawn: Drawn) -> str:
    """The SVG element alone; its description holds the digest."""
    return drawn.svg
