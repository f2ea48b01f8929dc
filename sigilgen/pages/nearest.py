"""Which glyphs look alike: distances between pictures as a crude eye sees them at 16 pixels."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sigilgen.pages.glyph import SIDE, glyph_cells

PIXELS = 16
LOOKS_LIKE = 0.1
"""Below this distance a page says that two glyphs look alike. Two random glyphs are about 0.2 apart."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another glyph, and how far it is away: 0 for the same picture, 1 for black against white."""

    digest: str
    distance: float


def nearest(digest: str, others: Iterable[str]) -> Neighbour | None:
    """The glyph among `others` that looks most like that of `digest`; None when there is no other digest.

    `digest` itself may be among `others` and is passed over. Of equally near ones the least digest is named.
    """
    candidates = sorted(set(others) - {digest})
    if not candidates:
        return None
    away = distances(appearance(digest), np.stack([appearance(other) for other in candidates]))
    index = int(np.argmin(away))
    return Neighbour(candidates[index], float(away[index]))


def distances(one: NDArray[np.float64], many: NDArray[np.float64]) -> NDArray[np.float64]:
    """Root mean square difference of the pixels between `one`, shape `(256,)`, and each row of `many`, `(n, 256)`."""
    return np.asarray(np.sqrt(np.square(many - one).mean(axis=1)))


@lru_cache(maxsize=8192)
def appearance(digest: str) -> NDArray[np.float64]:
    """The glyph at 16 by 16 pixels, quiet zone included, blurred: 256 grey values in [0, 1], row by row.

    Raises ValueError for a text that is not a digest.
    """
    cells = np.array(glyph_cells(digest), dtype=np.float64).reshape(SIDE, SIDE)
    picture = np.asarray((_LENS @ np.pad(cells, 1) @ _LENS.T).reshape(-1))
    picture.flags.writeable = False
    return picture


def _lens() -> NDArray[np.float64]:
    """From eleven cells to sixteen pixels, along one side: the mean over each pixel's area, then a 5-tap blur."""
    cells = SIDE + 2
    edges = np.linspace(0, cells, PIXELS + 1)
    starts, ends = edges[:-1, np.newaxis], edges[1:, np.newaxis]
    left = np.arange(cells)
    overlap = np.clip(np.minimum(ends, left + 1) - np.maximum(starts, left), 0, None) * PIXELS / cells
    blur = sum(
        weight / 16 * np.eye(PIXELS, k=shift) for weight, shift in zip((1, 4, 6, 4, 1), range(-2, 3), strict=True)
    )
    return np.asarray(blur @ overlap)


_LENS = _lens()
