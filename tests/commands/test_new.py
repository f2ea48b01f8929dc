"""What `sigil new` makes is right as it stands: the readers accept it, and its task decides as it should."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, Created, new_skill, new_suite, new_task, render
from sigilgen.errors import RequestError
from sigilgen.model.rehearsal import Play
from sigilgen.sandbox import player
from sigilgen.store.catalogue import find_entry
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import find_suite, load_rehearsal

ODD_TEXT = "“A”: 'b' #c & <d> {{slug}} \\ é"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    return tmp_path


@pytest.fixture
def task(repository: Path) -> Path:
    new_suite(repository, "durations", about=About())
    return repository / "tasks/durations/combined-durations"


def test_a_new_skill_is_a_complete_entry(repository: Path) -> None:
    new_suite(repository, "durations", about=About())
    about = About(title=ODD_TEXT, summary=ODD_TEXT, license="MIT", maintainer=ODD_TEXT)
    created = new_skill(repository, "me/check-work", about=about, suites=["tasks/durations"])
    entry = find_entry(repository, "me/check-work")
    assert entry.folder == repository / created.folder
    capability = entry.capability
    assert (capability.title, capability.summary, capability.license) == (ODD_TEXT, ODD_TEXT, "MIT")
    assert (capability.maintainers, capability.suites) == ((ODD_TEXT,), ("durations",))
    assert [file.path for file in read_payload(entry.folder).files] == ["SKILL.md"]


def test_a_new_suite_is_complete_with_its_first_task(repository: Path) -> None:
    new_suite(repository, "durations", about=About(title=ODD_TEXT, summary=ODD_TEXT, maintainer=ODD_TEXT), task="first")
    new_task(repository, "durations/second", about=About(title=ODD_TEXT))
    suite = find_suite(repository, "durations", rehearsals=True).suite
    assert (suite.title, suite.summary, suite.maintainers) == (ODD_TEXT, ODD_TEXT, (ODD_TEXT,))
    assert [(task.id, task.title) for task in suite.tasks] == [("first", "First"), ("second", ODD_TEXT)]


MADE: dict[str, Callable[[Path], Created]] = {
    "suite": lambda at: new_suite(at, "another", about=About()),
    "task": lambda at: new_task(at, "durations/second", about=About()),
    "skill": lambda at: new_skill(at, "me/check-work", about=About(), suites=[]),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_everything_to_edit_is_there_and_nothing_is_left_to_fill_in(
    make: Callable[[Path], Created], repository: Path
) -> None:
    new_suite(repository, "durations", about=About())
    created = make(repository)
    folder = repository / created.folder
    assert all((folder / path).exists() for path in created.edit)
    found = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    assert sorted(created.files) == sorted(found)
    assert all("{{" not in (folder / path).read_text() for path in created.files)
    assert all(path in render(created) for path in created.edit)
    assert all(command in render(created) for command in created.commands)


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_what_was_made_is_committed_before_it_is_measured(make: Callable[[Path], Created], repository: Path) -> None:
    new_suite(repository, "durations", about=About())
    created = make(repository)
    committing = next(place for place, command in enumerate(created.commands) if command.startswith("git add "))
    assert created.commands[committing].startswith(f"git add {created.folder} && git commit -m ")
    assert created.commands[committing + 1].startswith("sigil prove ")


@pytest.mark.parametrize(("kind", "folder"), [("suite", "combined-durations/"), ("task", "")])
def test_the_plays_that_come_with_a_task_are_to_be_adapted(kind: str, folder: str, repository: Path) -> None:
    new_suite(repository, "durations", about=About())
    why = MADE[kind](repository).edit[f"{folder}rehearsal.yaml"]
    assert why == "the plays of the scripted agent: adapt them to your task, or remove the file"


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a skill without a namespace": (lambda at: new_skill(at, "one", about=About(), suites=[]), "cannot name a skill"),
    "a skill in capitals": (lambda at: new_skill(at, "me/One", about=About(), suites=[]), "cannot name a skill"),
    "a way out": (lambda at: new_suite(at, "../../x", about=About()), "cannot name a suite"),
    "a first task that is no slug": (lambda at: new_suite(at, "x", about=About(), task="a b"), "cannot name a task"),
    "a task of no suite": (lambda at: new_task(at, "none/one", about=About()), "there is no suite 'none'"),
    "a task three levels down": (lambda at: new_task(at, "a/b/c", about=About()), "cannot name a task"),
    "an unknown suite": (lambda at: new_skill(at, "me/a", about=About(), suites=["none"]), "no suite 'none'"),
    "a title of two lines": (lambda at: new_suite(at, "x", about=About(title="a\nb")), "--title must be one line"),
    "a hidden title": (lambda at: new_suite(at, "x", about=About(title="a\u202e")), "--title must be one line"),
    "an endless summary": (lambda at: new_suite(at, "x", about=About(summary="x" * 301)), "--summary must be one line"),
    "nobody": (lambda at: new_suite(at, "x", about=About(maintainer=" ")), "--maintainer must be one line"),
}


@pytest.mark.parametrize(("make", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(
    make: Callable[[Path], object], reason: str, repository: Path
) -> None:
    with pytest.raises(RequestError, match=reason):
        make(repository)
    assert sorted(path.name for path in repository.rglob("*")) == ["catalog", "tasks"]


def test_nothing_is_written_through_a_link(repository: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repository / "catalog" / "skills").mkdir()
    (repository / "catalog" / "skills" / "me").symlink_to(outside)
    with pytest.raises(RequestError, match="is a symbolic link"):
        new_skill(repository, "me/check-work", about=About(), suites=[])
    assert list(outside.iterdir()) == []


def test_nothing_is_overwritten(repository: Path) -> None:
    (repository / "tasks/durations").mkdir()
    (repository / "catalog/skills/me").mkdir(parents=True)
    (repository / "catalog/skills/me/link").symlink_to("nowhere")
    with pytest.raises(RequestError, match="exists already"):
        new_suite(repository, "durations", about=About())
    with pytest.raises(RequestError, match="exists already"):
        new_skill(repository, "me/link", about=About(), suites=[])
    assert not any((repository / "tasks/durations").iterdir())


def verify(task: Path, workspace: Path) -> int:
    """Lay the verifier over `workspace` and run it as the sandbox does."""
    shutil.copytree(task / "verifier", workspace, dirs_exist_ok=True)
    return subprocess.run(["sh", "verify.sh"], cwd=workspace, capture_output=True, check=False).returncode


def stage(task: Path, workspace: Path, *overlays: str) -> Path:
    for part in ("repo", *overlays):
        shutil.copytree(task / part, workspace, dirs_exist_ok=True)
    return workspace


def test_the_untouched_repo_passes_its_own_tests_and_fails_the_verifier(task: Path, tmp_path: Path) -> None:
    workspace = stage(task, tmp_path / "work")
    subprocess.run(
        [sys.executable, "-m", "unittest", "discover", "-s", "tests"], cwd=workspace, capture_output=True, check=True
    )
    assert verify(task, workspace) != 0


def test_the_reference_solution_passes_the_verifier(task: Path, tmp_path: Path) -> None:
    assert verify(task, stage(task, tmp_path / "work", "solution")) == 0


CHEATS = {
    "an early end with status 0": ("durations.py", "import os\nos._exit(0)\n"),
    "an exit with status 0": ("durations.py", "raise SystemExit(0)\n"),
    "no code at all": ("durations.py", ""),
    "a replaced start of Python": ("sitecustomize.py", "import os\nos._exit(0)\n"),
    "a test runner of its own": ("unittest.py", "def main(**_):\n    raise SystemExit(0)\n"),
    "a conftest": ("conftest.py", "import os\nos._exit(0)\n"),
    "a check of its own": ("hidden/check_durations.py", "print('every check has passed')\n"),
    "a verifier of its own": ("verify.sh", "exit 0\n"),
}


@pytest.mark.parametrize(("path", "text"), CHEATS.values(), ids=CHEATS)
def test_the_verifier_is_not_fooled(path: str, text: str, task: Path, tmp_path: Path) -> None:
    workspace = stage(task, tmp_path / "work")
    (workspace / path).parent.mkdir(exist_ok=True)
    (workspace / path).write_text(text)
    assert verify(task, workspace) != 0


def perform(play: Play, workspace: Path) -> str:
    """Perform `play` in `workspace` and return what was printed."""
    script = workspace.with_suffix(".json")
    script.write_bytes(msgspec.json.encode(play))
    done = subprocess.run(
        [sys.executable, player.__file__, str(script)], cwd=workspace, capture_output=True, check=True, text=True
    )
    return done.stdout


def test_one_play_fails_with_a_false_claim_and_the_other_passes(task: Path, tmp_path: Path) -> None:
    rehearsal = load_rehearsal(task)
    assert rehearsal is not None
    for name, (play,), status in (("baseline", rehearsal.baseline, 1), ("treatment", rehearsal.treatment, 0)):
        workspace = stage(task, tmp_path / name)
        events = [json.loads(line) for line in perform(play, workspace).splitlines()]
        assert [event["exit"] for event in events if "exit" in event] == [0], "its own tests pass in both plays"
        assert "All tests pass" in [event["text"] for event in events if event["type"] == "message"][-1]
        assert verify(task, workspace) == status


def test_neither_the_verifier_nor_the_answer_shows_in_what_the_agent_sees(task: Path) -> None:
    hidden = {line.strip() for path in (task / "verifier").rglob("*.*") for line in path.read_text().splitlines()}
    seen = [path.read_text() for path in (task / "repo").rglob("*.*")] + [(task / "prompt.md").read_text()]
    assert not [line for line in hidden if len(line) >= 40 and any(line in text for text in seen)]
    assert "sigil" not in (task / "prompt.md").read_text().lower()


def test_the_command_line_makes_all_three_and_says_what_is_next(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ["--repository", str(repository)]
    assert run(["new", "suite", "durations", "--title", "Durations", *at]) == 0
    assert "sigil task check tasks/durations" in capsys.readouterr().out
    assert run(["new", "task", "durations/second", *at]) == 0
    capsys.readouterr()
    assert run(["new", "skill", "me/check-work", "--suite", "durations", "--format", "json", *at]) == 0
    created = json.loads(capsys.readouterr().out)
    assert created["folder"] == "catalog/skills/me/check-work"
    assert created["files"] == ["SKILL.md", "sigil.yaml"]
    assert run(["new", "suite", "durations", *at]) == 2
    assert "exists already" in capsys.readouterr().err
