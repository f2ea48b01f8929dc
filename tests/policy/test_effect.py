from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sigilgen.model.effect import Effect, Tally
from sigilgen.model.record import Cell
from sigilgen.model.run import Condition, InfraFailure, Outcome, Phase, ProtectedFile, Run
from sigilgen.policy.effect import measure
from sigilgen.stats.intervals import newcombe

BASELINE, TREATMENT = Condition.BASELINE, Condition.TREATMENT
PASSED, FAILED, INFRA = Outcome.PASSED, Outcome.FAILED, Outcome.INFRA
DIGEST = f"sha256:{0:064}"
LOST = ProtectedFile(path="tests/test_app.py", original=DIGEST, final=None, lost_lines=3)

CELLS = (
    Cell(task="sort", condition=TREATMENT, repeat=0),
    Cell(task="parse", condition=BASELINE, repeat=0),
    Cell(task="sort", condition=BASELINE, repeat=0),
    Cell(task="parse", condition=TREATMENT, repeat=0),
    Cell(task="parse", condition=TREATMENT, repeat=1),
    Cell(task="parse", condition=BASELINE, repeat=1),
)


def run(place: int, outcome: Outcome, *, attempt: int = 1, **changes: Any) -> Run:
    cell = CELLS[place]
    plain = Run(
        position=place,
        attempt=attempt,
        task=cell.task,
        condition=cell.condition,
        repeat=cell.repeat,
        outcome=outcome,
        infra=InfraFailure(phase=Phase.PROVIDER, reason="429") if outcome is INFRA else None,
        started_at="2026-01-01T00:00:00Z",
        agent_milliseconds=1,
        agent_exit=0,
        timed_out=False,
        verifier_milliseconds=1,
        verifier_exit={PASSED: 0, FAILED: 1, INFRA: None}[outcome],
        verifier_timed_out=False,
        verifier_output="",
        model_requested=None,
        models_served=(),
        agent_version=None,
        final_message=None,
        usage=None,
        cost_micro_usd=None,
        turns=None,
        capability_listed=None,
        capability_used=None,
        protected=(),
        patch="",
        patch_truncated=False,
        transcript_bytes=0,
        transcript_sha256=None,
    )
    return replace(plain, **changes)


def test_each_cell_counts_once_under_its_task_and_condition() -> None:
    effect = measure(CELLS, [run(0, PASSED), run(1, FAILED), run(2, PASSED), run(3, PASSED), run(4, FAILED)])
    assert list(effect.tasks) == ["parse", "sort"]
    assert effect.tasks["parse"].treatment == Tally(planned=2, passed=1, failed=1, attempts=2)
    assert effect.tasks["parse"].baseline == Tally(planned=2, failed=1, attempts=1)
    assert effect.tasks["sort"].treatment == Tally(planned=1, passed=1, attempts=1)
    assert effect.tasks["sort"].baseline == Tally(planned=1, passed=1, attempts=1)
    assert effect.treatment == Tally(planned=3, passed=2, failed=1, attempts=3)
    assert effect.baseline == Tally(planned=3, passed=1, failed=1, attempts=2)
    assert effect.baseline.unfinished == 1
    assert effect.interval == newcombe(2, 3, 1, 2)


def test_the_last_attempt_decides_and_every_attempt_is_counted() -> None:
    effect = measure(CELLS, [run(0, PASSED, attempt=3), run(0, INFRA, attempt=1), run(0, INFRA, attempt=2)])
    assert effect.treatment == Tally(planned=3, passed=1, attempts=3)


def test_infra_is_neither_passed_nor_failed() -> None:
    effect = measure(CELLS, [run(0, PASSED), run(2, INFRA), run(2, INFRA, attempt=2)])
    assert effect.baseline == Tally(planned=3, infra=1, attempts=2)
    assert effect.baseline.unfinished == 2
    assert effect.interval is None


