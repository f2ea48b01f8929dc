"""Carrying out an experiment under a progress display; shared by `sigil prove` and `sigil demo`."""

import os
import signal
from pathlib import Path

from sigilgen.cli.progress import board
from sigilgen.commands.prove import Report, conduct
from sigilgen.lab.clock import now
from sigilgen.lab.desk import load_plan
from sigilgen.lab.experiment import Conduct
from sigilgen.lab.journal import Desk, finished_runs, is_lost, read_entries


def carry_out(repository: Path, desk: Desk, *, jobs: int, retry_infra: bool) -> Report:
    """Work on the experiment on `desk` to its end, or until Ctrl-C."""
    # Being asked to end by the system is no different from Ctrl-C: finished runs are kept, nothing stays behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = load_plan(desk)
    runs = finished_runs(read_entries(desk.journal))
    earlier = [run for run in runs if not (retry_infra and is_lost(run))]
    with board(f"prove {plan.subject.capability}", total=len(plan.cells), earlier=earlier) as shown:
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
