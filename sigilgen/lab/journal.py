"""The memory of an experiment on this machine: an append-only list of what happened, one JSON object a line.

    running -> agent_done -> judged | infra, for every attempt

A line that was cut by `kill -9` is dropped when the journal is opened again.
"""

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from sigilgen.errors import StoreError
from sigilgen.model.run import Outcome, Run

State = Literal["running", "agent_done", "judged", "infra"]
TERMINAL = ("judged", "infra")


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the journal. `run` comes with a terminal state."""

    state: State
    position: int
    attempt: int
    run: Run | None = None


class Journal:
    """An open journal. Appending is safe from several threads, and on disk before it returns for terminal states."""

    def __init__(self, path: Path) -> None:
        self._guard = threading.Lock()
        self.entries = read_entries(path)
        _drop_torn_line(path)
        self._file = path.open("ab", buffering=0)

    def append(self, entry: Entry) -> None:
        line = msgspec.json.encode(entry) + b"\n"
        with self._guard:
            self._write(line)
            if entry.state in TERMINAL:
                os.fsync(self._file.fileno())
            self.entries.append(entry)

    def _write(self, line: bytes) -> None:
        """All of a line or nothing: a disk that fills up takes part of it and says so only at the next write."""
        whole = os.fstat(self._file.fileno()).st_size
        try:
            written = self._file.write(line)
            while written < len(line):
                written += self._file.write(line[written:])
        except OSError as error:
            os.truncate(self._file.fileno(), whole)
            raise StoreError(
                f"the journal cannot be written: {error.strerror}",
                hint="Nothing that it holds is lost. Make room, then: sigil prove --resume",
            ) from error

    def close(self) -> None:
        self._file.close()


def read_entries(path: Path) -> list[Entry]:
    """Every whole line of the journal; a last line without its end was being written when the command died."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    try:
        return [msgspec.json.decode(line, type=Entry) for line in lines]
    except (msgspec.MsgspecError, RecursionError) as error:
        raise StoreError(
            f"{path} is damaged: {error}",
            hint="The experiment cannot go on. Delete its folder; its plan stays on record as abandoned.",
        ) from error


def _drop_torn_line(path: Path) -> None:
    if path.exists():
        data = path.read_bytes()
        os.truncate(path, data.rfind(b"\n") + 1)


def finished_runs(entries: Iterable[Entry]) -> list[Run]:
    """Runs of every attempt that came to a terminal state, by position and attempt."""
    runs = [entry.run for entry in entries if entry.state in TERMINAL and entry.run is not None]
    return sorted(runs, key=lambda run: (run.position, run.attempt))


def is_lost(run: Run) -> bool:
    return run.outcome is Outcome.INFRA
