"""How different glyphs look: `python benchmarks/glyph_distance.py [digests]`.

Draws the glyphs of 10,000 random digests with a fixed seed and prints what `sigil-glyph/1` was chosen by: no identical
pair, the nearest neighbour at 16 pixels blurred, how many cells one changed byte changes, and the size of the SVG.
People were not asked; the blur stands for an eye that does not look closely. tests/pages/test_glyph.py holds other
digests to the same limits.
"""

import random
import sys
from dataclasses import dataclass

import numpy as np

from sigilgen.pages.glyph import glyph_cells, glyph_svg
from sigilgen.pages.nearest import FLOOR, appearances, nearest_others

SEED = 20260101
AVALANCHE = (0.45, 0.55)
LARGEST_BYTES = 899


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
    ink = cells.mean(axis=1)
    pictures = appearances(cells)
    _, nearest = nearest_others(pictures)
    any_pair = np.sqrt(np.square(np.diff(pictures, axis=0)).mean(axis=1))
    sizes = [len(glyph_svg(digest).encode()) for digest in digests]
    return Measured(
        glyphs=count,
        identical_pairs=count - len(np.unique(cells, axis=0)),
        nearest_minimum=float(nearest.min()),
        nearest_median=float(np.median(nearest)),
        pair_median=float(np.median(any_pair)),
        avalanche_mean=float(avalanche.mean()),
        avalanche_minimum=float(avalanche.min()),
        ink_minimum=float(ink.min()),
        ink_maximum=float(ink.max()),
        bytes_mean=float(np.mean(sizes)),
        bytes_maximum=max(sizes),
    )


def _with_one_byte_changed(digest: str, chance: random.Random) -> str:
    content = bytearray.fromhex(digest.removeprefix("sha256:"))
    content[chance.randrange(32)] ^= chance.randrange(1, 256)
    return f"sha256:{content.hex()}"


def missed(found: Measured) -> list[str]:
    """The limits that were missed, in words."""
    limits = {
        "two glyphs are the same": found.identical_pairs > 0,
        f"two glyphs are nearer than {FLOOR}": found.nearest_minimum < FLOOR,
        f"the mean avalanche is outside of {AVALANCHE}": not AVALANCHE[0] <= found.avalanche_mean <= AVALANCHE[1],
        f"an SVG has more than {LARGEST_BYTES} bytes": found.bytes_maximum > LARGEST_BYTES,
    }
    return [words for words, is_missed in limits.items() if is_missed]


def main() -> None:
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    print(f"glyphs                               {found.glyphs}")
    print(f"identical pairs                      {found.identical_pairs} (limit: 0)")
    print(f"nearest neighbour at 16 px, blurred  minimum {found.nearest_minimum:.3f} (floor: {FLOOR})")
    print(f"                                     median {found.nearest_median:.3f}")
    print(f"any pair at 16 px, blurred           median {found.pair_median:.3f}")
    print(
        f"cells changed by one byte            mean {found.avalanche_mean:.3f}, minimum {found.avalanche_minimum:.3f}"
    )
    print(f"ink                                  {found.ink_minimum:.2f} to {found.ink_maximum:.2f}")
    print(f"SVG                                  mean {found.bytes_mean:.0f}, maximum {found.bytes_maximum} bytes")
    if words := missed(found):
        sys.exit("; ".join(words))


if __name__ == "__main__":
    main()
