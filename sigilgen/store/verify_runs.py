"""What runs must be to belong to a plan and its result."""

from collections.abc import Iterator, Sequence

from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.model.run import Outcome, Run
from sigilgen.store.strict_json import Flaw
from sigilgen.store.verify_plan import time_flaws

SECONDS = slice(19)
"""The part of a time down to the second. Times of one experiment are compared by it, because they may be rounded."""


def run_flaws(runs: Sequence[Run], plan: PlanRecord, result: ProveRecord) -> Iterator[Flaw]:
    """Everything in the runs, one a line, that contradicts the plan, the result or the line before."""
    previous: Run | None = None
    for line, run in enumerate(runs, start=1):
        flaws = [*_cell_flaws(run, plan), *_outcome_flaws(run), *_time_flaws(run, result), *_seal_flaws(run)]
        if run.model_requested != plan.setting.model:
            flaws.append(Flaw("$.model_requested", f"{run.model_requested!r}; the plan says {plan.setting.model!r}"))
        flaws += _sequence_flaws(run, previous)
        yield from (Flaw(flaw.field, flaw.what, line) for flaw in flaws)
        previous = run


def _cell_flaws(run: Run, plan: PlanRecord) -> Iterator[Flaw]:
    if run.position >= len(plan.cells):
        yield Flaw("$.position", f"{run.position}; the plan has positions 0 to {len(plan.cells) - 1}")
        return
    cell = plan.cells[run.position]
    if run.task != cell.task:
        yield Flaw("$.task", f"{run.task}; position {run.position} of the plan has {cell.task}")
    if run.condition is not cell.condition:
        yield Flaw("$.condition", f"{run.condition}; position {run.position} of the plan has {cell.condition}")
    if run.repeat != cell.repeat:
        yield Flaw("$.repeat", f"{run.repeat}; position {run.position} of the plan has {cell.repeat}")


def _outcome_flaws(run: Run) -> Iterator[Flaw]:
    if run.infra is None and run.verifier_exit is None:
        yield Flaw("$.verifier_exit", "is null, and no infra failure says why")
        return
    if run.infra is not None:
        outcome, because = Outcome.INFRA, "there is an infra failure"
    elif run.verifier_timed_out:
        outcome, because = Outcome.FAILED, "the verifier timed out"
    else:
        outcome = Outcome.PASSED if run.verifier_exit == 0 else Outcome.FAILED
        because = f"the verifier exited {run.verifier_exit}"
    if run.outcome is not outcome:
        yield Flaw("$.outcome", f"{run.outcome}; it is {outcome}, because {because}")


def _seal_flaws(run: Run) -> Iterator[Flaw]:
    """Only of a run that was lost before its agent had ended may nobody know what the agent wrote."""
    if run.transcript_sha256 is None and (run.infra is None or run.transcript_bytes):
        yield Flaw("$.transcript_sha256", "is null; only a run that was lost early has no sealed transcript")


def _time_flaws(run: Run, result: ProveRecord) -> Iterator[Flaw]:
    yield from time_flaws("$.started_at", run.started_at)
    if not result.started_at[SECONDS] <= run.started_at[SECONDS] <= result.finished_at[SECONDS]:
        yield Flaw(
            "$.started_at",
            f"{run.started_at} is outside the experiment ({result.started_at} to {result.finished_at})",
        )


def _sequence_flaws(run: Run, previous: Run | None) -> Iterator[Flaw]:
    """Lines stand in the order of positions and attempts; attempts count from 1; only what was lost is tried again."""
    again = previous is not None and previous.position == run.position
    if previous is not None and (run.position, run.attempt) <= (previous.position, previous.attempt):
        yield Flaw(
            "$.position",
            f"position {run.position}, attempt {run.attempt} after position {previous.position}, attempt "
            f"{previous.attempt}: lines stand in that order, each once",
        )
        return
    expected = previous.attempt + 1 if again and previous is not None else 1
    if run.attempt != expected:
        yield Flaw("$.attempt", f"{run.attempt}; attempt {expected} at position {run.position} is missing")
    if again and previous is not None:
        if previous.outcome is not Outcome.INFRA:
            yield Flaw("$.attempt", "the attempt before was judged; only infra is tried again")
        if run.started_at[SECONDS] < previous.started_at[SECONDS]:
            yield Flaw("$.started_at", f"{run.started_at}; the attempt before started later, at {previous.started_at}")
