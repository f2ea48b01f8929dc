"""From the runs of a plan to the evidence record of its result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sigilgen.model.effect import Tally
from sigilgen.model.record import Attachment, Canary, ConditionCounts, PlanRecord, ProveRecord
from sigilgen.model.run import Condition, Run
from sigilgen.policy.claims import CLAIMS_VERSION
from sigilgen.policy.effect import measure
from sigilgen.policy.stated import state
from sigilgen.policy.verdict import judge
from sigilgen.store.canonical import digest_of
from sigilgen.store.codec import encode_runs, seal
from sigilgen.store.transcripts import TranscriptLine, pack_transcripts


@dataclass(frozen=True, slots=True)
class Result:
    """A record with the bytes of the two files that it binds."""

    record: ProveRecord
    runs: bytes
    transcripts: bytes


def make_result(
    plan: PlanRecord,
    runs: Sequence[Run],
    transcripts: Iterable[TranscriptLine],
    *,
    finished_at: str,
    keep_transcripts: bool,
    supersedes: str | None = None,
) -> Result:
    """Add up `runs`, which are sorted by position and attempt, to the sealed result of `plan`."""
    effect = measure(plan.cells, runs)
    run_lines = encode_runs(runs)
    packed = pack_transcripts(transcripts)
    record = ProveRecord(
        schema=1,
        id="",
        plan=plan.id,
        started_at=min((run.started_at for run in runs), default=finished_at),
        finished_at=finished_at,
        subject=plan.subject,
        setting=plan.setting,
        rehearsal=plan.rehearsal,
        models_served=tuple(effect.models_served),
        claims_version=CLAIMS_VERSION,
        counts={
            Condition.BASELINE: _counts(effect.baseline),
            Condition.TREATMENT: _counts(effect.treatment),
        },
        runs=_attachment(run_lines, kept=True),
        transcripts=_attachment(packed, kept=keep_transcripts),
        canary=Canary(state="not run", reason="a host run never produces a canary result"),
        stated=state(judge(effect), rehearsal=plan.rehearsal),
        supersedes=supersedes,
    )
    return Result(seal(record), run_lines, packed)


def _counts(tally: Tally) -> ConditionCounts:
    return ConditionCounts(
        planned=tally.planned,
        passed=tally.passed,
        failed=tally.failed,
        infra=tally.infra,
        unfinished=tally.unfinished,
        tampered=tally.tampered,
        false_done=tally.false_done,
        attempts=tally.attempts,
    )


def _attachment(data: bytes, *, kept: bool) -> Attachment:
    return Attachment(sha256=digest_of(data), size_bytes=len(data), kept=kept)
