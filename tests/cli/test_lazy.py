import subprocess
import sys

import click
import pytest

from sigilgen.cli import run
from sigilgen.cli.boundary import guarded
from sigilgen.cli.lazy import LazyGroup

SLOW = (
    "numpy",
    "scipy",
    "git",
    "docker",
    "mkdocs",
    "rich",
    "yaml",
    "msgspec",
    "jinja2",
    "subprocess",
    "sigilgen.commands",
)


def group() -> LazyGroup:
    return LazyGroup(
        name="sigil",
        commands_at={"digest": "sigilgen.cli.digest:digest_command", "broken": "sigilgen.cli.nowhere:command"},
        summaries={"digest": "Print the digest.", "broken": "Is declared nowhere."},
        hidden=("broken",),
    )


def test_listing_the_commands_imports_none_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(group(), ["--help"]) == 0
    assert "digest  Print the digest." in capsys.readouterr().out


def test_a_hidden_command_is_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    guarded(group(), ["--help"])
    assert "broken" not in capsys.readouterr().out


def test_a_command_is_found_where_the_registry_says() -> None:
    command = group().get_command(click.Context(group()), "digest")
    assert command is not None
    assert command.name == "digest"


def test_an_unknown_command_ends_with_2_and_names_a_close_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(group(), ["digets"]) == 2
    assert "Did you mean 'digest'?" in capsys.readouterr().err


MEANT = {
    "help": (["help"], "Did you mean 'sigil --help'?"),
    "version": (["version"], "Did you mean 'sigil --version'?"),
    "help on a command": (["help", "prove"], "Did you mean 'sigil --help'?"),
    "help on a group": (["task", "help"], "Did you mean 'sigil task --help'?"),
    "a command after all": (["verfy"], "Did you mean 'verify'?"),
}


@pytest.mark.parametrize(("arguments", "hint"), MEANT.values(), ids=MEANT)
def test_an_option_that_is_written_like_a_command_is_pointed_out(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert hint in capsys.readouterr().err


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from sigilgen.cli import run; run(['--help']);"
        f"print([name for name in {SLOW!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stderr.strip() == "[]"
