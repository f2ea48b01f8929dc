import click
import pytest

from sigilgen.cli.manual import escaped, manual

ESCAPED = {
    "plain": ("Print the digest.", "Print the digest."),
    "looks like HTML": ("a <tag> & b", "a &lt;tag&gt; &amp; b"),
    "looks like emphasis": ("files *.py and __init__", "files &#42;.py and &#95;&#95;init&#95;&#95;"),
    "underscore in a word": ("below site_src/", "below site_src/"),
    "would end a table cell": ("text|json", "text&#124;json"),
    "code stays code": ("run `a <b> *` now <c>", "run `a <b> *` now &lt;c&gt;"),
}


@pytest.mark.parametrize(("text", "markdown"), ESCAPED.values(), ids=ESCAPED)
def test_nothing_but_code_acts_as_markup(text: str, markdown: str) -> None:
    assert escaped(text) == markdown


@click.group()
def tool() -> None:
    """Do things."""


@tool.command("measure")
@click.argument("folder", help="What to measure.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to say it.")
def measure(folder: str, **_: str) -> None:
    """Measure FOLDER.

    Exit status 1 means <nothing>.

    \b
    one
      two
    """


@tool.command("secret", hidden=True)
def secret() -> None:
    """Not for everyone."""


@tool.group("new")
def new() -> None:
    """Start something."""


@new.command("task")
def new_task() -> None:
    """Start a task."""


def test_the_manual_holds_every_visible_command_with_its_options() -> None:
    page = manual(tool, "tool")
    headings = [line for line in page.splitlines() if line.startswith("##")]
    assert headings == ["## tool measure", "## tool new", "### tool new task"]
    assert "```text\ntool measure [OPTIONS] FOLDER\n```" in page
    assert "| <code>FOLDER</code> | What to measure. |" in page
    assert "| <code>--format &#91;text&#124;json]</code> | How to say it. &#91;default: text] |" in page
    assert "Exit status 1 means &lt;nothing&gt;." in page
    assert "```text\none\n  two\n```" in page


def test_the_manual_says_what_programs_read_on_an_error() -> None:
    assert "prints no result: standard output stays empty, with `--format json` too" in manual(tool, "tool")


def test_help_itself_is_not_listed_as_an_option() -> None:
    assert "--help</code>" not in manual(tool, "tool")
