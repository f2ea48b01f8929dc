"""Carrying out an experiment under a progress display; shared by `sigil prove` and `sigil demo`."""

import os
from pathlib import Path

import click

from sigilgen.cli.boundary import printable
from sigilgen.cli.progress import board
from sigilgen.commands.prove import Report, conduct
from sigilgen.errors import InterruptedRunError
from sigilgen.lab.clock import now
from sigilgen.lab.desk import Desk, load_plan
from sigilgen.lab.experiment import Conduct
from sigilgen.lab.journal import finished_runs, is_lost, read_entries
from sigilgen.model.record import PlanRecord


def carry_out(repository: Path, desk: Desk, *, jobs: int, retry_infra: bool) -> Report:
    """Work on the experiment on `desk` to its end, or until it is asked to stop."""
    try:
        return _carry_out(repository, desk, jobs=jobs, retry_infra=retry_infra)
    except KeyboardInterrupt:  # before its runs, or after the last of them
        raise InterruptedRunError(
            f"stopped; the experiment is kept in {desk.root}",
            hint=f"Go on with: sigil prove --resume {desk.root.name}",
        ) from None


def _carry_out(repository: Path, desk: Desk, *, jobs: int, retry_infra: bool) -> Report:
    plan = load_plan(desk)
    runs = finished_runs(read_entries(desk.journal))
    earlier = [run for run in runs if not (retry_infra and is_lost(run))]
    if plan.rehearsal:
        click.echo(printable(_notice(plan)), err=True)
    with board(_title(plan), total=len(plan.cells), earlier=earlier) as shown:
        how = Conduct(
            jobs=jobs,
            retry_lost=retry_infra,
            clock=now,
            progress=shown.progress(),
            home=Path.home(),
            environment=os.environ,
            phase=shown.phase,
        )
        return conduct(repository, desk, how)


def _title(plan: PlanRecord) -> str:
    return f"prove {plan.subject.capability}{' (REHEARSAL)' if plan.rehearsal else ''}"


def _notice(plan: PlanRecord) -> str:
    """Why a rehearsal is no evidence, and what would be."""
    agent = plan.setting.agent
    if plan.setting.model is None:
        return f"REHEARSAL with {agent}: nothing of it is evidence. To measure: --agent NAME --model MODEL"
    return f"REHEARSAL: {agent} does not reach its real model provider here, so nothing of it is evidence."
