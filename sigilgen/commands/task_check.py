"""Prove that the tasks of a suite are fair."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from sigilgen import __version__
from sigilgen.agents import idle
from sigilgen.errors import RequestError
from sigilgen.lab.bench import Bench
from sigilgen.lab.clock import now
from sigilgen.lab.experiment import prepare_kits
from sigilgen.lab.machine import this_machine
from sigilgen.lab.taskcheck import Checker, check_tasks, read_files
from sigilgen.model.fairness import CheckedTask, FairnessProof, Status
from sigilgen.sandbox.host import HostSandbox, check_surroundings
from sigilgen.sandbox.process import Stopper
from sigilgen.store.catalogue import Entry, load_catalogue
from sigilgen.store.suites import SuiteEntry, find_suite

YES, NO, INCONCLUSIVE = 0, 1, 4


def check_suite(
    repository: Path, wanted: str, *, only: tuple[str, ...], jobs: int, step: Callable[[str], None]
) -> FairnessProof:
    """Run every check of every task, or of the tasks named in `only`. `step` is called with the task after each run."""
    suite = find_suite(repository, wanted, rehearsals=True)
    _check_names(suite, only)
    measured = _measured_on(repository, suite)
    check_surroundings()
    with tempfile.TemporaryDirectory(prefix="run-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder).resolve()
        kits = prepare_kits(suite, scratch / "kits")
        checker = Checker(
            bench=_bench(scratch),
            capability_names=[entry.capability.name for entry in measured],
            hidden=_payload_files(measured),
            kits=list(kits.values()),
            stopper=Stopper(),
            step=step,
        )
        wanted_tasks = [task for task in kits if not only or task in only]
        checks = check_tasks(checker, [kits[task] for task in wanted_tasks], jobs=jobs)
        tasks = [CheckedTask(*row) for row in zip(wanted_tasks, checks, strict=True)]
    return FairnessProof(
        schema=1,
        suite=suite.suite.id,
        suite_digest=suite.suite.digest,
        checked_at=now(),
        sigil_version=__version__,
        platform=this_machine(),
        tasks=tuple(tasks),
    )


def _check_names(suite: SuiteEntry, only: tuple[str, ...]) -> None:
    known = [task.id for task in suite.suite.tasks]
    unknown = [name for name in only if name not in known]
    if unknown:
        raise RequestError(f"{suite.suite.id} has no task {', '.join(unknown)}", hint=f"It has: {', '.join(known)}.")


def _measured_on(repository: Path, suite: SuiteEntry) -> list[Entry]:
    return [entry for entry in load_catalogue(repository) if suite.suite.id in entry.capability.suites]


def _payload_files(entries: list[Entry]) -> dict[str, bytes]:
    return {
        f"{entry.capability.name}/{path}": data
        for entry in entries
        if entry.capability.source is None
        for path, data in read_files(entry.folder).items()
        if path != "sigil.yaml"
    }


def _bench(scratch: Path) -> Bench:
    staging = scratch / "staging"
    staging.mkdir()
    return Bench(
        agent=idle,
        model=None,
        sandbox=HostSandbox(scratch / "boxes"),
        scratch=staging,
        installable=None,
        clock=now,
    )


def exit_status(checked: FairnessProof) -> int:
    """0 when everything passes, 1 when anything fails, 4 when something could not be checked here."""
    if checked.has(Status.FAIL):
        return NO
    return INCONCLUSIVE if checked.has(Status.NOT_CHECKED) else YES


MARKS = {Status.PASS: "ok  ", Status.FAIL: "FAIL", Status.NOT_CHECKED: "?   "}


def render(checked: FairnessProof) -> str:
    """One line per check, with what to change under each that is not a pass."""
    lines = [f"suite {checked.suite}  {checked.suite_digest}"]
    for task in checked.tasks:
        lines += ["", task.task]
        for check in task.checks:
            lines.append(f"  {MARKS[check.status]}  {check.name}: {check.seen}")
            if check.status is not Status.PASS and check.fix:
                lines.append(f"        -> {check.fix}")
    lines += ["", summary(checked)]
    return "\n".join(lines)


def summary(checked: FairnessProof) -> str:
    """How many checks came to what, in one line."""
    checks = [check for task in checked.tasks for check in task.checks]
    counts = {status: sum(check.status is status for check in checks) for status in Status}
    words = [f"{counts[Status.PASS]} checks pass"]
    if counts[Status.FAIL]:
        words.append(f"{counts[Status.FAIL]} fail")
    if counts[Status.NOT_CHECKED]:
        words.append(f"{counts[Status.NOT_CHECKED]} could not be made on this machine, which is not a pass")
    return ", ".join(words)
