"""A fairness proof as the page of its suite shows it: one row for each check, and every check of every task."""

from collections.abc import Sequence
from dataclasses import dataclass

from sigilgen.model.fairness import Check, CheckedTask, FairnessProof, Status
from sigilgen.pages.amounts import counted, listed, moment

WORDS = {Status.PASS: "passes", Status.FAIL: "fails", Status.NOT_CHECKED: "was not checked"}


@dataclass(frozen=True, slots=True)
class CheckView:
    """One check: of all tasks in the table, of one task in its section. `status` is the worst among them."""

    name: str
    status: Status
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessView:
    """`sentence` says who checked what, when and where; `by_task` holds the checks of each task."""

    sentence: str
    rows: tuple[CheckView, ...]
    by_task: dict[str, tuple[CheckView, ...]]


def fairness_view(proof: FairnessProof) -> FairnessView:
    """Lay out a proof."""
    names = dict.fromkeys(check.name for task in proof.tasks for check in task.checks)
    return FairnessView(
        sentence=(
            f"Checked by Sigil {proof.sigil_version} on {proof.platform}, {moment(proof.checked_at)}, "
            f"on the machine that built these pages: {_summary(proof.tasks)}."
        ),
        rows=tuple(_row(name, proof.tasks) for name in names),
        by_task={task.task: tuple(_view(check) for check in task.checks) for task in proof.tasks},
    )


def _summary(tasks: Sequence[CheckedTask]) -> str:
    statuses = [check.status for task in tasks for check in task.checks]
    counts = ((statuses.count(status), status) for status in Status)
    words = {Status.PASS: "passed", Status.FAIL: "failed", Status.NOT_CHECKED: "could not be made there"}
    return listed([f"{counted(count, 'check')} {words[status]}" for count, status in counts if count])


def _row(name: str, tasks: Sequence[CheckedTask]) -> CheckView:
    checks = [(task.task, check) for task in tasks for check in task.checks if check.name == name]
    worst = next(status for status in (Status.FAIL, Status.NOT_CHECKED, Status.PASS) if _having(status, checks))
    if worst is Status.PASS:
        return CheckView(name, worst, f"{len(checks)} of {counted(len(checks), 'task')}")
    return CheckView(name, worst, f"{WORDS[worst]} for {listed(_having(worst, checks))}")


def _having(status: Status, checks: Sequence[tuple[str, Check]]) -> list[str]:
    return [task for task, check in checks if check.status is status]


def _view(check: Check) -> CheckView:
    return CheckView(check.name, check.status, check.seen)
