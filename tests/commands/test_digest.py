import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sigilgen.cli import run
from sigilgen.cli.digest import digest_command
from sigilgen.commands.digest import digest, render
from sigilgen.commands.new import About, new_skill
from sigilgen.store.payload import read_payload

EMPTY_FILE = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture
def payload(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "SKILL.md").write_text("one\n")
    (tmp_path / "scripts/run.sh").touch()
    (tmp_path / "sigil.yaml").write_text("not sealed")
    return tmp_path


def test_counts_what_is_sealed(payload: Path) -> None:
    sealed = digest(str(payload), files=False)
    assert (sealed.file_count, sealed.size_bytes, sealed.files) == (2, 4, None)
    assert render(sealed) == sealed.digest


def test_lists_each_file_above_the_digest_when_asked(payload: Path) -> None:
    sealed = digest(str(payload), files=True)
    lines = render(sealed).splitlines()
    assert lines[1:] == [f"{EMPTY_FILE}  scripts/run.sh", sealed.digest]
    assert lines[0].endswith("  SKILL.md")


def test_prints_fields_as_json(payload: Path) -> None:
    result = CliRunner().invoke(digest_command, [str(payload), "--files", "--format", "json"])
    found = json.loads(result.stdout)
    assert found["digest"] == digest(str(payload), files=False).digest
    assert [file["path"] for file in found["files"]] == ["SKILL.md", "scripts/run.sh"]


def test_refusals_are_printed_without_control_characters(payload: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (payload / "a\x1b[2J").touch()
    (payload / "link").symlink_to("SKILL.md")
    assert run(["digest", str(payload)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "2 reasons" in captured.err
    assert "\x1b" not in captured.err


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one skill, and the current folder in it."""
    root = tmp_path / "checkout"
    for name in ("catalog", "tasks", ".git"):
        (root / name).mkdir(parents=True)
    new_skill(root, "acme/polite", about=About(), suites=[])
    (root / "AGENTS.md").write_text("Be brief.\n")
    monkeypatch.chdir(root / "tasks")
    return root


@pytest.mark.parametrize("wanted", ["acme/polite", "../catalog/skills/acme/polite"])
def test_a_capability_is_found_by_name_or_path(
    repository: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["digest", wanted]) == 0
    assert capsys.readouterr().out == f"{read_payload(repository / 'catalog/skills/acme/polite').digest}\n"


UNKNOWN = {
    "nearly right": ("acme/polit", "Did you mean acme/polite?"),
    "no name": ("no/such/folder", "'no/such/folder' is neither a folder nor the name of a capability here"),
    "a file": ("../AGENTS.md", "'../AGENTS.md' is neither a folder"),
    "nothing": ("", "'' is neither a folder"),
}


@pytest.mark.parametrize(("wanted", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_neither_a_folder_nor_a_name_is_wrong_usage(
    repository: Path, wanted: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["digest", wanted]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


NOT_CAPABILITIES = {
    "the repository": ("..", ".. is not a capability folder, but a whole Sigil repository"),
    "another checkout": ("../other", "../other is not a capability folder, but a whole git checkout"),
    "the catalogue": ("../catalog", "This is not a capability folder: it has no sigil.yaml, SKILL.md, CLAUDE.md or"),
}


@pytest.mark.parametrize("command", ["digest", "glyph"])
@pytest.mark.parametrize(("wanted", "said"), NOT_CAPABILITIES.values(), ids=NOT_CAPABILITIES)
def test_a_folder_that_is_no_capability_is_called_that(
    repository: Path, command: str, wanted: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "other/.git").mkdir(parents=True)
    (repository / "other/SKILL.md").symlink_to("elsewhere")
    assert run([command, wanted]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Name one, such as catalog/skills/" in captured.err
    assert "Remove or rename" not in captured.err
