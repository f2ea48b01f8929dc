"""`sigil prove`."""

import os
from pathlib import Path

import click

from sigilgen.cli.options import format_option, jobs_option, repository_option
from sigilgen.cli.output import emit
from sigilgen.errors import RequestError


@click.command("prove")
@click.argument("capability", required=False)
@click.option("--suite", help="Suite to run it on.  [default: the only suite that its sigil.yaml names]")
@click.option("--agent", default="scripted", show_default=True, help="Agent to run; `sigil doctor` lists them.")
@click.option("--model", help="Model that the agent is to use; needed for every real agent.")
@click.option(
    "--runs",
    "--repeats",
    "repeats",
    type=click.IntRange(1, 1000),
    default=6,
    show_default=True,
    help="Runs of each task under each condition.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53 - 1),
    help="Seed of the order of runs.  [default: a new one, recorded in the plan]",
)
@jobs_option
@click.option(
    "--sandbox",
    type=click.Choice(["host"]),
    default="host",
    show_default=True,
    help="Where runs happen. On the host: first-party capabilities only, no isolation, no canary.",
)
@click.option("--dry-run", is_flag=True, help="Print the plan, what was measured already and the cost; run nothing.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="last",
    metavar="[PLAN]",
    help="Go on with an experiment that was stopped: the last one, or the one whose plan id begins with PLAN.",
)
@click.option("--retry-infra", is_flag=True, help="With --resume: try runs again that could not be judged.")
@click.option("--no-commit", is_flag=True, help="Write the records to the work tree without committing them.")
@click.option(
    "--transcripts",
    type=click.Choice(["keep", "digest-only"]),
    default="keep",
    show_default=True,
    help="Whether transcripts go into the repository, or only their digest.",
)
@repository_option
@format_option
def prove_command(
    *,
    capability: str | None,
    suite: str | None,
    agent: str,
    model: str | None,
    repeats: int,
    seed: int | None,
    jobs: int,
    sandbox: str,  # noqa: ARG001  (the only choice today; part of the command so that scripts can name it)
    dry_run: bool,
    resume: str | None,
    retry_infra: bool,
    no_commit: bool,
    transcripts: str,
    repository: Path,
    form: str,
) -> None:
    """Measure whether CAPABILITY changes how often an agent succeeds.

    CAPABILITY is a name such as acme/tidy-imports, or the path of its folder in catalog/. Every task of the suite
    runs with and without it, in a shuffled order that is committed before the first run. The result is one evidence
    record in one commit. With the built-in agent `scripted` it is a rehearsal, which is never evidence.

    Ctrl-C stops cleanly; --resume goes on, after a crash too.

    \b
    Exit status: 0 proven, or a rehearsal came to its end
                 1 harmful or no effect · 4 inconclusive
                 2 wrong usage · 3 could not run · 130 interrupted
    """  # noqa: D301  (\b is Click's mark for lines that stay as they are)
    from sigilgen.cli.experiment import carry_out
    from sigilgen.commands.prove import Request, find_desk, prepare, start
    from sigilgen.commands.prove_report import exit_status, render
    from sigilgen.lab.clock import now
    from sigilgen.lab.laying import Orders

    if resume is not None:
        _refuse_plan_options(capability, dry_run=dry_run)
        desk = find_desk(repository, resume)
    elif capability is None or retry_infra:
        raise RequestError(
            "--retry-infra needs --resume" if retry_infra else "say which capability to measure",
            hint="sigil prove <namespace>/<slug>, or sigil prove --resume",
        )
    else:
        request = Request(capability=capability, suite=suite, agent=agent, model=model, repeats=repeats, seed=seed)
        prepared = prepare(repository, request, clock=now, home=Path.home(), environment=os.environ)
        if dry_run:
            from sigilgen.commands import preview

            emit(preview.preview(repository, prepared, jobs=jobs), form, preview.render)
            return
        orders = Orders(commit=not no_commit, keep_transcripts=transcripts == "keep")
        desk = start(repository, prepared, orders)
    report = carry_out(repository, desk, jobs=jobs, retry_infra=retry_infra)
    emit(report, form, render)
    raise SystemExit(exit_status(report))


def _refuse_plan_options(capability: str | None, *, dry_run: bool) -> None:
    context = click.get_current_context()
    given = [
        f"--{'runs' if name == 'repeats' else name.replace('_', '-')}"
        for name in ("suite", "agent", "model", "repeats", "seed", "no_commit", "transcripts")
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    given += ["CAPABILITY"] * (capability is not None) + ["--dry-run"] * dry_run
    if given:
        raise RequestError(
            f"--resume goes on with a plan that is fixed already: leave out {', '.join(given)}",
            hint="--jobs, --retry-infra and --format may change.",
        )
