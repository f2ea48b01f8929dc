"""Intervals around one proportion and around the difference of two: plain arithmetic, so that a verdict is exact."""

from math import sqrt

from sigilgen.model.effect import Interval

Z = 1.959963984540054
"""Quantile of the standard normal distribution at 0.975, unrounded: 1.96 would flip the sign of some bounds."""


def wilson(passes: int, runs: int) -> tuple[float, float] | None:
    """Limits of Wilson's 95 % score interval for one pass rate.

    Args:
        passes: Runs that passed, from 0 to `runs`.
        runs: Scored runs.

    Returns:
        `(lower, upper)` as rates in [0, 1], exactly 0 at no passes and exactly 1 at nothing but passes.
        None without runs.

    Raises:
        ValueError: The counts are negative, or there are more passes than runs.

    Source: Wilson (1927), Journal of the American Statistical Association 22(158), 209-212.
    """
    if not 0 <= passes <= runs:
        raise ValueError(f"{passes} passes of {runs} runs: passes must lie between 0 and the number of runs")
    if runs == 0:
        return None
    centre = 2 * passes + Z * Z
    spread = Z * sqrt(Z * Z + 4 * passes * (runs - passes) / runs)
    scale = 2 * (runs + Z * Z)
    # At the ends the formula gives 0 and 1 in theory, and a last digit to either side of them in practice.
    lower = 0.0 if passes == 0 else (centre - spread) / scale
    upper = 1.0 if passes == runs else (centre + spread) / scale
    return lower, upper


def newcombe(treatment_passes: int, treatment_runs: int, baseline_passes: int, baseline_runs: int) -> Interval | None:
    """95 % interval for the treatment's pass rate minus the baseline's, by Newcombe's hybrid score method.

    Exchanging the conditions changes the sign of all three numbers and exchanges the limits, bit for bit.

    Args:
        treatment_passes: Passes under treatment, from 0 to `treatment_runs`.
        treatment_runs: Scored runs under treatment.
        baseline_passes: Passes under baseline, from 0 to `baseline_runs`.
        baseline_runs: Scored runs under baseline.

    Returns:
        Limits and estimate as differences of rates in [-1, 1]: 0.05 is five points. None when a condition has no runs.

    Raises:
        ValueError: Counts are negative, or there are more passes than runs.

    Source: Newcombe (1998), Statistics in Medicine 17(8), 873-890, method 10.
    """
    treatment = wilson(treatment_passes, treatment_runs)
    baseline = wilson(baseline_passes, baseline_runs)
    if treatment is None or baseline is None:
        return None
    treatment_rate = treatment_passes / treatment_runs
    baseline_rate = baseline_passes / baseline_runs
    difference = treatment_rate - baseline_rate
    below = _length(treatment_rate - treatment[0], baseline[1] - baseline_rate)
    above = _length(treatment[1] - treatment_rate, baseline_rate - baseline[0])
    return Interval(max(-1.0, difference - below), difference, min(1.0, difference + above))


def _length(first: float, second: float) -> float:
    """Length of a vector. `math.hypot` is not promised to ignore the order of its arguments; this sum does."""
    return sqrt(first * first + second * second)
