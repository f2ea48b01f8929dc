"""What all tests share: experiments to store, and the rule for tests that cannot run.

A test that cannot run says so and is skipped; where everything is installed, that is a failure. `SIGIL_REQUIRE` names
the markers whose tests may not skip themselves, such as `browser`.
"""

import os
from collections.abc import Callable, Collection, Generator, Mapping
from datetime import datetime, timedelta
from typing import Protocol

import msgspec
import pytest
from hypothesis import HealthCheck, settings

from sigilgen.model.capability import Kind
from sigilgen.model.effect import Tally
from sigilgen.model.experiment import Experiment
from sigilgen.model.record import (
    METHOD_VERSION,
    Attachment,
    Canary,
    Cell,
    ConditionCounts,
    PlanRecord,
    ProveRecord,
    Setting,
    Subject,
)
from sigilgen.model.run import Condition, InfraFailure, Outcome, Phase, ProtectedFile, Run, Usage
from sigilgen.policy.claims import CLAIMS_VERSION
from sigilgen.policy.effect import measure
from sigilgen.policy.order import planned_cells
from sigilgen.policy.stated import state
from sigilgen.policy.verdict import judge
from sigilgen.store.canonical import digest_of
from sigilgen.store.codec import encode_runs, seal
from sigilgen.store.evidence import evidence_folder
from sigilgen.store.transcripts import TranscriptLine, pack_transcripts

# How long an example takes says nothing on a busy machine: slow examples are not failures.
settings.register_profile("sigil", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sigil")

REQUIRED = frozenset(os.environ.get("SIGIL_REQUIRE", "").replace(",", " ").split())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and any(mark.name in REQUIRED for mark in item.iter_markers()):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} may not be skipped here (SIGIL_REQUIRE): {report.longrepr}"
    return report


PASSES = {"parse-dates": (1, 4), "read-config": (2, 4), "sort-names": (0, 3), "write-report": (1, 4)}
"""Passes of each task without and with the capability."""


class MakeExperiment(Protocol):
    """Builds an experiment in memory, with the bytes of `runs.jsonl` and `transcripts.jsonl.gz`."""

    def __call__(
        self,
        *,
        capability: str = ...,
        kind: Kind = ...,
        payload: str = ...,
        suite: str = ...,
        passes: Mapping[str, tuple[int, int]] = ...,
        repeats: int = ...,
        agent: str = ...,
        model: str | None = ...,
        rehearsal: bool = ...,
        seed: int = ...,
        created_at: str = ...,
        finished: bool = ...,
        lost: Collection[int] = ...,
        unfinished: Collection[int] = ...,
        change: Callable[[Run], Run] = ...,
        talk: str = ...,
    ) -> tuple[Experiment, bytes, bytes]: ...


@pytest.fixture(scope="session")
def make_experiment() -> MakeExperiment:
    return build_experiment


def build_experiment(
    *,
    capability: str = "acme/tidy-code",
    kind: Kind = Kind.SKILL,
    payload: str = "first payload",
    suite: str = "python-basics",
    passes: Mapping[str, tuple[int, int]] = PASSES,
    repeats: int = 4,
    agent: str = "claude-code",
    model: str | None = "model-1",
    rehearsal: bool = False,
    seed: int = 7,
    created_at: str = "2026-01-05T09:00:00.000Z",
    finished: bool = True,
    lost: Collection[int] = (),
    unfinished: Collection[int] = (),
    change: Callable[[Run], Run] = lambda run: run,
    talk: str = "",
) -> tuple[Experiment, bytes, bytes]:
    """An experiment that verifies, as `(experiment, runs, transcripts)`.

    `payload` is any text: its digest stands for the payload's. `passes` says how many of the `repeats` pass without
    and with the capability. Positions in `lost` have a first attempt that ended as infra; those in `unfinished` have no
    run. `change` is applied to every run before anything is counted; `talk` is added to every transcript. Without
    `finished` there is only the plan.
    """
    subject = Subject(
        capability=capability,
        capability_kind=kind,
        payload_digest=digest_of(payload.encode()),
        permissions_digest=digest_of(b"{}"),
        suite=suite,
        suite_digest=digest_of(suite.encode()),
    )
    setting = Setting(
        agent=agent,
        agent_version="2.0.1",
        model=model,
        sandbox="container",
        image_digest=digest_of(b"image"),
        network="gateway",
        verifier_network="none",
        platform="linux/amd64",
        sigil_version="0.1.0",
        method_version=METHOD_VERSION,
    )
    plan = seal(
        PlanRecord(
            schema=1,
            id="",
            created_at=created_at,
            subject=subject,
            setting=setting,
            rehearsal=rehearsal,
            seed=seed,
            repeats=repeats,
            timeouts_seconds=dict.fromkeys(passes, 600),
            cells=planned_cells(passes, repeats=repeats, seed=seed),
        )
    )
    folder = evidence_folder(subject)
    if not finished:
        return Experiment(folder, plan, None, ()), b"", b""
    attempts = [
        (position, attempt)
        for position in range(len(plan.cells))
        if position not in unfinished
        for attempt in ((1, 2) if position in lost else (1,))
    ]
    runs = tuple(
        change(_with_transcript(_run(plan, position, attempt, passes, lost=position in lost and attempt == 1), talk))
        for position, attempt in attempts
    )
    packed = pack_transcripts(
        TranscriptLine(position=run.position, attempt=run.attempt, text=_transcript(run, talk)) for run in runs
    )
    return Experiment(folder, plan, _result(plan, runs, packed), runs), encode_runs(runs), packed


