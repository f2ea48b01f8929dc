"""What a number of runs can be expected to show, and how many runs an effect needs.

All chances are exact sums over every possible outcome, for equally many runs in both conditions and tasks of equal
difficulty. Where tasks differ, pooled counts scatter less: large effects are found more often, small ones less often.
"""

from collections.abc import Callable
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc

from sigilgen.stats.intervals import wilson

MOST_RUNS = 10_000
"""No search goes beyond this number of runs per condition; no experiment with agents comes near it."""

_Counts = NDArray[np.int64]
_Chances = NDArray[np.float64]


def power(n: int, baseline_rate: float, treatment_rate: float) -> float:
    """Chance that the lower bound of the difference lies above zero.

    The chance of an upper bound below zero is that of the exchanged rates, because the interval is antisymmetric.

    Args:
        n: Runs per condition, at least 1.
        baseline_rate: True pass rate under baseline, in [0, 1].
        treatment_rate: True pass rate under treatment, in [0, 1].

    Returns:
        A chance in [0, 1].

    Raises:
        ValueError: `n` is not positive, or a rate lies outside [0, 1].

    Source: every pair of binomial outcomes whose interval `newcombe` would put above zero, weighted by its chance.
    """
    _check(n, baseline_rate, treatment_rate)
    return _chance_above(_fewest_passes(n, 0.0), baseline_rate, treatment_rate)


def no_effect_power(n: int, rate: float, margin: float) -> float:
    """Chance that the interval lies within the margin and includes zero when both conditions pass equally often.

    Args:
        n: Runs per condition, at least 1.
        rate: True pass rate under both conditions, in [0, 1].
        margin: Largest difference that counts as none, in (0, 1].

    Returns:
        A chance in [0, 1].

    Raises:
        ValueError: `n` is not positive, or `rate` or `margin` lies outside its range.

    Source: every pair of binomial outcomes whose interval `newcombe` would put within the margin and around zero.
    """
    _check(n, rate, rate)
    if not 0 < margin <= 1:
        raise ValueError(f"margin {margin}: it must lie above 0 and not above 1")
    inside, above = _fewest_passes(n, -margin), _fewest_passes(n, 0.0)
    # The upper bound is the lower bound of the exchanged conditions with its sign changed, so the same two
    # boundaries, read from the other side, also say when it lies within the margin and not below zero.
    passes = np.arange(n + 1)
    fewest = np.maximum(inside, np.searchsorted(above, passes, side="right"))
    most = np.minimum(above - 1, np.searchsorted(inside, passes, side="right") - 1)
    between = bdtrc(fewest - 1, n, rate) - bdtrc(most, n, rate)
    return float(np.sum(_chances(n, rate) * np.where(fewest <= most, between, 0.0)))


def runs_needed(baseline_rate: float, treatment_rate: float, target: float) -> int | None:
    """Runs per condition from which on `power` stays at or above the target.

    The chance does not grow evenly with the number of runs: it falls back a little again and again. The answer is
    the number after the last fall below the target, so that rounding up to whole repeats never loses power.

    Args:
        baseline_rate: True pass rate under baseline, in [0, 1].
        treatment_rate: True pass rate under treatment, in [0, 1].
        target: Chance to reach, in (0, 1).

    Returns:
        Runs per condition. None when it would take more than `MOST_RUNS`, or when the treatment is no better.

    Raises:
        ValueError: A rate or the target lies outside its range.
    """
    _check_target(target)
    _check(1, baseline_rate, treatment_rate)
    if treatment_rate <= baseline_rate:
        return None
    return _first_lasting(lambda n: power(n, baseline_rate, treatment_rate), target)


def runs_for_no_effect(rate: float, margin: float, target: float) -> int | None:
    """Runs per condition from which on `no_effect_power` stays at or above the target.

    Args:
        rate: True pass rate under both conditions, in [0, 1].
        margin: Largest difference that counts as none, in (0, 1].
        target: Chance to reach, in (0, 1). At most about 0.95 can be reached: chance alone keeps the rest from zero.

    Returns:
        Runs per condition, or None when it would take more than `MOST_RUNS`.

    Raises:
        ValueError: The rate, the margin or the target lies outside its range.
    """
    _check_target(target)
    return _first_lasting(lambda n: no_effect_power(n, rate, margin), target)


