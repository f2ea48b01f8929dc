"""Numbers of a result in the words of the pages: always with their size, and never shorter than their meaning."""

from sigilgen.model.effect import Interval, Tally
from sigilgen.pages.amounts import DASH, MINUS, NO_BREAK, counted
from sigilgen.policy.wording import points

NOT_MEASURED = "not measured"
"""Stands in the verdict's place where nobody has measured anything: it is neither *no effect* nor *inconclusive*."""


def pp(difference: float) -> str:
    """A difference of rates in percentage points."""
    return f"{bare_points(difference)}{NO_BREAK}pp"


def bare_points(difference: float) -> str:
    """The same without its unit, for columns that name it."""
    return points(difference).replace("-", MINUS)


def limits(interval: Interval) -> str:
    """Both limits of an interval in points, without unit."""
    return f"{bare_points(interval.lower)} to {bare_points(interval.upper)}"


def difference(interval: Interval) -> str:
    """A difference with its interval, as a sentence holds it."""
    return f"{pp(interval.estimate)} (95{NO_BREAK}% CI {limits(interval)})"


def passes(tally: Tally) -> str:
    """Passes out of scored runs."""
    return f"{tally.passed}/{tally.scored}"


def rate(tally: Tally) -> str:
    """The pass rate in percent, or a dash where nothing was scored."""
    return f"{100 * tally.passed / tally.scored:.1f}{NO_BREAK}%" if tally.scored else DASH


def rests_on(treatment: Tally, baseline: Tally, tasks: int) -> str:
    """The numbers of runs and tasks that a result rests on."""
    if treatment.scored == baseline.scored:
        runs = f"{counted(treatment.scored, 'scored run')} in each condition"
    else:
        runs = f"{treatment.scored} treatment and {baseline.scored} baseline runs"
    return f"{runs}, {counted(tasks, 'task')}"
