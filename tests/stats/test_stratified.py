from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.stats.intervals import Z
from sigilgen.stats.stratified import mantel_haenszel

arms = st.integers(0, 12).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs)))
tables = st.lists(st.tuples(arms, arms).map(lambda pair: (*pair[0], *pair[1])), max_size=8)


def test_one_task_run_equally_often_gives_the_textbook_interval() -> None:
    found = mantel_haenszel([(7, 10, 4, 10)])
    assert found is not None
    half_width = Z * sqrt(0.7 * 0.3 / 10 + 0.4 * 0.6 / 10)
    assert found.estimate == 0.3
    assert (found.lower, found.upper) == pytest.approx((0.3 - half_width, 0.3 + half_width), abs=1e-15)


def test_unequal_numbers_of_runs_agree_with_a_calculation_by_hand() -> None:
    # Two tasks: weights 4*6/10 and 5*5/10; Greenland and Robins' estimate; Sato's P and Q written out.
    weight = 2.4 + 2.5
    estimate = ((3 * 6 - 2 * 4) / 10 + (4 * 5 - 1 * 5) / 10) / weight
    p = (16 * 2 - 36 * 3 + 24 * (6 - 4) / 2) / 100 + (25 * 1 - 25 * 4) / 100
    q = (3 * (6 - 2) + 2 * (4 - 3)) / 20 + (4 * (5 - 1) + 1 * (5 - 4)) / 20
    half_width = Z * sqrt((estimate * p + q) / weight**2)
    found = mantel_haenszel([(3, 4, 2, 6), (4, 5, 1, 5)])
    assert found is not None
    assert found.estimate == pytest.approx(estimate, abs=1e-15)
    assert (found.lower, found.upper) == pytest.approx(
        (estimate - half_width, min(1, estimate + half_width)), abs=1e-14
    )


def test_with_equal_runs_the_estimate_is_the_mean_of_the_tasks_differences() -> None:
    found = mantel_haenszel([(5, 5, 3, 5), (1, 5, 2, 5), (4, 5, 0, 5)])
    assert found is not None
    assert found.estimate == pytest.approx((0.4 - 0.2 + 0.8) / 3, abs=1e-15)


@given(tables)
def test_exchanging_the_conditions_negates_and_exchanges_the_bounds(cases: list[tuple[int, int, int, int]]) -> None:
    there = mantel_haenszel(cases)
    back = mantel_haenszel([(y, m, x, n) for x, n, y, m in cases])
    if there is None or back is None:
        assert there is back
        return
    assert (there.lower, there.estimate, there.upper) == (-back.upper, -back.estimate, -back.lower)
    assert -1 <= there.lower < there.upper <= 1


@given(tables)
def test_a_task_run_under_one_condition_only_adds_nothing(cases: list[tuple[int, int, int, int]]) -> None:
    assert mantel_haenszel([*cases, (3, 6, 0, 0), (0, 0, 2, 5), (0, 0, 0, 0)]) == mantel_haenszel(cases)


NO_WIDTH = {
    "no task": [],
    "no task run under both conditions": [(1, 2, 0, 0), (0, 0, 1, 2)],
    "everything passed": [(5, 5, 5, 5), (6, 6, 5, 5)],
    "nothing passed": [(0, 5, 0, 5), (0, 5, 0, 6)],
    "every treatment run passed and no baseline run": [(5, 5, 0, 5), (3, 3, 0, 7)],
}


@pytest.mark.parametrize("cases", NO_WIDTH.values(), ids=NO_WIDTH)
def test_gives_no_interval_rather_than_one_without_width(cases: list[tuple[int, int, int, int]]) -> None:
    assert mantel_haenszel(cases) is None


@pytest.mark.parametrize("table", [(4, 3, 0, 3), (0, 3, 4, 3), (-1, 3, 0, 3), (0, -1, 0, 3), (1, 0, 0, 0)])
def test_refuses_impossible_counts(table: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="between 0 and the number of runs"):
        mantel_haenszel([(1, 2, 1, 2), table])
