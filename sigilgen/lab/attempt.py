"""One attempt from start to record: stage, run the agent, stop everything, judge.

A run that cannot be judged for a reason outside the agent's reach is `infra`, with the phase it was lost in; what is
not recognised counts as that too. What an agent does to itself (crash, time-out, nonsense) is verified like any
other work.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sigilgen.lab.bench import Bench
from sigilgen.lab.judge import verify
from sigilgen.lab.kit import Kit
from sigilgen.lab.lost import LostError, lost_in
from sigilgen.lab.workspace import make_patch, protected_changes, stage, strip_installed
from sigilgen.model.capability import Kind
from sigilgen.model.invocation import Order
from sigilgen.model.record import Cell
from sigilgen.model.run import Outcome, Phase, Run
from sigilgen.policy.redact import redact
from sigilgen.sandbox.base import Box, Errand
from sigilgen.sandbox.process import Finished, Stopper

MESSAGE_LIMIT = 16_000
TRANSCRIPT_BYTES = 64 << 10
NAME_LIMIT = 200
MODELS_LIMIT = 20
"""More than one served model is already too many; what an agent makes up may not fill the record."""

Tell = Callable[[], None]
"""Called when the agent has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """Which attempt this is. `seed` is the run's own."""

    position: int
    attempt: int
    cell: Cell
    seed: int


@dataclass(frozen=True, slots=True)
class Attempted:
    """The facts of an attempt, and what the agent wrote, cleared of secrets and cut to size."""

    run: Run
    transcript: str


def attempt(bench: Bench, kit: Kit, ticket: Ticket, stopper: Stopper, *, agent_done: Tell) -> Attempted:
    """Carry out one attempt. Raises StoppedError when the user stopped it; every other trouble ends up in the run."""
    run = _blank(bench, ticket)
    transcript = ""
    with tempfile.TemporaryDirectory(dir=bench.scratch, ignore_cleanup_errors=True) as scratch:
        work = Path(scratch) / "work"
        try:
            finished = _run_agent(bench, kit, ticket, work, stopper)
            agent_done()
            transcript = _excerpt(finished.stdout, bench)
            run = _with_agent(run, bench, finished)
            run = _with_verdict(run, bench, kit, work, stopper)
        except LostError as error:
            run = msgspec.structs.replace(run, outcome=Outcome.INFRA, infra=error.failure)
    return Attempted(run, transcript)


def _run_agent(bench: Bench, kit: Kit, ticket: Ticket, work: Path, stopper: Stopper) -> Finished:
    """Run the agent in a box of its own, and take its workspace out to `work` once everything in the box is dead."""
    with lost_in(Phase.STAGING):
        staged = work.with_name("staged")
        stage(kit, bench.agent, ticket.cell.condition, bench.installable, staged)
        box = bench.sandbox.open_box(str(ticket.position))
    try:
        with lost_in(Phase.STAGING):
            box.put(staged)
        with lost_in(Phase.AGENT):
            finished = box.execute(_errand(bench, kit, ticket, box), stopper)
        with lost_in(Phase.STAGING):
            box.take(work)
    finally:
        with lost_in(Phase.STAGING):
            box.close()
    return finished


def _errand(bench: Bench, kit: Kit, ticket: Ticket, box: Box) -> Errand:
    order = Order(
        prompt=kit.task.prompt,
        model=bench.model,
        condition=ticket.cell.condition,
        seed=ticket.seed,
        home=box.home,
        workspace=box.workspace,
        rehearsal=kit.rehearsal,
        solution=kit.solution,
    )
    invocation = bench.agent.invocation(order)
    box.put_home({**bench.logins, **invocation.files})
    return Errand(
        argv=invocation.argv,
        timeout_seconds=kit.task.timeout_seconds,
        env={**bench.login_variables, **invocation.env},
        stdin=invocation.stdin,
    )


def _blank(bench: Bench, ticket: Ticket) -> Run:
    return Run(
        position=ticket.position,
        attempt=ticket.attempt,
        task=ticket.cell.task,
        condition=ticket.cell.condition,
        repeat=ticket.cell.repeat,
        outcome=Outcome.INFRA,
        infra=None,
        started_at=bench.clock(),
        agent_milliseconds=None,
        agent_exit=None,
        timed_out=False,
        verifier_milliseconds=None,
        verifier_exit=None,
        verifier_timed_out=False,
        verifier_output="",
        model_requested=bench.model,
        models_served=(),
        agent_version=None,
        final_message=None,
        usage=None,
        cost_micro_usd=None,
        turns=None,
        capability_listed=None,
        capability_used=None,
        protected=(),
        patch="",
        patch_truncated=False,
        transcript_bytes=0,
        transcript_sha256=None,
    )


def _with_agent(run: Run, bench: Bench, finished: Finished) -> Run:
    """Add what the agent said of itself. Raises LostError when the model provider ended the run."""
    with lost_in(Phase.AGENT):
        wanted = bench.installable
        slug, kind = (wanted.slug, wanted.kind) if wanted else ("", Kind.SKILL)
        said = bench.agent.transcript(finished.stdout, slug=slug, kind=kind)
    if said.provider_failure is not None:
        raise LostError(Phase.PROVIDER, redact(said.provider_failure, bench.secrets))
    return msgspec.structs.replace(
        run,
        agent_milliseconds=finished.milliseconds,
        agent_exit=finished.exit_status,
        timed_out=finished.timed_out,
        models_served=tuple(redact(model, bench.secrets)[:NAME_LIMIT] for model in said.models_served[:MODELS_LIMIT]),
        agent_version=said.agent_version and redact(said.agent_version, bench.secrets)[:NAME_LIMIT],
        final_message=_cut(said.final_message, bench),
        usage=said.usage,
        cost_micro_usd=said.cost_micro_usd,
        turns=said.turns,
        capability_listed=said.capability_listed,
        capability_used=said.capability_used,
        transcript_bytes=finished.stdout_bytes,
        transcript_sha256=finished.stdout_sha256,
    )


def _with_verdict(run: Run, bench: Bench, kit: Kit, work: Path, stopper: Stopper) -> Run:
    with lost_in(Phase.STAGING):
        strip_installed(bench.agent, bench.installable, work)
        changes = protected_changes(kit, work)
        patch, truncated = make_patch(kit, work)
    verified = verify(bench, kit, work, stopper)
    return msgspec.structs.replace(
        run,
        outcome=Outcome.PASSED if verified.passed else Outcome.FAILED,
        protected=changes,
        patch=redact(patch, bench.secrets),
        patch_truncated=truncated,
        verifier_milliseconds=verified.milliseconds,
        verifier_exit=verified.exit_status,
        verifier_timed_out=verified.timed_out,
        verifier_output=verified.output,
    )


def _cut(message: str | None, bench: Bench) -> str | None:
    """A message cleared of secrets; of a very long one the end, where agents say what came of it."""
    return None if message is None else redact(message, bench.secrets)[-MESSAGE_LIMIT:]


def _excerpt(stdout: bytes, bench: Bench) -> str:
    """The first and last half of the limit, when there is more: agents say what they have at both ends."""
    data = redact(stdout.decode(errors="replace"), bench.secrets).encode()
    if len(data) > TRANSCRIPT_BYTES:
        data = data[: TRANSCRIPT_BYTES // 2] + data[-TRANSCRIPT_BYTES // 2 :]
    return data.decode(errors="ignore")
