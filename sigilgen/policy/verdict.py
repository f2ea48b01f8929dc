"""The verdict of method 1.0: a function of counts and unrounded bounds, with its reasons in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from sigilgen.model.effect import Effect, Interval, Judgement, Tally, TaskTally, Verdict
from sigilgen.stats.intervals import newcombe
from sigilgen.stats.stratified import mantel_haenszel

MARGIN = 0.10
"""Largest difference in pass rate that counts as none, in [0, 1]."""

MINIMUM_RUNS = 12
"""Scored runs that each condition needs. With two runs each, 2 against 0 passes would already be proven."""

MINIMUM_TASKS = 3
"""Tasks with scored runs under both conditions."""

LARGEST_IMBALANCE = 1
"""How far the scored runs of one task may differ between the conditions."""

LARGEST_INFRA_GAP_PERCENT = 10
"""How far the shares of planned runs lost to infrastructure may differ between the conditions, in points."""

_NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The difference without one task. `interval` is None when nothing comparable remains."""

    task: str
    interval: Interval | None


def judge(effect: Effect) -> Judgement:
    """Give the verdict that follows from an effect.

    An experiment with a shortfall (unfinished, too small, unbalanced, more than one model) is inconclusive whatever its
    interval says, and all its shortfalls are named. Otherwise the unrounded interval decides.

    Args:
        effect: Counts and interval as `measure` gives them.

    Returns:
        The verdict with at least one reason, as sentences.

    Source: method 1.0, "Statistics"; the minimum sizes and the margin are stated on the method page.
    """
    shortfalls = tuple(_shortfalls(effect))
    if shortfalls or effect.interval is None:
        return Judgement(verdict=Verdict.INCONCLUSIVE, reasons=shortfalls, effect=effect)
    verdict = verdict_of(effect.interval)
    return Judgement(verdict=verdict, reasons=(_reason(verdict, effect.interval),), effect=effect)


def verdict_of(interval: Interval) -> Verdict:
    """The verdict of an interval alone, for an experiment without shortfalls. Limits on a threshold do not pass it."""
    if interval.lower > 0:
        return Verdict.PROVEN
    if interval.upper < 0:
        return Verdict.HARMFUL
    if is_within_margin(interval):
        return Verdict.NO_EFFECT
    return Verdict.INCONCLUSIVE


def is_within_margin(interval: Interval) -> bool:
    """Whether the whole interval is nearer to zero than the margin."""
    return interval.lower > -MARGIN and interval.upper < MARGIN


def compared_tasks(effect: Effect) -> int:
    """How many tasks have scored runs under both conditions: the tasks that a result rests on."""
    return sum(tally.baseline.scored > 0 and tally.treatment.scored > 0 for tally in effect.tasks.values())


def leave_one_task_out(effect: Effect) -> tuple[LeftOut, ...]:
    """The pooled difference again and again, each time without one of the tasks, in the order of `effect.tasks`."""
    return tuple(LeftOut(task, _without(effect, tally)) for task, tally in effect.tasks.items())


def stratified(effect: Effect) -> Interval | None:
    """The Mantel-Haenszel interval over the tasks of an effect. It is shown beside the verdict and never decides it."""
    return mantel_haenszel(
        [
            (tally.treatment.passed, tally.treatment.scored, tally.baseline.passed, tally.baseline.scored)
            for tally in effect.tasks.values()
        ]
    )


def _without(effect: Effect, task: TaskTally) -> Interval | None:
    return newcombe(
        effect.treatment.passed - task.treatment.passed,
        effect.treatment.scored - task.treatment.scored,
        effect.baseline.passed - task.baseline.passed,
        effect.baseline.scored - task.baseline.scored,
    )


def _reason(verdict: Verdict, interval: Interval) -> str:
    margin = f"{100 * MARGIN:.0f} points"
    match verdict:
        case Verdict.PROVEN:
            return "The whole interval lies above zero."
        case Verdict.HARMFUL:
            return "The whole interval lies below zero."
        case Verdict.NO_EFFECT:
            return f"The whole interval lies within {margin} of zero and includes it."
        case Verdict.INCONCLUSIVE:
            open_ended = [
                word
                for word, reaches in (("gain", interval.upper >= MARGIN), ("loss", interval.lower <= -MARGIN))
                if reaches
            ]
            return (
                f"The interval includes zero and leaves room for a {' or a '.join(open_ended)} of {margin} or more: "
                "too few runs to tell."
            )


def _shortfalls(effect: Effect) -> Iterator[str]:
    """Everything that stands in the way of a verdict, in the order of the method."""
    baseline, treatment = effect.baseline, effect.treatment
    unfinished = baseline.unfinished + treatment.unfinished
    if unfinished > 0:
        yield f"{unfinished} of {baseline.planned + treatment.planned} planned runs have no result yet."
    for name, tally in (("Baseline", baseline), ("Treatment", treatment)):
        if tally.scored < MINIMUM_RUNS:
            yield f"{name} has {_count(tally.scored, 'scored run')}; a verdict needs at least {MINIMUM_RUNS}."
    compared = compared_tasks(effect)
    if compared < MINIMUM_TASKS:
        yield (
            f"{_count(compared, 'task')} with scored runs under both conditions; "
            f"a verdict needs at least {MINIMUM_TASKS}."
        )
    unbalanced = [f"{task} ({_both(tally)})" for task, tally in effect.tasks.items() if _is_unbalanced(tally)]
    if unbalanced:
        yield f"Scored runs under baseline and treatment differ by more than one for {_listed(unbalanced)}."
    if _infra_gap_is_too_wide(baseline, treatment):
        yield (
            f"Infrastructure cost {baseline.infra} of {baseline.planned} baseline runs and {treatment.infra} of "
            f"{treatment.planned} treatment runs: the shares differ by more than {LARGEST_INFRA_GAP_PERCENT} points."
        )
    if len(effect.models_served) > 1:
        yield f"More than one model was served: {_listed(effect.models_served)}."
    if effect.interval is None:
        yield "A condition has no scored run, so there is no interval."


def _is_unbalanced(tally: TaskTally) -> bool:
    return abs(tally.baseline.scored - tally.treatment.scored) > LARGEST_IMBALANCE


def _infra_gap_is_too_wide(baseline: Tally, treatment: Tally) -> bool:
    """In whole numbers: the two shares may be exactly ten points apart, and then the gap is not too wide."""
    gap = abs(baseline.infra * treatment.planned - treatment.infra * baseline.planned)
    return 100 * gap > LARGEST_INFRA_GAP_PERCENT * baseline.planned * treatment.planned


def _both(tally: TaskTally) -> str:
    return f"{tally.baseline.scored} and {tally.treatment.scored}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(names: list[str] | tuple[str, ...]) -> str:
    hidden = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {hidden} more" if hidden > 0 else "")
