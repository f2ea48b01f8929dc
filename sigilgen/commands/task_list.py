"""List suites and their tasks."""

from dataclasses import dataclass
from pathlib import Path

from sigilgen.model.task import Task
from sigilgen.store.suites import SuiteEntry, find_suite, load_rehearsal, load_suites


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLine:
    """`rehearsal_plays` counts the plays for the scripted agent by condition; None when the task has none."""

    id: str
    title: str
    timeout_seconds: int
    verify_timeout_seconds: int
    protected: tuple[str, ...]
    rehearsal_plays: dict[str, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteLines:
    id: str
    title: str
    summary: str
    languages: tuple[str, ...]
    digest: str
    tasks: tuple[TaskLine, ...]


def task_list(repository: Path, wanted: str | None) -> tuple[SuiteLines, ...]:
    """All suites, or the one that is wanted. Every file of a task is read and checked, plays included."""
    if wanted is None:
        entries = load_suites(repository, rehearsals=True)
    else:
        entries = (find_suite(repository, wanted, rehearsals=True),)
    return tuple(_suite_lines(entry) for entry in entries)


def _suite_lines(entry: SuiteEntry) -> SuiteLines:
    suite = entry.suite
    return SuiteLines(
        id=suite.id,
        title=suite.title,
        summary=suite.summary,
        languages=suite.languages,
        digest=suite.digest,
        tasks=tuple(_task_line(task, entry.folder / task.id) for task in suite.tasks),
    )


def _task_line(task: Task, folder: Path) -> TaskLine:
    rehearsal = load_rehearsal(folder)
    plays = None
    if rehearsal is not None:
        plays = {"baseline": len(rehearsal.baseline), "treatment": len(rehearsal.treatment)}
    return TaskLine(
        id=task.id,
        title=task.title,
        timeout_seconds=task.timeout_seconds,
        verify_timeout_seconds=task.verify_timeout_seconds,
        protected=task.protected,
        rehearsal_plays=plays,
    )


def render(suites: tuple[SuiteLines, ...]) -> str:
    if not suites:
        return "No suites yet. Start one with `sigil new suite NAME`."
    return "\n\n".join(_render_suite(suite) for suite in suites)


def _render_suite(suite: SuiteLines) -> str:
    count = len(suite.tasks)
    width = max(len(task.id) for task in suite.tasks)
    lines = [f"{suite.id}: {suite.title} ({count} {'task' if count == 1 else 'tasks'})", f"  {suite.digest}"]
    for task in suite.tasks:
        times = f"{task.timeout_seconds} s, verifier {task.verify_timeout_seconds} s"
        plays = ", can be rehearsed" if task.rehearsal_plays else ""
        lines.append(f"  {task.id:<{width}}  {task.title} ({times}{plays})")
    return "\n".join(lines)
