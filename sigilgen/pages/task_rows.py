"""The tasks of a result under both conditions, as rows of a table."""

from dataclasses import dataclass

from sigilgen.model.effect import Effect, TaskTally
from sigilgen.pages import phrases
from sigilgen.pages.amounts import DASH


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """One task, with passes out of scored runs, and the plain difference of its two rates."""

    task: str
    baseline: str
    treatment: str
    difference: str
    infra: str
    tampered: str
    false_done: str


def task_rows(effect: Effect) -> tuple[TaskRow, ...]:
    """One row for each task, in the order of their names; counts are treatment / baseline."""
    return tuple(_row(task, tally) for task, tally in effect.tasks.items())


def _row(task: str, tally: TaskTally) -> TaskRow:
    treatment, baseline = tally.treatment, tally.baseline
    return TaskRow(
        task=task,
        baseline=phrases.passes(baseline),
        treatment=phrases.passes(treatment),
        difference=_difference(tally),
        infra=f"{treatment.infra} / {baseline.infra}",
        tampered=f"{treatment.tampered} / {baseline.tampered}",
        false_done=f"{treatment.false_done} / {baseline.false_done}",
    )


def _difference(tally: TaskTally) -> str:
    treatment, baseline = tally.treatment, tally.baseline
    if not (treatment.scored and baseline.scored):
        return DASH
    return phrases.bare_points(treatment.passed / treatment.scored - baseline.passed / baseline.scored)
