import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sigilgen.cli import run
from sigilgen.cli.digest import digest_command
from sigilgen.commands.digest import digest, render

EMPTY_FILE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture
def payload(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "SKILL.md").write_text("one\n")
    (tmp_path / "scripts/run.sh").touch()
    (tmp_path / "sigil.yaml").write_text("not sealed")
    return tmp_path


def test_counts_what_is_sealed(payload: Path) -> None:
    sealed = digest(payload, files=False)
    assert (sealed.file_count, sealed.size_bytes, sealed.files) == (2, 4, None)
    assert render(sealed) == sealed.digest


def test_lists_each_file_above_the_digest_when_asked(payload: Path) -> None:
    sealed = digest(payload, files=True)
    lines = render(sealed).splitlines()
    assert lines[1:] == [f"{EMPTY_FILE}  scripts/run.sh", sealed.digest]
    assert lines[0].endswith("  SKILL.md")


def test_prints_fields_as_json(payload: Path) -> None:
    result = CliRunner().invoke(digest_command, [str(payload), "--files", "--format", "json"])
    found = json.loads(result.stdout)
    assert found["digest"] == digest(payload, files=False).digest
    assert [file["path"] for file in found["files"]] == ["SKILL.md", "scripts/run.sh"]


def test_refusals_are_printed_without_control_characters(payload: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (payload / "a\x1b[2J").touch()
    (payload / "link").symlink_to("SKILL.md")
    assert run(["digest", str(payload)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "2 reasons" in captured.err
    assert "\x1b" not in captured.err
