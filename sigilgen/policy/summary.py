"""One word for a capability over all of its results, with the counts that it rests on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sigilgen.model.effect import Verdict


class Origin(StrEnum):
    """Where a record came from: made by a maintainer, signed by this repository's CI, or sent in by somebody else."""

    LOCAL = "local"
    ATTESTED = "attested"
    CONTRIBUTED = "contributed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One published result. `current` says that its payload and suite digests are those of today."""

    verdict: Verdict
    rehearsal: bool
    origin: Origin
    current: bool

    @property
    def counts(self) -> bool:
        """Whether a summary may rest on it."""
        return self.current and not self.rehearsal and self.origin is not Origin.CONTRIBUTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """`verdict` is None when nothing counts. The other fields are numbers of results that count, by their verdict."""

    verdict: Verdict | None
    proven: int
    harmful: int
    no_effect: int
    inconclusive: int

    @property
    def tested(self) -> int:
        """How many results the summary rests on; it is always shown with it."""
        return self.proven + self.harmful + self.no_effect + self.inconclusive


def summarise(results: Iterable[Result]) -> Summary:
    """Sum up all results of one capability.

    One harmful result outweighs any number of proven ones, and one proven result outweighs those without an answer.
    "No effect" is said of a capability only when every result that counts says so: a single inconclusive one may hide
    an effect. Rehearsals, contributed results and results for other digests count for nothing, not even for harm.

    Args:
        results: In any order; possibly none.

    Source: method 1.0, "Statistics".
    """
    verdicts = Counter(result.verdict for result in results if result.counts)
    return Summary(
        verdict=_overall(verdicts),
        proven=verdicts[Verdict.PROVEN],
        harmful=verdicts[Verdict.HARMFUL],
        no_effect=verdicts[Verdict.NO_EFFECT],
        inconclusive=verdicts[Verdict.INCONCLUSIVE],
    )


def _overall(verdicts: Counter[Verdict]) -> Verdict | None:
    for verdict in (Verdict.HARMFUL, Verdict.PROVEN, Verdict.INCONCLUSIVE, Verdict.NO_EFFECT):
        if verdicts[verdict]:
            return verdict
    return None
