from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigilgen.stats.intervals import newcombe
from sigilgen.stats.power import (
    MOST_RUNS,
    _fewest_passes,
    _first_lasting,
    no_effect_power,
    power,
    runs_for_no_effect,
    runs_needed,
    smallest_effect,
)

rates = st.floats(0, 1, allow_subnormal=False)


def chance(n: int, passes: int, rate: float) -> float:
    return float(comb(n, passes) * rate**passes * (1 - rate) ** (n - passes))


def lower(treatment_passes: int, baseline_passes: int, n: int) -> float:
    interval = newcombe(treatment_passes, n, baseline_passes, n)
    assert interval is not None
    return interval.lower


def every_outcome(n: int) -> list[tuple[int, int, float, float]]:
    """Treatment passes, baseline passes, and both limits of their difference."""
    outcomes = []
    for treatment in range(n + 1):
        for baseline in range(n + 1):
            interval = newcombe(treatment, n, baseline, n)
            assert interval is not None
            outcomes.append((treatment, baseline, interval.lower, interval.upper))
    return outcomes


@pytest.mark.parametrize("threshold", [0.0, -0.1, -0.2])
@pytest.mark.parametrize("n", [1, 2, 5, 12, 29, 40])
def test_the_boundary_is_the_first_outcome_whose_interval_passes_the_threshold(n: int, threshold: float) -> None:
    fewest = _fewest_passes(n, threshold).tolist()
    for baseline in range(n + 1):
        passing = [treatment for treatment in range(n + 1) if lower(treatment, baseline, n) > threshold]
        assert passing == list(range(fewest[baseline], n + 1))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 18), rates, rates)
def test_power_is_the_sum_over_every_outcome_that_is_proven(n: int, baseline: float, treatment: float) -> None:
    total = sum(chance(n, x, treatment) * chance(n, y, baseline) for x, y, low, _ in every_outcome(n) if low > 0)
    assert power(n, baseline, treatment) == pytest.approx(total, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 18), rates, st.sampled_from([0.1, 0.3, 0.5, 0.9]))
def test_no_effect_power_is_the_sum_over_every_outcome_with_that_verdict(n: int, rate: float, margin: float) -> None:
    total = sum(
        chance(n, x, rate) * chance(n, y, rate)
        for x, y, low, high in every_outcome(n)
        if -margin < low <= 0 <= high < margin
    )
    assert no_effect_power(n, rate, margin) == pytest.approx(total, abs=1e-12)


SMALLEST = {
    # baseline rate: smallest true gain in points, rounded up, with 6, 12, 18, 30, 60, 100, 200, 400 runs per condition
    0.1: (72, 51, 41, 31, 21, 15, 10, 7),
    0.3: (66, 52, 44, 36, 25, 20, 14, 10),
    0.5: (None, 47, 41, 34, 25, 20, 14, 10),
    0.7: (None, None, 30, 27, 21, 17, 12, 9),
}


@pytest.mark.parametrize(("baseline", "gains"), SMALLEST.items())
def test_the_smallest_effects_agree_with_the_measured_table(baseline: float, gains: tuple[int | None, ...]) -> None:
    for n, points in zip((6, 12, 18, 30, 60, 100, 200, 400), gains, strict=True):
        effect = smallest_effect(n, baseline, 0.8)
        if points is None:
            assert effect is None
        else:
            assert effect is not None
            assert (points - 1) / 100 < effect <= points / 100


def test_the_power_from_50_to_70_per_cent_agrees_with_the_measured_table() -> None:
    found = [round(100 * power(n, 0.5, 0.7)) for n in (6, 12, 18, 30, 60, 100, 200, 400)]
    assert found == [12, 19, 26, 35, 62, 83, 98, 100]


NO_EFFECT = {
    "200 runs, 10 points": (200, 0.5, 0.10, 4),
    "400 runs, 10 points": (400, 0.5, 0.10, 62),
    "60 runs, 20 points": (60, 0.5, 0.20, 22),
    "100 runs, 20 points": (100, 0.5, 0.20, 64),
    "200 runs, 20 points": (200, 0.5, 0.20, 95),  # 96 with the outcomes that lie within the margin and exclude zero
    "60 runs near the end, 15 points": (60, 0.9, 0.15, 49),
    "100 runs near the end, 15 points": (100, 0.1, 0.15, 85),
}


@pytest.mark.parametrize(("n", "rate", "margin", "per_cent"), NO_EFFECT.values(), ids=NO_EFFECT)
def test_the_chance_of_no_effect_agrees_with_the_measured_values(
    n: int, rate: float, margin: float, per_cent: int
) -> None:
    assert round(100 * no_effect_power(n, rate, margin)) == per_cent


