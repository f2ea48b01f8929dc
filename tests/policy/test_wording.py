from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.model.effect import Interval
from sigilgen.policy.verdict import MARGIN, verdict_of
from sigilgen.policy.wording import points, span

POINTS = {
    "positive": (0.0524, "+5.2"),
    "negative": (-0.0381, "-3.8"),
    "zero": (0.0, "0.0"),
    "negative zero": (-0.0, "0.0"),
    "all": (1.0, "+100.0"),
    "the other way": (-1.0, "-100.0"),
    "6/6 against 3/6": (5.56e-5, "+0.01"),
    "31/67 against 20/67": (2.85e-6, "+0.0003"),
    "98/105 against 89/105": (-3.53e-6, "-0.0004"),
    "half of the last place": (0.0005, "+0.1"),
    "less than half of the last place": (-0.0004, "-0.04"),
    "the margin": (MARGIN, "+10.0"),
    "the margin as a difference of rates": (0.4 - 0.5, "-10.0"),
    "just within the margin": (0.09998, "+9.998"),
    "just beyond the margin": (-0.10004, "-10.004"),
}


@pytest.mark.parametrize(("difference", "text"), POINTS.values(), ids=POINTS)
def test_differences_are_written_in_points(difference: float, text: str) -> None:
    assert points(difference) == text


differences = st.floats(-1, 1) | st.floats(-1e-6, 1e-6) | st.floats(MARGIN - 1e-6, MARGIN + 1e-6)


@given(differences.filter(lambda x: min(abs(x), abs(abs(x) - MARGIN)) > 1e-14))
def test_the_text_stands_on_the_same_side_of_every_threshold_as_the_number(difference: float) -> None:
    written = Decimal(points(difference)) / 100
    for threshold in (-MARGIN, 0.0, MARGIN):
        side = Decimal(str(threshold))
        assert (written > side) == (difference > threshold)
        assert (written < side) == (difference < threshold)


@given(differences)
def test_the_text_is_near_the_number_and_never_a_signed_zero(difference: float) -> None:
    text = points(difference)
    assert abs(Decimal(text) - 100 * Decimal(difference)) <= Decimal("0.05000001")
    assert float(text) != 0 or text == "0.0"


@given(st.tuples(differences, differences).map(sorted))
def test_the_text_of_an_interval_has_the_verdict_of_the_interval(limits: list[float]) -> None:
    lower, upper = limits
    interval = Interval(lower, (lower + upper) / 2, upper)
    low, _, rest = span(interval).partition(" to ")
    high = rest.removesuffix(" points")
    shown = Interval(float(Decimal(low) / 100), 0.0, float(Decimal(high) / 100))
    if all(min(abs(x), abs(abs(x) - MARGIN)) > 1e-14 or x == 0 for x in limits):
        assert verdict_of(shown) is verdict_of(interval)


def test_an_interval_is_written_with_both_limits() -> None:
    assert span(Interval(0.0524, 0.2, 0.3339)) == "+5.2 to +33.4 points"
