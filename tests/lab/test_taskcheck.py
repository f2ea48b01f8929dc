"""`sigil task check` on tasks that are right, and on one task for every way to be wrong."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sigilgen.store.fairness import kept_proof
from sigilgen.store.suites import find_suite


def check(repository: Path, *arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """Exit status, and status and sight of each check of task one by its name."""
    done = subprocess.run(
        [sys.executable, "-m", "sigilgen", "task", "check", "greetings", "one", "--format", "json", *arguments],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    (task,) = report["tasks"]
    return done.returncode, {row["name"]: (row["status"], row["seen"]) for row in task["checks"]}


def failed(repository: Path) -> dict[str, str]:
    status, checks = check(repository)
    assert status == 1
    return {name: seen for name, (status, seen) in checks.items() if status == "fail"}


def edit(repository: Path, path: str, text: str) -> None:
    place = repository / "tasks/greetings/one" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def edit_all(repository: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        edit(repository, path, text)


def copy_task(repository: Path, task: str, name: str) -> None:
    tasks = repository / "tasks/greetings"
    shutil.copytree(tasks / task, tasks / name)
    (tasks / name / "prompt.md").write_text((tasks / task / "prompt.md").read_text() + "\n\n")


def test_a_fair_task_passes_what_can_be_checked(repository: Path) -> None:
    status, checks = check(repository)
    assert {name: state for name, (state, _) in checks.items() if state == "fail"} == {}
    unchecked = [name for name, (state, _) in checks.items() if state == "not checked"]
    assert status == (4 if unchecked else 0)
    assert len(checks) == 8
    assert checks["untouched repo fails"][1].startswith("exit status 2; last words: grep: ")


def test_without_faketime_the_clock_is_not_checked_and_that_is_no_pass(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    for program in ("sh", "git", "grep", "cat", "wc", "cp", "true"):
        (bare / program).symlink_to(str(shutil.which(program)))
    monkeypatch.setenv("PATH", str(bare))
    status, checks = check(repository)
    assert checks["holds with the clock two years ahead"] == ("not checked", "faketime is not installed")
    assert status == 4


WRONG: dict[str, tuple[Callable[[Path], None], list[str], str]] = {
    "verifier passes anything": (
        lambda repo: edit(repo, "verifier/verify.sh", "exit 0\n"),
        ["untouched repo fails", "idle agent fails, 5 times"],
        "5 of 5 pass",
    ),
    "solution does not pass": (
        lambda repo: edit(repo, "solution/greeting.txt", "good bye\n"),
        ["reference solution passes, 5 times"],
        "0 of 5 pass",
    ),
    "prompt names the capability": (
        lambda repo: edit(repo, "prompt.md", "Be polite.\n"),
        ["prompt names neither Sigil nor a capability"],
        "'polite'",
    ),
    "repo quotes the skill": (
        lambda repo: edit(
            repo, "repo/hint.txt", "Write greetings with a comma and an exclamation mark, and never forget the name.\n"
        ),
        ["starting repo gives nothing away"],
        "hint.txt:1",
    ),
    "copy of another task": (
        lambda repo: copy_task(repo, "one", "again"),
        ["is no copy of another task"],
        "those of again",
    ),
    "verifier says nothing": (
        lambda repo: edit(repo, "verifier/verify.sh", "exit 1\n"),
        ["reference solution passes, 5 times"],
        "the verifier says: nothing",
    ),
    "verifier depends on the year": (
        lambda repo: edit(
            repo, "verifier/verify.sh", 'grep -q hello greeting.txt && [ "$(date +%Y)" -le "$(cat year)" ]\n'
        ),
        ["holds with the clock two years ahead"],
        "the reference fails",
    ),
    "verifier is unstable": (
        lambda repo: edit(
            repo,
            "verifier/verify.sh",
            'mkdir "${TMPDIR%/boxes/*}/seen" 2>/dev/null; n=$(ls "${TMPDIR%/boxes/*}/seen" | wc -l)\n'
            'mktemp -p "${TMPDIR%/boxes/*}/seen"\ngrep -q hello greeting.txt && [ $((n % 2)) = 0 ]\n',
        ),
        ["reference solution passes, 5 times"],
        "of 5 pass",
    ),
    "verifier hangs on the untouched repo": (
        lambda repo: edit_all(
            repo,
            {
                "verifier/verify.sh": "grep -q hello greeting.txt || sleep 60\n",
                "task.yaml": "schema: 1\ntitle: t\ntimeout_seconds: 60\nverify_timeout_seconds: 1\nprotected: []\n",
            },
        ),
        ["untouched repo fails"],
        "times out",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_unfair_task_is_rejected_with_the_reason(repository: Path, name: str) -> None:
    if "year" in name:
        if shutil.which("faketime") is None:
            pytest.skip("faketime is not installed")
        import datetime as dt

        edit(repository, "verifier/year", f"{dt.date.today().year}\n")  # noqa: DTZ011  (the task's own bad habit)
    spoil, wanted, seen = WRONG[name]
    spoil(repository)
    found = failed(repository)
    assert list(found) == wanted
    assert any(seen in text for text in found.values()), found


def test_what_fails_today_is_not_blamed_on_the_clock(repository: Path) -> None:
    if shutil.which("faketime") is None:
        pytest.skip("faketime is not installed")
    edit(repository, "solution/greeting.txt", "good bye\n")
    status, checks = check(repository)
    assert status == 1
    assert checks["holds with the clock two years ahead"] == (
        "not checked",
        "does not hold today either: reference solution passes, 5 times",
    )


def test_a_complete_check_is_kept_for_the_page_of_the_suite(repository: Path) -> None:
    shutil.rmtree(repository / "tasks/greetings/three")
    command = [sys.executable, "-m", "sigilgen", "task", "check", "greetings"]
    subprocess.run([*command, "one"], cwd=repository, capture_output=True, check=False)
    assert not (repository / ".sigil").exists()
    subprocess.run(command, cwd=repository, capture_output=True, check=False)
    suite = find_suite(repository, "greetings").suite
    proof = kept_proof(repository, suite.id, suite.digest)
    assert proof is not None
    assert [task.task for task in proof.tasks] == [task.id for task in suite.tasks]
    (repository / "tasks/greetings/one/prompt.md").write_text("Something else.")
    changed = find_suite(repository, "greetings").suite
    assert kept_proof(repository, changed.id, changed.digest) is None


def test_what_a_verifier_needs_from_the_network_is_not_there(repository: Path) -> None:
    _, checks = check(repository)
    if checks["needs no network"][0] != "pass":
        pytest.skip(checks["needs no network"][1])
    program = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    edit(repository, "verifier/verify.sh", f'grep -q hello greeting.txt && python3 -c "{program}"\n')
    assert "Network is unreachable" in failed(repository)["reference solution passes, 5 times"]


def test_an_unknown_task_is_refused(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sigilgen", "task", "check", "greetings", "oen"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "one" in done.stderr
