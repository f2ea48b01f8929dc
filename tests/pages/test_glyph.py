import hashlib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sigilgen.pages.glyph import glyph_cells, glyph_svg, glyph_text
from sigilgen.pages.nearest import FLOOR, appearances, nearest_others

GOLDEN = Path(__file__).with_name("golden")
digests = st.binary(min_size=32, max_size=32).map(lambda data: f"sha256:{data.hex()}")


def digest(number: int) -> str:
    return f"sha256:{hashlib.sha256(f'glyph {number}'.encode()).hexdigest()}"


@pytest.mark.parametrize("number", range(20))
def test_the_glyphs_of_version_1_stay_what_they_are(number: int) -> None:
    golden = GOLDEN / f"{number:02}.svg"
    assert glyph_svg(digest(number)) + "\n" == golden.read_text(encoding="utf-8")


def test_no_golden_file_lies_unused() -> None:
    assert len(list(GOLDEN.iterdir())) == 20


@given(digests)
def test_a_glyph_is_one_small_mirrored_picture_with_a_fair_amount_of_ink(digest: str) -> None:
    cells = np.array(glyph_cells(digest)).reshape(9, 9)
    assert (cells == cells[:, ::-1]).all()
    assert 0.3 <= cells.mean() <= 0.7
    assert len(glyph_svg(digest).encode()) < 900


@given(digests)
def test_the_path_draws_exactly_the_cells(digest: str) -> None:
    root = ET.fromstring(glyph_svg(digest))  # noqa: S314  (our own text)
    (path,) = root.findall("{http://www.w3.org/2000/svg}path")
    drawn = np.zeros((9, 9), dtype=int)
    for piece in path.attrib["d"].split("z")[:-1]:
        start, rest = piece[1:].split("h", 1)
        x, y = map(int, start.split())
        width, rest = rest.split("v", 1)
        height = rest.split("h")[0]
        drawn[y : y + int(height), x : x + int(width)] += 1
    assert drawn.flatten().tolist() == list(glyph_cells(digest))


@given(digests)
def test_the_svg_is_self_contained_and_says_its_digest(digest: str) -> None:
    svg = glyph_svg(digest, id_suffix="-x")
    root = ET.fromstring(svg)  # noqa: S314  (our own text)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert tags == ["svg", "title", "desc", "path"]
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(set(ids)) == len(ids) == 2
    assert all(name.endswith(("-x-title", "-x-desc")) for name in ids)
    assert digest in svg
    assert "style" not in svg
    assert "href" not in svg
    assert svg.count("currentColor") == 1


@pytest.mark.parametrize("wrong", ["", "sha256:", "sha256:" + "G" * 64, "a" * 64])
def test_what_is_no_digest_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a digest"):
        glyph_cells(wrong)


def test_the_terminal_drawing_has_a_frame_of_ground() -> None:
    lines = glyph_text(digest(0))
    assert (len(lines), {len(line) for line in lines}) == (6, {11})


def cells_of(digests: list[str]) -> NDArray[np.int_]:
    return np.array([glyph_cells(digest) for digest in digests])


def identical_pairs(cells: NDArray[np.int_]) -> int:
    return len(cells) - len(np.unique(cells, axis=0))


def least_distance(cells: NDArray[np.int_]) -> float:
    _, away = nearest_others(appearances(cells))
    return float(away.min())


@pytest.fixture(scope="module")
def many() -> list[str]:
    return [digest(number) for number in range(10_000)]


@pytest.fixture(scope="module")
def cells(many: list[str]) -> NDArray[np.int_]:
    return cells_of(many)


def test_among_10_000_glyphs_no_two_are_nearer_than_the_floor(cells: NDArray[np.int_]) -> None:
    assert identical_pairs(cells) == 0
    assert least_distance(cells) >= FLOOR


def test_glyphs_of_16_bits_would_be_found_out() -> None:
    cells = cells_of([f"sha256:{digest(number)[7:11]:0<64}" for number in range(2_000)])
    assert identical_pairs(cells) > 0
    assert least_distance(cells) == 0


def test_a_glyph_with_two_neighbouring_cells_exchanged_would_be_found_out(cells: NDArray[np.int_]) -> None:
    few = cells[:500]
    moved = few.copy()
    moved[:, [39, 40]] = few[:, [40, 39]]
    changed = (moved != few).any(axis=1)
    assert identical_pairs(np.concatenate([few, moved[changed]])) == 0
    assert least_distance(np.concatenate([few, moved[changed]])) < FLOOR


def test_one_changed_bit_changes_half_of_the_cells_on_average(many: list[str], cells: NDArray[np.int_]) -> None:
    changed = cells_of([with_one_bit_changed(digest, number % 256) for number, digest in enumerate(many)])
    assert 0.45 <= (changed != cells).mean() <= 0.55


def with_one_bit_changed(digest: str, bit: int) -> str:
    return f"sha256:{int(digest[7:], 16) ^ 1 << bit:064x}"


def test_among_10_000_glyphs_every_svg_is_small_and_well_formed(many: list[str]) -> None:
    for digest in many:
        svg = glyph_svg(digest)
        assert len(svg.encode()) < 900
        title, description, path = ET.fromstring(svg)  # noqa: S314  (our own text)
        assert title.text == f"Sigil {digest[7:15]}"
        assert str(description.text).startswith(digest)
        assert path.attrib["fill"] == "currentColor"
