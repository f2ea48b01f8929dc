import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.sandbox.trees import (
    READ_BUDGET_BYTES,
    clear_way,
    copy_tree,
    file_digest,
    is_plain,
    lay_over,
    put_file,
    remove,
    tame,
    walk,
)


def paths(root: Path) -> list[str]:
    return [path for path, _ in walk(root)]


def test_walks_files_and_links_without_following_any(tmp_path: Path) -> None:
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "real" / "deep" / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert sorted(paths(tmp_path)) == ["loop", "real/deep/file"]


def test_a_locked_folder_is_walked_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "file").touch()
    (tmp_path / "locked").chmod(0)
    assert paths(tmp_path) == ["locked/file"]


def test_removes_what_an_agent_has_locked(tmp_path: Path) -> None:
    inner = tmp_path / "box" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    (inner / "file").chmod(0)
    for folder in (inner, inner.parent):
        folder.chmod(0)
    remove(tmp_path / "box")
    assert not (tmp_path / "box").exists()


def test_removing_a_link_leaves_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove(tmp_path / "link")
    remove(tmp_path / "not there")
    assert (tmp_path / "kept").is_dir()
    assert not (tmp_path / "link").is_symlink()


def test_never_writes_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("theirs")
    work = tmp_path / "work"
    work.mkdir()
    (work / "folder").symlink_to(outside)
    (work / "name").symlink_to(outside / "file")
    put_file(work, "folder/file", b"ours")
    put_file(work, "name", b"ours")
    assert (outside / "file").read_text() == "theirs"
    assert (work / "folder" / "file").read_bytes() == (work / "name").read_bytes() == b"ours"


def test_an_overlay_replaces_files_folders_and_links(tmp_path: Path) -> None:
    source, work = tmp_path / "source", tmp_path / "work"
    (source / "a").mkdir(parents=True)
    (source / "a" / "b").write_text("new")
    (source / "run.sh").write_text("#!/bin/sh")
    (source / "run.sh").chmod(0o755)
    work.mkdir()
    (work / "a").write_text("a file where a folder belongs")
    (work / "run.sh").mkdir()
    (work / "stays").touch()
    lay_over(source, work)
    assert (work / "a" / "b").read_text() == "new"
    assert os.access(work / "run.sh", os.X_OK)
    assert (work / "stays").exists()


def test_copies_links_as_links(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "dangling").symlink_to("nowhere")
    copy_tree(tmp_path / "source", tmp_path / "copy")
    assert (tmp_path / "copy" / "dangling").readlink() == Path("nowhere")


def test_pipes_are_not_plain_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    assert [is_plain(entry) for _, entry in walk(tmp_path)] == [True, False]


def test_digests_a_file_that_was_made_unreadable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "file").chmod(0)
    assert file_digest(tmp_path / "file").endswith("b7852b855")


@pytest.mark.parametrize("path", ["a", "a/b", "a/b/c"])
def test_makes_real_folders_on_the_way(tmp_path: Path, path: str) -> None:
    assert clear_way(tmp_path, path) == tmp_path / path
    assert (tmp_path / path).parent.is_dir()


def lock_everything(root: Path) -> None:
    (root / "tests" / "deep").mkdir(parents=True)
    (root / "tests" / "deep" / "file").touch()
    for folder in (root / "tests" / "deep", root / "tests", root):
        folder.chmod(0o400)


def replace_by_link(root: Path) -> None:
    root.rmdir()
    root.symlink_to(root.parent / "outside")


def replace_by_file(root: Path) -> None:
    root.rmdir()
    root.touch()


def grow_out_of_bounds(root: Path) -> None:
    for name in ("a", "b"):
        with (root / name).open("wb") as file:
            file.truncate(READ_BUDGET_BYTES - 1)


def dig(root: Path) -> None:
    """Folders deeper than Python recurses and than a path can say."""
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("folder", dir_fd=descriptor)
        deeper = os.open("folder", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(descriptor)


LEFT_BEHIND: dict[str, tuple[Callable[[Path], None], list[list[str]]]] = {
    "nothing at all": (Path.rmdir, [[]]),
    "a link to elsewhere": (replace_by_link, [[]]),
    "a file": (replace_by_file, [[]]),
    "locked folders": (lock_everything, [["tests/deep/file"]]),
    "files too large to be read": (grow_out_of_bounds, [["a"], ["b"]]),
    "folders too deep to be named": (dig, [[]]),
}
"""How a workspace is left, and the files that may be found in it then."""


@pytest.mark.parametrize(("leave", "readable"), LEFT_BEHIND.values(), ids=LEFT_BEHIND)
def test_whatever_an_agent_leaves_is_made_fit_to_be_read(
    tmp_path: Path, leave: Callable[[Path], None], readable: list[list[str]]
) -> None:
    outside, root = tmp_path / "outside", tmp_path / "work"
    outside.mkdir()
    (outside / "theirs").touch()
    root.mkdir()
    leave(root)
    tame(root)
    assert root.is_dir()
    assert not root.is_symlink()
    assert all(stat.S_IMODE(folder.stat().st_mode) & 0o700 == 0o700 for folder in (root, *root.glob("*/**")))
    assert paths(root) in readable
    assert paths(outside) == ["theirs"]
    remove(root)
    assert not root.exists()


def test_a_tree_deeper_than_paths_can_be_is_removed(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    dig(tmp_path / "box")
    remove(tmp_path / "box")
    assert not (tmp_path / "box").exists()
