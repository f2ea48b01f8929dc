"""The commands that papers and hand-written pages show, asked of the command line itself."""

import re
import shlex
from pathlib import Path

import click
import pytest

from sigilgen.cli import cli

ROOT = Path(__file__).parents[1]
PAPERS = ("README.md", "CONTRIBUTING.md", "site_src/method.md", "site_src/index.md", "site_src/security.md")
BUILT_IN = {"scripted", "idle", "oracle"}


def shown(paper: str) -> list[str]:
    """Every command line in a code block or between back-ticks that is more than the name of a command."""
    text = (ROOT / paper).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`(sigil [^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("sigil ")]
    return [*lines, *inline]


SHOWN = [(paper, line) for paper in PAPERS for line in shown(paper)]
ANNOUNCED = {"sigil add", "sigil prove --rescore"}
"""Commands that the method page names and says not to exist yet."""


def understood(line: str) -> tuple[str, dict[str, object]]:
    """The last command that a line names, and the options given to it. Raises what Click raises."""
    words = shlex.split(line, comments=True)[1:]
    command: click.Command = cli
    name = ""
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        if found is None:
            raise click.NoSuchCommand(name)
        command = found
    options, _arguments, _order = command.make_parser(click.Context(command)).parse_args(words)
    return name, options


@pytest.mark.parametrize(("paper", "line"), SHOWN, ids=[f"{paper}: {line[:60]}" for paper, line in SHOWN])
def test_a_command_that_a_paper_shows_is_one_that_exists(paper: str, line: str) -> None:
    if line in ANNOUNCED:
        assert "It has no command to" in (ROOT / paper).read_text(encoding="utf-8")
        with pytest.raises(click.UsageError):
            understood(line)
        return
    name, options = understood(line)
    if name == "prove" and "resume" not in options and len(line.split()) > 2:
        agent = options.get("agent", "scripted")
        assert ("model" in options) is (agent not in BUILT_IN), (
            "a real agent needs a model, and a built-in one has none"
        )
