"""Everything that Sigil can refuse or fail to do, as one short tree.

    SigilError                     exit status 3: could not run
    ├── RequestError               exit status 2: what was asked for does not exist or contradicts itself
    ├── InputError                 exit status 3: files that people wrote are wrong; carries every fault found
    ├── PayloadError               exit status 3: a payload that cannot be sealed
    ├── StoreError                 exit status 3: git or the file system refused
    ├── RecordError                exit status 3: an evidence record that cannot be read
    ├── SandboxError               exit status 3: the place where agents run could not be made or kept
    ├── TranscriptError            exit status 3: what an agent printed cannot be understood
    └── InterruptedRunError        exit status 130: stopped by the user; the work can be resumed

`SigilError` itself is raised only where no child fits. The docstring of each class is its entry in the
error reference: what it means, then what to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong with one file: where, what, and what to do."""

    file: str
    line: int | None
    what: str
    fix: str = ""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.what}" + (f"\n    {self.fix}" if self.fix else "")


class SigilError(Exception):
    """Sigil could not do what was asked. The message says what, where and what to do."""

    exit_status = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class RequestError(SigilError):
    """The command names something that does not exist, or asks for two things at odds. Correct the command."""

    exit_status = 2


class InputError(SigilError):
    """One or more files that people write (`sigil.yaml`, `suite.yaml`, `task.yaml`, `rehearsal.yaml`) are wrong.

    Every fault of every file is listed at once, with its line. Mend them and run the command again.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.file, fault.line or 0, fault.what)))
        count = len(self.faults)
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        super().__init__(f"{count} {'fault' if count == 1 else 'faults'} to mend:\n{lines}")


class PayloadError(SigilError):
    """A payload holds files that would be installed but not sealed, so it has no digest. Remove or rename them."""


class StoreError(SigilError):
    """Git or the file system refused to read or keep evidence. Nothing was half-written: mend the cause, run again."""


class RecordError(SigilError):
    """An evidence record is not what its name and schema say. It counts for nothing until it is restored from git."""


class SandboxError(SigilError):
    """The place where an agent or verifier runs could not be prepared or ended cleanly. Runs it cost are `infra`."""


class TranscriptError(SigilError):
    """What an agent printed could not be understood, usually because its version is newer than the adapter."""


class InterruptedRunError(SigilError):
    """Stopped by the user. Finished runs are kept; `sigil prove --resume` does the rest of the plan."""

    exit_status = 130
