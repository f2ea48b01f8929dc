"""The one place where an error becomes text and an exit status."""

import errno
import io
import os
import select
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

import click

from sigilgen.errors import SigilError

COULD_NOT_RUN = 3
INTERRUPTED = 130


def guarded(command: click.Command, arguments: Sequence[str]) -> int:  # noqa: PLR0911  (one return per way to end)
    """Run `command` and turn whatever ends it into an exit status.

    `SIGIL_DEBUG=1` shows the traceback of an unexpected error, which is a bug of ours by definition.
    """
    _accept_any_text()
    try:
        return _invoke(command, arguments)
    except click.exceptions.Exit as end:
        return end.exit_code
    except SystemExit as end:
        code = end.code or 0
        return code if isinstance(code, int) else _say(code, 1)
    except click.ClickException as error:
        return _say(_usage(error), error.exit_code)
    except SigilError as error:
        return _say(f"error: {error}", error.exit_status)
    except (KeyboardInterrupt, click.exceptions.Abort):
        return _say("interrupted", INTERRUPTED)
    except OSError as error:
        return _refused(error)
    except Exception as error:  # noqa: BLE001  (the boundary: a raw traceback is a bug)
        return _unexpected(error)


def _invoke(command: click.Command, arguments: Sequence[str]) -> int:
    """Run `command` without Click's `main`, which makes exit status 1 of every broken pipe, a child's included."""
    if "_SIGIL_COMPLETE" in os.environ:
        command.main(args=list(arguments), prog_name="sigil", complete_var="_SIGIL_COMPLETE")
    with command.make_context("sigil", list(arguments)) as context:
        status = command.invoke(context)
    return status if isinstance(status, int) else 0


def _usage(error: click.ClickException) -> str:
    shown = io.StringIO()
    error.show(file=shown)
    return shown.getvalue().rstrip("\n")


def _refused(error: OSError) -> int:
    if isinstance(error, BrokenPipeError) and _reader_is_gone():
        _drop_output()
        return 0
    if error.errno == errno.ENOSPC:
        _drop_output()
    _show_traceback()
    return _say(f"error: the system refused: {error}\n  SIGIL_DEBUG=1 shows where.", COULD_NOT_RUN)


def _unexpected(error: Exception) -> int:
    _show_traceback()
    return _say(
        f"error: unexpected {type(error).__name__}: {error}\n"
        "  This is a bug in Sigil. Run again with SIGIL_DEBUG=1 and report what it prints.",
        COULD_NOT_RUN,
    )


def _show_traceback() -> None:
    if os.environ.get("SIGIL_DEBUG"):
        _say(traceback.format_exc(), COULD_NOT_RUN)


def _reader_is_gone() -> bool:
    """Whether standard output leads nowhere any more (`sigil … | head`): nothing is wrong, nothing can be said.

    Asked of the stream itself, because a child of ours that closes its input raises the same error.
    """
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def _drop_output() -> None:
    """Forget what is still buffered, or Python would complain about it once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _accept_any_text() -> None:
    """Let a terminal that cannot show a character get its escape, where Python would raise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(text: str, status: int) -> int:
    """Print `text` on standard error and return `status`."""
    with suppress(OSError):  # standard error may be gone as well: the exit status still tells
        click.echo(printable(text), err=True)
    return status


def printable(text: str) -> str:
    """`text` with control and direction characters made visible, so that no file can drive the terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() else c.encode("unicode_escape").decode() for c in text)
