"""Desks that are laid, cleared, and left half done by a crash."""

import fcntl
import os
import threading
from pathlib import Path

import pytest

from sigilgen.commands.prove import Request, prepare, start
from sigilgen.lab.clock import now
from sigilgen.lab.desk import Desk, experiments_folder
from sigilgen.lab.laying import Orders, clear, desks


def lay(repository: Path) -> Desk:
    request = Request(capability="acme/polite", suite=None, agent="scripted", model=None, repeats=1, seed=1)
    prepared = prepare(repository, request, clock=now, home=repository, environment={})
    return start(repository, prepared, Orders(commit=True, keep_transcripts=True))


@pytest.mark.parametrize("name", ["new-x", "old-x"])
def test_what_a_crash_left_half_done_is_no_experiment_and_goes_with_the_next_one(repository: Path, name: str) -> None:
    half = experiments_folder(repository) / name
    half.mkdir(parents=True)
    (half / "plan.json").touch()
    assert desks(repository) == []
    desk = lay(repository)
    assert desks(repository) == [desk]
    assert not half.exists()
    clear(desk)
    assert list(experiments_folder(repository).iterdir()) == []


def test_a_desk_that_another_is_laying_is_left_alone(repository: Path) -> None:
    folder = experiments_folder(repository)
    others = folder / "new-other"
    others.mkdir(parents=True)
    laying = os.open(folder, os.O_RDONLY)
    fcntl.flock(laying, fcntl.LOCK_EX)
    thread = threading.Thread(target=lay, args=(repository,))
    thread.start()
    thread.join(1)
    left_alone = others.is_dir()
    os.close(laying)
    thread.join()
    assert left_alone
    assert len(desks(repository)) == 1
