"""`sigil-glyph/1`: the picture drawn from a digest, an aid to recognition and never a check.

The algorithm is frozen. The bits of sha256("sigil-glyph/1", NUL, the 32 bytes of the digest), least significant bit of
the first byte first, fill nine rows of five cells; columns 1 to 4 are mirrored to 9 to 6. When fewer than 30 % or more
than 70 % of the 81 cells have ink, the hash is taken again with one more byte at its end: 1, then 2, and so on. Golden
files hold the result; any change would be `sigil-glyph/2`.
"""

import re
from collections.abc import Sequence
from hashlib import sha256

from sigilgen.model.names import is_digest

VERSION = "sigil-glyph/1"
SIDE = 9
HALF = 5
LEAST_INK = 0.3
MOST_INK = 0.7
NOTE = "An aid to recognition, never a check: compare the digests."

_SUFFIX = re.compile(r"[A-Za-z0-9-]*")


def glyph_cells(digest: str) -> tuple[int, ...]:
    """The 81 cells of the glyph, row by row from the top left: 1 is ink, 0 is ground.

    Raises ValueError for a text that is not a digest.
    """
    if not is_digest(digest):
        raise ValueError(f"not a digest: {digest!r}")
    content = VERSION.encode() + b"\0" + bytes.fromhex(digest.removeprefix("sha256:"))
    tries = (_mirrored(sha256(content + tail).digest()) for tail in (b"", *(bytes([n]) for n in range(1, 256))))
    # That none of 256 hashes has a fair amount of ink is as likely as guessing a digest.
    return next(cells for cells in tries if LEAST_INK <= sum(cells) / len(cells) <= MOST_INK)


def _mirrored(key: bytes) -> tuple[int, ...]:
    bits = int.from_bytes(key, "little")
    rows = ([bits >> (row * HALF + column) & 1 for column in range(HALF)] for row in range(SIDE))
    return tuple(cell for row in rows for cell in (*row, *row[-2::-1]))


def glyph_svg(digest: str, *, id_suffix: str = "") -> str:
    """The glyph as one inline SVG element in the colour of the text around it, with one cell of ground on each side.

    Its ids are made from the digest; where a page shows the same glyph twice, `id_suffix` (ASCII letters, digits and
    hyphens) tells them apart. Raises ValueError for a text that is not a digest, or another suffix.
    """
    if not _SUFFIX.fullmatch(id_suffix):
        raise ValueError(f"not fit for an id: {id_suffix!r}")
    cells = glyph_cells(digest)
    hexadecimal = digest.removeprefix("sha256:")
    name = f"sigil-{hexadecimal[:16]}{id_suffix}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {SIDE + 2} {SIDE + 2}" role="img"'
        f' aria-labelledby="{name}-title" aria-describedby="{name}-desc" shape-rendering="crispEdges">'
        f'<title id="{name}-title">Sigil {hexadecimal[:8]}</title>'
        f'<desc id="{name}-desc">{digest}. {NOTE}</desc>'
        f'<path fill="currentColor" d="{_path(cells)}"/></svg>'
    )


def _path(cells: Sequence[int]) -> str:
    return "".join(f"M{x} {y}h{width}v{height}h-{width}z" for x, y, width, height in _rectangles(cells))


def _rectangles(cells: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Cover the ink with rectangles `(x, y, width, height)` that do not overlap, each as large as it can be."""
    ink = [divmod(index, SIDE) for index, cell in enumerate(cells) if cell]
    free = set(ink)
    rectangles = []
    for top, left in ink:
        if (top, left) not in free:
            continue
        right = next(x for x in range(left, SIDE + 1) if (top, x) not in free)
        bottom = next(y for y in range(top, SIDE + 1) if any((y, x) not in free for x in range(left, right)))
        free -= {(y, x) for y in range(top, bottom) for x in range(left, right)}
        rectangles.append((left, top, right - left, bottom - top))
    return rectangles


def glyph_text(digest: str) -> tuple[str, ...]:
    """The glyph for a terminal: six lines of eleven half blocks, with one cell of ground on each side.

    Raises ValueError for a text that is not a digest.
    """
    cells = glyph_cells(digest)
    ground = (0,) * (SIDE + 2)
    rows = [(0, *cells[start : start + SIDE], 0) for start in range(0, SIDE * SIDE, SIDE)]
    padded = [ground, *rows, ground, ground]
    pairs = zip(padded[::2], padded[1::2], strict=True)
    return tuple("".join(" ▄▀█"[2 * above + below] for above, below in zip(*pair, strict=True)) for pair in pairs)
