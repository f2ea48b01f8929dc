"""How different glyphs look: `python benchmarks/glyph_distance.py [digests]`.

Draws the glyphs of 10,000 random digests with a fixed seed and prints the floor that `sigil-glyph/1` was chosen by:
no identical pair, the nearest neighbour at 16 pixels blurred, how many cells one changed byte changes, and the size of
the SVG. People were not asked; the blur stands for an eye that does not look closely.
"""

import random
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigilgen.pages.glyph import glyph_cells, glyph_svg
from sigilgen.pages.nearest import PIXELS, appearance

SEED = 20260101
BLOCK = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Distances are root mean squares of grey values in [0, 1]; avalanche and ink are shares of cells."""

    glyphs: int
    identical_pairs: int
    nearest_minimum: float
    nearest_median: float
    pair_median: float
    avalanche_mean: float
    avalanche_minimum: float
    ink_minimum: float
    ink_maximum: float
    bytes_mean: float
    bytes_maximum: int


def measure(count: int, seed: int = SEED) -> Measured:
    """Measure `count` glyphs of random digests, all pairs of them, and one changed digest for each."""
    chance = random.Random(seed)  # noqa: S311  (digests to draw, not secrets)
    digests = [f"sha256:{chance.randbytes(32).hex()}" for _ in range(count)]
    cells = np.array([glyph_cells(digest) for digest in digests])
    changed = np.array([glyph_cells(_with_one_byte_changed(digest, chance)) for digest in digests])
    avalanche = (cells != changed).mean(axis=1)
    nearest, pair_median = _all_pairs(np.stack([appearance.__wrapped__(digest) for digest in digests]))
    sizes = [len(glyph_svg(digest).encode()) for digest in digests]
    different = len(np.unique(cells, axis=0))
    return Measured(
        glyphs=count,
        identical_pairs=count - different,
        nearest_minimum=float(nearest.min()),
        nearest_median=float(np.median(nearest)),
        pair_median=pair_median,
        avalanche_mean=float(avalanche.mean()),
        avalanche_minimum=float(avalanche.min()),
        ink_minimum=float(cells.mean(axis=1).min()),
        ink_maximum=float(cells.mean(axis=1).max()),
        bytes_mean=float(np.mean(sizes)),
        bytes_maximum=max(sizes),
    )


def _with_one_byte_changed(digest: str, chance: random.Random) -> str:
    content = bytearray.fromhex(digest.removeprefix("sha256:"))
    content[chance.randrange(32)] ^= chance.randrange(1, 256)
    return f"sha256:{content.hex()}"


def _all_pairs(pictures: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """For each picture the distance to its nearest other one, and the median distance of pairs in the first block."""
    lengths = np.square(pictures).sum(axis=1)
    nearest = np.empty(len(pictures))
    sample = np.array([])
    for start in range(0, len(pictures), BLOCK):
        block = pictures[start : start + BLOCK]
        squares = lengths[start : start + BLOCK, np.newaxis] + lengths - 2 * (block @ pictures.T)
        away = np.sqrt(np.clip(squares, 0, None) / PIXELS**2)
        away[np.arange(len(block)), start + np.arange(len(block))] = np.inf
        nearest[start : start + BLOCK] = away.min(axis=1)
        sample = away[np.isfinite(away)] if start == 0 else sample
    return nearest, float(np.median(sample))


def main() -> None:
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(f"glyphs                               {found.glyphs}")
    print(f"identical pairs                      {found.identical_pairs}")
    print(
        f"nearest neighbour at 16 px, blurred  minimum {found.nearest_minimum:.3f}, median {found.nearest_median:.3f}"
    )
    print(f"any pair at 16 px, blurred           median {found.pair_median:.3f}")
    print(
        f"cells changed by one byte            mean {found.avalanche_mean:.3f}, minimum {found.avalanche_minimum:.3f}"
    )
    print(f"ink                                  {found.ink_minimum:.2f} to {found.ink_maximum:.2f}")
    print(f"SVG                                  mean {found.bytes_mean:.0f}, maximum {found.bytes_maximum} bytes")


if __name__ == "__main__":
    main()
