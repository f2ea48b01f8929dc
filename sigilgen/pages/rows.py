"""One result as a row of a table and of a forest plot: the same numbers, wherever it is listed."""

from dataclasses import dataclass

from sigilgen.model.effect import Interval
from sigilgen.pages import phrases
from sigilgen.pages.amounts import DASH, day
from sigilgen.pages.dossier import capability_path
from sigilgen.pages.forest import ForestRow
from sigilgen.pages.measured import Measured, Medians

OLDER_SUITE = "older suite: does not count"
REHEARSED = "no evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """Addresses are relative to the site; one is None for what is no longer in the repository."""

    path: str
    capability: str
    capability_path: str | None
    agent: str
    model: str
    suite: str
    suite_path: str | None
    verdict: str
    note: str
    interval: Interval | None
    difference: str
    limits: str
    treatment: str
    baseline: str
    treatment_rate: str
    baseline_rate: str
    scored: str
    runs: int
    tasks: int
    tampered: str
    false_done: str
    medians: tuple[Medians, ...]
    day: str
    origin: str

    @property
    def label(self) -> str:
        return self.agent if self.model == self.agent else f"{self.agent} · {self.model}"


def result_row(
    measured: Measured, *, suite_is_current: bool, suite_is_here: bool, capability_is_here: bool
) -> ResultRow:
    """What tables say of a result."""
    effect, subject = measured.judgement.effect, measured.result.subject
    interval = effect.interval
    return ResultRow(
        path=measured.path,
        capability=subject.capability,
        capability_path=capability_path(subject.capability_kind, subject.capability) if capability_is_here else None,
        agent=measured.result.setting.agent,
        model=measured.model,
        suite=subject.suite,
        suite_path=f"suites/{subject.suite}" if suite_is_here else None,
        verdict=measured.verdict,
        note=REHEARSED if measured.rehearsal else "" if suite_is_current else OLDER_SUITE,
        interval=interval,
        difference=DASH if interval is None else phrases.bare_points(interval.estimate),
        limits=DASH if interval is None else phrases.limits(interval),
        treatment=phrases.passes(effect.treatment),
        baseline=phrases.passes(effect.baseline),
        treatment_rate=phrases.rate(effect.treatment),
        baseline_rate=phrases.rate(effect.baseline),
        scored=f"{effect.treatment.scored}/{effect.baseline.scored}",
        runs=effect.treatment.scored + effect.baseline.scored,
        tasks=measured.tasks,
        tampered=f"{effect.treatment.tampered} / {effect.baseline.tampered}",
        false_done=f"{effect.treatment.false_done} / {effect.baseline.false_done}",
        medians=measured.medians,
        day=day(measured.result.finished_at),
        origin=f"{measured.origin} run",
    )


def forest_row(row: ResultRow) -> ForestRow:
    """The same result in a plot."""
    return ForestRow(
        label=row.label,
        detail=f"{row.suite} · n = {row.scored}",
        verdict=row.verdict,
        numbers="no interval" if row.interval is None else f"{row.difference} pp ({row.limits})",
        interval=row.interval,
        runs=row.runs,
    )


def unmeasured_row(suite: str) -> ForestRow:
    """A suite that the capability declares and on which nobody has measured it."""
    return ForestRow(
        label="no agent yet",
        detail=suite,
        verdict=phrases.NOT_MEASURED,
        numbers="no result yet",
        interval=None,
        runs=0,
    )
