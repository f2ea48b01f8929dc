import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.status import State, status
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
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


def journal(repository: Path, plan: str, content: str) -> Path:
    desk = repository / ".sigil" / "experiments" / plan
    desk.mkdir(parents=True)
    (desk / "journal.jsonl").write_text(content)
    return desk / "journal.jsonl"


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
    assert advice[0] == f"abandoned: goes on only where it was started, with: sigil prove --resume {plan}"
    assert "sigil prove" in advice[1]


def test_an_experiment_of_this_machine_is_shown_with_how_to_go_on(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    plan = keep(repository, make_experiment(finished=False))
    journal(
        repository,
        plan,
        '{"state":"running","position":0,"attempt":1}\n'
        '{"state":"judged","position":0,"attempt":1}\n'
        '{"state":"infra","position":1,"attempt":1}\n'
        '{"state":"judg',
    )
    assert show(repository) == 0
    _, row, advice = capsys.readouterr().out.splitlines()
    assert (row.split()[1], row.split()[-2]) == ("running", "2/32")
    assert advice == f"running: if it was stopped, go on with: sigil prove --resume {plan}"


def test_a_journal_that_is_no_file_is_refused_and_never_waited_for(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    place = journal(repository, keep(repository, make_experiment(finished=False)), "")
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
    running = keep(repository, make_experiment(created_at="2026-01-03T00:00:00Z", finished=False, seed=9))
    journal(repository, running, "")
    assert show(repository, "--format", "json") == 0
    lines = json.loads(capsys.readouterr().out)
    assert [(line["state"], line["ended"], line["verdict"]) for line in lines] == [
        ("finished", 32, "proven"),
        ("abandoned", None, None),
        ("running", 0, None),
    ]


def test_long_lists_are_shown_whole_with_advice_once(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    plans = [keep(repository, make_experiment(finished=False, seed=seed)) for seed in range(40)]
    assert show(repository) == 0
    text = capsys.readouterr().out
    assert all(plan in text for plan in plans)
    assert text.count("abandoned: ") == 1


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
