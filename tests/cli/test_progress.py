"""The display of an experiment, drawn without a clock in what is compared."""

import io
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from rich.console import Console

from sigilgen.cli.progress import Board
from sigilgen.lab.attempt import Ticket
from sigilgen.model.record import Cell
from sigilgen.model.run import Run

LOST = 3


@pytest.fixture(scope="module")
def runs(make_experiment: Any) -> tuple[Run, ...]:
    """Every attempt at 32 cells; the one at position 3 was lost at first."""
    made: tuple[Run, ...] = make_experiment(lost=(LOST,))[0].runs
    return made


def board(*, terminal: bool, earlier: Sequence[Run] = ()) -> tuple[Board, io.StringIO]:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=terminal, width=120, color_system=None)
    return Board(title="prove acme/tidy-code", total=32, console=console, earlier=earlier), shown


def ticket(run: Run) -> Ticket:
    cell = Cell(task=run.task, condition=run.condition, repeat=run.repeat)
    return Ticket(position=run.position, attempt=run.attempt, cell=cell, seed=1)


def play(shown: Board, runs: Sequence[Run]) -> None:
    told = shown.progress()
    for run in runs:
        told.started(ticket(run))
        told.agent_done(ticket(run))
        told.ended(ticket(run), run)


def drawn(shown: Board, output: io.StringIO) -> str:
    output.seek(0)
    output.truncate()
    shown.console.print(shown)
    return output.getvalue()


def test_without_a_terminal_every_attempt_is_a_line(runs: tuple[Run, ...]) -> None:
    shown, output = board(terminal=False)
    shown.phase("running")
    play(shown, runs)
    first, *lines = output.getvalue().splitlines()
    assert first == "prove acme/tidy-code: running"
    assert len(lines) == len(runs) == 33
    assert [line.split()[0] for line in lines[LOST : LOST + 2]] == ["4/32", "4/32"]
    assert lines[LOST].split()[1] == "infra"
    assert lines[-1].split()[0] == "32/32"


def test_a_cell_that_is_tried_again_counts_once(runs: tuple[Run, ...]) -> None:
    shown, output = board(terminal=True)
    play(shown, runs[: LOST + 1])
    assert ", 1 lost" in drawn(shown, output)
    play(shown, runs[LOST + 1 :])
    text = drawn(shown, output)
    assert "32/32" in text
    assert "lost" not in text
    assert "baseline   4 of 16 passed" in text
    assert "treatment  15 of 16 passed" in text


def test_a_resumed_experiment_goes_on_from_where_it_was(runs: tuple[Run, ...]) -> None:
    shown, output = board(terminal=True, earlier=runs[:20])
    before = drawn(shown, output)
    assert "19/32" in before
    assert "left" not in before
    play(shown, runs[20:21])
    after = drawn(shown, output)
    assert "20/32" in after
    assert "s left" in after


def test_what_is_running_is_shown_with_its_phase_and_the_cost_so_far(runs: tuple[Run, ...]) -> None:
    shown, output = board(terminal=True)
    play(shown, [msgspec.structs.replace(run, cost_micro_usd=250_000) for run in runs[:2]])
    shown.progress().started(ticket(runs[2]))
    text = drawn(shown, output)
    assert "0.50 USD" in text
    assert f"agent {'':>5}" in text
    assert f"{runs[2].condition:<9}  {runs[2].task}" in text
    shown.progress().agent_done(ticket(runs[2]))
    assert "verifier" in drawn(shown, output)


def test_a_cost_that_no_agent_reports_is_not_shown(runs: tuple[Run, ...]) -> None:
    shown, output = board(terminal=True)
    play(shown, [msgspec.structs.replace(run, cost_micro_usd=None) for run in runs[:2]])
    assert "USD" not in drawn(shown, output)
