from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.model.effect import Effect, Interval, Judgement, Tally, Verdict
from sigilgen.model.record import Stated
from sigilgen.policy.stated import state
from sigilgen.policy.verdict import MARGIN, verdict_of
from sigilgen.stats.intervals import newcombe


def judgement(interval: Interval | None) -> Judgement:
    verdict = Verdict.INCONCLUSIVE if interval is None else verdict_of(interval)
    effect = Effect(baseline=Tally(), treatment=Tally(), tasks={}, models_served=(), interval=interval)
    return Judgement(verdict=verdict, reasons=("a reason.",), effect=effect)


def test_states_the_verdict_and_six_places() -> None:
    stated = state(judgement(newcombe(56, 70, 48, 80)), rehearsal=False)
    assert stated == Stated(verdict="proven", difference="0.200000", lower="0.052431", upper="0.333873")


def test_a_rehearsal_has_numbers_and_no_verdict() -> None:
    stated = state(judgement(newcombe(56, 70, 48, 80)), rehearsal=True)
    assert stated == Stated(verdict="rehearsal", difference="0.200000", lower="0.052431", upper="0.333873")


def test_without_an_interval_there_are_no_numbers() -> None:
    assert state(judgement(None), rehearsal=False) == Stated(
        verdict="inconclusive", difference=None, lower=None, upper=None
    )


LOWER = {
    "31/67 against 20/67": (2.85e-6, "0.000003"),
    "nearer to zero than the last place": (2e-7, "0.000001"),
    "nearer to zero from below": (-2e-7, "-0.000001"),
    "zero": (0.0, "0.000000"),
    "negative zero": (-0.0, "0.000000"),
    "the margin": (-MARGIN, "-0.100000"),
    "just within the margin": (-0.0999999, "-0.099999"),
    "just beyond the margin": (-0.1000001, "-0.100001"),
    "one": (-1.0, "-1.000000"),
    "a difference of rates": (0.4 - 0.5, "-0.100000"),
}


@pytest.mark.parametrize(("lower", "text"), LOWER.values(), ids=LOWER)
def test_a_bound_never_comes_to_stand_on_a_threshold_by_rounding(lower: float, text: str) -> None:
    assert state(judgement(Interval(lower, 0.5, 0.9)), rehearsal=False).lower == text


near = st.floats(-1, 1) | st.floats(-1e-6, 1e-6) | st.floats(MARGIN - 1e-6, MARGIN + 1e-6)
limits = st.tuples(near, near).map(sorted)


@given(limits.filter(lambda pair: all(x == 0 or min(abs(x), abs(abs(x) - MARGIN)) > 1e-14 for x in pair)))
def test_the_stated_limits_lead_to_the_stated_verdict(pair: list[float]) -> None:
    interval = Interval(pair[0], (pair[0] + pair[1]) / 2, pair[1])
    stated = state(judgement(interval), rehearsal=False)
    assert stated.lower is not None
    assert stated.upper is not None
    assert verdict_of(Interval(float(stated.lower), 0.0, float(stated.upper))).value == stated.verdict


@given(near)
def test_stated_numbers_are_right_to_the_last_place_and_have_six_of_them(number: float) -> None:
    text = state(judgement(Interval(number, number, number)), rehearsal=False).difference
    assert text is not None
    assert len(text.partition(".")[2]) == 6
    assert abs(Decimal(text) - Decimal(number)) <= Decimal("0.000001")
    assert text != "-0.000000"
