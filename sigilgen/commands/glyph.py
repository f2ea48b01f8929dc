"""Draw the sigil of a payload or a digest."""

from dataclasses import dataclass
from pathlib import Path

from sigilgen.commands.find_payload import find_payload, seal_payload
from sigilgen.errors import RequestError, StoreError
from sigilgen.model.names import is_digest
from sigilgen.pages.glyph import NOTE, VERSION, glyph_svg, glyph_text


@dataclass(frozen=True, slots=True)
class Drawn:
    """A glyph with the digest that it must never be shown without."""

    version: str
    digest: str
    svg: str
    note: str


def draw(wanted: str, *, output: Path | None = None) -> Drawn:
    """The glyph of `wanted`: `sha256:<hex>`, 64 hexadecimal digits, the folder of a payload, or a capability's name.

    A name is looked up in the repository around the current folder. The SVG is also written to `output`, a new file.
    """
    digest = _written_digest(wanted)
    if digest is None:
        folder = find_payload(wanted)
        if folder is None:
            raise RequestError(
                f"{wanted!r} is neither a digest nor a folder nor the name of a capability here",
                hint="A digest is written sha256: and 64 hexadecimal digits; `sigil digest FOLDER` prints one.",
            )
        _check_outside(folder, output)
        digest = seal_payload(folder).digest
    drawn = Drawn(VERSION, digest, glyph_svg(digest), NOTE)
    if output is not None:
        _write(output, drawn.svg)
    return drawn


def _written_digest(wanted: str) -> str | None:
    bare = wanted.lower()
    return next((written for written in (bare, f"sha256:{bare}") if is_digest(written)), None)


def _check_outside(payload: Path, output: Path | None) -> None:
    if output is not None and output.resolve().is_relative_to(payload.resolve()):
        raise RequestError(
            f"{output} would lie in the payload and change its digest, and with it the glyph",
            hint="Name a file outside of that folder.",
        )


def _write(output: Path, svg: str) -> None:
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(svg + "\n")
    except FileExistsError:
        raise RequestError(f"{output} is there already", hint="Remove it, or name another file.") from None
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror}") from error


def render(drawn: Drawn) -> str:
    """The glyph in half blocks, the digest below it, and what it is good for."""
    return "\n".join([*glyph_text(drawn.digest), "", drawn.digest, drawn.note])


def render_svg(drawn: Drawn) -> str:
    """The SVG element alone; its description holds the digest."""
    return drawn.svg
