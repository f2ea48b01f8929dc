"""The memory of an experiment on this machine: an append-only list of what happened, one JSON object a line.

    <repository>/.sigil/experiments/<first 16 of plan id>/
        plan.json        the plan record, byte for byte as it is committed
        order.json       what else the command asked for
        inputs/          payload/ and tasks/<suite>/ as they were when the plan was made
        kits/            starting workspaces
        transcripts/     <position>-<attempt>.txt
        journal.jsonl    running -> agent_done -> judged | infra, for every attempt
        published        ids of results that are committed already, when lost runs may be tried again
        lock             held by the command and by every keeper it started

`kill -9` at any point costs at most the runs in flight. A line that was cut by it is dropped when the journal is
opened again.
"""

import fcntl
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from sigilgen.errors import RequestError, StoreError
from sigilgen.model.names import short
from sigilgen.model.run import Outcome, Run

State = Literal["running", "agent_done", "judged", "infra"]
TERMINAL = ("judged", "infra")


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the journal. `run` comes with a terminal state."""

    state: State
    position: int
    attempt: int
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """Where an experiment keeps its things while it runs."""

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "plan.json"

    @property
    def order(self) -> Path:
        return self.root / "order.json"

    @property
    def payload(self) -> Path:
        return self.root / "inputs" / "payload"

    @property
    def inputs(self) -> Path:
        return self.root / "inputs"

    @property
    def kits(self) -> Path:
        return self.root / "kits"

    @property
    def journal(self) -> Path:
        return self.root / "journal.jsonl"

    @property
    def published(self) -> Path:
        return self.root / "published"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    def transcript(self, position: int, attempt: int) -> Path:
        return self.root / "transcripts" / f"{position}-{attempt}.txt"


def experiments_folder(repository: Path) -> Path:
    return repository / ".sigil" / "experiments"


def refuse_links(repository: Path, desk: Desk) -> None:
    """Refuse a desk that leads somewhere else: a repository can come with links that we would write through."""
    base = experiments_folder(repository)
    places = [base.parent, base.parent / ".gitignore", base, desk.root]
    places += [*desk.root.glob("*"), *desk.inputs.glob("*"), *desk.transcript(0, 0).parent.glob("*")]
    links = [place for place in places if place.is_symlink()]
    if links:
        raise StoreError(f"{links[0]} is a symbolic link", hint="Nothing is written through it. Remove it.")


def desk_of(repository: Path, plan_id: str) -> Desk:
    return Desk(experiments_folder(repository) / short(plan_id))


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
        whole = self._file.tell()
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


def take_lock(desk: Desk, *, patience_seconds: float) -> int:
    """Hold the experiment for this process; the descriptor is to be kept open by every keeper too.

    After a crash the keepers need a moment to end what was running, which is why there is some patience. Raises
    RequestError when somebody still works on the experiment after that.
    """
    descriptor = os.open(desk.lock, os.O_RDWR | os.O_CREAT, 0o644)
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise RequestError(
                    f"experiment {desk.root.name} is being worked on by another process",
                    hint="Wait for it to end, or stop it; then run the same command again.",
                ) from None
            time.sleep(0.05)
        else:
            return descriptor
