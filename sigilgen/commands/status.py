"""List the experiments of a repository: finished, running on this machine, and abandoned."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.policy import stated
from sigilgen.policy.effect import measure
from sigilgen.policy.verdict import judge
from sigilgen.store.evidence import load_experiments
from sigilgen.store.regular import open_regular

JOURNALS = Path(".sigil", "experiments")
MODEL_MAX = 40
ENDED = (b'"state":"judged"', b'"state":"infra"')


class State(StrEnum):
    """How far an experiment has come, as far as this machine knows."""

    FINISHED = "finished"
    RUNNING = "running"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One experiment. `ended` counts cells of a finished one, and attempts of one that runs here; else it is None."""

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
    """Every experiment in the evidence of `repository`, in the order of the times of their plans."""
    experiments = sorted(load_experiments(repository), key=lambda each: (each.plan.created_at, each.plan.id))
    return tuple(_line(repository, experiment) for experiment in experiments)


def render(lines: tuple[Line, ...]) -> str:
    if not lines:
        return "no experiments yet; start one with: sigil prove"
    rows = [("PLAN", "STATE", "CAPABILITY", "SUITE", "AGENT", "MODEL", "RUNS", "VERDICT"), *map(_row, lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*table, *_advice({line.state: line.plan for line in lines})])


def _advice(examples: Mapping[State, str]) -> Iterator[str]:
    """What to do about experiments without a result, with a plan in each such state as an example."""
    if plan := examples.get(State.RUNNING):
        yield f"running: if it was stopped, go on with: sigil prove --resume {plan}"
    if plan := examples.get(State.ABANDONED):
        yield (
            f"abandoned: goes on only where it was started, with: sigil prove --resume {plan}\n"
            "  Its plan stays on record. To measure again, start a new one with: sigil prove"
        )


def _line(repository: Path, experiment: Experiment) -> Line:
    plan = experiment.plan
    state, ended, verdict = State.ABANDONED, None, None
    journal = repository / JOURNALS / short(plan.id) / "journal.jsonl"
    if experiment.result is not None:
        last = {run.position: run for run in experiment.runs}
        judgement = judge(measure(plan.cells, experiment.runs))
        state, ended, verdict = State.FINISHED, len(last), stated.state(judgement, rehearsal=plan.rehearsal).verdict
    elif journal.parent.is_dir():
        state, ended = State.RUNNING, _ended(journal)
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
