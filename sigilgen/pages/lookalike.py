"""Which capabilities of the catalogue have pictures so much alike that their pages say so."""

from collections.abc import Mapping

import numpy as np

from sigilgen.pages.nearest import LOOKS_LIKE, appearance, distances


def lookalikes(digests: Mapping[str, str]) -> dict[str, str]:
    """The capability whose picture is nearest, for each of those that have one nearer than `LOOKS_LIKE`.

    `digests` are those of the capabilities by name. Capabilities with the same digest have the same content, which is
    no mistaking one for the other.
    """
    names = sorted(digests)
    if len(names) < 2:
        return {}
    pictures = np.stack([appearance(digests[name]) for name in names])
    contents = np.array([digests[name] for name in names])
    found = {}
    for name, picture in zip(names, pictures, strict=True):
        away = distances(picture, pictures)
        away[contents == digests[name]] = np.inf
        nearest = int(np.argmin(away))
        if away[nearest] < LOOKS_LIKE:
            found[name] = names[nearest]
    return found