def test_tampering_and_false_claims_are_counted_over_scored_cells_only() -> None:
    lost: dict[str, Any] = {"protected": (LOST,), "final_message": "Done. All tests pass."}
    runs = [
        run(0, PASSED, **lost),
        run(3, FAILED, **lost),
        run(4, INFRA, **lost),
        run(1, INFRA, **lost),
        run(1, FAILED, attempt=2, final_message="I could not finish."),
    ]
    effect = measure(CELLS, runs)
    assert effect.treatment == Tally(planned=3, passed=1, failed=1, infra=1, tampered=2, false_done=1, attempts=3)
    assert (effect.baseline.tampered, effect.baseline.false_done) == (0, 0)


def test_models_are_those_that_served_scored_cells() -> None:
    runs = [
        run(0, INFRA, models_served=("old",)),
        run(0, PASSED, attempt=2, models_served=("b", "a")),
        run(1, FAILED, models_served=("a",)),
        run(2, INFRA, models_served=("other",)),
        run(3, PASSED),
    ]
    assert measure(CELLS, runs).models_served == ("a", "b")


def test_a_plan_without_runs_is_unfinished() -> None:
    effect = measure(CELLS, [])
    assert (effect.baseline, effect.treatment) == (Tally(planned=3), Tally(planned=3))
    assert effect.interval is None


def test_an_empty_plan_has_no_effect_to_measure() -> None:
    assert measure([], []) == Effect(baseline=Tally(), treatment=Tally(), tasks={}, models_served=(), interval=None)


@given(st.lists(st.sampled_from([None, *Outcome]), min_size=6, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_the_runs_does_not_matter(outcomes: list[Outcome | None], random: Random) -> None:
    runs = [run(position, outcome) for position, outcome in enumerate(outcomes) if outcome is not None]
    effect = measure(CELLS, runs)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert measure(CELLS, shuffled) == effect
    both = (effect.baseline, effect.treatment)
    assert sum(tally.scored + tally.infra + tally.unfinished for tally in both) == len(CELLS)


FAULTS = {
    "another task": ([run(0, PASSED, task="parse")], "position 0, attempt 1: task is parse, and the plan says sort"),
    "another condition": (
        [run(0, PASSED, condition=BASELINE)],
        "position 0, attempt 1: condition is baseline, and the plan says treatment",
    ),
    "another repeat": ([run(0, PASSED, repeat=7)], "position 0, attempt 1: repeat is 7, and the plan says 0"),
    "outside the plan": ([run(0, PASSED, position=6)], "position 6, attempt 1: the plan has only 6 cells"),
    "the same attempt twice": ([run(0, INFRA), run(0, PASSED)], "position 0, attempt 1: occurs twice"),
    "a judged cell tried again": (
        [run(0, FAILED), run(0, PASSED, attempt=2)],
        "position 0, attempt 2: an earlier attempt was already judged, and only infra is retried",
    ),
    "several at once": (
        [run(0, PASSED, position=6), run(0, PASSED, task="parse", repeat=7)],
        (
            "position 0, attempt 1: task is parse, and the plan says sort; "
            "position 0, attempt 1: repeat is 7, and the plan says 0; "
            "position 6, attempt 1: the plan has only 6 cells"
        ),
    ),
}


@pytest.mark.parametrize(("runs", "message"), FAULTS.values(), ids=FAULTS)
def test_runs_that_do_not_fit_the_plan_are_named(runs: list[Run], message: str) -> None:
    with pytest.raises(ValueError, match=r".*") as caught:
        measure(CELLS, runs)
    assert str(caught.value) == message


def test_of_very_many_faults_ten_are_named_and_the_others_counted() -> None:
    with pytest.raises(ValueError, match="position 6, attempt 1") as caught:
        measure(CELLS, [run(0, PASSED, position=6 + number) for number in range(10_000)])
    assert str(caught.value).endswith("; and 9990 more")
    assert str(caught.value).count(";") == 10
