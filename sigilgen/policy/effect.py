"""From a plan and its runs to the counts that a verdict rests on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sigilgen.model.effect import Effect, Tally, TaskTally
from sigilgen.model.record import Cell
from sigilgen.model.run import Condition, Outcome, Run
from sigilgen.policy.claims import is_false_done
from sigilgen.policy.tampering import is_tampered
from sigilgen.stats.intervals import newcombe

_FAULTS_NAMED = 10


def measure(cells: Sequence[Cell], runs: Sequence[Run]) -> Effect:
    """Count each planned cell once, by its last attempt, and put the interval around the difference.

    Args:
        cells: The plan in its order; a cell's place in it is the `position` of its runs.
        runs: Every attempt, in any order. A cell may still have none.

    Returns:
        Counts for each condition, and for each task in the order of their names. Tampering and false claims are counted
        over scored cells only. `models_served` are those of scored cells. `attempts` counts every attempt.

    Raises:
        ValueError: Runs that do not belong to the plan, that occur twice, or that repeat an attempt which was already
            judged (only infra is retried: anything else would be choosing among results). Up to ten are named.

    Source: method 1.0, "Scoring".
    """
    faults = _faults(cells, runs)
    if faults:
        more = f"; and {len(faults) - _FAULTS_NAMED} more" if len(faults) > _FAULTS_NAMED else ""
        raise ValueError("; ".join(faults[:_FAULTS_NAMED]) + more)
    last = last_attempts(runs)
    attempts = Counter(run.position for run in runs)
    tasks = {task: _task_tally(cells, places, last, attempts) for task, places in _places_by_task(cells).items()}
    baseline = _total(tally.baseline for tally in tasks.values())
    treatment = _total(tally.treatment for tally in tasks.values())
    return Effect(
        baseline=baseline,
        treatment=treatment,
        tasks=tasks,
        models_served=tuple(sorted({model for run in last.values() if _is_scored(run) for model in run.models_served})),
        interval=newcombe(treatment.passed, treatment.scored, baseline.passed, baseline.scored),
    )


def _is_scored(run: Run) -> bool:
    return run.outcome is not Outcome.INFRA


def last_attempts(runs: Iterable[Run]) -> dict[int, Run]:
    """The attempt that counts for each cell that has any, by the cell's position in the plan.

    Args:
        runs: Attempts in any order.
    """
    return {run.position: run for run in sorted(runs, key=lambda run: run.attempt)}


def _places_by_task(cells: Sequence[Cell]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {task: [] for task in sorted({cell.task for cell in cells})}
    for place, cell in enumerate(cells):
        places[cell.task].append(place)
    return places


def _task_tally(
    cells: Sequence[Cell], places: Sequence[int], last: Mapping[int, Run], attempts: Mapping[int, int]
) -> TaskTally:
    def tally(condition: Condition) -> Tally:
        chosen = [place for place in places if cells[place].condition is condition]
        return _tally(len(chosen), [last[at] for at in chosen if at in last], sum(attempts.get(at, 0) for at in chosen))

    return TaskTally(baseline=tally(Condition.BASELINE), treatment=tally(Condition.TREATMENT))


def _tally(planned: int, ended: Sequence[Run], attempts: int) -> Tally:
    scored = [run for run in ended if _is_scored(run)]
    passed = sum(run.outcome is Outcome.PASSED for run in scored)
    return Tally(
        planned=planned,
        passed=passed,
        failed=len(scored) - passed,
        infra=len(ended) - len(scored),
        tampered=sum(is_tampered(run) for run in scored),
        false_done=sum(is_false_done(run) for run in scored),
        attempts=attempts,
    )


def _total(tallies: Iterable[Tally]) -> Tally:
    parts = tuple(tallies)
    return Tally(
        planned=sum(part.planned for part in parts),
        passed=sum(part.passed for part in parts),
        failed=sum(part.failed for part in parts),
        infra=sum(part.infra for part in parts),
        tampered=sum(part.tampered for part in parts),
        false_done=sum(part.false_done for part in parts),
        attempts=sum(part.attempts for part in parts),
    )


def _faults(cells: Sequence[Cell], runs: Sequence[Run]) -> list[str]:
    """Everything that keeps the runs from being counted, in words."""
    faults: list[str] = []
    judged: set[int] = set()
    seen: set[tuple[int, int]] = set()
    for run in sorted(runs, key=lambda run: (run.position, run.attempt)):
        if run.position >= len(cells):
            found = [f"the plan has only {len(cells)} cells"]
        else:
            found = _differences(cells[run.position], run)
        if (run.position, run.attempt) in seen:
            found.append("occurs twice")
        elif run.position in judged:
            found.append("an earlier attempt was already judged, and only infra is retried")
        faults.extend(f"position {run.position}, attempt {run.attempt}: {fault}" for fault in found)
        seen.add((run.position, run.attempt))
        if _is_scored(run):
            judged.add(run.position)
    return faults


def _differences(cell: Cell, run: Run) -> list[str]:
    return [
        f"{field} is {of_run}, and the plan says {of_cell}"
        for field, of_run, of_cell in (
            ("task", run.task, cell.task),
            ("condition", run.condition, cell.condition),
            ("repeat", run.repeat, cell.repeat),
        )
        if of_run != of_cell
    ]
