"""Measure whether a capability changes how often an agent succeeds: plan, preview, carry out, report."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen import __version__
from sigilgen.agents.base import Agent, install_path
from sigilgen.agents.registry import find_agent
from sigilgen.errors import RequestError
from sigilgen.lab.clock import Clock
from sigilgen.lab.desk import Desk, desk_of
from sigilgen.lab.experiment import Conduct, Published, carry_on
from sigilgen.lab.laying import Orders, begin, desks
from sigilgen.lab.login import find_login, find_version, is_rehearsal
from sigilgen.lab.machine import this_machine
from sigilgen.model.capability import Kind, Payload
from sigilgen.model.effect import Judgement
from sigilgen.model.record import METHOD_VERSION, PlanRecord, Setting, Subject
from sigilgen.policy.effect import measure
from sigilgen.policy.order import planned_cells
from sigilgen.policy.verdict import judge
from sigilgen.sandbox.host import HostSandbox, verifier_network
from sigilgen.store.catalogue import Entry, find_entry
from sigilgen.store.codec import seal
from sigilgen.store.committed import uncommitted_files
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import SuiteEntry, find_suite, load_rehearsal

SEED_BITS = 32
FILES_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to measure. Without `suite` the capability's only one; without `seed` a new one."""

    capability: str
    suite: str | None
    agent: str
    model: str | None
    repeats: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A plan that can be carried out, with what it was made from."""

    plan: PlanRecord
    entry: Entry
    suite: SuiteEntry


def prepare(
    repository: Path, request: Request, *, clock: Clock, home: Path, environment: Mapping[str, str]
) -> Prepared:
    """Check everything that can be checked before the first run, the login included, and make the plan."""
    entry = find_entry(repository, request.capability)
    suite = find_suite(repository, request.suite or _only_suite(entry))
    agent = find_agent(request.agent)
    if entry.capability.source is not None and not HostSandbox.isolated:
        raise RequestError(
            f"{entry.capability.name} is a third-party capability: it may not run outside a container",
            hint="The host sandbox is for first-party capabilities, whose payload is in this repository.",
        )
    payload = read_payload(entry.folder)
    _check_deliverable(agent, entry, payload)
    _check_model(agent, request.model)
    _check_rehearsals(agent, suite)
    setting = _setting(agent, request.model)
    find_login(agent, home=home, environment=environment)
    tasks = suite.suite.tasks
    seed = secrets.randbits(SEED_BITS) if request.seed is None else request.seed
    plan = PlanRecord(
        schema=1,
        id="",
        created_at=clock(),
        subject=_subject(entry, suite, payload),
        setting=setting,
        rehearsal=is_rehearsal(agent, environment),
        seed=seed,
        repeats=request.repeats,
        timeouts_seconds={task.id: task.timeout_seconds for task in tasks},
        cells=planned_cells([task.id for task in tasks], repeats=request.repeats, seed=seed),
    )
    return Prepared(seal(plan), entry, suite)


def _subject(entry: Entry, suite: SuiteEntry, payload: Payload) -> Subject:
    return Subject(
        capability=entry.capability.name,
        capability_kind=entry.capability.kind,
        payload_digest=payload.digest,
        permissions_digest=entry.permissions_digest,
        suite=suite.suite.id,
        suite_digest=suite.suite.digest,
    )


def _setting(agent: Agent, model: str | None) -> Setting:
    return Setting(
        agent=agent.name,
        agent_version=find_version(agent),
        model=model,
        sandbox=HostSandbox.name,
        image_digest=None,
        network="host",
        verifier_network=verifier_network(),
        platform=this_machine(),
        sigil_version=__version__,
        method_version=METHOD_VERSION,
    )


def _only_suite(entry: Entry) -> str:
    suites = entry.capability.suites
    if len(suites) == 1:
        return suites[0]
    raise RequestError(
        f"{entry.capability.name} names {len(suites) or 'no'} suite{'s' if suites else ''}: say which one to run",
        hint=f"Use --suite with one of: {', '.join(suites)}."
        if suites
        else "Use --suite; `sigil task list` shows all.",
    )


def _check_deliverable(agent: Agent, entry: Entry, payload: Payload) -> None:
    """An agent that does not read the file would run twice without the capability: that is not "no effect"."""
    if entry.capability.kind is not Kind.INSTRUCTIONS:
        return
    place = install_path(agent, slug=entry.capability.slug, kind=entry.capability.kind)
    names = [file.path for file in payload.files]
    if place not in names:
        raise RequestError(
            f"{entry.capability.name} cannot be delivered to {agent.name}: that agent reads {place}",
            hint=f"The payload holds {', '.join(names)}. Add {place}, or measure with an agent that reads those.",
        )


def _check_model(agent: Agent, model: str | None) -> None:
    if agent.rehearsal and model is not None:
        raise RequestError(f"{agent.name} has no model", hint="Leave out --model.")
    if not agent.rehearsal and model is None:
        raise RequestError(
            f"say which model {agent.name} is to use", hint="Use --model: a result is about one model, never about any."
        )


def _check_rehearsals(agent: Agent, suite: SuiteEntry) -> None:
    if agent.name != "scripted":
        return
    without = [task.id for task in suite.suite.tasks if load_rehearsal(suite.folder / task.id) is None]
    if without:
        raise RequestError(
            f"the scripted agent has nothing to replay in {', '.join(without)}",
            hint="Write a rehearsal.yaml there; `sigil new task` makes one to start from.",
        )


def start(repository: Path, prepared: Prepared, orders: Orders) -> Desk:
    """Lay the desk of a new experiment. Evidence may only be about content that a commit holds."""
    if orders.commit and not prepared.plan.rehearsal:
        _check_committed(repository, prepared)
    return begin(repository, prepared.plan, prepared.entry, prepared.suite, orders)


def _check_committed(repository: Path, prepared: Prepared) -> None:
    missing = uncommitted_files(repository, (prepared.entry.folder, prepared.suite.folder))
    if missing:
        shown = ", ".join(missing[:FILES_SHOWN]) + (", …" if len(missing) > FILES_SHOWN else "")
        raise RequestError(
            f"what is to be measured is in no commit: {shown}",
            hint="Commit it first, so that others find it. To measure a draft, use --no-commit.",
        )


def find_desk(repository: Path, wanted: str) -> Desk:
    """The experiment to resume: `last`, or the beginning of its plan's id."""
    under_way = desks(repository)
    if wanted == "last" and under_way:
        return under_way[0]
    plain = wanted.removeprefix("sha256:")[:16]
    exact = desk_of(repository, plain)
    matching = [exact] if exact in under_way else [desk for desk in under_way if desk.root.name.startswith(plain)]
    if len(matching) == 1:
        return matching[0]
    names = ", ".join(desk.root.name for desk in under_way)
    what = "no experiment" if not matching else "more than one experiment"
    raise RequestError(
        f"{what} under way here is called {wanted!r}" if wanted != "last" else "no experiment is under way here",
        hint=f"Under way: {names}." if names else "`sigil status` lists finished and abandoned ones.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of an experiment, for `--format json` and for the last lines on the screen."""

    plan: str
    record: str
    path: str
    rehearsal: bool
    committed: bool
    lost_cells: int
    judgement: Judgement


def conduct(repository: Path, desk: Desk, how: Conduct) -> Report:
    """Carry the experiment on `desk` to its published result."""
    return _report(carry_on(repository, desk, how))


def _report(published: Published) -> Report:
    return Report(
        plan=published.plan.id,
        record=published.result.id,
        path=published.path,
        rehearsal=published.plan.rehearsal,
        committed=published.committed,
        lost_cells=published.lost_cells,
        judgement=judge(measure(published.plan.cells, published.runs)),
    )
