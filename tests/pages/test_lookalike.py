import pytest

from sigilgen.pages.lookalike import lookalikes
from sigilgen.pages.nearest import LOOKS_LIKE, nearest
from sigilgen.store.canonical import digest_of


@pytest.fixture(scope="module")
def digests() -> dict[str, str]:
    """Enough made-up capabilities that some of their pictures are close."""
    return {f"acme/skill-{number}": digest_of(str(number).encode()) for number in range(1_500)}


def test_every_capability_with_a_near_picture_names_the_nearest(digests: dict[str, str]) -> None:
    found = lookalikes(digests)
    assert found
    for name in [*list(found)[:5], *[name for name in digests if name not in found][:5]]:
        neighbour = nearest(digests[name], digests.values())
        assert neighbour is not None
        assert (neighbour.distance < LOOKS_LIKE) is (name in found)
        assert name not in found or digests[found[name]] == neighbour.digest


def test_the_same_content_is_no_lookalike() -> None:
    digest = digest_of(b"same")
    assert lookalikes({"acme/one": digest, "acme/two": digest}) == {}


@pytest.mark.parametrize("count", [0, 1])
def test_alone_nothing_looks_alike(count: int) -> None:
    assert lookalikes({f"acme/{number}": digest_of(b"x") for number in range(count)}) == {}
