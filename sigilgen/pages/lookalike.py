"""Which capabilities of the catalogue have pictures so much alike that their pages say so."""

from collections.abc import Mapping

import numpy as np

from sigilgen.pages.glyph import glyph_cells
from sigilgen.pages.nearest import LOOKS_LIKE, appearances, nearest_others


def lookalikes(digests: Mapping[str, str]) -> dict[str, str]:
    """The capability whose picture is nearest, for each of those that have one nearer than `LOOKS_LIKE`.

    `digests` are those of the capabilities by name. Capabilities with the same digest have the same content, which is
    no mistaking one for the other.
    """
    names = {digests[name]: name for name in sorted(digests, reverse=True)}  # the first one of the same content
    contents = sorted(names)
    if len(contents) < 2:
        return {}
    nearest, away = nearest_others(appearances(np.array([glyph_cells(digest) for digest in contents])))
    close = {
        digest: names[contents[other]]
        for digest, other, distance in zip(contents, nearest, away, strict=True)
        if distance < LOOKS_LIKE
    }
    return {name: close[digests[name]] for name in sorted(digests) if digests[name] in close}
