"""How much more or less the typical run used: the ratio of two medians, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MINIMUM_VALUES = 6
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Ratio:
    """Treatment's median divided by baseline's, with its limits: 1.4 means 40 % more."""

    lower: float
    estimate: float
    upper: float


def ratio_of_medians(baseline: Sequence[int], treatment: Sequence[int], *, seed: int) -> Ratio | None:
    """95 % bootstrap percentile interval for the treatment's median divided by the baseline's.

    The bootstrap was chosen because it estimates what the page shows, the ratio of the two published medians, and
    assumes no shape of the distribution: tokens, times and costs are skewed and differ in spread. (The shift of
    Hodges and Lehmann is narrower, but estimates the median of all ratios.) Percentiles of a ratio and of its
    logarithm are the same, so no scale has to be chosen.

    Args:
        baseline: One amount for each scored run, at least 0, in any unit.
        treatment: The same for the other condition, in the same unit.
        seed: Makes the resampling repeatable; at least 0.

    Returns:
        The ratio with its limits. None with fewer than six values in a condition, where the interval covers too little,
        and when a median is zero in the sample or in any resample, where the ratio has no bound.

    Raises:
        ValueError: An amount or the seed is negative.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    if any(value < 0 for value in (*baseline, *treatment)):
        raise ValueError("amounts must not be negative")
    if min(len(baseline), len(treatment)) < MINIMUM_VALUES:
        return None
    below, above = np.sort(np.array(baseline, dtype=float)), np.sort(np.array(treatment, dtype=float))
    baseline_medians = _resampled_medians(below, (seed, 0))
    treatment_medians = _resampled_medians(above, (seed, 1))
    if not (baseline_medians.all() and treatment_medians.all()):
        return None
    lower, upper = np.quantile(treatment_medians / baseline_medians, [0.025, 0.975])
    estimate = np.median(above) / np.median(below)
    return Ratio(float(lower), float(estimate), float(upper))


def _resampled_medians(values: NDArray[np.float64], seed: tuple[int, int]) -> NDArray[np.float64]:
    """Medians of `RESAMPLES` samples drawn with replacement from sorted `values`, each as large as `values`."""
    low, high = _middle_ranks(len(values), seed)
    return (values[low] + values[high]) / 2


@lru_cache(maxsize=64)  # a site shows hundreds of results with the same number of runs
def _middle_ranks(n: int, seed: tuple[int, int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The ranks of the two middle values in each of `RESAMPLES` samples of `n` out of `n`; for an odd `n` they are one.

    Only the middle ranks of a sample decide its median, and the ranks of uniform draws follow beta distributions
    (David and Nagaraja (2003), Order Statistics, chapter 2). So they are drawn directly: time and memory do not grow
    with the number of values.
    """
    rng = np.random.default_rng(seed)
    middle = (n + 1) // 2
    low = rng.beta(middle, n + 1 - middle, RESAMPLES)
    high = low if n % 2 == 1 else low + (1 - low) * rng.beta(1, n - middle, RESAMPLES)
    return _rank(low, n), _rank(high, n)


def _rank(places: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Which of `n` sorted values lies at each place; places run from 0 at the smallest to 1 at the largest."""
    return np.minimum((places * n).astype(np.intp), n - 1)
