"""Which glyphs look alike: distances between pictures as a crude eye sees them at 16 pixels."""

import numpy as np
from numpy.typing import NDArray

from sigilgen.pages.glyph import SIDE

PIXELS = 16
LOOKS_LIKE = 0.1
"""Below this distance a page says that two glyphs look alike. Two random glyphs are about 0.2 apart."""

FLOOR = 0.05
"""No two glyphs of 10,000 random digests are nearer than this: `sigil-glyph/1` was chosen by it and is held to it."""

_BLOCK = 1_000


def appearances(cells: NDArray[np.integer]) -> NDArray[np.float64]:
    """Glyphs at 16 by 16 pixels, quiet zone included, blurred.

    `cells` has a row of 81 for each glyph, as `glyph_cells` gives them; the result has a row of 256 grey values in
    [0, 1], row by row of the picture.
    """
    grids = np.pad(cells.reshape(-1, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
    return np.asarray((_LENS @ grids @ _LENS.T).reshape(len(cells), PIXELS**2))


def nearest_others(pictures: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """For each picture the index of the other one that looks most like it, and how far that one is away.

    `pictures` has the shape of `appearances`. A distance is the root mean square difference of the pixels: 0 for the
    same picture, 1 for black against white, infinite where there is no other. Of equally near ones the first is named.
    """
    lengths = np.square(pictures).sum(axis=1)
    nearest = np.zeros(len(pictures), dtype=np.intp)
    for start in range(0, len(pictures), _BLOCK):
        block = pictures[start : start + _BLOCK]
        squares = lengths - 2 * (block @ pictures.T)  # less the length of the row's own picture, which orders nothing
        np.round(squares, 9, out=squares)  # what differs by rounding alone is equally near
        own = np.arange(len(block))
        squares[own, start + own] = np.inf
        nearest[start : start + _BLOCK] = squares.argmin(axis=1)
    away = np.sqrt(np.square(pictures - pictures[nearest]).mean(axis=1))
    return nearest, np.where(nearest == np.arange(len(pictures)), np.inf, away)


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
