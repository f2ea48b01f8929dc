"""Starts a command under a keeper and collects what it prints, in bounded memory."""

import hashlib
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sigilgen.errors import SandboxError

KEEPER = Path(__file__).with_name("keeper.py")
PLAYER = Path(__file__).with_name("player.py")
HEAD_BYTES = 1 << 20
TAIL_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command with its whole environment. `keep_open` are descriptors that the keeper holds until all is dead."""

    argv: Sequence[str]
    cwd: Path
    env: dict[str, str]
    timeout_seconds: float
    stdin: bytes = b""
    isolate_network: bool = False
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
    """Ends every command that runs under it, from another thread. Stopping is final."""

    def __init__(self) -> None:
        self.read_end, self._write_end = os.pipe()

    def stop(self) -> None:
        os.write(self._write_end, b"x")

    @property
    def stopped(self) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self.read_end, selectors.EVENT_READ)
            return bool(selector.select(0))


class StoppedError(SandboxError):
    """A command was ended because the user stopped the experiment. The run will be done again on `--resume`."""


def run_command(command: Command, control: Path, stopper: Stopper) -> Finished:
    """Run `command` to its end under a keeper; when this returns, no process of it is alive.

    `control` is an empty folder outside the command's reach. Raises StoppedError when `stopper` was used, and
    SandboxError when the command could not be started or something of it would not die.
    """
    keeper = _start(command, control)
    assert keeper.stdin is not None  # noqa: S101  (pipes were asked for)
    assert keeper.stdout is not None  # noqa: S101
    assert keeper.stderr is not None  # noqa: S101
    try:
        stopped, stdout, stderr = _drain(keeper.stdin, keeper.stdout, keeper.stderr, stopper)
    finally:
        for pipe in (keeper.stdin, keeper.stdout, keeper.stderr):
            pipe.close()
        keeper.wait()
    if stopped:
        raise StoppedError("stopped by the user")
    return _finished(control, stdout, stderr)


def _start(command: Command, control: Path) -> "subprocess.Popen[bytes]":
    (control / "stdin").write_bytes(command.stdin)
    spec = {
        "argv": list(command.argv),
        "cwd": str(command.cwd),
        "env": command.env,
        "stdin": str(control / "stdin"),
        "timeout_seconds": command.timeout_seconds,
        "isolate_network": command.isolate_network,
        "keep": list(command.keep_open),
    }
    (control / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(KEEPER), str(control / "spec.json"), str(control / "result.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=command.keep_open,
        start_new_session=True,  # Ctrl-C in the terminal reaches Sigil alone, which then ends the keepers
        bufsize=0,
    )


def _drain(
    lifeline: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], stopper: Stopper
) -> tuple[bool, Capture, Capture]:
    """Read both streams until every writer is gone, which is when the keeper has ended."""
    captures = {stdout.fileno(): Capture(), stderr.fileno(): Capture()}
    stopped = False
    with selectors.DefaultSelector() as selector:
        for descriptor in (*captures, stopper.read_end):
            selector.register(descriptor, selectors.EVENT_READ)
        open_streams = set(captures)
        while open_streams:
            for key, _ in selector.select():
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


def _finished(control: Path, stdout: Capture, stderr: Capture) -> Finished:
    last_words = stderr.kept()[-2_000:].decode(errors="replace").strip()
    try:
        result = json.loads((control / "result.json").read_bytes())
    except (OSError, ValueError) as error:
        raise SandboxError(f"the keeper of a command ended without a result: {last_words or error}") from error
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
