"""An experiment from plan to published record, in steps that can each be done again after a crash.

1. `laying.begin` lays the desk: plan, inputs and order, all at once or not at all.
2. `carry_on` publishes the plan, works through it, publishes the result and clears the desk. Called again for the
   same desk it does what is left.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sigilgen.agents.registry import find_agent
from sigilgen.errors import RequestError
from sigilgen.lab.bench import Bench
from sigilgen.lab.clock import Clock, steady
from sigilgen.lab.desk import (
    Desk,
    check_journal,
    finished_at,
    load_plan,
    load_transcript,
    note_published,
    published_before,
    refuse_links,
    take_lock,
)
from sigilgen.lab.journal import Journal, finished_runs, is_lost, read_entries
from sigilgen.lab.kit import Kit, prepare_kit
from sigilgen.lab.laying import Orders, check_inputs, clear, load_orders
from sigilgen.lab.login import Login, find_login, is_rehearsal
from sigilgen.lab.record import make_result
from sigilgen.lab.schedule import Progress, Shop, work_through
from sigilgen.lab.workspace import Installable
from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.model.run import Run
from sigilgen.policy.effect import last_attempts
from sigilgen.sandbox.host import HostSandbox, check_surroundings
from sigilgen.sandbox.process import Stopper
from sigilgen.sandbox.trees import remove
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import SuiteEntry
from sigilgen.store.transcripts import TranscriptLine

LOCK_PATIENCE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Published:
    """The result of an experiment, where it stands in the repository, and the runs it rests on."""

    plan: PlanRecord
    result: ProveRecord
    path: str
    runs: tuple[Run, ...]
    committed: bool

    @property
    def lost_cells(self) -> int:
        """Cells whose last attempt could not be judged; `--resume --retry-infra` tries them again."""
        return sum(is_lost(run) for run in last_attempts(self.runs).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """How to work, which may differ from one call to the next and changes nothing in the plan."""

    jobs: int
    retry_lost: bool
    clock: Clock
    progress: Progress
    home: Path
    environment: Mapping[str, str]
    phase: Callable[[str], None]


def carry_on(repository: Path, desk: Desk, conduct: Conduct) -> Published:
    """Do whatever is left of the experiment on `desk`, up to its published result.

    A desk with cells that could not be judged is kept, so that they can be tried again.
    """
    refuse_links(repository, desk)
    lock = take_lock(desk, patience_seconds=LOCK_PATIENCE_SECONDS)
    try:
        plan = load_plan(desk)
        orders = load_orders(desk)
        conduct = replace(conduct, clock=steady(conduct.clock, since=_latest_time(desk, plan)))
        login = _login(plan, conduct)
        conduct.phase("publishing the plan")
        publish_plan(repository, plan, commit=orders.commit)
        with _scratch(desk) as scratch:
            _work(desk, plan, conduct, login, scratch=scratch, lock=lock)
        conduct.phase("publishing the result")
        published = _publish(repository, desk, plan, orders, conduct.clock)
    finally:
        os.close(lock)
    return published


def _latest_time(desk: Desk, plan: PlanRecord) -> str:
    return max([plan.created_at, *(run.started_at for run in finished_runs(read_entries(desk.journal)))])


@contextmanager
def _scratch(desk: Desk) -> Iterator[Path]:
    """A folder for everything that runs, outside any repository; what an earlier process left there is removed.

    It goes by the place of the desk, not by the plan: a copy of a repository can be at work on the same plan.
    """
    check_surroundings()
    place = hashlib.sha256(os.fsencode(desk.root.resolve())).hexdigest()
    folder = Path(tempfile.gettempdir()).resolve() / f"run-{os.getuid()}-{place[:16]}"
    remove(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove(folder)


def _work(desk: Desk, plan: PlanRecord, conduct: Conduct, login: Login, *, scratch: Path, lock: int) -> None:
    conduct.phase("preparing the tasks")
    suite = check_inputs(desk, plan)
    check_journal(desk, plan)
    kits = prepare_kits(suite, desk.kits)
    bench = _make_bench(desk, plan, conduct.clock, login, scratch=scratch, lock=lock)
    with closing(Journal(desk.journal)) as journal:
        shop = Shop(
            plan=plan,
            bench=bench,
            kits=kits,
            desk=desk,
            journal=journal,
            stopper=Stopper(),
            progress=conduct.progress,
        )
        conduct.phase("running")
        work_through(shop, jobs=conduct.jobs, retry_lost=conduct.retry_lost)


def prepare_kits(suite: SuiteEntry, kits: Path) -> dict[str, Kit]:
    """The kit of every task of a suite, by task."""
    kits.mkdir(parents=True, exist_ok=True)
    return {task.id: prepare_kit(task, suite.folder / task.id, kits) for task in suite.suite.tasks}


def _login(plan: PlanRecord, conduct: Conduct) -> Login:
    """The operator's login, found before anything is published. RequestError if it makes the plan something else."""
    agent = find_agent(plan.setting.agent)
    if plan.rehearsal != is_rehearsal(agent, conduct.environment):
        raise RequestError(
            f"the plan is {'a rehearsal' if plan.rehearsal else 'real'}, and this environment is not like that",
            hint=f"Set {agent.provider_variable} as it was when the plan was made.",
        )
    return find_login(agent, home=conduct.home, environment=conduct.environment)


def _make_bench(desk: Desk, plan: PlanRecord, clock: Clock, login: Login, *, scratch: Path, lock: int) -> Bench:
    staging = scratch / "staging"
    staging.mkdir()
    return Bench(
        agent=find_agent(plan.setting.agent),
        model=plan.setting.model,
        sandbox=HostSandbox(scratch / "boxes", (lock,)),
        scratch=staging,
        installable=Installable(
            slug=plan.subject.capability.partition("/")[2],
            kind=plan.subject.capability_kind,
            payload=read_payload(desk.payload),
            folder=desk.payload,
        ),
        clock=clock,
        logins=login.files,
        login_variables=login.variables,
        secrets=login.secrets,
    )


def _publish(repository: Path, desk: Desk, plan: PlanRecord, orders: Orders, clock: Clock) -> Published:
    """Publish what the journal adds up to. Done again after a crash, it comes to the same bytes."""
    runs = finished_runs(read_entries(desk.journal))
    texts = [load_transcript(desk, run) for run in runs]
    earlier = published_before(desk, len(runs))
    result = make_result(
        plan,
        runs,
        [
            TranscriptLine(position=run.position, attempt=run.attempt, text=text)
            for run, text in zip(runs, texts, strict=True)
        ],
        finished_at=finished_at(desk, runs, clock),
        keep_transcripts=orders.keep_transcripts,
        supersedes=earlier[-1] if earlier else None,
    )
    path = publish_result(
        repository,
        result.record,
        runs=result.runs,
        transcripts=result.transcripts,
        keep_transcripts=orders.keep_transcripts,
        commit=orders.commit,
    )
    published = Published(plan, result.record, path, tuple(runs), orders.commit)
    if published.lost_cells:
        note_published(desk, len(runs), result.record.id)
    else:
        clear(desk)
    return published
