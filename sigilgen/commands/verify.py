"""Verify the store."""

from pathlib import Path

from sigilgen.store.report import Report
from sigilgen.store.verify import verify_store

FIRST_FEW = 200


def verify(repository: Path, *, since: str | None) -> Report:
    """Recompute everything in the evidence of `repository`; with `since`, also prove that it only gained files."""
    return verify_store(repository, since=since)


def render(report: Report) -> str:
    lines = [str(disagreement) for disagreement in report.disagreements[:FIRST_FEW]]
    if len(report.disagreements) > FIRST_FEW:
        lines.append(f"… and {len(report.disagreements) - FIRST_FEW} more; --format json lists all")
    lines += [f"note: {note}" for note in report.notes]
    plans, results, runs = _count(report.plans, "plan"), _count(report.results, "result"), _count(report.runs, "run")
    read = f"{plans}, {results} and {runs}"
    if report.disagreements:
        lines.append(f"{_count(len(report.disagreements), 'disagreement')} in {read}")
    else:
        lines.append(f"{read}: everything agrees")
    return "\n".join(lines)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
