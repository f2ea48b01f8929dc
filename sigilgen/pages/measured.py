"""A finished experiment with everything that pages say about it, derived from its runs once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from sigilgen.model.effect import Judgement
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord, ProveRecord, Stated
from sigilgen.model.run import Condition, Outcome, Run
from sigilgen.pages.amounts import DASH, TIMES, duration, grouped, money
from sigilgen.pages.text import head
from sigilgen.policy.effect import last_attempts, measure
from sigilgen.policy.stated import REHEARSAL, state
from sigilgen.policy.summary import Origin
from sigilgen.policy.verdict import compared_tasks, judge
from sigilgen.stats.medians import ratio_of_medians
from sigilgen.stats.power import runs_needed, smallest_effect
from sigilgen.store.layout import result_folder

FOUR_OF_FIVE = 0.8
MODEL_SHOWN = 60
RESAMPLING_SEED = 1
"""Any will do, as long as the same runs always give the same interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Medians:
    """The medians of one quantity under both conditions, as text; a dash where no run reported it.

    `factor` is the ratio alone, empty where too few runs reported the quantity.
    """

    what: str
    baseline: str
    treatment: str
    factor: str
    ratio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Treatment runs in which the capability was used, out of those whose agent tells."""

    used: int
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One result: `stated` is computed from the runs, not read from the record."""

    name: str
    folder: str
    plan: PlanRecord
    result: ProveRecord
    runs: tuple[Run, ...]
    judgement: Judgement
    stated: Stated
    medians: tuple[Medians, ...]
    used: Used | None

    @property
    def path(self) -> str:
        """Where the page of this result stands in the site."""
        return f"results/{self.name}"

    @property
    def verdict(self) -> str:
        """The word that stands in the verdict slot; for a rehearsal it is no verdict."""
        return self.stated.verdict

    @property
    def rehearsal(self) -> bool:
        return self.stated.verdict == REHEARSAL

    @property
    def origin(self) -> Origin:
        """Where the record came from. No attestation can be read in this version, so none is more than local."""
        return Origin.LOCAL

    @property
    def tasks(self) -> int:
        """Tasks with scored runs under both conditions."""
        return compared_tasks(self.judgement.effect)

    @property
    def model(self) -> str:
        """The model that was served, else the one asked for, else words that say that there was none; cut to size."""
        served = ", ".join(self.judgement.effect.models_served) or self.result.setting.model or "no model"
        return served if len(served) <= MODEL_SHOWN else head(served, MODEL_SHOWN - 1) + "…"


def derive(experiment: Experiment) -> Measured | None:
    """Judge an experiment from its runs. None while it has no result."""
    result = experiment.result
    if result is None:
        return None
    judgement = judge(measure(experiment.plan.cells, experiment.runs))
    scored = _scored(experiment.runs)
    return Measured(
        name=f"prove-{short(result.id)}",
        folder=result_folder(result),
        plan=experiment.plan,
        result=result,
        runs=experiment.runs,
        judgement=judgement,
        stated=state(judgement, rehearsal=result.rehearsal or experiment.plan.rehearsal),
        medians=_medians(scored),
        used=_used(scored),
    )


def smallest_gain(runs: int, passed: int) -> float | None:
    """The smallest gain that `runs` runs per condition find four times out of five at the baseline's observed rate."""
    return _smallest_effect(runs, passed / runs) if runs else None


def smallest_loss(runs: int, passed: int) -> float | None:
    """The smallest loss likewise: a loss is a gain of the failures."""
    return _smallest_effect(runs, (runs - passed) / runs) if runs else None


@lru_cache(maxsize=4_096)
def runs_for_gain(baseline_percent: int, gain: float) -> int | None:
    """Runs per condition that find `gain` four times out of five from a baseline of so many percent."""
    return runs_needed(baseline_percent / 100, baseline_percent / 100 + gain, FOUR_OF_FIVE)


@lru_cache(maxsize=4_096)
def _smallest_effect(runs: int, rate: float) -> float | None:
    return smallest_effect(runs, rate, FOUR_OF_FIVE)


def _scored(runs: Sequence[Run]) -> tuple[Run, ...]:
    return tuple(run for run in last_attempts(runs).values() if run.outcome is not Outcome.INFRA)


def tokens(run: Run) -> int | None:
    """All tokens of a run, cached ones included; None where the agent did not report both directions."""
    usage = run.usage
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens + (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)


def _medians(scored: Sequence[Run]) -> tuple[Medians, ...]:
    return (
        _compare("time of the agent", scored, lambda run: run.agent_milliseconds, duration),
        _compare("tokens", scored, tokens, lambda number: grouped(round(number))),
        _compare("cost", scored, lambda run: run.cost_micro_usd, money),
    )


def _compare(
    what: str,
    scored: Sequence[Run],
    amount: Callable[[Run], int | None],
    write: Callable[[float], str],
) -> Medians:
    baseline = _amounts(scored, amount, Condition.BASELINE)
    treatment = _amounts(scored, amount, Condition.TREATMENT)
    ratio = ratio_of_medians(baseline, treatment, seed=RESAMPLING_SEED)
    return Medians(
        what=what,
        baseline=write(median(baseline)) if baseline else DASH,
        treatment=write(median(treatment)) if treatment else DASH,
        factor=f"{TIMES} {ratio.estimate:.2f}" if ratio else "",
        ratio=f"{TIMES} {ratio.estimate:.2f} ({ratio.lower:.2f} to {ratio.upper:.2f})" if ratio else DASH,
    )


def _amounts(scored: Sequence[Run], amount: Callable[[Run], int | None], condition: Condition) -> list[int]:
    found = (amount(run) for run in scored if run.condition is condition)
    return [number for number in found if number is not None]


def _used(scored: Sequence[Run]) -> Used | None:
    told = [
        run.capability_used
        for run in scored
        if run.condition is Condition.TREATMENT and run.capability_used is not None
    ]
    return Used(used=sum(told), told=len(told)) if told else None
