"""Kits on a desk, used again by whoever goes on with its experiment."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.lab.experiment import prepare_kits
from sigilgen.lab.kit import Kit
from sigilgen.lab.lost import ChangedError
from sigilgen.store.suites import find_suite


@pytest.fixture
def prepare(repository: Path, tmp_path: Path) -> Callable[[], dict[str, Kit]]:
    return lambda: prepare_kits(find_suite(repository, "greetings", rehearsals=True), tmp_path / "kits")


def test_a_kit_that_is_ready_is_used_again(prepare: Callable[[], dict[str, Kit]]) -> None:
    first = prepare()
    inode = first["one"].start.stat().st_ino
    assert prepare() == first
    assert first["one"].start.stat().st_ino == inode


def test_a_kit_that_a_crash_left_half_made_is_made_again(prepare: Callable[[], dict[str, Kit]], tmp_path: Path) -> None:
    first = prepare()
    (tmp_path / "kits/one/digest").unlink()
    (tmp_path / "kits/one/start/README").write_text("half")
    assert prepare()["one"].originals == first["one"].originals


@pytest.mark.parametrize("path", ["README", ".git/config", "new"])
def test_a_kit_that_was_changed_in_between_is_not_used(
    prepare: Callable[[], dict[str, Kit]], tmp_path: Path, path: str
) -> None:
    prepare()
    (tmp_path / "kits/one/start" / path).write_text("changed")
    with pytest.raises(ChangedError, match="kits/one/start is not what it was"):
        prepare()
