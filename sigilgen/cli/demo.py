"""`sigil demo`."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit
from sigilgen.errors import SigilError

REPEATS = 3


@click.command("demo")
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), default=1, show_default=True, help="Seed of the rehearsal.")
@repository_option
@format_option
def demo_command(seed: int, repository: Path, form: str) -> None:
    """Rehearse the whole machine in a throw-away clone, without a key and without Docker.

    Clones the last commit into build/demo, checks every task of a suite, measures a capability on the suite with the
    built-in scripted agent, commits the evidence record there, verifies it and builds the site. Everything it makes
    says REHEARSAL: a scripted agent proves nothing about a capability.
    """
    from sigilgen.commands.demo import choose, make_clone

    _say("1/5  cloning the last commit into build/demo")
    clone = make_clone(repository)
    capability, suite = choose(clone)
    _rehearse_all(clone, capability, suite, seed=seed, form=form)


def _rehearse_all(clone: Path, capability: str, suite: str, *, seed: int, form: str) -> None:
    """Rehearse in `clone` and print where to look. Raises SigilError when the machine does not agree with itself."""
    from sigilgen.cli.steps import steps
    from sigilgen.commands.build import build
    from sigilgen.commands.demo import Rehearsed, render
    from sigilgen.commands.task_check import check_suite, summary
    from sigilgen.commands.verify import verify
    from sigilgen.model.fairness import Status
    from sigilgen.store.fairness import keep_proof

    jobs = os.cpu_count() or 1
    _say(f"2/5  checking that every task of {suite} is fair")
    with steps(f"checking {suite}") as step:
        checked = check_suite(clone, suite, only=(), jobs=jobs, step=step)
    keep_proof(clone, checked)
    _say(f"     {summary(checked)}")
    _say(f"3/5  measuring {capability} with the scripted agent (REHEARSAL)")
    record = _rehearse(clone, capability, suite, seed=seed, jobs=jobs)
    _say("4/5  recomputing every number of the record")
    report = verify(clone, since=None)
    _say("5/5  building the site")
    built = build(clone, output=None, builder="mkdocs", pages_only=False, say=lambda _text: None)
    page = str(Path(record).parents[2]).replace("evidence/", "catalogue/", 1)
    made = Rehearsed(
        clone=str(clone),
        capability=capability,
        suite=suite,
        record=record,
        page=f"{built.output}/{page}/index.html",
        serve=f"{_program()} serve --repository {shlex.quote(str(clone))}",
        checks_failed=checked.has(Status.FAIL),
        disagreements=len(report.disagreements),
    )
    emit(made, form, render)
    if made.checks_failed or made.disagreements or not Path(made.page).is_file():
        raise SigilError("the demo ran, and something in it is wrong", hint=f"Look with: cd {clone} && sigil verify")


def _rehearse(clone: Path, capability: str, suite: str, *, seed: int, jobs: int) -> str:
    from sigilgen.cli.experiment import carry_out
    from sigilgen.commands.prove import Request, prepare, start
    from sigilgen.lab.clock import now
    from sigilgen.lab.laying import Orders

    request = Request(capability=capability, suite=suite, agent="scripted", model=None, repeats=REPEATS, seed=seed)
    prepared = prepare(clone, request, clock=now, home=Path.home(), environment=os.environ)
    desk = start(clone, prepared, Orders(commit=True, keep_transcripts=True))
    return carry_out(clone, desk, jobs=jobs, retry_infra=False).path


def _program() -> str:
    """What to type for this program: `make demo` runs it from an environment that no shell knows of yet."""
    if shutil.which("sigil"):
        return "sigil"
    return shlex.quote(sys.argv[0]) if Path(sys.argv[0]).name == "sigil" else f"{sys.executable} -m sigilgen"


def _say(text: str) -> None:
    click.echo(text, err=True)
