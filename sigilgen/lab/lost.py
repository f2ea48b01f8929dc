"""Attempts that cannot be judged: every unforeseen error becomes a `LostError` with the phase it happened in.

One thing loses more than an attempt: files that every run is made from, and that something has changed meanwhile.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sigilgen.errors import SigilError, StoreError
from sigilgen.model.run import InfraFailure, Phase
from sigilgen.sandbox.process import StoppedError

REASON_LIMIT = 2_000


class LostError(Exception):
    """The attempt cannot be judged, for a reason outside the agent's reach."""

    def __init__(self, phase: Phase, reason: str) -> None:
        super().__init__(reason)
        writable = reason.encode(errors="replace").decode()  # names of files may hold what no record can
        self.failure = InfraFailure(phase=phase, reason=writable[:REASON_LIMIT])


class ChangedError(StoreError):
    """What runs are made from is not what it was when the work began: nothing more can be measured with it."""

    def __init__(self, what: object) -> None:
        super().__init__(
            f"{what} is not what it was when the work began",
            hint="Something on this machine wrote to it, perhaps an agent. Start again; nothing can be gone on with.",
        )


@contextmanager
def lost_in(phase: Phase) -> Iterator[None]:
    """Whatever goes wrong inside loses the attempt in `phase`; only what ends all work passes through."""
    try:
        yield
    except (LostError, StoppedError, ChangedError):
        raise
    except SigilError as error:
        raise LostError(phase, str(error)) from error
    except Exception as error:  # unknown errors are infra: counting them as failures would be false evidence
        raise LostError(phase, f"{type(error).__name__}: {error}") from error
