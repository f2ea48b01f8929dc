"""Ask a program on this machine a short question, and never wait long for the answer."""

import os
import selectors
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

ANSWER_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program printed on either stream, up to 4 KiB. `status` is None when it did not end by itself."""

    status: int | None
    text: str
    failure: str

    @property
    def line(self) -> str:
        return self.text.partition("\n")[0].strip()


def ask(program: str, *arguments: str, seconds: float = 5) -> Answer:
    """Run `program` without a terminal or input; whatever is left of it and its children is killed afterwards."""
    path = shutil.which(program)
    if path is None:
        return Answer(None, "", "not found on PATH")
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "NO_COLOR": "1"}
    try:
        child = subprocess.Popen(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        return Answer(None, "", f"cannot be started: {error.strerror}")
    return _listen(child, seconds)


def _listen(child: subprocess.Popen[bytes], seconds: float) -> Answer:
    deadline = time.monotonic() + seconds
    assert child.stdout is not None  # noqa: S101  (a pipe was asked for)
    status = None
    with child.stdout as stream:
        data = _read(stream, deadline)
        patience = deadline - time.monotonic() if len(data) < ANSWER_BYTES else 0
        with suppress(subprocess.TimeoutExpired):
            status = child.wait(max(0.0, patience))
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    text = data.decode("utf-8", "replace")
    return Answer(status, text, _failure(status, text, seconds))


def _read(stream: IO[bytes], deadline: float) -> bytes:
    """Everything until the end of the stream, the deadline, or as much as an answer may have."""
    data = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while len(data) < ANSWER_BYTES and (left := deadline - time.monotonic()) > 0:
            if not selector.select(left):
                break
            chunk = os.read(stream.fileno(), ANSWER_BYTES - len(data))
            if not chunk:
                break
            data += chunk
    return data


def _failure(status: int | None, text: str, seconds: float) -> str:
    if status is None:
        return f"did not end within {seconds:g} s" if len(text) < ANSWER_BYTES else "would not stop talking"
    return text.partition("\n")[0].strip() or f"ended with status {status}"
