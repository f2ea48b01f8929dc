"""What `sigil task check` prints and how it ends; the checks themselves are tested in tests/lab."""

from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, new_skill, new_suite, new_task
from sigilgen.commands.task_check import exit_status, render
from sigilgen.model.fairness import Check, CheckedTask, FairnessProof, Status

PASSES = Check("untouched repo fails", Status.PASS, "exit status 1")
FAILS = Check("idle agent fails, 5 times", Status.FAIL, "5 of 5 pass", "Let the verifier test something.")
UNCHECKED = Check("needs no network", Status.NOT_CHECKED, "no way to cut it off", "Install what cuts it off.")


def suite(*tasks: tuple[Check, ...]) -> FairnessProof:
    return FairnessProof(
        schema=1,
        suite="greetings",
        suite_digest=f"sha256:{'0' * 64}",
        checked_at="2026-01-04T08:00:00.000Z",
        sigil_version="0.1.0",
        platform="Linux x86_64, Python 3.11.2",
        tasks=tuple(CheckedTask(f"task-{number}", checks) for number, checks in enumerate(tasks)),
    )


STATUSES: dict[str, tuple[FairnessProof, int, str]] = {
    "all pass": (suite((PASSES,), (PASSES, PASSES)), 0, "3 checks pass"),
    "one fails": (suite((PASSES,), (PASSES, FAILS)), 1, "2 checks pass, 1 fail"),
    "one could not be made": (
        suite((PASSES, UNCHECKED)),
        4,
        "1 checks pass, 1 could not be made on this machine, which is not a pass",
    ),
    "a failure outweighs what could not be made": (
        suite((UNCHECKED,), (FAILS,)),
        1,
        "0 checks pass, 1 fail, 1 could not be made on this machine, which is not a pass",
    ),
}


@pytest.mark.parametrize(("checked", "status", "last_line"), STATUSES.values(), ids=STATUSES)
def test_the_exit_status_and_the_last_line_say_the_same(checked: FairnessProof, status: int, last_line: str) -> None:
    assert exit_status(checked) == status
    assert render(checked).splitlines()[-1] == last_line


def test_each_check_has_a_line_and_what_is_no_pass_says_what_to_change() -> None:
    assert render(suite((PASSES, FAILS, UNCHECKED))).splitlines()[:-2] == [
        f"suite greetings  sha256:{'0' * 64}",
        "",
        "task-0",
        "  ok    untouched repo fails: exit status 1",
        "  FAIL  idle agent fails, 5 times: 5 of 5 pass",
        "        -> Let the verifier test something.",
        "  ?     needs no network: no way to cut it off",
        "        -> Install what cuts it off.",
    ]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One skill, and a suite of two tasks on which it is to be measured."""
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    new_suite(tmp_path, "greetings", about=About(), task="one")
    new_task(tmp_path, "greetings/two", about=About())
    new_skill(tmp_path, "acme/polite", about=About(), suites=["greetings"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_only_the_tasks_that_are_named_are_checked(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "tasks/greetings/two/verifier/verify.sh").write_text("grep -q combined durations.py\n")
    status = run(["task", "check", "greetings", "two"])
    captured = capsys.readouterr()
    head, empty, task, *checks, gap, last = captured.out.splitlines()
    assert head.startswith("suite greetings  sha256:")
    assert (empty, task, gap) == ("", "two", "")
    marks = {line[:6].strip() for line in checks if not line.lstrip().startswith("->")}
    assert marks <= {"ok", "FAIL", "?"}
    assert status == (1 if "FAIL" in marks else 4 if "?" in marks else 0)
    assert ("fail" in last, "not a pass" in last) == ("FAIL" in marks, "?" in marks)
    assert captured.err.splitlines()[0] == "checking greetings"


def test_what_a_person_asks_for_and_there_is_not_is_named(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in {
        ("greeting",): "Did you mean greetings?",
        ("[/x]",): "no suite '[/x]' in tasks/",
        ("greetings", "one", "three", "four"): "greetings has no task three, four\n  It has: one, two.",
        ("greetings", "--jobs", "0"): "0 is not in the range 1<=x<=64",
        (): "Missing argument 'SUITE'",
    }.items():
        assert run(["task", "check", *arguments]) == 2, arguments
        captured = capsys.readouterr()
        assert captured.out == ""
        assert said in captured.err


def test_faults_of_a_suite_are_all_reported_before_anything_runs(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for task in ("one", "two"):
        (repository / f"tasks/greetings/{task}/task.yaml").write_text("schema: 1\ntitel: x\n")
    assert run(["task", "check", "greetings"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "tasks/greetings/one/task.yaml:2" in captured.err
    assert "tasks/greetings/two/task.yaml:2" in captured.err
