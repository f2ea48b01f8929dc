"""What the last commit does not hold as it is, below given folders."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import StoreError
from sigilgen.store.committed import uncommitted_files


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    rehearsals = ("tasks/s/t/rehearsal.yaml", "tasks/s/t/repo/rehearsal.yaml")
    for path in ("one/a.txt", "one/sub/b.txt", *rehearsals, "two/c.txt"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    run(root, "init", "--quiet")
    run(root, "add", ".")
    run(root, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "Start")
    return root


def run(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def stage_only(root: Path) -> None:
    (root / "one/new.txt").write_text("new")
    run(root, "add", ".")


def ignore(root: Path) -> None:
    (root / ".git/info/exclude").write_text("ignored/\n")
    (root / "one/ignored").mkdir()
    (root / "one/ignored/x").write_text("x")


CHANGES: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "none": (lambda _root: None, ()),
    "changed": (lambda root: (root / "one/a.txt").write_text("changed"), ("one/a.txt",)),
    "deleted": (lambda root: (root / "one/sub/b.txt").unlink(), ("one/sub/b.txt",)),
    "new": (lambda root: (root / "one/sub/name with ü and space").write_text(""), ("one/sub/name with ü and space",)),
    "staged": (stage_only, ("one/new.txt",)),
    "renamed": (lambda root: run(root, "mv", "one/a.txt", "one/z.txt"), ("one/a.txt", "one/z.txt")),
    "ignored": (ignore, ("one/ignored/x",)),
    "a rehearsal": (lambda root: (root / "tasks/s/t/rehearsal.yaml").write_text("changed"), ()),
    "a file of that name in a starting tree": (
        lambda root: (root / "tasks/s/t/repo/rehearsal.yaml").write_text("changed"),
        ("tasks/s/t/repo/rehearsal.yaml",),
    ),
    "a file of that name in a payload": (
        lambda root: (root / "one/rehearsal.yaml").write_text("new"),
        ("one/rehearsal.yaml",),
    ),
    "left by a file browser": (lambda root: (root / "one/sub/.DS_Store").write_text("icons"), ()),
    "elsewhere": (lambda root: (root / "two/c.txt").write_text("changed"), ()),
}


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_no_commit_holds(repository: Path, change: Callable[[Path], object], expected: tuple[str, ...]) -> None:
    change(repository)
    assert uncommitted_files(repository, [repository / "one", repository / "tasks/s"]) == expected


def test_several_folders(repository: Path) -> None:
    (repository / "one/a.txt").write_text("changed")
    (repository / "two/c.txt").write_text("changed")
    assert uncommitted_files(repository, [repository / "one", repository / "two"]) == ("one/a.txt", "two/c.txt")


def test_without_any_commit_everything_is_missing(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/a.txt").write_text("a")
    run(tmp_path, "init", "--quiet")
    assert uncommitted_files(tmp_path, [tmp_path / "one"]) == ("one/a.txt",)


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not the top of a git checkout"):
        uncommitted_files(tmp_path, [tmp_path])


def test_a_folder_behind_a_link_out_of_the_repository_is_refused(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere/x").mkdir(parents=True)
    (repository / "three").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="lies outside the repository"):
        uncommitted_files(repository, [repository / "three/x"])
