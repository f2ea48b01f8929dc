import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from sigilgen.pages import nearest
from sigilgen.pages.nearest import appearances, nearest_others

Cells = NDArray[np.int_]
Pictures = NDArray[np.float64]

glyphs = st.integers(1, 12).flatmap(lambda count: arrays(np.int_, (count, 81), elements=st.integers(0, 1)))


def distance(one: Pictures, other: Pictures) -> float:
    return float(np.sqrt(np.square(one - other).mean()))


@given(glyphs)
def test_grey_values_lie_between_ground_and_ink(cells: Cells) -> None:
    pictures = appearances(cells)
    assert pictures.shape == (len(cells), 256)
    assert (pictures >= 0).all()
    assert (pictures <= 1 + 1e-12).all()


def test_no_ink_is_ground_and_full_ink_is_dark_in_the_middle_and_pale_at_the_rim() -> None:
    ground, ink = appearances(np.array([[0] * 81, [1] * 81])).reshape(2, 16, 16)
    assert (ground == 0).all()
    assert ink[8, 8] == pytest.approx(1)
    assert ink[0, 0] < 0.3


@given(glyphs)
def test_a_mirrored_or_overturned_glyph_has_a_mirrored_or_overturned_picture(cells: Cells) -> None:
    pictures = appearances(cells).reshape(-1, 16, 16)
    for axis in (1, 2):
        turned = np.flip(cells.reshape(-1, 9, 9), axis=axis).reshape(-1, 81)
        assert appearances(turned).reshape(-1, 16, 16) == pytest.approx(np.flip(pictures, axis=axis))


@given(glyphs)
def test_the_nearest_is_another_one_and_none_is_nearer(cells: Cells) -> None:
    pictures = appearances(cells)
    found, away = nearest_others(pictures)
    for index, (other, least) in enumerate(zip(found, away, strict=True)):
        others = [distance(pictures[index], picture) for picture in np.delete(pictures, index, axis=0)]
        assert least == pytest.approx(min(others, default=np.inf), abs=1e-4)
        assert not others or (other != index and least == distance(pictures[index], pictures[other]))


@given(glyphs)
def test_whoever_is_nearest_of_all_is_so_in_return(cells: Cells) -> None:
    found, away = nearest_others(appearances(cells))
    least = int(away.argmin())
    assert away[found[least]] == pytest.approx(away[least], abs=1e-4)


@given(glyphs)
def test_order_changes_no_distance(cells: Cells) -> None:
    _, away = nearest_others(appearances(cells))
    _, reversed_away = nearest_others(appearances(cells[::-1]))
    assert reversed_away[::-1] == pytest.approx(away, abs=1e-4)


def test_the_same_picture_twice_is_at_no_distance() -> None:
    cells = np.array([[1, 0, 0] * 27, [0, 1, 1] * 27, [1, 0, 0] * 27])
    found, away = nearest_others(appearances(cells))
    assert (found[0], found[2]) == (2, 0)
    assert (away[0], away[2]) == (0, 0)
    assert away[1] > 0


def test_of_equally_near_ones_the_first_is_named() -> None:
    middle, above, below = np.zeros((3, 9, 9), dtype=int)
    above[0, 4] = below[8, 4] = 1
    for pair in ([above, below], [below, above]):
        found, _ = nearest_others(appearances(np.array([middle, *pair]).reshape(3, 81)))
        assert found[0] == 1


def test_black_on_white_is_as_far_as_can_be() -> None:
    _, away = nearest_others(np.array([[0.0] * 256, [1.0] * 256]))
    assert away.tolist() == [1, 1]


def test_alone_nothing_is_near() -> None:
    _, away = nearest_others(appearances(np.ones((1, 81), dtype=int)))
    assert away.tolist() == [np.inf]


def test_of_none_there_is_none() -> None:
    found, away = nearest_others(appearances(np.ones((0, 81), dtype=int)))
    assert (len(found), len(away)) == (0, 0)


def test_blocks_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = np.random.default_rng(7).integers(0, 2, (50, 81))
    whole, whole_away = nearest_others(appearances(cells))
    monkeypatch.setattr(nearest, "_BLOCK", 7)
    found, away = nearest_others(appearances(cells))
    assert found.tolist() == whole.tolist()
    assert away.tolist() == whole_away.tolist()
