"""What `sigil prove --dry-run` says. That the same seed gives the same plan is tested with the experiments."""

import dataclasses
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, new_skill, new_suite, new_task
from sigilgen.commands.preview import Preview, preview, render
from sigilgen.commands.prove import Prepared, Request, prepare
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord
from sigilgen.store.evidence import publish_plan, publish_result

DRY_RUN = ("prove", "acme/polite", "--dry-run", "--runs", "3", "--seed", "5", "--jobs", "4")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One skill, and a suite of two tasks that can be rehearsed."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    new_suite(tmp_path, "greetings", about=About(), task="one")
    new_task(tmp_path, "greetings/two", about=About())
    new_skill(tmp_path, "acme/polite", about=About(), suites=["greetings"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def prepared(repository: Path) -> Prepared:
    request = Request(capability="acme/polite", suite=None, agent="scripted", model=None, repeats=3, seed=5)
    return prepare(repository, request, clock=lambda: "2026-01-01T00:00:00.000Z", home=Path("/nowhere"), environment={})


def with_setting(plan: PlanRecord, **changes: Any) -> PlanRecord:
    return msgspec.structs.replace(plan, setting=msgspec.structs.replace(plan.setting, **changes))


def look(repository: Path, plan: PlanRecord, prepared: Prepared, *, jobs: int = 1) -> Preview:
    return preview(repository, Prepared(plan, prepared.entry, prepared.suite), jobs=jobs)


def everything_below(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_a_dry_run_shows_the_whole_plan_in_its_order(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(DRY_RUN) == 0
    captured = capsys.readouterr()
    head, _, order = captured.out.partition("\n\n")
    said = {line[:10].strip(): line[12:] for line in head.splitlines()[1:]}
    assert head.splitlines()[0] == "dry run: nothing was run and nothing was written"
    assert said["plan"] == "2 tasks x 2 conditions x 3 repeats = 12 runs, seed 5"
    assert said["agent"] == "scripted, sandbox host, REHEARSAL"
    assert said["time"] == "unknown, at most 30 min of agent time with 4 at once"
    assert said["cost"] == "nothing, a rehearsal"
    assert said["measured"] == "not yet with scripted on this exact content and suite"
    assert re.fullmatch(r"acme/polite  sha256:[0-9a-f]{64}", said["capability"])
    assert re.fullmatch(r"greetings  sha256:[0-9a-f]{64}", said["suite"])
    rows = [re.split(r"  +", line.strip()) for line in order.splitlines()]
    assert [int(row[0]) for row in rows] == list(range(12))
    assert Counter((row[1], row[2]) for row in rows) == {
        (condition, task): 3 for condition in ("baseline", "treatment") for task in ("one", "two")
    }
    assert captured.err == ""


def test_text_and_json_show_the_same_plan(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(DRY_RUN) == 0
    order = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert run([*DRY_RUN, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert order == [
        f"{position:>5}  {cell['condition']:<9}  {cell['task']}  repeat {cell['repeat'] + 1}"
        for position, cell in enumerate(found["plan"]["cells"])
    ]
    assert (found["jobs"], found["longest_seconds"], found["earlier_runs"]) == (4, 1800, 0)
    assert found["expected_seconds"] is found["expected_cost_micro_usd"] is None
    assert found["already_measured"] == []
    assert (found["plan"]["rehearsal"], found["plan"]["setting"]["sandbox"]) == (True, "host")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_dry_run_writes_nothing(repository: Path, form: str) -> None:
    before = everything_below(repository)
    assert run([*DRY_RUN, "--format", form]) == 0
    assert everything_below(repository) == before


def test_the_host_sandbox_is_never_without_its_warning(repository: Path, prepared: Prepared) -> None:
    assert "careful     no isolation: " in render(look(repository, prepared.plan, prepared))
    real = with_setting(prepared.plan, agent="claude-code", model="model-1")
    assert "a copy of your own login for claude-code" in render(look(repository, real, prepared))
    contained = with_setting(prepared.plan, sandbox="container")
    assert "careful" not in render(look(repository, contained, prepared))


TIMES: dict[str, tuple[int, int]] = {
    "one after the other": (1, 1200),
    "in three turns": (4, 300),
    "in three turns, the last one not full": (5, 300),
    "more places than runs": (64, 100),
}


@pytest.mark.parametrize(("jobs", "seconds"), TIMES.values(), ids=TIMES)
def test_the_longest_time_is_that_of_twelve_runs_that_all_time_out(
    repository: Path, prepared: Prepared, jobs: int, seconds: int
) -> None:
    plan = msgspec.structs.replace(prepared.plan, timeouts_seconds={"one": 100, "two": 100})
    assert look(repository, plan, prepared, jobs=jobs).longest_seconds == seconds


def test_a_long_last_run_is_waited_for(repository: Path, prepared: Prepared) -> None:
    """Its seconds do not spread over the places: two of 10 s, then one of 100 s on two places take 110 s."""
    short, long = (next(cell for cell in prepared.plan.cells if cell.task == task) for task in ("one", "two"))
    plan = msgspec.structs.replace(prepared.plan, timeouts_seconds={"one": 10, "two": 100}, cells=(short, short, long))
    assert look(repository, plan, prepared, jobs=2).longest_seconds == 110


@pytest.fixture
def measured(repository: Path, make_experiment: Any) -> PlanRecord:
    """The plan of an experiment with a real agent that is in the store, with 32 runs of 41.9 s and 0.031 USD."""
    experiment, runs, transcripts = make_experiment(repeats=4)
    publish_plan(repository, experiment.plan, commit=False)
    publish_result(
        repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
    )
    plan: PlanRecord = experiment.plan
    return plan


def test_earlier_runs_tell_time_and_cost(repository: Path, prepared: Prepared, measured: PlanRecord) -> None:
    view = look(repository, measured, prepared, jobs=2)
    assert view.earlier_runs == len(measured.cells) == 32
    assert view.expected_cost_micro_usd == 32 * 31_000
    assert view.expected_seconds == pytest.approx(32 * 42 / 2, abs=5)
    text = render(view)
    assert "cost        about 0.99 USD after 32 earlier runs" in text
    assert "time        about 12 min after 32 earlier runs, at most" in text


def test_what_was_measured_already_is_named_with_its_verdict(
    repository: Path, prepared: Prepared, measured: PlanRecord
) -> None:
    view = look(repository, measured, prepared)
    (found,) = view.already_measured
    (record,) = repository.glob("evidence/**/record.json")
    assert (short(found.record), found.verdict) == (record.parent.name.removeprefix("prove-"), "proven")
    assert found.finished_at.startswith("2026-01-05T")
    assert f"\nmeasured    {short(found.record)} of 2026-01-05: proven\n" in render(view)


def test_each_result_is_told_from_the_others(
    repository: Path, prepared: Prepared, measured: PlanRecord, make_experiment: Any
) -> None:
    experiment, runs, transcripts = make_experiment(repeats=4, seed=8, created_at="2026-03-01T09:00:00.000Z")
    publish_plan(repository, experiment.plan, commit=False)
    publish_result(
        repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
    )
    lines = [line for line in render(look(repository, measured, prepared)).splitlines() if line.startswith("measured")]
    assert len(set(lines)) == 2
    assert lines[1] == f"measured    {short(experiment.result.id)} of 2026-03-01: proven"


SIZES: dict[str, tuple[int, str]] = {
    "one of each": (1, "plan        2 tasks x 2 conditions x 1 repeat = 4 runs, seed 5"),
    "all shown": (10, "plan        2 tasks x 2 conditions x 10 repeats = 40 runs, seed 5"),
    "more than is shown": (250, "plan        2 tasks x 2 conditions x 250 repeats = 1000 runs, seed 5"),
}


@pytest.mark.parametrize(("repeats", "size"), SIZES.values(), ids=SIZES)
def test_of_a_long_plan_the_beginning_is_shown_and_json_has_all(
    repository: Path, repeats: int, size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("prove", "acme/polite", "--dry-run", "--repeats", str(repeats), "--seed", "5")
    assert run(arguments) == 0
    head, _, order = capsys.readouterr().out.partition("\n\n")
    assert size in head.splitlines()
    lines = order.splitlines()
    assert len(lines) == min(4 * repeats, 41)
    assert ("… and 960 more; --format json lists all" in lines[-1]) == (repeats == 250)
    assert run([*arguments, "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["plan"]["cells"]) == 4 * repeats


DURATIONS: dict[str, tuple[int, str]] = {
    "seconds": (119, "119 s"),
    "minutes, rounded up": (121, "3 min"),
    "a whole hour": (3600, "1 h"),
    "hours": (43_200, "12 h"),
    "hours and minutes": (5_401, "1 h 31 min"),
}


@pytest.mark.parametrize(("seconds", "text"), DURATIONS.values(), ids=DURATIONS)
def test_long_times_read_as_hours(repository: Path, prepared: Prepared, seconds: int, text: str) -> None:
    view = dataclasses.replace(look(repository, prepared.plan, prepared), longest_seconds=seconds)
    assert f"\ntime        unknown, at most {text} of agent time with 1 at once\n" in render(view)


OTHERS: dict[str, dict[str, Any]] = {
    "another agent": {"agent": "codex"},
    "another model": {"model": "model-2"},
}


@pytest.mark.parametrize("changes", OTHERS.values(), ids=OTHERS)
def test_what_others_took_says_nothing_about_this_one(
    repository: Path, prepared: Prepared, measured: PlanRecord, changes: dict[str, Any]
) -> None:
    view = look(repository, with_setting(measured, **changes), prepared)
    assert (view.earlier_runs, view.expected_seconds, view.expected_cost_micro_usd) == (0, None, None)
    assert view.already_measured == ()
    assert "cost        unknown: no earlier run reported one" in render(view)


def test_another_content_was_not_measured_but_tells_time_and_cost(
    repository: Path, prepared: Prepared, measured: PlanRecord
) -> None:
    subject = msgspec.structs.replace(measured.subject, payload_digest=measured.subject.suite_digest)
    view = look(repository, msgspec.structs.replace(measured, subject=subject), prepared)
    assert view.earlier_runs == 32
    assert view.already_measured == ()
