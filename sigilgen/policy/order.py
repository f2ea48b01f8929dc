"""The order of a plan and the seed of each run, both functions of the plan's seed alone.

Cells are sorted by a hash of the seed and the cell, so that anybody can check an order, in any language, without
knowing how some random number generator works.
"""

import hashlib
from collections.abc import Iterable

from sigilgen.model.record import Cell
from sigilgen.model.run import Condition


def planned_cells(tasks: Iterable[str], *, repeats: int, seed: int) -> tuple[Cell, ...]:
    """All tasks x conditions x repeats, shuffled with both conditions interleaved."""
    cells = [
        Cell(task=task, condition=condition, repeat=repeat)
        for task in tasks
        for condition in Condition
        for repeat in range(repeats)
    ]
    return tuple(sorted(cells, key=lambda cell: _draw("order", seed, cell)))


def run_seed(cell: Cell, *, seed: int) -> int:
    """The seed of one run, in [0, 2**53): the same for every attempt at its cell."""
    return int.from_bytes(_draw("run", seed, cell)[:8]) >> 11


def _draw(purpose: str, seed: int, cell: Cell) -> bytes:
    text = f"sigil-plan/1\0{purpose}\0{seed}\0{cell.task}\0{cell.condition}\0{cell.repeat}"
    return hashlib.sha256(text.encode()).digest()
