"""Everything that is known about one capability: its payload, and the experiments on its digests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sigilgen.model.capability import Capability, Kind, Payload
from sigilgen.model.effect import Verdict
from sigilgen.model.record import PlanRecord
from sigilgen.pages.measured import Measured
from sigilgen.policy.summary import Result, Summary, summarise
from sigilgen.policy.trust import Layers, TrustLevel, trust_level

SECTIONS = {Kind.SKILL: "skills", Kind.INSTRUCTIONS: "instructions"}
"""The folder of each kind, in `catalog/`, in `evidence/` and in the site."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """`payload` is None for third-party content that is not here. Results are sorted, the newest first.

    `current` results are those for today's payload digest; `former` ones are for others and count for nothing.
    `open_plans` have no result: their experiment is still running somewhere, or was abandoned.
    """

    capability: Capability
    folder: str
    payload: Payload | None
    current: tuple[Measured, ...]
    former: tuple[Measured, ...]
    open_plans: tuple[PlanRecord, ...]
    suite_digests: Mapping[str, str]
    layers: Layers

    @property
    def path(self) -> str:
        """Where the page of this capability stands in the site."""
        return capability_path(self.capability.kind, self.capability.name)

    @property
    def trust(self) -> TrustLevel:
        return trust_level(self.layers)

    @property
    def summary(self) -> Summary:
        return summarise(self._result(measured) for measured in (*self.current, *self.former))

    @property
    def leading(self) -> Measured | None:
        """The result that the summary rests on: of those with its verdict, the one that says it most clearly."""
        verdict = self.summary.verdict
        counting = [measured for measured in self.current if self.counts(measured)]
        found = [measured for measured in counting if measured.judgement.verdict is verdict]
        return max(found, key=_clarity, default=None)

    def counts(self, measured: Measured) -> bool:
        """Whether a result counts in the summary."""
        return self._result(measured).counts

    def is_current_suite(self, measured: Measured) -> bool:
        """Whether the suite that a result rests on is still the same, byte for byte."""
        subject = measured.result.subject
        return self.suite_digests.get(subject.suite) == subject.suite_digest

    def _result(self, measured: Measured) -> Result:
        return Result(
            verdict=measured.judgement.verdict,
            rehearsal=measured.rehearsal,
            origin=measured.origin,
            current=self._is_current_payload(measured) and self.is_current_suite(measured),
        )

    def _is_current_payload(self, measured: Measured) -> bool:
        return self.payload is not None and measured.result.subject.payload_digest == self.payload.digest


def open_dossier(
    capability: Capability,
    *,
    folder: str,
    payload: Payload | None,
    measured: Sequence[Measured],
    plans: Iterable[PlanRecord],
    suite_digests: Mapping[str, str],
) -> Dossier:
    """Sort the experiments on `capability` by whether they are about the content that it has today."""
    digest = None if payload is None else payload.digest
    newest_first = sorted(measured, key=lambda one: (one.result.finished_at, one.name), reverse=True)
    return Dossier(
        capability=capability,
        folder=folder,
        payload=payload,
        current=tuple(one for one in newest_first if one.result.subject.payload_digest == digest),
        former=tuple(one for one in newest_first if one.result.subject.payload_digest != digest),
        open_plans=tuple(sorted(plans, key=lambda plan: (plan.created_at, plan.id), reverse=True)),
        suite_digests=suite_digests,
        layers=Layers(),
    )


def capability_path(kind: Kind, name: str) -> str:
    """Where the page of a capability stands, whether or not it is still in the catalogue."""
    return f"catalogue/{SECTIONS[kind]}/{name}"


def _clarity(measured: Measured) -> tuple[float, int, str]:
    interval, effect = measured.judgement.effect.interval, measured.judgement.effect
    runs = effect.baseline.scored + effect.treatment.scored
    distance = 0.0
    if interval is not None and measured.judgement.verdict is Verdict.PROVEN:
        distance = interval.lower
    if interval is not None and measured.judgement.verdict is Verdict.HARMFUL:
        distance = -interval.upper
    return distance, runs, measured.result.finished_at
