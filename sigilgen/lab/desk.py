"""Where an experiment keeps its things while it runs. All is read with care: a crash or a stranger may have left it.

    <repository>/.sigil/experiments/<first 16 of plan id>/
        plan.json        the plan record, byte for byte as it is committed
        order.json       what else the command asked for
        inputs/          payload/ and tasks/<suite>/ as they were when the plan was made
        kits/            starting workspaces
        transcripts/     <position>-<attempt>.txt
        journal.jsonl    what became of every attempt so far
        finished-<n>     when the last of n runs had ended
        published        ids of results that are committed already, when lost runs may be tried again
        lock             held by the command and by every keeper it started

`kill -9` at any point costs at most the runs in flight.
"""

import fcntl
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sigilgen.errors import RequestError, StoreError
from sigilgen.lab.clock import Clock
from sigilgen.lab.journal import finished_runs, read_entries
from sigilgen.model.names import Time, short
from sigilgen.model.record import Cell, PlanRecord
from sigilgen.model.run import Run
from sigilgen.sandbox.trees import write_at_once
from sigilgen.store.codec import decode_record


@dataclass(frozen=True, slots=True)
class Desk:
    """Where an experiment keeps its things while it runs."""

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "plan.json"

    @property
    def order(self) -> Path:
        return self.root / "order.json"

    @property
    def payload(self) -> Path:
        return self.root / "inputs" / "payload"

    @property
    def inputs(self) -> Path:
        return self.root / "inputs"

    @property
    def kits(self) -> Path:
        return self.root / "kits"

    @property
    def journal(self) -> Path:
        return self.root / "journal.jsonl"

    def finished(self, run_count: int) -> Path:
        return self.root / f"finished-{run_count}"

    @property
    def published(self) -> Path:
        return self.root / "published"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    def transcript(self, position: int, attempt: int) -> Path:
        return self.root / "transcripts" / f"{position}-{attempt}.txt"


def experiments_folder(repository: Path) -> Path:
    return repository / ".sigil" / "experiments"


def refuse_links(repository: Path, desk: Desk) -> None:
    """Refuse a desk that leads somewhere else: a repository can come with links that we would write through."""
    base = experiments_folder(repository)
    places = [base.parent, base.parent / ".gitignore", base, desk.root]
    places += [*desk.root.glob("*"), *desk.inputs.glob("*"), *desk.transcript(0, 0).parent.glob("*")]
    links = [place for place in places if place.is_symlink()]
    if links:
        raise StoreError(f"{links[0]} is a symbolic link", hint="Nothing is written through it. Remove it.")


def desk_of(repository: Path, plan_id: str) -> Desk:
    return Desk(experiments_folder(repository) / short(plan_id))


def take_lock(desk: Desk, *, patience_seconds: float) -> int:
    """Hold the experiment for this process; the descriptor is to be kept open by every keeper too.

    After a crash the keepers need a moment to end what was running, which is why there is some patience. Raises
    RequestError when somebody still works on the experiment after that.
    """
    descriptor = os.open(desk.lock, os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise RequestError(
                    f"experiment {desk.root.name} is being worked on by another process",
                    hint="Wait for it to end, or stop it; then run the same command again.",
                ) from None
            time.sleep(0.05)
        else:
            return descriptor


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


def note_published(desk: Desk, run_count: int, record_id: str) -> None:
    before = desk.published.read_text(encoding="ascii") if desk.published.exists() else ""
    write_at_once(desk.published, f"{before}{run_count} {record_id}\n")


def finished_at(desk: Desk, runs: Sequence[Run], clock: Clock) -> str:
    """When the last of `runs` had ended, as first written down."""
    place = desk.finished(len(runs))
    if not place.exists():
        write_at_once(place, clock())
    try:
        said = msgspec.convert(place.read_text(encoding="ascii"), Time)
    except (ValueError, msgspec.ValidationError) as error:
        raise damaged(place, error) from error
    if said < max((run.started_at for run in runs), default=""):
        raise damaged(place, f"{said} is before the last run started")
    return said
