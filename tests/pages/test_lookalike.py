import numpy as np
import pytest

from sigilgen.pages.glyph import glyph_cells
from sigilgen.pages.lookalike import lookalikes
from sigilgen.pages.nearest import LOOKS_LIKE, appearances
from sigilgen.store.canonical import digest_of


@pytest.fixture(scope="module")
def digests() -> dict[str, str]:
    """Enough made-up capabilities that some of their pictures are close."""
    return {f"acme/skill-{number}": digest_of(str(number).encode()) for number in range(1_500)}


def test_every_capability_with_a_near_picture_names_the_nearest(digests: dict[str, str]) -> None:
    found = lookalikes(digests)
    assert found
    names = list(digests)
    pictures = appearances(np.array([glyph_cells(digests[name]) for name in names]))
    for name in [*list(found)[:5], *[name for name in names if name not in found][:5]]:
        away = np.sqrt(np.square(pictures - pictures[names.index(name)]).mean(axis=1))
        away[names.index(name)] = np.inf
        assert bool(away.min() < LOOKS_LIKE) is (name in found)
        assert name not in found or found[name] == names[int(away.argmin())]


def test_the_same_content_is_no_lookalike() -> None:
    digest = digest_of(b"same")
    assert lookalikes({"acme/one": digest, "acme/two": digest}) == {}


def test_of_capabilities_with_the_same_content_each_names_the_other_and_is_named_by_the_first(
    digests: dict[str, str],
) -> None:
    one, other = next(iter(lookalikes(digests).items()))
    pair = {"a/copy": digests[other], "b/copy": digests[other], "c/single": digests[one]}
    assert lookalikes(pair) == {"a/copy": "c/single", "b/copy": "c/single", "c/single": "a/copy"}


@pytest.mark.parametrize("count", [0, 1])
def test_alone_nothing_looks_alike(count: int) -> None:
    assert lookalikes({f"acme/{number}": digest_of(b"x") for number in range(count)}) == {}
