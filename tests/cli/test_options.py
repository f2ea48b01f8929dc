from pathlib import Path

import click
import pytest

from sigilgen.cli.boundary import guarded
from sigilgen.cli.options import repository_option


@click.command()
@repository_option
def where(repository: Path) -> None:
    click.echo(repository)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("catalog/skills", "tasks"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def test_the_repository_around_the_current_folder_is_found(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(checkout / "catalog" / "skills")
    assert guarded(where, []) == 0
    assert capsys.readouterr().out == f"{checkout}\n"


def test_a_repository_can_be_named_by_any_folder_in_it(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(where, ["--repository", str(checkout / "tasks")]) == 0
    assert capsys.readouterr().out == f"{checkout}\n"


def test_outside_a_repository_the_message_says_what_one_looks_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert guarded(where, []) == 2
    shown = capsys.readouterr().err
    assert str(tmp_path) in shown
    assert "catalog/ and tasks/" in shown
