"""The reference page of errors, written from the docstrings of the error tree."""

import inspect
from collections.abc import Iterator

from sigilgen.errors import SigilError

HEAD = """\
# Errors

This page is written by `sigil reference` from the program itself.
An error is printed on standard error and begins with `error:`; it says what is wrong, where, and what to do.
Faults in files that people write are listed all at once.

An error of no class below is a bug in Sigil: it is printed in one line and ends with status 3.
`SIGIL_DEBUG=1` shows where it happened; please report that.
Wrong usage of the command line (an unknown option, a missing argument) ends with status 2.
"""


def errors_page() -> str:
    return "\n".join([HEAD, *(_section(error) for error in _tree(SigilError))])


def _tree(error: type[SigilError]) -> Iterator[type[SigilError]]:
    yield error
    for child in error.__subclasses__():
        if child.__module__ == SigilError.__module__:
            yield from _tree(child)


def _section(error: type[SigilError]) -> str:
    return f"## {error.__name__}\n\nExit status {error.exit_status}.\n\n{inspect.getdoc(error)}\n"
