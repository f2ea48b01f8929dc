import json
from math import copysign

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import (  # type: ignore[import-untyped]  # no types published
    confint_proportions_2indep,
    proportion_confint,
)

from sigilgen.model.effect import Interval
from sigilgen.stats.intervals import Z, newcombe, wilson

PUBLISHED = {
    # Newcombe (1998), table II, method 10: treatment passes and runs, baseline passes and runs, lower, upper
    "56/70 against 48/80": ((56, 70, 48, 80), 0.0524, 0.3339),
    "9/10 against 3/10": ((9, 10, 3, 10), 0.1705, 0.8090),
    "6/7 against 2/7": ((6, 7, 2, 7), 0.0582, 0.8062),
    "5/56 against 0/29": ((5, 56, 0, 29), -0.0381, 0.1926),
    "0/10 against 0/20": ((0, 10, 0, 20), -0.1611, 0.2775),
    "0/10 against 0/10": ((0, 10, 0, 10), -0.2775, 0.2775),
    "10/10 against 0/20": ((10, 10, 0, 20), 0.6791, 1.0000),
    "10/10 against 0/10": ((10, 10, 0, 10), 0.6075, 1.0000),
}

BOUNDARY = {
    "6/6 against 3/6": ((6, 6, 3, 6), 5.56e-5),
    "31/67 against 20/67": ((31, 67, 20, 67), 2.85e-6),
    "98/105 against 89/105": ((98, 105, 89, 105), -3.53e-6),
    "24/60 against 14/60": ((24, 60, 14, 60), 1.92e-4),
    "18/60 against 9/60": ((18, 60, 9, 60), -1.94e-4),
}

arms = st.integers(1, 10_000).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))


def interval(treatment_passes: int, treatment_runs: int, baseline_passes: int, baseline_runs: int) -> Interval:
    found = newcombe(treatment_passes, treatment_runs, baseline_passes, baseline_runs)
    assert found is not None
    return found


def test_z_is_the_unrounded_normal_quantile() -> None:
    assert float(norm.ppf(0.975)) == Z


@pytest.mark.parametrize(("table", "lower", "upper"), PUBLISHED.values(), ids=PUBLISHED)
def test_agrees_with_the_published_intervals(table: tuple[int, int, int, int], lower: float, upper: float) -> None:
    found = interval(*table)
    assert (round(found.lower, 4), round(found.upper, 4)) == (lower, upper)
    assert found.estimate == table[0] / table[1] - table[2] / table[3]


@pytest.mark.parametrize(("table", "lower"), BOUNDARY.values(), ids=BOUNDARY)
def test_keeps_the_sign_of_bounds_that_nearly_touch_zero(table: tuple[int, int, int, int], lower: float) -> None:
    assert interval(*table).lower == pytest.approx(lower, rel=5e-3)


def test_agrees_with_statsmodels_on_every_table_of_up_to_30_runs() -> None:
    every_arm = np.array([(passes, runs) for runs in range(1, 31) for passes in range(runs + 1)])
    treatment = np.repeat(every_arm, len(every_arm), axis=0)
    baseline = np.tile(every_arm, (len(every_arm), 1))
    lower, upper = confint_proportions_2indep(*treatment.T, *baseline.T, method="newcomb", compare="diff")
    found = [interval(*table) for table in np.hstack([treatment, baseline]).tolist()]
    assert len(found) == 495**2
    assert np.max(np.abs(lower - [each.lower for each in found])) < 1e-14
    assert np.max(np.abs(upper - [each.upper for each in found])) < 1e-14


@given(arms)
def test_wilson_limits_agree_with_scipy_and_statsmodels(arm: tuple[int, int]) -> None:
    passes, runs = arm
    found = wilson(passes, runs)
    assert found is not None
    reference = binomtest(passes, runs).proportion_ci(method="wilson")
    assert found == pytest.approx((reference.low, reference.high), abs=1e-14)
    assert found == pytest.approx(proportion_confint(passes, runs, method="wilson"), abs=1e-14)


@given(st.integers(1, 100_000))
def test_limits_are_exact_where_nothing_or_everything_passes(runs: int) -> None:
    none_passed, all_passed = wilson(0, runs), wilson(runs, runs)
    assert none_passed is not None
    assert all_passed is not None
    assert none_passed[0] == 0.0
    assert all_passed[1] == 1.0
    assert interval(runs, runs, 0, runs).upper == 1.0
    assert interval(0, runs, runs, runs).lower == -1.0


@given(arms, arms)
def test_exchanging_the_conditions_negates_and_exchanges_the_bounds_bit_for_bit(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    there, back = interval(*one, *other), interval(*other, *one)
    assert (there.lower, there.estimate, there.upper) == (-back.upper, -back.estimate, -back.lower)


@given(arms, arms)
def test_bounds_are_ordered_within_the_possible_and_never_negative_zero(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    found = interval(*one, *other)
    assert -1.0 <= found.lower <= found.estimate <= found.upper <= 1.0
    for number in (found.lower, found.estimate, found.upper):
        assert number != 0 or copysign(1, number) == 1
        json.dumps(number, allow_nan=False)


@given(arms)
def test_more_passes_move_both_wilson_limits_up(arm: tuple[int, int]) -> None:
    passes, runs = arm
    if passes == runs:
        return
    here, next_ = wilson(passes, runs), wilson(passes + 1, runs)
    assert here is not None
    assert next_ is not None
    assert here[0] < next_[0]
    assert here[1] < next_[1]


def test_without_runs_there_is_no_interval() -> None:
    assert wilson(0, 0) is None
    assert newcombe(0, 0, 3, 6) is None
    assert newcombe(3, 6, 0, 0) is None
    assert newcombe(0, 0, 0, 0) is None


IMPOSSIBLE = {
    "more passes than runs": (7, 6, 3, 6),
    "more passes than runs under baseline": (3, 6, 7, 6),
    "negative passes": (-1, 6, 3, 6),
    "negative runs": (0, -1, 3, 6),
    "passes without runs": (1, 0, 3, 6),
    "one condition empty and the other impossible": (0, 0, 7, 6),
}


@pytest.mark.parametrize("table", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_refuses_impossible_counts(table: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="between 0 and the number of runs"):
        newcombe(*table)
