"""The pages of the suites as values: what is asked, what is protected, and how often the baseline passes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sigilgen.model.effect import Tally
from sigilgen.model.fairness import FairnessProof
from sigilgen.model.task import Resources, Suite, Task
from sigilgen.pages.address import Address
from sigilgen.pages.amounts import DASH, counted, duration
from sigilgen.pages.fairness_view import CheckView, FairnessView, fairness_view
from sigilgen.pages.links import Link, challenge_link, file_link
from sigilgen.pages.measured import Measured
from sigilgen.pages.phrases import passes
from sigilgen.pages.rows import ResultRow, result_row
from sigilgen.pages.text import safe_link

PROOFS = (
    ("the untouched repository fails", "otherwise there would be nothing to do"),
    ("an agent that does nothing fails", "otherwise a run without work would pass"),
    ("the reference solution passes", "otherwise nobody could"),
    ("five repeats of these two agree", "otherwise chance would decide"),
    ("it holds without a network", "otherwise a server far away would decide"),
    ("it holds with the clock two years ahead", "otherwise the result would expire"),
    ("the prompt names neither a capability nor Sigil", "otherwise the agent would know what is being looked at"),
    ("nothing hidden stands in the starting repository", "otherwise the answer could be read"),
    ("it is no copy of another task", "otherwise one task would count as two"),
)
"""What `sigil task check` shows for each task, and why it matters."""


RESULTS_COMPARED = 6


@dataclass(frozen=True, slots=True)
class BaselineCell:
    """Passes of one task without any capability in one result; `note` marks a task that they leave no room in."""

    passes: str
    note: str


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One task in the newest results."""

    task: str
    cells: tuple[BaselineCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskView:
    """One task as its author wrote it, and what checking it showed."""

    id: str
    title: str
    prompt: str
    protected: tuple[str, ...]
    setup: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    origin: tuple[Link, ...]
    checks: tuple[CheckView, ...]
    challenge: Link
    folder: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePage:
    """`results` are those on the suite as it is now, `former` those on older versions of it.

    `compared` are the newest results that are evidence: the columns of the table of baselines.
    """

    id: str
    title: str
    summary: str
    facts: tuple[tuple[str, str], ...]
    digest: str
    folder: Link
    fairness: FairnessView | None
    proofs: tuple[tuple[str, str], ...]
    tasks: tuple[TaskView, ...]
    compared: tuple[ResultRow, ...]
    baselines: tuple[BaselineRow, ...]
    results: tuple[ResultRow, ...]
    former: tuple[ResultRow, ...]
    challenge: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRow:
    """A suite in the list of all suites."""

    id: str
    title: str
    summary: str
    tasks: int
    languages: str
    results: int


def suite_page(
    suite: Suite,
    measured: Sequence[Measured],
    *,
    proof: FairnessProof | None,
    capabilities: Collection[str],
    address: Address | None,
) -> SuitePage:
    """Lay out a suite with the results on it, the newest first. `capabilities` are those that have a page."""
    fairness = None if proof is None else fairness_view(proof)
    current = [one for one in measured if one.result.subject.suite_digest == suite.digest]
    former = [one for one in measured if one.result.subject.suite_digest != suite.digest]
    compared = [one for one in current if not one.rehearsal][:RESULTS_COMPARED]
    return SuitePage(
        id=suite.id,
        title=suite.title,
        summary=suite.summary,
        facts=(
            ("tasks", str(len(suite.tasks))),
            ("languages", ", ".join(suite.languages) or "not declared"),
            ("licence", suite.license),
            ("maintainers", ", ".join(suite.maintainers)),
        ),
        digest=suite.digest,
        folder=file_link(address, f"tasks/{suite.id}"),
        fairness=fairness,
        proofs=PROOFS,
        tasks=tuple(_task(suite, task, fairness, address) for task in suite.tasks),
        compared=_rows(compared, capabilities, current=True),
        baselines=tuple(BaselineRow(task.id, _baselines(task, compared)) for task in suite.tasks),
        results=_rows(current, capabilities, current=True),
        former=_rows(former, capabilities, current=False),
        challenge=challenge_link(address, suite=suite.id, digest=suite.digest),
    )


def suite_row(suite: Suite, measured: Sequence[Measured]) -> SuiteRow:
    """A suite as one row; rehearsals are no results."""
    return SuiteRow(
        id=suite.id,
        title=suite.title,
        summary=suite.summary,
        tasks=len(suite.tasks),
        languages=", ".join(suite.languages),
        results=sum(not one.rehearsal for one in measured),
    )


def _rows(measured: Sequence[Measured], capabilities: Collection[str], *, current: bool) -> tuple[ResultRow, ...]:
    return tuple(
        result_row(
            one,
            suite_is_current=current,
            suite_is_here=True,
            capability_is_here=one.result.subject.capability in capabilities,
        )
        for one in measured
    )


def _task(suite: Suite, task: Task, fairness: FairnessView | None, address: Address | None) -> TaskView:
    return TaskView(
        id=task.id,
        title=task.title,
        prompt=task.prompt,
        protected=task.protected,
        setup=task.setup,
        facts=(
            ("time for the agent", duration(1_000 * task.timeout_seconds)),
            ("time for the verifier", duration(1_000 * task.verify_timeout_seconds)),
            ("resources", _resources(task.resources)),
        ),
        origin=_origin(task),
        checks=() if fairness is None else fairness.by_task.get(task.id, ()),
        challenge=challenge_link(address, suite=suite.id, digest=suite.digest, task=task.id),
        folder=file_link(address, f"tasks/{suite.id}/{task.id}"),
    )


def _resources(resources: Resources) -> str:
    return f"{counted(resources.cpus, 'CPU')}, {resources.memory_mb} MB; not enforced on the host"


def _origin(task: Task) -> tuple[Link, ...]:
    origin = task.origin
    if origin is None:
        return ()
    return (
        Link(origin.repository, safe_link(origin.repository)),
        Link(f"commit {origin.commit}", None),
        Link(f"path {origin.path}", None),
        Link(f"licence {origin.license}", None),
    )


def _baselines(task: Task, compared: Sequence[Measured]) -> tuple[BaselineCell, ...]:
    found = [one.judgement.effect.tasks.get(task.id) for one in compared]
    return tuple(BaselineCell(DASH, "") if tally is None else _baseline(tally.baseline) for tally in found)


def _baseline(baseline: Tally) -> BaselineCell:
    """A task that the baseline always or never passes can show a change in one direction only."""
    note = ""
    if baseline.scored and baseline.failed == 0:
        note = "ceiling"
    if baseline.scored and baseline.passed == 0:
        note = "floor"
    return BaselineCell(passes(baseline), note)
