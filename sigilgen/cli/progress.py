"""Progress on standard error: a live display in a terminal, plain lines elsewhere."""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from sigilgen.lab.attempt import Ticket
from sigilgen.lab.schedule import Progress
from sigilgen.model.run import Condition, Outcome, Run

LINES_SHOWN = 12


class Board:
    """What is going on in an experiment. Updated from worker threads, drawn by one.

    A cell counts once, by its last attempt. `earlier` are the runs of an experiment that is resumed.
    """

    def __init__(self, *, title: str, total: int, console: Console, earlier: Iterable[Run] = ()) -> None:
        self.title = title
        self.total = total
        self.console = console
        self.live = console.is_terminal
        self.stage = ""
        self._guard = threading.Lock()
        self._started = time.monotonic()
        self._running: dict[int, tuple[Ticket, str, float]] = {}
        self._outcomes: dict[int, tuple[Condition, Outcome]] = {}
        self._cost_micro_usd: int | None = None
        for run in earlier:
            self._count(run)
        self._done_before = len(self._outcomes)

    def phase(self, name: str) -> None:
        with self._guard:
            self.stage = name
        if not self.live:
            self.console.print(f"{self.title}: {name}", markup=False, highlight=False)

    def progress(self) -> Progress:
        return Progress(started=self._start, agent_done=self._agent_done, ended=self._end)

    def _start(self, ticket: Ticket) -> None:
        with self._guard:
            self._running[ticket.position] = (ticket, "agent", time.monotonic())

    def _agent_done(self, ticket: Ticket) -> None:
        with self._guard:
            self._running[ticket.position] = (ticket, "verifier", time.monotonic())

    def _end(self, ticket: Ticket, run: Run) -> None:
        with self._guard:
            self._running.pop(ticket.position, None)
            self._count(run)
            done = len(self._outcomes)
        if not self.live:
            cell = ticket.cell
            line = (
                f"{done:>4}/{self.total}  {run.outcome:<6}  {cell.condition:<9}  {cell.task}  repeat {cell.repeat + 1}"
            )
            self.console.print(line, markup=False, highlight=False)

    def _count(self, run: Run) -> None:
        self._outcomes[run.position] = (run.condition, run.outcome)
        if run.cost_micro_usd is not None:
            self._cost_micro_usd = (self._cost_micro_usd or 0) + run.cost_micro_usd

    def __rich__(self) -> Table:
        with self._guard:
            return self._draw()

    def _draw(self) -> Table:
        table = Table.grid(padding=(0, 2))
        done = len(self._outcomes)
        elapsed = time.monotonic() - self._started
        head = f"{self.title}: {self.stage}"
        if self.total:
            head += f"  {done}/{self.total}  {elapsed:.0f} s{self._left(done, elapsed)}{self._cost()}"
        table.add_row(Text(head, style="bold"))
        for condition in Condition:
            outcomes = [outcome for of, outcome in self._outcomes.values() if of is condition]
            if outcomes:
                table.add_row(Text(f"  {condition:<9}  {_rate(outcomes)}"))
        for ticket, what, since in sorted(self._running.values(), key=lambda row: row[2])[:LINES_SHOWN]:
            age = time.monotonic() - since
            cell = ticket.cell
            table.add_row(Text(f"  {what:<8} {age:>5.0f} s  {cell.condition:<9}  {cell.task}", style="dim"))
        return table

    def _left(self, done: int, elapsed: float) -> str:
        done_here = done - self._done_before
        if done_here <= 0 or done >= self.total:
            return ""
        return f", about {elapsed / done_here * (self.total - done):.0f} s left"

    def _cost(self) -> str:
        return "" if self._cost_micro_usd is None else f", {self._cost_micro_usd / 1e6:.2f} USD"


def _rate(outcomes: Sequence[Outcome]) -> str:
    passed = outcomes.count(Outcome.PASSED)
    lost = outcomes.count(Outcome.INFRA)
    return f"{passed} of {len(outcomes) - lost} passed" + (f", {lost} lost" if lost else "")


@contextmanager
def board(title: str, *, total: int, earlier: Iterable[Run]) -> Iterator[Board]:
    """A board that is drawn until the block ends."""
    console = Console(stderr=True)
    shown = Board(title=title, total=total, console=console, earlier=earlier)
    if not shown.live:
        yield shown
        return
    with Live(shown, console=console, refresh_per_second=8, transient=True):
        yield shown
