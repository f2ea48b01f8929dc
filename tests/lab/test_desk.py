"""A desk that a crash, a full disk or a stranger has left in disorder."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sigilgen.errors import RequestError, SigilError, StoreError
from sigilgen.lab.clock import steady
from sigilgen.lab.desk import (
    Desk,
    check_journal,
    desk_of,
    experiments_folder,
    finished_at,
    load_plan,
    load_transcript,
    published_before,
    refuse_links,
    take_lock,
)
from sigilgen.lab.journal import Entry, Journal
from sigilgen.model.experiment import Experiment
from sigilgen.model.run import Run
from sigilgen.store.codec import encode_record

LATER = "2099-01-01T00:00:00.000Z"


@pytest.fixture
def experiment(make_experiment: Any) -> Experiment:
    made: Experiment = make_experiment(lost=(2,))[0]
    return made


@pytest.fixture
def desk(tmp_path: Path, experiment: Experiment) -> Desk:
    """The desk of `experiment` with all its runs on it."""
    made = desk_of(tmp_path, experiment.plan.id)
    made.inputs.mkdir(parents=True)
    made.plan.write_bytes(encode_record(experiment.plan))
    write(made, experiment.runs)
    for run in experiment.runs:
        place = made.transcript(run.position, run.attempt)
        place.parent.mkdir(exist_ok=True)
        place.write_text("said")
    return made


def write(desk: Desk, runs: tuple[Run, ...]) -> None:
    desk.journal.unlink(missing_ok=True)
    journal = Journal(desk.journal)
    for run in runs:
        journal.append(Entry(state="judged", position=run.position, attempt=run.attempt, run=run))
    journal.close()


def read_all(desk: Desk, experiment: Experiment) -> None:
    check_journal(desk, load_plan(desk))
    published_before(desk, 1)
    finished_at(desk, experiment.runs, lambda: LATER)
    for run in experiment.runs:
        load_transcript(desk, run)


def test_an_orderly_desk_is_read(desk: Desk, experiment: Experiment) -> None:
    read_all(desk, experiment)
    assert load_plan(desk) == experiment.plan
    assert finished_at(desk, experiment.runs, lambda: "2099-01-01T00:00:01.000Z") == LATER


def test_only_one_process_works_on_an_experiment(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    held = take_lock(desk, patience_seconds=0)
    with pytest.raises(RequestError, match="another process"):
        take_lock(desk, patience_seconds=0.1)
    os.close(held)
    os.close(take_lock(desk, patience_seconds=0))


def changed(**facts: object) -> Callable[[Desk, Experiment], None]:
    """The first run with other facts."""

    def disorder(desk: Desk, experiment: Experiment) -> None:
        first, *others = experiment.runs
        write(desk, (msgspec.structs.replace(first, **facts), *others))

    return disorder


def rename(desk: Desk, _experiment: Experiment) -> None:
    """Give the desk back under the name of another experiment."""
    desk.plan.write_bytes(desk.plan.read_bytes().replace(b'"seed":7', b'"seed":8'))


def finish(desk: Desk, experiment: Experiment, said: str) -> None:
    desk.finished(len(experiment.runs)).write_text(said)


DISORDER: dict[str, Callable[[Desk, Experiment], object]] = {
    "a plan of another experiment": rename,
    "no JSON in the plan": lambda desk, _: desk.plan.write_bytes(b"\xff{"),
    "a run beyond the plan": changed(position=10_000),
    "a run of another task": changed(task="foreign"),
    "an attempt too early": changed(attempt=2),
    "an attempt twice": lambda desk, experiment: write(desk, (experiment.runs[0], *experiment.runs)),
    "nonsense in the journal": lambda desk, _: desk.journal.write_bytes(b"\0\0\xff\n"),
    "nesting without end in the journal": lambda desk, _: desk.journal.write_bytes(b"[" * 100_000 + b"\n"),
    "no transcript": lambda desk, _: desk.transcript(0, 1).unlink(),
    "nonsense among the published": lambda desk, _: desk.published.write_bytes(b"x sha256:y z\n"),
    "no time when it was finished": lambda desk, experiment: finish(desk, experiment, "yesterday"),
    "no text when it was finished": lambda desk, experiment: finish(desk, experiment, "\xff"),
    "finished before it ran": lambda desk, experiment: finish(desk, experiment, "2001-01-01T00:00:00.000Z"),
    "no text among the published": lambda desk, _: desk.published.write_bytes(b"\xff\xfe\n"),
}


@pytest.mark.parametrize("disorder", DISORDER.values(), ids=DISORDER)
def test_disorder_on_a_desk_is_told_and_not_worked_with(
    desk: Desk, experiment: Experiment, disorder: Callable[[Desk, Experiment], object]
) -> None:
    disorder(desk, experiment)
    with pytest.raises(SigilError) as told:
        read_all(desk, experiment)
    assert str(desk.root) in str(told.value)


LINKS: dict[str, Callable[[Path, Desk], Path]] = {
    "the whole memory": lambda repository, _: repository / ".sigil",
    "what git ignores": lambda repository, _: repository / ".sigil" / ".gitignore",
    "all experiments": lambda repository, _: experiments_folder(repository),
    "a desk": lambda _, desk: desk.root,
    "the journal": lambda _, desk: desk.journal,
    "the lock": lambda _, desk: desk.lock,
    "the inputs": lambda _, desk: desk.inputs,
    "a transcript": lambda _, desk: desk.transcript(0, 1),
}


@pytest.mark.parametrize("place", LINKS.values(), ids=LINKS)
def test_a_desk_that_leads_elsewhere_is_refused(
    tmp_path: Path, desk: Desk, place: Callable[[Path, Desk], Path]
) -> None:
    refuse_links(tmp_path, desk)
    link = place(tmp_path, desk)
    moved = tmp_path / "elsewhere"
    if link.exists():
        link.rename(moved)
    link.symlink_to(moved)
    with pytest.raises(StoreError, match="is a symbolic link"):
        refuse_links(tmp_path, desk)


def test_a_clock_that_is_set_back_stands_still_until_it_has_caught_up() -> None:
    seconds = iter([1, 3, 0, 4])
    clock = steady(lambda: f"2026-01-01T00:00:0{next(seconds)}.000Z", since="2026-01-01T00:00:02.000Z")
    assert [clock()[17:19] for _ in range(4)] == ["02", "03", "03", "04"]
