import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sigilgen.cli.task import COMMANDS, SUMMARIES
from sigilgen.cli.task_list import task_list_command
from sigilgen.commands.new import About, new_suite, new_task
from sigilgen.commands.task_list import render, task_list
from sigilgen.errors import InputError, RequestError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    return tmp_path


def test_an_empty_repository_says_how_to_start(repository: Path) -> None:
    assert render(task_list(repository, None)) == "No suites yet. Start one with `sigil new suite NAME`."


def test_lists_suites_and_tasks_in_the_order_of_their_names(repository: Path) -> None:
    new_suite(repository, "b-suite", about=About(title="Second"), task="one")
    new_suite(repository, "a-suite", about=About(title="First"), task="two")
    new_task(repository, "a-suite/longer-name", about=About())
    first, second = task_list(repository, None)
    assert [task.id for task in first.tasks] == ["longer-name", "two"]
    assert render((first, second)) == (
        f"a-suite: First (2 tasks)\n"
        f"  {first.digest}\n"
        f"  longer-name  Longer name (600 s, verifier 60 s, can be rehearsed)\n"
        f"  two          Two (600 s, verifier 60 s, can be rehearsed)\n"
        f"\n"
        f"b-suite: Second (1 task)\n"
        f"  {second.digest}\n"
        f"  one  One (600 s, verifier 60 s, can be rehearsed)"
    )


def test_a_task_without_a_rehearsal_is_listed_without_plays(repository: Path) -> None:
    new_suite(repository, "a-suite", about=About(), task="one")
    (repository / "tasks/a-suite/one/rehearsal.yaml").unlink()
    (suite,) = task_list(repository, "a-suite")
    assert suite.tasks[0].rehearsal_plays is None
    assert "rehearsed" not in render((suite,))


def test_one_suite_is_listed_though_another_is_wrong(repository: Path) -> None:
    new_suite(repository, "a-suite", about=About())
    (repository / "tasks/wrong").mkdir()
    (suite,) = task_list(repository, "tasks/a-suite")
    assert suite.id == "a-suite"
    with pytest.raises(InputError):
        task_list(repository, None)
    with pytest.raises(RequestError):
        task_list(repository, "b-suites")


def test_faults_of_all_suites_and_their_plays_are_told_together(repository: Path) -> None:
    for name in ("a-suite", "b-suite"):
        new_suite(repository, name, about=About(), task="one")
        (repository / "tasks" / name / "one/rehearsal.yaml").write_text("schema: 2\n")
    (repository / "tasks/b-suite/suite.yaml").write_text("[")
    with pytest.raises(InputError) as caught:
        task_list(repository, None)
    assert sorted({fault.file for fault in caught.value.faults}) == [
        "tasks/a-suite/one/rehearsal.yaml",
        "tasks/b-suite/one/rehearsal.yaml",
        "tasks/b-suite/suite.yaml",
    ]


def test_prints_fields_as_json(repository: Path) -> None:
    new_suite(repository, "a-suite", about=About(), task="one")
    result = CliRunner().invoke(task_list_command, ["--repository", str(repository), "--format", "json"])
    (suite,) = json.loads(result.stdout)
    assert suite["digest"].startswith("sha256:")
    assert suite["tasks"][0]["protected"] == ["tests/**"]
    assert suite["tasks"][0]["rehearsal_plays"] == {"baseline": 1, "treatment": 1}


def test_every_command_of_the_group_has_a_summary() -> None:
    assert COMMANDS.keys() == SUMMARIES.keys()
