"""What `sigil prove --dry-run` says: the plan, what was measured already, and what it will cost."""

import heapq
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sigilgen.commands.prove import Prepared
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord
from sigilgen.model.run import Run
from sigilgen.store.evidence import load_experiments

CELLS_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A result on the very same content and tasks, with the same agent and model."""

    record: str
    finished_at: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """`expected_*` rest on earlier runs of the same agent and model on the same suite; null when there are none.

    `longest_seconds` is what the agents take if every one of them runs into its time-out and no run has to be repeated.
    """

    plan: PlanRecord
    jobs: int
    already_measured: tuple[Measured, ...]
    earlier_runs: int
    expected_seconds: int | None
    expected_cost_micro_usd: int | None
    longest_seconds: int


def preview(repository: Path, prepared: Prepared, *, jobs: int) -> Preview:
    """Look ahead without running or writing anything."""
    plan = prepared.plan
    alike = [
        experiment
        for experiment in load_experiments(repository)
        if experiment.plan.setting.agent == plan.setting.agent
        and experiment.plan.setting.model == plan.setting.model
        and experiment.plan.subject.suite == plan.subject.suite
    ]
    runs = [run for experiment in alike for run in experiment.runs]
    cells = len(plan.cells)
    cost = _median([run.cost_micro_usd for run in runs])
    seconds = _median([_milliseconds(run) for run in runs])
    return Preview(
        plan=plan,
        jobs=jobs,
        already_measured=tuple(_results_for(plan, alike)),
        earlier_runs=len(runs),
        expected_seconds=None if seconds is None else round(seconds * cells / jobs / 1000),
        expected_cost_micro_usd=None if cost is None else round(cost * cells),
        longest_seconds=_longest(plan, jobs),
    )


def _longest(plan: PlanRecord, jobs: int) -> int:
    """When the last run ends if each begins, in the order of the plan, as soon as one of `jobs` places is free."""
    ends = [0] * jobs
    for cell in plan.cells:
        heapq.heapreplace(ends, ends[0] + plan.timeouts_seconds[cell.task])
    return max(ends)


def _results_for(plan: PlanRecord, experiments: Sequence[Experiment]) -> list[Measured]:
    """Results that measured the very same content on the very same tasks, the oldest first."""
    results = [each.result for each in experiments if each.result is not None and each.plan.subject == plan.subject]
    found = [
        Measured(record=result.id, finished_at=result.finished_at, verdict=result.stated.verdict) for result in results
    ]
    return sorted(found, key=lambda measured: measured.finished_at)


def _milliseconds(run: Run) -> int | None:
    if run.agent_milliseconds is None:
        return None
    return run.agent_milliseconds + (run.verifier_milliseconds or 0)


def _median(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def render(view: Preview) -> str:
    """The preview as text, the beginning of the plan in the order in which it will start."""
    plan = view.plan
    tasks = len({cell.task for cell in plan.cells})
    size = f"{_counted(tasks, 'task')} x 2 conditions x {_counted(plan.repeats, 'repeat')} = {len(plan.cells)} runs"
    lines = [
        "dry run: nothing was run and nothing was written",
        f"capability  {plan.subject.capability}  {plan.subject.payload_digest}",
        f"suite       {plan.subject.suite}  {plan.subject.suite_digest}",
        f"agent       {_agent(plan)}, sandbox {plan.setting.sandbox}{', REHEARSAL' if plan.rehearsal else ''}",
        *(f"careful     {line}" for line in _warnings(plan)),
        f"plan        {size}, seed {plan.seed}",
        f"time        {_time(view)}",
        f"cost        {_cost(view)}",
        *(f"measured    {line}" for line in _measured(view)),
        "",
        *(
            f"{position:>5}  {cell.condition:<9}  {cell.task}  repeat {cell.repeat + 1}"
            for position, cell in enumerate(plan.cells[:CELLS_SHOWN])
        ),
    ]
    if (more := len(plan.cells) - CELLS_SHOWN) > 0:
        lines.append(f"    … and {more} more; --format json lists all")
    return "\n".join(lines)


def _measured(view: Preview) -> list[str]:
    if not view.already_measured:
        return [f"not yet with {_agent(view.plan)} on this exact content and suite"]
    return [f"{short(each.record)} of {each.finished_at[:10]}: {each.verdict}" for each in view.already_measured]


def _agent(plan: PlanRecord) -> str:
    words = (plan.setting.agent, plan.setting.agent_version, plan.setting.model)
    return " ".join(word for word in words if word is not None)


def _warnings(plan: PlanRecord) -> list[str]:
    if plan.setting.sandbox != "host":
        return []
    warnings = ["no isolation: an agent can read your files and the hidden verifier, and its network is open"]
    if plan.setting.model is not None:
        warnings.append(f"each run gets a copy of your own login for {plan.setting.agent}")
    return warnings


def _time(view: Preview) -> str:
    longest = f"at most {_duration(view.longest_seconds)} of agent time with {view.jobs} at once"
    if view.expected_seconds is None:
        return f"unknown, {longest}"
    return f"about {_duration(view.expected_seconds)} after {_earlier(view)}, {longest}"


def _cost(view: Preview) -> str:
    if view.expected_cost_micro_usd is None:
        return "nothing, a rehearsal" if view.plan.rehearsal else "unknown: no earlier run reported one"
    return f"about {view.expected_cost_micro_usd / 1e6:.2f} USD after {_earlier(view)}"


def _earlier(view: Preview) -> str:
    return _counted(view.earlier_runs, "earlier run")


def _duration(seconds: int) -> str:
    """Whole minutes, rounded up, once there are two of them: nobody plans by the second."""
    if seconds < 120:
        return f"{seconds} s"
    hours, minutes = divmod(-(-seconds // 60), 60)
    return " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min")) if count)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