@pytest.mark.parametrize(("tenths", "runs"), [(0, 35), (10, 35), (9, 80), (8, 125), (5, 190)])
def test_equal_conditions_need_so_many_runs_to_lie_within_ten_points(tenths: int, runs: int) -> None:
    def fits(n: int) -> bool:
        return lower(n * tenths // 10, n * tenths // 10, n) > -0.1

    possible = [n for n in range(1, runs + 1) if n * tenths % 10 == 0]
    assert [n for n in possible if fits(n)] == [runs]


@pytest.mark.parametrize(
    ("baseline", "treatment", "target"), [(0.5, 0.7, 0.8), (0.0, 0.3, 0.8), (0.1, 0.5, 0.9), (0.9, 1.0, 0.5)]
)
def test_from_the_runs_needed_on_the_power_never_falls_below_the_target(
    baseline: float, treatment: float, target: float
) -> None:
    needed = runs_needed(baseline, treatment, target)
    assert needed is not None
    assert power(needed - 1, baseline, treatment) < target
    assert all(power(n, baseline, treatment) >= target for n in range(needed, 2 * needed + 50))


def test_a_first_number_that_reaches_the_target_by_luck_of_rounding_is_not_enough() -> None:
    assert power(18, 0.0, 0.3) >= 0.8
    assert power(20, 0.0, 0.3) < 0.8
    assert runs_needed(0.0, 0.3, 0.8) == 21


@pytest.mark.parametrize(("rate", "target", "runs"), [(0.0, 0.8, 35), (1.0, 0.9, 35), (0.5, 0.8, 525)])
def test_runs_needed_to_establish_no_effect(rate: float, target: float, runs: int) -> None:
    assert runs_for_no_effect(rate, 0.1, target) == runs
    assert no_effect_power(runs, rate, 0.1) >= target > no_effect_power(runs - 1, rate, 0.1)


def test_the_last_fall_below_the_target_is_found_beyond_the_first_crossing() -> None:
    assert no_effect_power(638, 0.5, 0.1) >= 0.9
    assert no_effect_power(650, 0.5, 0.1) < 0.9
    assert runs_for_no_effect(0.5, 0.1, 0.9) == 651


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), rates, st.sampled_from([0.5, 0.8, 0.95]))
def test_the_smallest_effect_is_found_and_a_smaller_one_is_not(n: int, baseline: float, target: float) -> None:
    effect = smallest_effect(n, baseline, target)
    if effect is None:
        assert power(n, baseline, 1.0) < target
    else:
        assert power(n, baseline, min(1.0, baseline + effect)) >= target - 1e-9
        assert power(n, baseline, max(baseline, baseline + effect - 2e-6)) < target


def test_what_no_number_of_runs_can_show_is_none() -> None:
    assert runs_needed(0.5, 0.5, 0.8) is None
    assert runs_needed(0.7, 0.5, 0.8) is None
    assert runs_needed(0.5, 0.501, 0.8) is None
    assert runs_for_no_effect(0.5, 0.1, 0.99) is None
    assert smallest_effect(60, 1.0, 0.8) is None
    assert power(MOST_RUNS, 0.5, 0.51) < 0.8


def test_a_number_of_runs_beyond_the_most_that_are_looked_at_is_none() -> None:
    """The last fall below the target may lie there even though the first crossing does not."""
    assert _first_lasting(lambda n: float(n == MOST_RUNS or n > MOST_RUNS + 5), 0.5) is None
    assert _first_lasting(lambda n: float(n >= MOST_RUNS), 0.5) == MOST_RUNS


BAD_CALLS = {
    "no runs": lambda: power(0, 0.5, 0.7),
    "rate above one": lambda: power(6, 0.5, 1.1),
    "negative rate": lambda: power(6, -0.1, 0.7),
    "rate that is no number": lambda: power(6, float("nan"), 0.7),
    "margin of zero": lambda: no_effect_power(6, 0.5, 0.0),
    "certain target": lambda: runs_needed(0.5, 0.7, 1.0),
    "rate in per cent": lambda: runs_needed(50, 70, 0.8),
    "target of zero": lambda: smallest_effect(6, 0.5, 0.0),
    "no runs for an effect": lambda: smallest_effect(0, 0.5, 0.8),
    "target in per cent": lambda: runs_for_no_effect(0.5, 0.1, 80),
}


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS)
def test_refuses_what_is_no_rate_chance_or_number_of_runs(call: object) -> None:
    assert callable(call)
    with pytest.raises(ValueError, match=r"between 0 and 1|at least one|above 0"):
        call()
