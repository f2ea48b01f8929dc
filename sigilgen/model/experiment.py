"""An experiment as it stands in the store: its plan, and its result once there is one."""

from dataclasses import dataclass

from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.model.run import Run


@dataclass(frozen=True, slots=True)
class Experiment:
    """`folder` is relative to the repository. Without `result` the plan is still running somewhere, or abandoned."""

    folder: str
    plan: PlanRecord
    result: ProveRecord | None
    runs: tuple[Run, ...]
