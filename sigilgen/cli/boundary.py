"""The one place where an error becomes text and an exit status."""

import os
import sys
import traceback
from collections.abc import Sequence

import click

from sigilgen.errors import SigilError

INTERRUPTED = 130
COULD_NOT_RUN = 3


def guarded(command: click.Command, arguments: Sequence[str]) -> int:  # noqa: PLR0911  (one return per way to end)
    """Run `command` and turn whatever ends it into an exit status.

    `SIGIL_DEBUG=1` shows the traceback of an unexpected error, which is a bug of ours by definition.
    """
    try:
        status = command.main(args=list(arguments), prog_name="sigil", standalone_mode=False)
    except click.exceptions.Abort:
        return _say("interrupted", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SigilError as error:
        return _say(f"error: {error}", error.exit_status)
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone (`sigil … | head`): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001  (the boundary: a raw traceback is a bug)
        if os.environ.get("SIGIL_DEBUG"):
            traceback.print_exc()
        name = type(error).__name__
        return _say(
            f"error: unexpected {name}: {error}\n"
            "  This is a bug in Sigil. Run again with SIGIL_DEBUG=1 and report what it prints.",
            COULD_NOT_RUN,
        )
    return status if isinstance(status, int) else 0


def _say(text: str, status: int) -> int:
    click.echo(printable(text), err=True)
    return status


def printable(text: str) -> str:
    """`text` with control characters made visible, so that no file or transcript can drive the terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)
