import errno
import os
import subprocess
import sys

import click
import pytest

from sigilgen import errors
from sigilgen.cli.boundary import guarded, printable
from sigilgen.errors import Fault, SigilError

ERRORS = {
    "SigilError": (errors.SigilError("no"), 3),
    "RequestError": (errors.RequestError("no"), 2),
    "InputError": (errors.InputError([Fault("a.yaml", 1, "no")]), 3),
    "PayloadError": (errors.PayloadError("no"), 3),
    "StoreError": (errors.StoreError("no"), 3),
    "RecordError": (errors.RecordError("no"), 3),
    "SandboxError": (errors.SandboxError("no"), 3),
    "TranscriptError": (errors.TranscriptError("no"), 3),
    "InterruptedRunError": (errors.InterruptedRunError("no"), 130),
}

UNEXPECTED = {
    "a value error": ValueError("odd"),
    "a missing key": KeyError("odd"),
    "an assertion": AssertionError("odd"),
    "too deep": RecursionError("odd"),
    "no memory": MemoryError("odd"),
    "a group": ExceptionGroup("odd", [ValueError("inside")]),
}


def raising(error: BaseException) -> click.Command:
    def callback() -> None:
        raise error

    return click.Command("raise", callback=callback)


def returning(value: object) -> click.Command:
    return click.Command("return", callback=lambda: value)


def test_every_error_class_has_a_row_in_the_table() -> None:
    classes = {
        name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, SigilError)
    }
    assert classes == set(ERRORS)


@pytest.mark.parametrize(("error", "status"), ERRORS.values(), ids=ERRORS)
def test_an_error_ends_with_its_status_and_its_message(
    error: SigilError, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error), []) == status
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert "no" in shown.err
    assert "Traceback" not in shown.err


def test_the_hint_of_an_error_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(raising(errors.RequestError("nothing there", hint="Look elsewhere.")), [])
    assert capsys.readouterr().err == "error: nothing there\n  Look elsewhere.\n"


@pytest.mark.parametrize("error", UNEXPECTED.values(), ids=UNEXPECTED)
def test_an_unexpected_error_is_one_line_without_a_traceback(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIGIL_DEBUG", raising=False)
    assert guarded(raising(error), []) == 3
    shown = capsys.readouterr().err
    assert shown.startswith(f"error: unexpected {type(error).__name__}: ")
    assert "SIGIL_DEBUG=1" in shown
    assert "Traceback" not in shown


def test_debugging_shows_where_an_unexpected_error_came_from(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGIL_DEBUG", "1")
    assert guarded(raising(ValueError("odd")), []) == 3
    assert "Traceback" in capsys.readouterr().err


def test_what_the_system_refuses_is_not_called_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", "evidence/x.json")
    assert guarded(raising(refused), []) == 3
    shown = capsys.readouterr().err
    assert "Permission denied: 'evidence/x.json'" in shown
    assert "bug" not in shown


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.exceptions.Abort()], ids=["Ctrl-C", "aborted prompt"])
def test_an_interrupt_ends_with_130(error: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(error), []) == 130
    assert capsys.readouterr().err == "interrupted\n"


@pytest.mark.parametrize(("value", "status"), [(None, 0), (0, 0), (1, 1), (4, 4), ("text", 0)])
def test_a_command_decides_its_exit_status_by_what_it_returns(value: object, status: int) -> None:
    assert guarded(returning(value), []) == status


@pytest.mark.parametrize(("code", "status"), [(None, 0), (0, 0), (4, 4), ("why", 1)])
def test_a_command_may_also_end_by_raising_its_exit_status(code: str | int | None, status: int) -> None:
    assert guarded(raising(SystemExit(code)), []) == status


@pytest.mark.parametrize("arguments", [["--nope"], ["surplus"]])
def test_wrong_usage_ends_with_2_and_shows_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(returning(0), arguments) == 2
    assert capsys.readouterr().err.startswith("Usage: sigil")


def test_help_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(returning(0), ["--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: sigil")


def test_control_characters_in_a_wrong_argument_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(returning(0), ["\x1b[2Jgone\u202e"]) == 2
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert "gone\\u202e" in shown


PRINTABLE = {
    "plain text": ("one\n\ttwo", "one\n\ttwo"),
    "letters of any language": ("naïve 日本 🙂", "naïve 日本 🙂"),
    "escape sequence": ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
    "eight-bit escape": ("\x9b2J", "\\x9b2J"),
    "carriage return that overwrites a line": ("safe\revil", "safe\\revil"),
    "text direction": ("\u202egnp.exe", "\\u202egnp.exe"),
    "zero width": ("a\u200bb", "a\\u200bb"),
    "undecodable file name": ("\udcff", "\\udcff"),
    "tag character": ("\U000e0041", "\\U000e0041"),
}


@pytest.mark.parametrize(("text", "shown"), PRINTABLE.values(), ids=PRINTABLE)
def test_printable_shows_what_would_act(text: str, shown: str) -> None:
    assert printable(text) == shown


def sigil(*arguments: str, stdout: int, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "sigilgen", *arguments]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, env={**os.environ, **environment}, check=False
    )


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_has_gone_is_not_an_error(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = sigil("--help", stdout=writer, PYTHONUNBUFFERED=unbuffered)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_child_that_closes_its_input_is_not_taken_for_our_reader(capfd: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(BrokenPipeError(errno.EPIPE, "Broken pipe")), []) == 3
    assert "Broken pipe" in capfd.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")  # noqa: PTH110  (evaluated while collecting)
def test_a_full_disk_below_standard_output_is_said_once() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123  (a device, not a path of ours)
        done = sigil("--help", stdout=full.fileno())
    assert done.returncode == 3
    assert done.stderr.decode().splitlines() == [
        "error: the system refused: [Errno 28] No space left on device",
        "  SIGIL_DEBUG=1 shows where.",
    ]


def test_a_terminal_without_unicode_gets_escapes() -> None:
    done = sigil("--help", stdout=subprocess.DEVNULL, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_shell_can_ask_for_completions() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sigilgen"],
        env={**os.environ, "_SIGIL_COMPLETE": "bash_source"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert "_SIGIL_COMPLETE=bash_complete" in done.stdout
