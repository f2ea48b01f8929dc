import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.verify import FIRST_FEW, render
from sigilgen.model.experiment import Experiment
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.report import Disagreement, Report

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    return tmp_path


def keep(repository: Path, made: tuple[Experiment, bytes, bytes]) -> Path:
    experiment, runs, transcripts = made
    assert experiment.result is not None
    publish_plan(repository, experiment.plan, commit=False)
    return repository / publish_result(
        repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
    )


def git(repository: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=repository, check=True)


def verify(repository: Path, *options: str) -> int:
    return run(["verify", "--repository", str(repository), *options])


def test_a_store_that_agrees_is_status_0(repository: Path, make_experiment: MakeExperiment, capsys: Printed) -> None:
    keep(repository, make_experiment())
    assert verify(repository) == 0
    assert capsys.readouterr().out.splitlines() == [
        "note: git history was not checked: this is not the top of a git checkout",
        "1 plan, 1 result and 32 runs: everything agrees",
    ]


def test_an_empty_store_agrees(repository: Path, capsys: Printed) -> None:
    git(repository, "init", "--quiet", "--initial-branch=main")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "Start")
    assert verify(repository, "--since", "main") == 0
    assert capsys.readouterr().out == "0 plans, 0 results and 0 runs: everything agrees\n"


def test_a_faulty_record_is_named_and_the_good_ones_are_counted(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    keep(repository, make_experiment())
    broken = keep(repository, make_experiment(payload="other"))
    broken.write_bytes(broken.read_bytes().replace(b'"proven"', b'"harmful"'))
    assert verify(repository) == 1
    *faults, note, last = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2][:17] for line in faults] == ["$.id: says sha256", "$.stated.verdict:"]
    assert all(line.startswith(f"{broken.relative_to(repository)}: ") for line in faults)
    assert note.startswith("note: ")
    assert last == "2 disagreements in 2 plans, 2 results and 64 runs"


def test_json_holds_file_line_field_and_what(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed
) -> None:
    runs = keep(repository, make_experiment()).with_name("runs.jsonl")
    runs.write_bytes(runs.read_bytes().replace(b'"repeat":3', b'"repeat":2', 1))
    assert verify(repository, "--format", "json") == 1
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert printed.err == ""
    assert (report["plans"], report["results"], report["runs"]) == (1, 1, 32)
    seal, repeat = report["disagreements"]
    assert (seal["line"], seal["field"]) == (None, "$.runs.sha256")
    assert (repeat["file"], repeat["field"]) == (str(runs.relative_to(repository)), "$.repeat")
    assert repeat["line"] > 0
    assert repeat["what"].startswith("2; position ")


@pytest.mark.parametrize("form", ["text", "json"])
def test_text_of_records_and_names_never_drives_the_terminal(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed, form: str
) -> None:
    runs = keep(repository, make_experiment()).with_name("runs.jsonl")
    hostile = "\\u001b[2J\\n::set-output name=x::y\u202e"
    runs.write_bytes(runs.read_bytes().replace(b'"model-1"', f'"{hostile}"'.encode(), 1))
    (repository / "evidence" / "\x1b]0;x\x07\n9 records: everything agrees").touch()
    assert verify(repository, "--format", form) == 1
    printed = capsys.readouterr().out
    assert all(character == "\n" or character.isprintable() for character in printed)
    assert not any(line.startswith(("::", "9 records")) for line in printed.splitlines())


def test_a_folder_that_is_no_repository_is_wrong_usage(tmp_path: Path, capsys: Printed) -> None:
    assert verify(tmp_path) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "no Sigil repository at or above" in printed.err


@pytest.mark.parametrize("ref", ["nowhere", "--upload-pack=x", "\x1b[2J"])
def test_a_base_that_git_does_not_know_is_wrong_usage(
    repository: Path, make_experiment: MakeExperiment, capsys: Printed, ref: str
) -> None:
    keep(repository, make_experiment())
    git(repository, "init", "--quiet")
    git(repository, "add", "evidence")
    git(repository, "commit", "--quiet", "--message", "Evidence")
    assert verify(repository, f"--since={ref}") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "git knows no commit" in printed.err
    assert "\x1b" not in printed.err


def test_since_names_what_was_removed(repository: Path, make_experiment: MakeExperiment, capsys: Printed) -> None:
    record = keep(repository, make_experiment())
    git(repository, "init", "--quiet", "--initial-branch=main")
    git(repository, "add", "evidence")
    git(repository, "commit", "--quiet", "--message", "Evidence")
    git(repository, "switch", "--quiet", "--create", "pull-request")
    git(repository, "rm", "--quiet", "-r", "evidence")
    git(repository, "commit", "--quiet", "--message", "Nothing to see")
    assert verify(repository, "--since", "main") == 1
    printed = capsys.readouterr().out
    assert f"{record.relative_to(repository)}: was changed or removed since main; evidence is only added" in printed
    assert "0 plans, 0 results and 0 runs" in printed


def test_long_lists_are_cut_in_text() -> None:
    faults = tuple(Disagreement(f"evidence/{number}", None, None, "is odd") for number in range(FIRST_FEW + 3))
    lines = render(Report(plans=1, results=1, runs=1, disagreements=faults, notes=())).splitlines()
    assert len(lines) == FIRST_FEW + 2
    assert lines[-2:] == [
        "… and 3 more; --format json lists all",
        f"{FIRST_FEW + 3} disagreements in 1 plan, 1 result and 1 run",
    ]
