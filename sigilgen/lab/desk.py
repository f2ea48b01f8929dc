"""What lies on the desk of an experiment, read with care: a crash, a full disk or a stranger may have left it."""

from pathlib import Path

from sigilgen.errors import RequestError, StoreError
from sigilgen.lab.journal import Desk, finished_runs, read_entries
from sigilgen.model.names import short
from sigilgen.model.record import Cell, PlanRecord
from sigilgen.model.run import Run
from sigilgen.store.codec import decode_record


def damaged(place: Path, what: object) -> StoreError:
    return StoreError(
        f"{place} is damaged: {what}",
        hint="The experiment cannot go on. Delete its folder; its plan stays on record as abandoned.",
    )


def check_journal(desk: Desk, plan: PlanRecord) -> None:
    """Refuse runs that the plan does not hold, or attempts out of their order."""
    attempts: dict[int, int] = {}
    for run in finished_runs(read_entries(desk.journal)):
        cell = Cell(task=run.task, condition=run.condition, repeat=run.repeat)
        if run.position >= len(plan.cells) or plan.cells[run.position] != cell:
            raise damaged(desk.journal, f"run {run.position} is not in the plan")
        attempts[run.position] = attempts.get(run.position, 0) + 1
        if run.attempt != attempts[run.position]:
            raise damaged(desk.journal, f"run {run.position} has attempt {run.attempt} twice or too early")


def load_plan(desk: Desk) -> PlanRecord:
    """The plan on a desk. Raises RequestError when there is none."""
    if not desk.plan.is_file():
        raise RequestError(
            f"no experiment {desk.root.name} is under way here", hint="`sigil status` lists the ones that are."
        )
    record = decode_record(desk.plan.read_bytes(), str(desk.plan))
    if not isinstance(record, PlanRecord):
        raise StoreError(f"{desk.plan} is not a plan")
    if desk.root.name != short(record.id):
        raise StoreError(f"{desk.plan} is the plan of another experiment: {record.id}")
    return record


def load_transcript(desk: Desk, run: Run) -> str:
    place = desk.transcript(run.position, run.attempt)
    try:
        return place.read_bytes().decode(errors="replace")
    except OSError as error:
        raise damaged(place, error.strerror) from error


def published_before(desk: Desk, run_count: int) -> list[str]:
    """Ids of results of this plan that rest on fewer than `run_count` runs, the oldest first."""
    if not desk.published.exists():
        return []
    try:
        lines = [line.split() for line in desk.published.read_text(encoding="ascii").splitlines()]
        return [record_id for count, record_id in lines if int(count) < run_count]
    except ValueError as error:
        raise damaged(desk.published, error) from error
