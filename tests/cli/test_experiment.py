"""What `sigil prove` says on standard error while it works."""

from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, new_skill, new_suite


def test_a_rehearsal_calls_itself_one_from_the_first_line_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "tasks").mkdir()
    new_suite(tmp_path, "greetings", about=About(), task="one")
    new_skill(tmp_path, "acme/polite", about=About(), suites=["greetings"])
    assert run(["prove", "acme/polite", "--runs", "1", "--no-commit", "--repository", str(tmp_path)]) == 0
    notice, phase, *_ = capsys.readouterr().err.splitlines()
    assert notice.startswith("REHEARSAL with scripted: ")
    assert "--agent NAME" in notice
    assert phase == "prove acme/polite (REHEARSAL): publishing the plan"
