"""What is known about one capability, for programs: strings, whole numbers and nulls, schema 1."""

from collections.abc import Sequence

import msgspec

from sigilgen.model.effect import Tally
from sigilgen.pages.dossier import Dossier
from sigilgen.pages.measured import Measured


def evidence_json(dossier: Dossier) -> object:
    """All results with the numbers that they state, and the paths of their records in the repository."""
    capability, payload = dossier.capability, dossier.payload
    return {
        "schema": 1,
        "name": capability.name,
        "kind": capability.kind.value,
        "digest": None if payload is None else payload.digest,
        "trust": dossier.trust.value,
        "layers": {
            "static": dossier.layers.static.value,
            "canary": dossier.layers.canary.value,
            "review": dossier.layers.review.value,
        },
        "verdict": None if dossier.summary.verdict is None else dossier.summary.verdict.value,
        "results_tested": dossier.summary.tested,
        "results": _results(dossier, dossier.current),
        "former": _results(dossier, dossier.former),
        "open_plans": [plan.id for plan in dossier.open_plans],
    }


def _results(dossier: Dossier, results: Sequence[Measured]) -> list[object]:
    return [
        {
            "record": measured.result.id,
            "folder": measured.folder,
            "page": f"{measured.path}/",
            "counts": dossier.counts(measured),
            "rehearsal": measured.rehearsal,
            "origin": "local",
            "payload_digest": measured.result.subject.payload_digest,
            "suite": measured.result.subject.suite,
            "suite_digest": measured.result.subject.suite_digest,
            "agent": measured.result.setting.agent,
            "agent_version": measured.result.setting.agent_version,
            "model": measured.model,
            "finished_at": measured.result.finished_at,
            "stated": msgspec.to_builtins(measured.stated),
            "conditions": {
                "baseline": _tally(measured.judgement.effect.baseline),
                "treatment": _tally(measured.judgement.effect.treatment),
            },
        }
        for measured in results
    ]


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "planned": tally.planned,
        "passed": tally.passed,
        "failed": tally.failed,
        "infra": tally.infra,
        "tampered": tally.tampered,
        "false_done": tally.false_done,
    }