def smallest_effect(n: int, baseline_rate: float, target: float) -> float | None:
    """Smallest true gain in pass rate that `n` runs per condition find with the target chance.

    The smallest loss at a baseline rate is the smallest gain at one minus that rate.

    Args:
        n: Runs per condition, at least 1.
        baseline_rate: True pass rate under baseline, in [0, 1].
        target: Chance to reach, in (0, 1).

    Returns:
        A difference of rates in (0, 1], to within one millionth and never too small. None when even a treatment that
        always passes is found less often than the target.

    Raises:
        ValueError: `n` is not positive, or the rate or the target lies outside its range.
    """
    _check_target(target)
    _check(n, baseline_rate, baseline_rate)
    above = _fewest_passes(n, 0.0)
    if _chance_above(above, baseline_rate, 1.0) < target:
        return None
    too_small, enough = baseline_rate, 1.0
    while enough - too_small > 1e-6:
        middle = (too_small + enough) / 2
        if _chance_above(above, baseline_rate, middle) < target:
            too_small = middle
        else:
            enough = middle
    return enough - baseline_rate


def _fewest_passes(n: int, threshold: float) -> _Counts:
    """For 0 to `n` baseline passes, the fewest treatment passes with a lower bound above `threshold`; n + 1 for none.

    A lower bound rises with the treatment's passes and falls with the baseline's, because a Wilson limit moves in the
    same direction as its rate. So one bisection for each number of baseline passes finds the boundary.
    """
    passes = np.arange(n + 1)
    rate = passes / n
    lower, upper = np.array([wilson(x, n) for x in range(n + 1)]).T
    treatment_part, baseline_part = (rate - lower) ** 2, (upper - rate) ** 2
    fewest, most = np.zeros(n + 1, dtype=np.int64), np.full(n + 1, n + 1)
    while np.any(fewest < most):
        middle = (fewest + most) // 2
        at = np.minimum(middle, n)
        above = rate[at] - rate - np.sqrt(treatment_part[at] + baseline_part) > threshold
        enough = above | (middle > n)
        most = np.where(enough, middle, most)
        fewest = np.where(enough, fewest, middle + 1)
    return fewest


def _chance_above(fewest: _Counts, baseline_rate: float, treatment_rate: float) -> float:
    """Chance that the treatment's passes reach the boundary that belongs to the baseline's passes."""
    n = len(fewest) - 1
    return float(np.sum(_chances(n, baseline_rate) * bdtrc(fewest - 1, n, treatment_rate)))


def _chances(n: int, rate: float) -> _Chances:
    """Chance of each number of passes from 0 to `n`."""
    return np.diff(bdtr(np.arange(n + 1), n, rate), prepend=0.0)


def _first_lasting(chance: Callable[[int], float], target: float) -> int | None:
    """Smallest n from which on `chance(n)` stays at or above `target`; None beyond `MOST_RUNS`."""
    high = 1
    while chance(high) < target:
        if high == MOST_RUNS:
            return None
        high = min(2 * high, MOST_RUNS)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= target else (middle, high)
    # The chance may fall below the target again. The widest such stretch among hundreds of tried cases was nine runs at
    # n = 16 and 28 at n = 2083; this looks about twice as far.
    n = high + 20 + isqrt(high)
    while n > 1 and chance(n - 1) >= target:
        n -= 1
    return n if n <= MOST_RUNS else None


def _check(n: int, *rates: float) -> None:
    if n < 1:
        raise ValueError(f"{n} runs per condition: there must be at least one")
    for rate in rates:
        if not 0 <= rate <= 1:
            raise ValueError(f"rate {rate}: a rate lies between 0 and 1")


def _check_target(target: float) -> None:
    if not 0 < target < 1:
        raise ValueError(f"target {target}: a chance to aim for lies between 0 and 1")
