"""What `sigil prove` says and refuses without running anything; experiments themselves are tested in tests/lab."""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, new_skill, new_suite
from sigilgen.commands.prove import Report, Request, find_desk, prepare
from sigilgen.commands.prove_report import exit_status, render
from sigilgen.errors import RequestError
from sigilgen.policy.effect import measure
from sigilgen.policy.verdict import judge


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One skill that names one suite of one task."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    new_suite(tmp_path, "greetings", about=About(), task="one")
    new_skill(tmp_path, "acme/polite", about=About(), suites=["greetings"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


USAGE: dict[str, tuple[tuple[str, ...], str]] = {
    "runs below": (("--runs", "0"), "Invalid value for '--runs' / '--repeats': 0 is not in the range 1<=x<=1000"),
    "runs above": (("--runs", "1001"), "Invalid value for '--runs' / '--repeats': 1001 is not in the range 1<=x<=1000"),
    "runs no number": (("--runs", "6.5"), "Invalid value for '--runs' / '--repeats': '6.5' is not a valid integer"),
    "seed below": (("--seed", "-1"), "Invalid value for '--seed': -1 is not in the range 0<=x<=9007199254740991"),
    "seed above": (("--seed", str(2**53)), "Invalid value for '--seed': 9007199254740992 is not in the range"),
    "seed no number": (("--seed", "today"), "Invalid value for '--seed': 'today' is not a valid integer"),
    "jobs below": (("--jobs", "0"), "Invalid value for '--jobs': 0 is not in the range 1<=x<=64"),
    "jobs above": (("--jobs", "65"), "Invalid value for '--jobs': 65 is not in the range 1<=x<=64"),
    "unknown sandbox": (("--sandbox", "docker"), "Invalid value for '--sandbox': 'docker' is not"),
    "unknown transcripts": (("--transcripts", "all"), "Invalid value for '--transcripts': 'all' is not one of"),
    "unknown format": (("--format", "yaml"), "Invalid value for '--format': 'yaml' is not one of 'text', 'json'"),
    "no repository there": (("--repository", "nowhere"), "Directory 'nowhere' does not exist"),
    "unknown option": (("--dryrun",), "--dry-run"),
    "two capabilities": (("acme/other",), "Got unexpected extra argument (acme/other)"),
}


@pytest.mark.parametrize(("arguments", "said"), USAGE.values(), ids=USAGE)
def test_a_value_that_cannot_be_is_named_with_what_can(
    repository: Path, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", "acme/polite", "--dry-run", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


ENDS = [(), ("--runs", "1000"), ("--repeats", "1"), ("--seed", "0"), ("--seed", str(2**53 - 1))]


@pytest.mark.parametrize("arguments", ENDS)
def test_the_ends_of_the_ranges_are_accepted(repository: Path, arguments: tuple[str, ...]) -> None:
    assert run(["prove", "acme/polite", "--dry-run", *arguments]) == 0


ODD = {
    "markup": "[/x]",
    "control characters": "a\x1b[2J/b",
    "a line feed": "a\nb/c",
    "far too long": "a" * 50_000 + "/b",
}


@pytest.mark.parametrize("wanted", ODD.values(), ids=ODD)
def test_odd_names_are_refused_like_any_other(
    repository: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([wanted], ["acme/polite", "--suite", wanted], ["acme/polite", "--agent", wanted]):
        assert run(["prove", "--dry-run", *arguments]) == 2
    assert "\x1b" not in capsys.readouterr().err


def asked(**changes: Any) -> Request:
    values = {"capability": "acme/polite", "suite": None, "agent": "scripted", "model": None, "repeats": 1, "seed": 1}
    return Request(**{**values, **changes})


def refusal(repository: Path, request: Request, environment: Mapping[str, str] | None = None) -> RequestError:
    with pytest.raises(RequestError) as refused:
        prepare(
            repository,
            request,
            clock=lambda: "2026-01-01T00:00:00.000Z",
            home=Path("/nowhere"),
            environment=environment or {},
        )
    return refused.value


def test_a_capability_with_several_suites_needs_one_named(repository: Path) -> None:
    new_suite(repository, "farewells", about=About(), task="one")
    new_skill(repository, "acme/rude", about=About(), suites=["greetings", "farewells"])
    error = refusal(repository, asked(capability="acme/rude"))
    assert error.message == "acme/rude names 2 suites: say which one to run"
    assert "greetings" in error.hint
    assert "farewells" in error.hint


def test_a_capability_without_a_suite_needs_one_named(repository: Path) -> None:
    new_skill(repository, "acme/rude", about=About(), suites=[])
    error = refusal(repository, asked(capability="acme/rude"))
    assert error.message == "acme/rude names no suite: say which one to run"
    assert "sigil task list" in error.hint


def test_a_task_that_cannot_be_rehearsed_is_named(repository: Path) -> None:
    (repository / "tasks/greetings/one/rehearsal.yaml").unlink()
    error = refusal(repository, asked())
    assert error.message == "the scripted agent has nothing to replay in one"


def test_instructions_that_the_agent_does_not_read_are_undeliverable(repository: Path) -> None:
    skill = (repository / "catalog/skills/acme/polite/sigil.yaml").read_text()
    folder = repository / "catalog/instructions/acme/house-rules"
    folder.mkdir(parents=True)
    (folder / "sigil.yaml").write_text(skill.replace("kind: skill", "kind: instructions"))
    (folder / "AGENTS.md").write_text("Say please.\n")
    error = refusal(repository, asked(capability="acme/house-rules", agent="claude-code", model="model-1"))
    assert error.message == "acme/house-rules cannot be delivered to claude-code: that agent reads CLAUDE.md"
    assert "The payload holds AGENTS.md" in error.hint


def test_without_a_seed_every_plan_has_its_own(repository: Path) -> None:
    seeds = {
        prepare(
            repository,
            asked(seed=None),
            clock=lambda: "2026-01-01T00:00:00.000Z",
            home=Path("/nowhere"),
            environment={},
        ).plan.seed
        for _ in range(5)
    }
    assert len(seeds) == 5
    assert all(0 <= seed < 2**53 for seed in seeds)


DESKS = ("aaaa000000000001", "aaaa000000000002", "bbbb000000000003")


@pytest.fixture
def under_way(repository: Path) -> Path:
    """Three experiments, the second the newest, and one whose desk was never laid to the end."""
    for age, name in enumerate((*DESKS, "new-cccc")):
        plan = repository / ".sigil/experiments" / name / "plan.json"
        plan.parent.mkdir(parents=True)
        plan.touch()
        os.utime(plan, (1000 - age, 1000 - age))
    os.utime(repository / ".sigil/experiments" / DESKS[1] / "plan.json", (2000, 2000))
    return repository


FOUND: dict[str, tuple[str, str]] = {
    "the last": ("last", DESKS[1]),
    "its beginning": ("b", DESKS[2]),
    "its whole name": (DESKS[0], DESKS[0]),
    "its id": (f"sha256:{DESKS[0]}{'0' * 48}", DESKS[0]),
}


@pytest.mark.parametrize(("wanted", "name"), FOUND.values(), ids=FOUND)
def test_resume_finds_an_experiment_by(under_way: Path, wanted: str, name: str) -> None:
    assert find_desk(under_way, wanted).root.name == name


NOT_FOUND: dict[str, tuple[str, str]] = {
    "ambiguous": ("aaaa", "more than one experiment under way here is called 'aaaa'"),
    "unknown": ("c", "no experiment under way here is called 'c'"),
    "never laid to the end": ("new", "no experiment under way here is called 'new'"),
    "a path": ("../experiments/" + DESKS[0], "no experiment under way here"),
    "another digest": (f"sha256:{'d' * 64}", "no experiment under way here"),
}


@pytest.mark.parametrize(("wanted", "said"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_resume_names_what_is_under_way_when_it_finds_none_or_several(
    under_way: Path, wanted: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prove", "--resume", wanted]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert all(name in error for name in DESKS)


REPORTS: dict[str, tuple[dict[str, Any], int, str]] = {
    "proven": ({"passes": {"a": (1, 8), "b": (2, 8), "c": (1, 7)}, "repeats": 8}, 0, "verdict     PROVEN"),
    "harmful": ({"passes": {"a": (8, 1), "b": (8, 2), "c": (7, 1)}, "repeats": 8}, 1, "verdict     HARMFUL"),
    "no effect": ({"passes": {"a": (40, 40), "b": (40, 40), "c": (40, 40)}, "repeats": 40}, 1, "verdict     NO EFFECT"),
    "inconclusive": ({"passes": {"a": (3, 4), "b": (3, 4), "c": (3, 4)}}, 4, "verdict     INCONCLUSIVE"),
    "too few tasks": ({"passes": {"a": (0, 20), "b": (0, 20)}, "repeats": 20}, 4, "verdict     INCONCLUSIVE"),
    "rehearsal": (
        {"passes": {"a": (8, 1), "b": (8, 2), "c": (7, 1)}, "repeats": 8, "rehearsal": True},
        0,
        "verdict     REHEARSAL, which is never evidence",
    ),
}


def report(make_experiment: Any, *, committed: bool = True, lost_cells: int = 0, **changes: Any) -> Report:
    experiment, _, _ = make_experiment(**changes)
    return Report(
        plan=experiment.plan.id,
        record=experiment.result.id,
        path="evidence/somewhere/record.json",
        rehearsal=experiment.plan.rehearsal,
        committed=committed,
        lost_cells=lost_cells,
        judgement=judge(measure(experiment.plan.cells, experiment.runs)),
    )


@pytest.mark.parametrize(("changes", "status", "first_line"), REPORTS.values(), ids=REPORTS)
def test_the_exit_status_and_the_first_line_are_the_verdict(
    make_experiment: Any, changes: dict[str, Any], status: int, first_line: str
) -> None:
    made = report(make_experiment, **changes)
    assert exit_status(made) == status
    assert render(made).splitlines()[0] == first_line


def test_counts_say_what_was_lost_and_what_was_done_wrong(make_experiment: Any) -> None:
    lines = render(report(make_experiment, passes={"a": (1, 4), "b": (0, 4), "c": (1, 4)})).splitlines()
    assert "baseline    2 of 12 passed (3 tampered, 4 false done)" in lines
    assert "treatment   12 of 12 passed (3 tampered)" in lines
    assert [line for line in lines if line.startswith(("infra", "tampered", "false done"))] == [
        "tampered    changed or deleted lines of a protected file; they were put back, and the run counts",
        "false done  said that it was done, and the verifier disagrees",
    ]
    assert lines[1].startswith("difference  +83.3 points, 95 % interval +")


def test_runs_that_were_lost_are_explained(make_experiment: Any) -> None:
    experiment = make_experiment(lost=(0, 1))[0]
    runs = [run for run in experiment.runs if run.position > 1 or run.attempt == 1]
    judgement = judge(measure(experiment.plan.cells, runs))
    lines = render(dataclasses.replace(report(make_experiment), judgement=judgement)).splitlines()
    assert any("infra" in line for line in lines if line.startswith(("baseline", "treatment")))
    assert "infra       could not be judged, for a reason outside of the agent; the run does not count" in lines


def test_reasons_stand_below_the_counts_but_not_in_a_rehearsal(make_experiment: Any) -> None:
    few: dict[str, Any] = {"passes": {"a": (0, 1)}, "repeats": 1}
    assert "because     " in render(report(make_experiment, **few))
    assert "because     " not in render(report(make_experiment, rehearsal=True, **few))


def test_where_the_record_is_and_what_can_still_be_done_is_said(make_experiment: Any) -> None:
    made = report(make_experiment, committed=False, lost_cells=2)
    place, again = render(made).splitlines()[-2:]
    assert place == "record      evidence/somewhere/record.json  (not committed)"
    name = made.plan.removeprefix("sha256:")[:16]
    assert again == f"lost        2 runs; try again: sigil prove --resume {name} --retry-infra"
    assert render(report(make_experiment)).splitlines()[-1] == "record      evidence/somewhere/record.json"
