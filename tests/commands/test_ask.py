import os
import time
from pathlib import Path

import pytest

from sigilgen.commands.ask import ANSWER_BYTES, ask


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called `it` that comes first on PATH; each test writes it."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    path = tmp_path / "it"
    path.touch(mode=0o755)
    return path


def write(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")


def test_the_answer_is_the_status_and_what_was_printed_on_either_stream(program: Path) -> None:
    write(program, 'echo "it $1"; echo careful >&2; exit 3')
    answer = ask("it", "--version")
    assert (answer.status, answer.text, answer.line) == (3, "it --version\ncareful\n", "it --version")


def test_a_program_that_is_not_there_is_said_so() -> None:
    answer = ask("no-such-program-anywhere")
    assert (answer.status, answer.failure) == (None, "not found on PATH")


def test_a_file_that_cannot_be_executed_is_said_so(program: Path) -> None:
    program.write_bytes(b"\x7fELF nonsense")
    answer = ask("it")
    assert answer.status is None
    assert answer.failure.startswith("cannot be started: ")


def test_a_failure_is_its_first_line_or_its_status(program: Path) -> None:
    write(program, "echo broken; exit 1")
    assert ask("it").failure == "broken"
    write(program, "exit 7")
    assert ask("it").failure == "ended with status 7"


def test_a_program_and_its_children_that_never_end_are_killed(program: Path, tmp_path: Path) -> None:
    write(program, f"sleep 600 & echo $! >{tmp_path}/child; echo $$ >{tmp_path}/parent; wait")
    answer = ask("it", seconds=0.5)
    assert (answer.status, answer.failure) == (None, "did not end within 0.5 s")
    assert ends(int((tmp_path / "parent").read_text()))
    assert ends(int((tmp_path / "child").read_text()))


def test_a_child_that_keeps_the_output_open_is_killed_too(program: Path, tmp_path: Path) -> None:
    write(program, f"sleep 600 & echo $! >{tmp_path}/child; echo 1.2.3")
    answer = ask("it", seconds=0.5)
    assert answer.line == "1.2.3"
    assert ends(int((tmp_path / "child").read_text()))


def test_a_flood_is_cut(program: Path) -> None:
    write(program, "exec yes")
    answer = ask("it")
    assert (answer.status, len(answer.text)) == (None, ANSWER_BYTES)


def test_bytes_that_are_no_text_do_no_harm(program: Path) -> None:
    write(program, "printf '\\377\\376 1.0'")
    assert ask("it").text == "\ufffd\ufffd 1.0"


def ends(process: int) -> bool:
    """Whether the process ends soon; one that is dead and only waits for its parent counts as ended."""
    for _ in range(500):
        try:
            os.kill(process, 0)
            stat = Path(f"/proc/{process}/stat").read_text()
        except (ProcessLookupError, FileNotFoundError):
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False
