"""The reference page of the command line, written from the Click declarations themselves."""

import inspect
import re
from collections.abc import Iterator

import click

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "*": "&#42;", "[": "&#91;", "|": "&#124;"}

HEAD = """\
# Commands

This page is written by `sigil reference` from the program itself: `sigil COMMAND --help` says the same.
Results go to standard output, progress and errors to standard error.
A command that ends with an error prints no result: standard output stays empty, with `--format json` too.
Programs look at the exit status first; 1 and 4 are answers and come with their result.
`sigil doctor` and `sigil demo` print what they found even when it makes them end with 3.

| Exit status | Means |
|---|---|
| 0 | yes, or done |
| 1 | the tool worked, and the answer is no |
| 2 | wrong usage |
| 3 | could not run |
| 4 | inconclusive |
| 130 | interrupted; finished runs are kept |
"""


def manual(group: click.Group, name: str) -> str:
    """All visible commands below `group` with every argument and option, as one page of Markdown."""
    root = click.Context(group, info_name=name)
    sections = [_section(command, context) for command, context in commands_below(group, root)]
    return "\n".join([HEAD, *sections])


def commands_below(group: click.Group, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Every visible command below `group`, each group before its own commands."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield command, inner
        if isinstance(command, click.Group):
            yield from commands_below(command, inner)


def _section(command: click.Command, context: click.Context) -> str:
    mark = "##" if context.parent is not None and context.parent.parent is None else "###"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"{mark} {context.command_path}", f"```text\n{usage}\n```", _prose(command.help or "")]
    if rows := [row for parameter in command.get_params(context) for row in _rows(parameter, context)]:
        parts.append("\n".join(["| Option | What it does |", "|---|---|", *rows]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _prose(text: str) -> str:
    """Help text as Markdown. A paragraph that Click must not wrap (marked by a backspace) keeps its lines."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(_paragraph(paragraph) for paragraph in paragraphs)


def _paragraph(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"```text\n{rest}\n```" if first.strip() == "\b" else escaped(text)


def _rows(parameter: click.Parameter, context: click.Context) -> Iterator[str]:
    record = parameter.get_help_record(context)
    if record is None or not record[1] or "--help" in parameter.opts:
        return
    written, meaning = (" ".join(text.split()) for text in record)
    yield f"| <code>{_plain(written)}</code> | {escaped(meaning)} |"


def escaped(text: str) -> str:
    """`text` for Markdown: what stands between back-ticks is code and stays, elsewhere nothing acts as markup."""
    pieces = text.split("`")
    return "`".join(piece if number % 2 else _plain(piece) for number, piece in enumerate(pieces))


def _plain(text: str) -> str:
    text = "".join(ENTITIES.get(sign, sign) for sign in text)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", "&#95;", text)  # inside a word it is no emphasis
