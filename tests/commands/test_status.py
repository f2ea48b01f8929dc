import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.status import State, status
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.store.codec import encode_record
from sigilgen.store.evidence import publish_plan, publish_result

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    return tmp_path


def keep(repository: Path, made: tuple[Experiment, bytes, bytes]) -> str:
    """Publish all there is, and return the short id of the plan."""
    experiment, runs, transcripts = made
    publish_plan(repository, experiment.plan, commit=False)
    if experiment.result is not None:
        publish_result(
            repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
        )
    return short(experiment.plan.id)


def desk(repository: Path, made: tuple[Experiment, bytes, bytes], *, journal: str = "") -> Path:
    """The desk of an experiment as it is left by a command that was stopped."""
    plan = made[0].plan
    folder = repository / ".sigil" / "experiments" / short(plan.id)
    folder.mkdir(parents=True)
    (folder / "plan.json").write_bytes(encode_record(plan))
    (folder / "lock").touch()
    (folder / "journal.jsonl").write_text(journal)
    return folder


@contextmanager
def at_work(folder: Path) -> Iterator[None]:
    """Another process holds the lock of a desk, as `sigil prove` does."""
    text = "import fcntl, sys; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); print(flush=True); input()"
    command = [sys.executable, "-c", text, str(folder / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        yield
        holder.kill()


def show(repository: Path, *options: str) -> int:
    return run(["status", "--repository", str(repository), *options])


def test_an_empty_store_says_how_to_start(repository: Path, capsys: Printed) -> None:
    assert show(repository) == 0
    assert capsys.readouterr().out == "no experiments yet; start one with: sigil prove\n"
    assert show(repository, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_finished_experiment_is_shown_with_its_verdict(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    plan = keep(repository, make_experiment(unfinished=[5]))
    other = keep(repository, make_experiment(payload="other", created_at="2026-02-01T00:00:00Z"))
    assert show(repository) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head.split() == ["PLAN", "STATE", "CAPABILITY", "SUITE", "AGENT", "MODEL", "RUNS", "VERDICT"]
    common = ["finished", "acme/tidy-code", "python-basics", "claude-code", "model-1"]
    assert first.split() == [plan, *common, "31/32", "inconclusive"]
    assert second.split() == [other, *common, "32/32", "proven"]


def test_a_verdict_is_computed_and_not_read(repository: Path, make_experiment: MakeExperiment) -> None:
    keep(repository, make_experiment(rehearsal=True, agent="scripted", model=None))
    (line,) = status(repository)
    assert (line.state, line.rehearsal, line.verdict) == (State.FINISHED, True, "rehearsal")


def test_an_abandoned_plan_is_shown_with_what_to_do(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    plan = keep(repository, make_experiment(finished=False))
    assert show(repository) == 0
    _, row, *advice = capsys.readouterr().out.splitlines()
    assert row.split()[:2] == [plan, "abandoned"]
    assert row.split()[-2:] == ["-/32", "-"]
    assert advice[0].startswith("abandoned, or running elsewhere: the work is not on this machine")
    assert "sigil prove" in advice[1]


JOURNAL = """{"state":"running","position":0,"attempt":1}
{"state":"judged","position":0,"attempt":1}
{"state":"infra","position":1,"attempt":1}
{"state":"judg"""


@pytest.mark.parametrize("published", [True, False], ids=["its plan is published", "killed before that"])
def test_an_experiment_that_nobody_works_on_is_stopped_and_shown_with_how_to_go_on(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed, published: bool
) -> None:
    made = make_experiment(finished=False)
    plan = keep(repository, made) if published else short(made[0].plan.id)
    desk(repository, made, journal=JOURNAL)
    assert show(repository) == 0
    _, row, advice = capsys.readouterr().out.splitlines()
    assert row.split() == [
        plan,
        "stopped",
        "acme/tidy-code",
        "python-basics",
        "claude-code",
        "model-1",
        "2/32",
        "-",
    ]
    assert advice == f"stopped: go on with: sigil prove --resume {plan}"


def test_an_experiment_that_never_began_to_work_is_stopped(repository: Path, make_experiment: MakeExperiment) -> None:
    folder = desk(repository, make_experiment(finished=False))
    (folder / "lock").unlink()
    (folder / "journal.jsonl").unlink()
    (line,) = status(repository)
    assert (line.state, line.ended) == (State.STOPPED, 0)
    assert not (folder / "lock").exists()


def test_an_experiment_that_somebody_works_on_is_running(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    folder = desk(repository, make_experiment(finished=False), journal=JOURNAL)
    with at_work(folder):
        assert show(repository) == 0
        _, row = capsys.readouterr().out.splitlines()
    assert (row.split()[1], row.split()[-2]) == ("running", "2/32")
    assert status(repository)[0].state is State.STOPPED


def test_a_desk_that_was_never_laid_to_the_end_is_no_experiment(repository: Path) -> None:
    (repository / ".sigil/experiments/new-abc").mkdir(parents=True)
    (repository / ".sigil/experiments/new-abc/plan.json").touch()
    assert status(repository) == ()


def test_a_finished_experiment_whose_lost_runs_can_be_tried_again_is_finished(
    repository: Path, make_experiment: MakeExperiment
) -> None:
    made = make_experiment()
    keep(repository, made)
    desk(repository, made)
    assert [line.state for line in status(repository)] == [State.FINISHED]


@pytest.mark.parametrize("content", [b"", b"{}\n", b"another plan"], ids=["empty", "no record", "another plan"])
def test_a_damaged_plan_on_a_desk_is_named(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed, content: bytes
) -> None:
    folder = desk(repository, make_experiment(finished=False))
    other = encode_record(make_experiment(finished=False, seed=8)[0].plan)
    (folder / "plan.json").write_bytes(other if content == b"another plan" else content)
    assert show(repository) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"the plan in {folder} cannot be read" in printed.err


def test_a_journal_that_is_no_file_is_refused_and_never_waited_for(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    place = desk(repository, make_experiment(finished=False)) / "journal.jsonl"
    place.unlink()
    assert status(repository)[0].ended == 0
    os.mkfifo(place)
    assert show(repository) == 3
    place.unlink()
    place.symlink_to("/dev/zero")
    assert show(repository) == 3
    assert capsys.readouterr().out == ""


def test_json_tells_states_apart(repository: Path, make_experiment: MakeExperiment, capsys: Printed) -> None:
    keep(repository, make_experiment(created_at="2026-01-01T00:00:00Z"))
    keep(repository, make_experiment(created_at="2026-01-02T00:00:00Z", finished=False, seed=8))
    desk(repository, make_experiment(created_at="2026-01-03T00:00:00Z", finished=False, seed=9))
    assert show(repository, "--format", "json") == 0
    lines = json.loads(capsys.readouterr().out)
    assert [(line["state"], line["ended"], line["verdict"]) for line in lines] == [
        ("finished", 32, "proven"),
        ("abandoned", None, None),
        ("stopped", 0, None),
    ]


def test_long_lists_are_shown_whole_with_advice_once(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    plans = [keep(repository, make_experiment(finished=False, seed=seed)) for seed in range(40)]
    assert show(repository) == 0
    text = capsys.readouterr().out
    assert all(plan in text for plan in plans)
    assert text.count("abandoned, or running elsewhere: ") == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_text_of_records_never_drives_the_terminal(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed, form: str
) -> None:
    keep(repository, make_experiment(finished=False, model="\x1b[2J\n::error::x\u202e\x07" + "x" * 1000))
    assert show(repository, "--format", form) == 0
    printed = capsys.readouterr().out
    assert all(character == "\n" or character.isprintable() for character in printed)
    assert not any(line.startswith("::") for line in printed.splitlines())
    assert form == "json" or max(map(len, printed.splitlines())) < 200


def test_a_store_that_cannot_be_read_names_the_file_and_what_to_do(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    keep(repository, make_experiment())
    keep(repository, make_experiment(payload="other", finished=False))
    broken = next(repository.glob("evidence/**/record.json"))
    broken.write_bytes(broken.read_bytes().replace(b'"kept":true', b'"kept":1', 1))
    assert show(repository) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert str(broken.relative_to(repository)) in printed.err
    assert "`sigil verify` lists everything." in printed.err


def test_a_folder_that_is_no_repository_is_wrong_usage(tmp_path: Path, capsys: Printed) -> None:
    assert show(tmp_path) == 2
    assert "no Sigil repository at or above" in capsys.readouterr().err
