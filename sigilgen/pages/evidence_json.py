"""What is known about one capability, for programs."""

from collections.abc import Sequence

from sigilgen.model.run import Condition
from sigilgen.pages.dossier import Dossier
from sigilgen.pages.measured import Measured
from sigilgen.pages.published import PublishedEvidence, PublishedResult


def evidence_json(dossier: Dossier) -> PublishedEvidence:
    """All results with the numbers that they state, and the paths of their records in the repository."""
    capability, payload = dossier.capability, dossier.payload
    return PublishedEvidence(
        schema=1,
        name=capability.name,
        kind=capability.kind,
        digest=None if payload is None else payload.digest,
        trust=dossier.trust,
        layers=dossier.layers,
        verdict=dossier.summary.verdict,
        results_tested=dossier.summary.tested,
        results=_results(dossier, dossier.current),
        former=_results(dossier, dossier.former),
        open_plans=tuple(plan.id for plan in dossier.open_plans),
    )


def _results(dossier: Dossier, results: Sequence[Measured]) -> tuple[PublishedResult, ...]:
    return tuple(_result(measured, counts=dossier.counts(measured)) for measured in results)


def _result(measured: Measured, *, counts: bool) -> PublishedResult:
    result, effect = measured.result, measured.judgement.effect
    return PublishedResult(
        record=result.id,
        folder=measured.folder,
        page=f"{measured.path}/",
        counts=counts,
        rehearsal=measured.rehearsal,
        origin=measured.origin,
        payload_digest=result.subject.payload_digest,
        suite=result.subject.suite,
        suite_digest=result.subject.suite_digest,
        agent=result.setting.agent,
        agent_version=result.setting.agent_version,
        model=measured.model,
        finished_at=result.finished_at,
        stated=measured.stated,
        conditions={Condition.BASELINE: effect.baseline, Condition.TREATMENT: effect.treatment},
    )
