"""Several results of one plan: each but the first supersedes the one before it, and only adds runs.

What was lost may be tried again after a result was kept. Nothing else may: a plan that was simply carried out twice
would let somebody choose between its results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sigilgen.model.record import ProveRecord
from sigilgen.model.run import Run
from sigilgen.store.layout import RECORD, RUNS
from sigilgen.store.report import Disagreement, about


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result, its folder and its runs. `complete` means that every line of the runs could be read."""

    record: ProveRecord
    folder: str
    runs: tuple[Run, ...]
    complete: bool


def latest(results: Sequence[KeptResult]) -> KeptResult | None:
    """The result that no other one supersedes; None if there is no result."""
    superseded = {result.record.supersedes for result in results}
    return next((result for result in results if result.record.id not in superseded), None)


def succession_faults(results: Sequence[KeptResult]) -> Iterator[Disagreement]:
    """Everything that keeps the results of one plan from being a single line of succession."""
    by_id = {result.record.id: result for result in results}
    followers: dict[str | None, KeptResult] = {}
    for result in results:
        wanted = result.record.supersedes
        rival = followers.setdefault(wanted, result)
        if wanted is not None and wanted not in by_id:
            yield _fault(result, f"no readable result of this plan has the id {wanted}")
        elif rival is not result and wanted is None:
            yield _fault(result, f"is null, but the plan has another result in {rival.folder}; an experiment has one")
        elif rival is not result:
            yield _fault(result, f"the result in {rival.folder} supersedes the same one")
        elif wanted is not None:
            yield from _lost_runs(result, by_id[wanted])


def _lost_runs(result: KeptResult, earlier: KeptResult) -> Iterator[Disagreement]:
    if result.complete and earlier.complete:
        kept = {(run.position, run.attempt): run for run in result.runs}
        lost = [run for run in earlier.runs if kept.get((run.position, run.attempt)) != run]
        if lost:
            names = ", ".join(f"{run.position}/{run.attempt}" for run in lost[:5])
            yield about(
                f"{result.folder}/{RUNS}",
                f"has not all the runs of {earlier.folder}, which it supersedes (position/attempt {names})",
            )


def _fault(result: KeptResult, what: str) -> Disagreement:
    return Disagreement(f"{result.folder}/{RECORD}", None, "$.supersedes", what)
