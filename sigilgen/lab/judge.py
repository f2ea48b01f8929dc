"""Judging a workspace: protected files back, the hidden verifier over it, a new box, no network, one exit code."""

import signal
from dataclasses import dataclass
from pathlib import Path

from sigilgen.lab.bench import Bench
from sigilgen.lab.kit import Kit
from sigilgen.lab.lost import LostError, lost_in
from sigilgen.lab.workspace import make_ready_to_verify
from sigilgen.model.run import Phase
from sigilgen.policy.redact import redact
from sigilgen.sandbox.base import Errand
from sigilgen.sandbox.process import Stopper

OUTPUT_LIMIT = 4_000
KILLED = 128
CRASHES = frozenset(
    KILLED + number
    for number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGTRAP)
)
"""What a program that took the place of the verifier's shell does to itself; other signals come from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """How the verifier ended, with the tail of what it printed."""

    milliseconds: int
    exit_status: int
    timed_out: bool
    output: str

    @property
    def passed(self) -> bool:
        return self.exit_status == 0 and not self.timed_out


def verify(bench: Bench, kit: Kit, work: Path, stopper: Stopper) -> Verified:
    """Judge the workspace at `work`, which is used up.

    Raises LostError when the verifier could not run, or when its shell itself was killed from outside, which code under
    test cannot do where the kernel gives a verifier processes of its own. Whatever that code does to the verifier
    (exit codes, crashes of the test program, time-outs) is a verdict.
    """
    with lost_in(Phase.VERIFIER):
        make_ready_to_verify(kit, work)
        box = bench.sandbox.open_box("verify")
        try:
            box.put(work)
            errand = Errand(
                argv=(*bench.verifier_prefix, "/bin/sh", "verify.sh"),
                timeout_seconds=kit.task.verify_timeout_seconds,
                alone=True,
            )
            done = box.execute(errand, stopper)
        finally:
            box.close()
        output = redact((done.stdout + done.stderr).decode(errors="replace"), bench.secrets)[-OUTPUT_LIMIT:]
        if done.killed and not done.timed_out and done.exit_status not in CRASHES:
            raise LostError(Phase.VERIFIER, f"killed by signal {done.exit_status - KILLED}: {output}")
        return Verified(
            milliseconds=done.milliseconds, exit_status=done.exit_status, timed_out=done.timed_out, output=output
        )
