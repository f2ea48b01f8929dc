"""Effects for tests, written as the passes and runs of each task."""

from collections.abc import Callable, Sequence

import pytest

from sigilgen.model.effect import Effect, Tally, TaskTally
from sigilgen.stats.intervals import newcombe

Tables = Sequence[tuple[int, int, int, int]]


@pytest.fixture(scope="session")
def effect_of() -> Callable[[Tables], Effect]:
    return _effect_of


def _effect_of(tables: Tables) -> Effect:
    """Task-0, task-1 and so on, each `(treatment passes, treatment runs, baseline passes, baseline runs)`."""
    tasks = {
        f"task-{number}": TaskTally(treatment=_tally(x, n), baseline=_tally(y, m))
        for number, (x, n, y, m) in enumerate(tables)
    }
    treatment = _tally(sum(x for x, _, _, _ in tables), sum(n for _, n, _, _ in tables))
    baseline = _tally(sum(y for _, _, y, _ in tables), sum(m for _, _, _, m in tables))
    return Effect(
        treatment=treatment,
        baseline=baseline,
        tasks=tasks,
        models_served=(),
        interval=newcombe(treatment.passed, treatment.scored, baseline.passed, baseline.scored),
    )


def _tally(passed: int, runs: int) -> Tally:
    return Tally(planned=runs, passed=passed, failed=runs - passed, attempts=runs)
