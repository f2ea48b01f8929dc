"""Starts a command under a keeper and collects what it prints, in bounded memory."""

import hashlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from sigilgen.errors import SandboxError
from sigilgen.sandbox.keeper import BURIAL_SECONDS, GRACE_SECONDS, kill_family

KEEPER = Path(__file__).with_name("keeper.py")
PLAYER = Path(__file__).with_name("player.py")
HEAD_BYTES = 1 << 20
TAIL_BYTES = 1 << 20
KEEPER_DELAY_SECONDS = 10.0
"""How much later than its own limits a keeper may end before it counts as stopped by what it keeps."""
LAST_READS = 64
LAST_READ_SECONDS = 0.25
"""How often, and how long each time, streams are read on after the keeper has ended: more than a pipe can hold."""
REPORT_BYTES = 1 << 16
"""More than a keeper ever reports, and what a pipe holds."""


Isolation = Literal["none", "network", "processes"]
"""What a command has for itself: nothing, a network without a way out, or that and processes of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command with its whole environment. `keep_open` are descriptors that the keeper holds until all is dead."""

    argv: Sequence[str]
    cwd: Path
    env: dict[str, str]
    timeout_seconds: float
    stdin: bytes = b""
    isolation: Isolation = "none"
    keep_open: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a command ended. Output longer than head plus tail lost its middle; `size` and `sha256` cover all of it.

    `killed` means that a signal ended the command itself, which the status 128 + n alone does not tell.
    """

    exit_status: int
    killed: bool
    timed_out: bool
    milliseconds: int
    stdout: bytes
    stdout_bytes: int
    stdout_sha256: str
    stderr: bytes


@dataclass(slots=True)
class Capture:
    """The first and last bytes of a stream, its size and its digest."""

    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    size: int = 0
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self.digest.update(data)
        room = HEAD_BYTES - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        if len(self.tail) > 2 * TAIL_BYTES:
            del self.tail[:-TAIL_BYTES]

    def kept(self) -> bytes:
        return bytes(self.head + self.tail[-TAIL_BYTES:])


class Stopper:
    """Ends every command that runs under it, from another thread. Stopping is final.

    Its pipe is given back with its last user, which after a second Ctrl-C may be a thread that nobody waits for.
    """

    def __init__(self) -> None:
        self.read_end, self._write_end = os.pipe()

    def stop(self) -> None:
        os.write(self._write_end, b"x")

    def __del__(self) -> None:
        os.close(self.read_end)
        os.close(self._write_end)


class StoppedError(SandboxError):
    """A command was ended because the user stopped the experiment. The run will be done again on `--resume`."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """A keeper at work: its process, and the end of the pipe on which it reports.

    A pipe, because a file could be replaced by the command that is kept.
    """

    process: "subprocess.Popen[bytes]"
    report: int
    deadline: float

    @property
    def left(self) -> float:
        return self.deadline - time.monotonic()


def run_command(command: Command, control: Path, stopper: Stopper) -> Finished:
    """Run `command` to its end under a keeper; when this returns, no process of it is alive.

    `control` is an empty folder for what the command is started with. Raises StoppedError when `stopper` was used,
    and SandboxError when the command could not be started, something of it would not die, or it got at its keeper.
    """
    keeper = _start(command, control)
    process = keeper.process
    assert process.stdin is not None  # noqa: S101  (pipes were asked for)
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    try:
        stopped, stdout, stderr = _drain(keeper, process.stdin, process.stdout, process.stderr, stopper)
    finally:
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        _see_out(keeper)
        report = _read_report(keeper.report)
    if stopped:
        raise StoppedError("stopped by the user")
    return _finished(report, stdout, stderr)


def _start(command: Command, control: Path) -> Keeper:
    (control / "stdin").write_bytes(command.stdin)
    report, report_end = os.pipe()
    os.set_blocking(report, False)
    spec = {
        "argv": list(command.argv),
        "cwd": str(command.cwd),
        "env": command.env,
        "stdin": str(control / "stdin"),
        "timeout_seconds": command.timeout_seconds,
        "isolation": command.isolation,
        "keep": list(command.keep_open),
        "report": report_end,
    }
    try:
        (control / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), str(control / "spec.json")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(*command.keep_open, report_end),
            start_new_session=True,  # Ctrl-C in the terminal reaches Sigil alone, which then ends the keepers
            bufsize=0,
        )
    except BaseException:
        os.close(report)
        raise
    finally:
        os.close(report_end)
    seconds = command.timeout_seconds + GRACE_SECONDS + BURIAL_SECONDS + KEEPER_DELAY_SECONDS
    return Keeper(process, report, time.monotonic() + seconds)


def _drain(
    keeper: Keeper, lifeline: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], stopper: Stopper
) -> tuple[bool, Capture, Capture]:
    """Read both streams until every writer is gone, or the keeper is: then whoever still holds them has escaped it."""
    captures = {stdout.fileno(): Capture(), stderr.fileno(): Capture()}
    stopped = False
    reads_left = LAST_READS
    with selectors.DefaultSelector() as selector:
        for descriptor in (*captures, stopper.read_end):
            selector.register(descriptor, selectors.EVENT_READ)
        open_streams = set(captures)
        while open_streams:
            gone = keeper.left <= 0 or keeper.process.poll() is not None
            ready = selector.select(LAST_READ_SECONDS if gone else 1.0)
            reads_left -= gone
            if gone and (not ready or not reads_left):
                break
            for key, _ in ready:
                if key.fd == stopper.read_end:
                    stopped = True
                    lifeline.close()
                    selector.unregister(stopper.read_end)
                elif data := os.read(key.fd, 1 << 16):
                    captures[key.fd].add(data)
                else:
                    selector.unregister(key.fd)
                    open_streams.discard(key.fd)
    return stopped, captures[stdout.fileno()], captures[stderr.fileno()]


def _see_out(keeper: Keeper) -> None:
    """Wait for the end of the keeper; one that was stopped by what it keeps is killed together with that."""
    try:
        keeper.process.wait(max(keeper.left, 0) + 1)
    except subprocess.TimeoutExpired:
        kill_family(keeper.process.pid)
        keeper.process.kill()
        keeper.process.wait()


def _read_report(report: int) -> dict[str, Any]:
    """What the keeper said; nothing more than the process group of its command when it was killed.

    That group is killed then, because nobody else is left to do it.
    """
    try:
        data = os.read(report, REPORT_BYTES)
    except BlockingIOError:
        data = b""
    finally:
        os.close(report)
    said: dict[str, Any] = {}
    for line in data.splitlines():
        said |= json.loads(line)
    if "exit" not in said and "group" in said:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(said["group"], signal.SIGKILL)
    return said


def _finished(result: dict[str, Any], stdout: Capture, stderr: Capture) -> Finished:
    if "exit" not in result:
        last_words = stderr.kept()[-2_000:].decode(errors="replace").strip()
        raise SandboxError(f"the keeper of a command ended without a result: {last_words or 'it was killed'}")
    if result["start_error"]:
        raise SandboxError(result["start_error"])
    if not result["all_dead"]:
        raise SandboxError("a process of the run could not be killed")
    return Finished(
        exit_status=result["exit"],
        killed=result["killed"],
        timed_out=result["timed_out"],
        milliseconds=result["milliseconds"],
        stdout=stdout.kept(),
        stdout_bytes=stdout.size,
        stdout_sha256=f"sha256:{stdout.digest.hexdigest()}",
        stderr=stderr.kept(),
    )
