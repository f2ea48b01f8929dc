"""What a plan must be by itself: a complete grid in the order that follows from its seed."""

from collections.abc import Iterator
from datetime import datetime

from sigilgen.agents.registry import AGENTS
from sigilgen.model.record import METHOD_VERSION, PlanRecord, Setting
from sigilgen.model.run import Condition
from sigilgen.policy.order import planned_cells
from sigilgen.store.strict_json import Flaw

REHEARSING_AGENTS = frozenset(agent.name for agent in AGENTS if agent.rehearsal)


def plan_flaws(plan: PlanRecord) -> Iterator[Flaw]:
    """Everything in the plan that contradicts the rest of it."""
    yield from time_flaws("$.created_at", plan.created_at)
    yield from _setting_flaws(plan.setting, rehearsal=plan.rehearsal)
    yield from _grid_flaws(plan)
    tasks = {cell.task for cell in plan.cells}
    if plan.timeouts_seconds.keys() != tasks:
        odd = sorted(plan.timeouts_seconds.keys() ^ tasks)
        yield Flaw("$.timeouts_seconds", f"has not exactly the tasks of the cells: {', '.join(odd)}")


def time_flaws(field: str, text: str) -> Iterator[Flaw]:
    """A text in the form of a time need not be one: there is no month 13."""
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        yield Flaw(field, f"{text} is no time: {error}")


def _setting_flaws(setting: Setting, *, rehearsal: bool) -> Iterator[Flaw]:
    if setting.agent in REHEARSING_AGENTS and not rehearsal:
        yield Flaw("$.rehearsal", f"is false, but the agent {setting.agent} only ever rehearses")
    if setting.method_version != METHOD_VERSION:
        yield Flaw("$.setting.method_version", f"{setting.method_version!r}; this Sigil knows {METHOD_VERSION} only")
    yield from _sandbox_flaws(setting)


def _sandbox_flaws(setting: Setting) -> Iterator[Flaw]:
    """Isolation that is claimed and cannot have been."""
    if setting.sandbox == "container":
        if setting.image_digest is None:
            yield Flaw("$.setting.image_digest", "is null, but a container is made from an image")
        return
    if setting.image_digest is not None:
        yield Flaw("$.setting.image_digest", f"{setting.image_digest}; the host sandbox has no image")
    if setting.network != "host":
        yield Flaw("$.setting.network", f"{setting.network}; the host sandbox keeps no agent from the network")


def _grid_flaws(plan: PlanRecord) -> Iterator[Flaw]:
    tasks = sorted({cell.task for cell in plan.cells})
    size = len(tasks) * len(Condition) * plan.repeats
    if len(plan.cells) != size or not size:
        yield Flaw(
            "$.cells",
            f"{len(plan.cells)} cells; {len(tasks)} tasks x {len(Condition)} conditions x "
            f"{plan.repeats} repeats are {size}",
        )
        return
    expected = planned_cells(tasks, repeats=plan.repeats, seed=plan.seed)
    if set(plan.cells) != set(expected):
        yield Flaw("$.cells", "not every task has every condition and repeat exactly once")
    elif plan.cells != expected:
        first = next(i for i, cells in enumerate(zip(plan.cells, expected, strict=True)) if cells[0] != cells[1])
        yield Flaw(f"$.cells[{first}]", f"not the order that follows from seed {plan.seed}")
