"""The command line: Click declarations, one file per command, and the one place that prints errors."""

from collections.abc import Sequence

import click

from sigilgen import __version__
from sigilgen.cli.boundary import guarded
from sigilgen.cli.lazy import LazyGroup

COMMANDS = {
    "build": "sigilgen.cli.build:build_command",
    "demo": "sigilgen.cli.demo:demo_command",
    "digest": "sigilgen.cli.digest:digest_command",
    "doctor": "sigilgen.cli.doctor:doctor_command",
    "glyph": "sigilgen.cli.glyph:glyph_command",
    "new": "sigilgen.cli.new:new_group",
    "power": "sigilgen.cli.power:power_command",
    "prove": "sigilgen.cli.prove:prove_command",
    "reference": "sigilgen.cli.reference:reference_command",
    "serve": "sigilgen.cli.serve:serve_command",
    "status": "sigilgen.cli.status:status_command",
    "task": "sigilgen.cli.task:task_group",
    "verify": "sigilgen.cli.verify:verify_command",
}
"""Every command and where it is declared. Listed by hand; a test proves that nothing is missing."""

SUMMARIES = {
    "build": "Turn the evidence into pages and build the site.",
    "demo": "Rehearse the whole machine in a throw-away clone.",
    "digest": "Print the digest that seals a payload.",
    "doctor": "Say what is installed, what is missing and how to get it.",
    "glyph": "Draw the sigil of a payload or digest.",
    "new": "Start a skill, a suite or a task from a template.",
    "power": "Runs needed for an effect, or the effect a plan can find.",
    "prove": "Measure whether a capability changes how often an agent succeeds.",
    "reference": "Write the schemas and the reference pages again, or check them.",
    "serve": "Show the built site on this machine.",
    "status": "List experiments: running, stopped, finished and abandoned.",
    "task": "List tasks, or prove that they are fair.",
    "verify": "Recompute every number in the evidence and name what disagrees.",
}
"""One line per command for `sigil --help`, kept here so that listing the commands imports none of them."""

HIDDEN = ("reference",)
"""Commands for people who change Sigil itself: they work, and `sigil --help` does not list them."""

HELP = """Prove in public whether an agent capability changes how often a coding agent gets things right.

Start with `sigil doctor`, then `sigil demo`. Every command takes --help; results go to standard output,
progress to standard error.

\b
Exit status: 0 yes · 1 the tool worked, and the answer is no
             2 wrong usage · 3 could not run · 4 inconclusive · 130 interrupted
"""


@click.group(
    cls=LazyGroup,
    commands_at=COMMANDS,
    summaries=SUMMARIES,
    hidden=HIDDEN,
    help=HELP,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="sigil")
def cli() -> None:
    """Group of all commands."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; errors have been printed."""
    return guarded(cli, arguments)
