"""What an experiment adds up to: counts, the interval around their difference, and the verdict that follows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The answer of the method. It follows from the interval, never from the point estimate."""

    PROVEN = "proven"
    HARMFUL = "harmful"
    NO_EFFECT = "no effect"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference of two rates with its limits, all in [-1, 1] and never rounded."""

    lower: float
    estimate: float
    upper: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Cells of one condition, by the state of their last attempt."""

    planned: int = 0
    passed: int = 0
    failed: int = 0
    infra: int = 0
    tampered: int = 0
    false_done: int = 0
    attempts: int = 0

    @property
    def scored(self) -> int:
        return self.passed + self.failed

    @property
    def unfinished(self) -> int:
        return self.planned - self.scored - self.infra


@dataclass(frozen=True, slots=True)
class TaskTally:
    """One task under both conditions."""

    baseline: Tally
    treatment: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Treatment minus baseline, pooled over tasks. `interval` is None when a condition has no scored run."""

    baseline: Tally
    treatment: Tally
    tasks: Mapping[str, TaskTally]
    models_served: tuple[str, ...]
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict with the reasons that it rests on, in words, in the order in which they were found."""

    verdict: Verdict
    reasons: tuple[str, ...]
    effect: Effect
