from pathlib import Path

import pytest

from sigilgen.errors import StoreError
from sigilgen.pages.tree import Changes, write_pages

PAGES = {"catalogue/index.md": b"a", "results/prove-1/index.md": b"b", "suites/index.md": b"c"}


def files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir()}


def test_the_folders_hold_exactly_the_pages(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("by hand")
    stale = tmp_path / "results" / "prove-0" / "index.md"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    assert write_pages(tmp_path, PAGES) == Changes(written=3, removed=1)
    assert files(tmp_path) == {*PAGES, "index.md"}
    assert not stale.parent.exists()


def test_what_has_not_changed_is_not_written(tmp_path: Path) -> None:
    write_pages(tmp_path, PAGES)
    before = {path: (tmp_path / path).stat().st_mtime_ns for path in PAGES}
    assert write_pages(tmp_path, PAGES | {"suites/index.md": b"new"}) == Changes(written=1, removed=0)
    after = {path: (tmp_path / path).stat().st_mtime_ns for path in PAGES}
    assert [path for path in PAGES if before[path] != after[path]] == ["suites/index.md"]


def test_links_are_removed_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.md").write_text("precious")
    sources = tmp_path / "site_src"
    (sources / "results").mkdir(parents=True)
    (sources / "results" / "link").symlink_to(outside)
    (sources / "catalogue").mkdir()
    (sources / "catalogue" / "index.md").symlink_to(outside / "precious.md")
    write_pages(sources, PAGES)
    assert (outside / "precious.md").read_text() == "precious"
    assert files(sources) == set(PAGES)
    assert not (sources / "catalogue" / "index.md").is_symlink()


def test_a_page_takes_the_place_of_a_stale_folder(tmp_path: Path) -> None:
    (tmp_path / "catalogue" / "index.md").mkdir(parents=True)
    (tmp_path / "catalogue" / "index.md" / "old").write_text("old")
    write_pages(tmp_path, PAGES)
    assert files(tmp_path) == set(PAGES)


def test_a_generated_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site_src").mkdir()
    (tmp_path / "site_src" / "results").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="not a folder of its own"):
        write_pages(tmp_path / "site_src", PAGES)


@pytest.mark.parametrize("path", ["index.md", "assets/x.css", "catalogue/../index.md", "/etc/x"])
def test_pages_elsewhere_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="generated folder"):
        write_pages(tmp_path, {path: b""})
    assert files(tmp_path) == set()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "site_src").write_text("a file")
    with pytest.raises(StoreError, match="cannot write the pages"):
        write_pages(tmp_path / "site_src", PAGES)