def _run(plan: PlanRecord, position: int, attempt: int, passes: Mapping[str, tuple[int, int]], *, lost: bool) -> Run:
    cell = plan.cells[position]
    passed = cell.repeat < passes[cell.task][cell.condition is Condition.TREATMENT]
    return Run(
        position=position,
        attempt=attempt,
        task=cell.task,
        condition=cell.condition,
        repeat=cell.repeat,
        outcome=Outcome.INFRA if lost else Outcome.PASSED if passed else Outcome.FAILED,
        infra=InfraFailure(phase=Phase.PROVIDER, reason="429 Too Many Requests") if lost else None,
        started_at=_later(plan.created_at, 10 + 60 * position + 20 * attempt),
        agent_milliseconds=41_000 + 10 * position,
        agent_exit=0,
        timed_out=False,
        verifier_milliseconds=None if lost else 900,
        verifier_exit=None if lost else 0 if passed else 1,
        verifier_timed_out=False,
        verifier_output="" if lost else "4 passed" if passed else "1 failed, 3 passed",
        model_requested=plan.setting.model,
        models_served=() if plan.setting.model is None else (f"{plan.setting.model}-20260101",),
        agent_version=plan.setting.agent_version,
        final_message="All tests pass." if cell.repeat % 2 == 0 else "I could not finish this.",
        usage=Usage(input_tokens=12_000 + position, output_tokens=900),
        cost_micro_usd=31_000,
        turns=9,
        capability_listed=cell.condition is Condition.TREATMENT,
        capability_used=cell.condition is Condition.TREATMENT and cell.repeat > 0,
        protected=_protected(cell),
        patch="--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-old\n+new\n",
        patch_truncated=False,
        transcript_bytes=0,
        transcript_sha256=None,
    )


def _with_transcript(run: Run, talk: str) -> Run:
    text = _transcript(run, talk).encode()
    return msgspec.structs.replace(run, transcript_bytes=len(text), transcript_sha256=digest_of(text))


def _protected(cell: Cell) -> tuple[ProtectedFile, ...]:
    """The last repeat rewrites a test file, which is tampering; the one before only adds to it."""
    if cell.repeat < 2:
        return ()
    original, final = digest_of(b"original"), digest_of(b"final")
    return (ProtectedFile(path="tests/test_app.py", original=original, final=final, lost_lines=3 * (cell.repeat - 2)),)


def _transcript(run: Run, talk: str) -> str:
    return f"{run.task} {run.condition} {run.repeat}\n{talk}"


def _result(plan: PlanRecord, runs: tuple[Run, ...], packed: bytes) -> ProveRecord:
    effect = measure(plan.cells, runs)
    lines = encode_runs(runs)
    return seal(
        ProveRecord(
            schema=1,
            id="",
            plan=plan.id,
            started_at=_later(plan.created_at, 10),
            finished_at=_later(plan.created_at, 600 + 60 * len(plan.cells)),
            subject=plan.subject,
            setting=plan.setting,
            rehearsal=plan.rehearsal,
            models_served=effect.models_served,
            claims_version=CLAIMS_VERSION,
            counts={
                Condition.BASELINE: _counts(effect.baseline),
                Condition.TREATMENT: _counts(effect.treatment),
            },
            runs=Attachment(sha256=digest_of(lines), size_bytes=len(lines), kept=True),
            transcripts=Attachment(sha256=digest_of(packed), size_bytes=len(packed), kept=True),
            canary=Canary(state="not run", reason="this version has no canary yet"),
            stated=state(judge(effect), rehearsal=plan.rehearsal),
        )
    )


def _counts(tally: Tally) -> ConditionCounts:
    return ConditionCounts(**{field: getattr(tally, field) for field in ConditionCounts.__struct_fields__})


def _later(time: str, seconds: int) -> str:
    moment = datetime.fromisoformat(time) + timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
