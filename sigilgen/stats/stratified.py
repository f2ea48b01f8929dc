"""The effect within tasks: differences of each task, weighted and added up, instead of one pooled difference."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from sigilgen.model.effect import Interval
from sigilgen.stats.intervals import Z


def mantel_haenszel(tables: Sequence[tuple[int, int, int, int]]) -> Interval | None:
    """95 % interval for the risk difference common to all tasks: Mantel-Haenszel weights, Sato's variance.

    It never bears a verdict. It is narrower than the pooled interval where tasks differ, a little too narrow (coverage
    93 to 95 %), and well too narrow with fewer than five runs for each task and condition.

    Args:
        tables: For each task `(treatment passes, treatment runs, baseline passes, baseline runs)`.
            A task without runs under both conditions adds nothing.

    Returns:
        Limits and estimate as differences of rates in [-1, 1]. None when no task was run under both conditions, and
        when the variance is not positive, as when every run passed: its interval would have no width, which would
        look like certainty.

    Raises:
        ValueError: Counts are negative, or there are more passes than runs.

    Source: Sato (1989), Biometrics 45(4), 1323-1324, on the estimator of Greenland and Robins (1985), Biometrics 41(1).
    """
    for table in tables:
        _check(table)
    strata = [table for table in tables if table[1] > 0 and table[3] > 0]
    if not strata:
        return None
    # Exact fractions: a variance of zero is zero, and exchanging the conditions only changes the sign.
    weight = sum(Fraction(n * m, n + m) for _, n, _, m in strata)
    estimate = sum(Fraction(x * m - y * n, n + m) for x, n, y, m in strata) / weight
    skew = sum(Fraction(2 * (n * n * y - m * m * x) + n * m * (m - n), 2 * (n + m) ** 2) for x, n, y, m in strata)
    noise = sum(Fraction(x * (m - y) + y * (n - x), 2 * (n + m)) for x, n, y, m in strata)
    variance = (estimate * skew + noise) / weight**2
    if variance <= 0:
        return None
    middle, half_width = float(estimate), Z * sqrt(variance)
    return Interval(max(-1.0, middle - half_width), middle, min(1.0, middle + half_width))


def _check(table: tuple[int, int, int, int]) -> None:
    treatment_passes, treatment_runs, baseline_passes, baseline_runs = table
    if not (0 <= treatment_passes <= treatment_runs and 0 <= baseline_passes <= baseline_runs):
        raise ValueError(f"{table}: passes must lie between 0 and the number of runs in both conditions")
