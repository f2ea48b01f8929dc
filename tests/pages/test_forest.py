import re
import xml.etree.ElementTree as ET

import pytest

from sigilgen.model.effect import Interval
from sigilgen.pages.forest import MARKS, ForestRow, forest_plot, mark_side, mini_bar
from sigilgen.pages.phrases import NOT_MEASURED

SVG = "{http://www.w3.org/2000/svg}"


def plot(*rows: ForestRow) -> ET.Element:
    return ET.fromstring(forest_plot(rows, identifier="plot", title="All", margin=0.1))  # noqa: S314  (ours)


def row(lower: float = 0.1, upper: float = 0.5, *, verdict: str = "proven", label: str = "an agent") -> ForestRow:
    interval = Interval(lower, (lower + upper) / 2, upper)
    return ForestRow(label=label, detail="a suite", verdict=verdict, numbers="+30.0 pp", interval=interval, runs=72)


def drawn(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def test_the_axis_is_the_same_whatever_is_drawn() -> None:
    narrow, wide = plot(row(-0.01, 0.01)), plot(row(-1, 1))
    axis = [next(one.iter(f"{SVG}g")) for one in (narrow, wide)]
    assert ET.tostring(axis[0]) == ET.tostring(axis[1])
    assert {"\u2212100 pp", "0", "+100 pp", "no difference"} <= set(drawn(narrow))


def test_positions_follow_from_the_rates() -> None:
    lines = plot(row(-1, 1)).findall(f".//{SVG}g[@class='row verdict-proven']//{SVG}line")
    assert (lines[0].get("x1"), lines[0].get("x2")) == ("2.00%", "98.00%")


def test_a_screen_reader_gets_a_name_and_every_number() -> None:
    root = plot(row(), row(label="another agent"))
    named = {element.get("id"): element.text for element in root.iter() if element.get("id")}
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == " ".join(str(name) for name in named)
    description = named["plot-desc"] or ""
    assert "an agent, a suite: proven, +30.0 pp" in description
    assert "another agent" in description


def test_each_verdict_has_a_shape_a_sign_and_a_word() -> None:
    shapes = {}
    for verdict in MARKS:
        root = plot(row(verdict=verdict))
        assert f"{MARKS[verdict]} {verdict}" in drawn(root)
        mark = root.find(f".//{SVG}svg/*")
        assert mark is not None
        shapes[verdict] = (mark.tag, mark.get("class"), re.sub(r"[-\d.]+", "", mark.get("d", "")))
    assert len(set(shapes.values())) == len(MARKS)
    assert len(set(MARKS.values())) == len(MARKS)


def test_the_area_of_a_mark_grows_with_the_runs() -> None:
    assert mark_side(100) ** 2 / mark_side(25) ** 2 == pytest.approx(4, rel=0.02)
    assert mark_side(0) > 0
    assert mark_side(10**9) == mark_side(10**6)


def test_what_was_not_run_has_a_row_and_no_mark() -> None:
    root = plot(ForestRow(label="a", detail="b", verdict="not measured", numbers="nothing", interval=None, runs=0))
    assert "not measured" in drawn(root)
    assert root.find(f".//{SVG}svg") is None


def test_hostile_labels_stay_text() -> None:
    hostile = "</text></svg><script>alert(1)</script>\u202e"
    root = plot(row(label=hostile))
    assert root.find(f".//{SVG}script") is None
    assert any("</text></svg><script>" in text for text in drawn(root))


def test_long_labels_are_cut_in_the_picture_only() -> None:
    root = plot(row(label="x" * 1_000))
    assert max(map(len, drawn(root))) < 60
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert "x" * 1_000 in str(description.text)


@pytest.mark.parametrize("verdict", [*MARKS, NOT_MEASURED])
def test_mini_bars_are_pictures_that_screen_readers_skip(verdict: str) -> None:
    root = ET.fromstring(mini_bar(Interval(-1, 0, 1), verdict))  # noqa: S314  (ours)
    assert root.get("aria-hidden") == "true"
    assert "currentColor" in ET.tostring(root, encoding="unicode")
