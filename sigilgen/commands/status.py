"""List the experiments of a repository: finished, running or stopped on this machine, and abandoned."""

import fcntl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sigilgen.errors import RecordError, StoreError
from sigilgen.lab.desk import Desk
from sigilgen.lab.laying import desks
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord
from sigilgen.policy import stated
from sigilgen.policy.effect import last_attempts, measure
from sigilgen.policy.verdict import judge
from sigilgen.store.codec import decode_record
from sigilgen.store.evidence import evidence_folder, load_experiments
from sigilgen.store.limits import RECORD_MAX_BYTES
from sigilgen.store.reading import read_file
from sigilgen.store.regular import open_regular

MODEL_MAX = 40
ENDED = (b'"state":"judged"', b'"state":"infra"')


class State(StrEnum):
    """How far an experiment has come, as far as this machine knows."""

    FINISHED = "finished"
    RUNNING = "running"
    STOPPED = "stopped"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One experiment. `ended` counts cells of a finished one, and attempts of one on this machine; else it is None."""

    plan: str
    state: State
    capability: str
    suite: str
    agent: str
    model: str | None
    rehearsal: bool
    planned: int
    ended: int | None
    verdict: str | None
    created_at: str


def status(repository: Path) -> tuple[Line, ...]:
    """Every experiment in the evidence or under way in `repository`, in the order of the times of their plans."""
    under_way = {desk.root.name: desk for desk in desks(repository)}
    published = load_experiments(repository)
    plans = {short(experiment.plan.id) for experiment in published}
    unpublished = [_on_desk(desk) for name, desk in under_way.items() if name not in plans]
    experiments = sorted([*published, *unpublished], key=lambda each: (each.plan.created_at, each.plan.id))
    return tuple(_line(experiment, under_way.get(short(experiment.plan.id))) for experiment in experiments)


def _on_desk(desk: Desk) -> Experiment:
    """The experiment on a desk, for one that was stopped before its plan was published."""
    try:
        plan = decode_record(read_file(desk.plan, limit=RECORD_MAX_BYTES), str(desk.plan))
    except RecordError as error:
        raise _damaged(desk, error.message) from None
    if not isinstance(plan, PlanRecord) or short(plan.id) != desk.root.name:
        raise _damaged(desk, "it holds something else")
    return Experiment(evidence_folder(plan.subject), plan, None, ())


def _damaged(desk: Desk, what: str) -> StoreError:
    return StoreError(
        f"the plan in {desk.root} cannot be read: {what}",
        hint="The experiment cannot go on. Delete that folder; a plan that was published stays on record.",
    )


def render(lines: tuple[Line, ...]) -> str:
    if not lines:
        return "no experiments yet; start one with: sigil prove"
    rows = [("PLAN", "STATE", "CAPABILITY", "SUITE", "AGENT", "MODEL", "RUNS", "VERDICT"), *map(_row, lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*table, *_advice({line.state: line.plan for line in lines})])


def _advice(examples: Mapping[State, str]) -> Iterator[str]:
    """What to do about experiments without a result, with a plan in each such state as an example."""
    if plan := examples.get(State.STOPPED):
        yield f"stopped: go on with: sigil prove --resume {plan}"
    if examples.get(State.ABANDONED):
        yield (
            "abandoned, or running elsewhere: the work is not on this machine, so only where it is can it go on.\n"
            "  Its plan stays on record. To measure again, start a new one with: sigil prove"
        )


def _line(experiment: Experiment, desk: Desk | None) -> Line:
    plan = experiment.plan
    state, ended, verdict = State.ABANDONED, None, None
    if experiment.result is not None:
        judgement = judge(measure(plan.cells, experiment.runs))
        said = stated.state(judgement, rehearsal=plan.rehearsal)
        state, ended, verdict = State.FINISHED, len(last_attempts(experiment.runs)), said.verdict
    elif desk is not None:
        state, ended = State.RUNNING if _is_held(desk) else State.STOPPED, _ended(desk.journal)
    return Line(
        plan=short(plan.id),
        state=state,
        capability=plan.subject.capability,
        suite=plan.subject.suite,
        agent=plan.setting.agent,
        model=plan.setting.model,
        rehearsal=plan.rehearsal,
        planned=len(plan.cells),
        ended=ended,
        verdict=verdict,
        created_at=plan.created_at,
    )


def _is_held(desk: Desk) -> bool:
    """Whether somebody works on the experiment: `sigil prove`, or what it started and is being ended."""
    try:
        with open_regular(desk.lock) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # closing it lets go
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def _ended(journal: Path) -> int:
    """Attempts that came to an end according to the journal; a line that is still being written may be cut."""
    try:
        with open_regular(journal) as descriptor, open(descriptor, "rb", closefd=False) as lines:
            return sum(any(ended in line for ended in ENDED) for line in lines)
    except FileNotFoundError:
        return 0


def _row(line: Line) -> tuple[str, ...]:
    verdict = "REHEARSAL" if line.rehearsal else line.verdict or "-"
    ended = "-" if line.ended is None else str(line.ended)
    model = " ".join((line.model or "-").split())  # whatever stands in a plan must not break the table
    if len(model) > MODEL_MAX:
        model = f"{model[: MODEL_MAX - 1]}…"
    return line.plan, line.state, line.capability, line.suite, line.agent, model, f"{ended}/{line.planned}", verdict
