"""Globs of protected files match as people expect, at any depth and in little time."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.policy.globs import glob_fault, match_protected

PATHS = ("a.py", "tests/a.py", "tests/deep/b.py", "conftest.py", "x/conftest.py", "x/y/conftest.py", ".ci/run", "A.py")

MATCHES = {
    "a name": ("a.py", ("a.py",)),
    "a star stays in its folder": ("*.py", ("a.py", "conftest.py", "A.py")),
    "a star within a folder": ("tests/*", ("tests/a.py",)),
    "everything below": ("tests/**", ("tests/a.py", "tests/deep/b.py")),
    "everything": ("**", PATHS),
    "at any depth": ("**/conftest.py", ("conftest.py", "x/conftest.py", "x/y/conftest.py")),
    "folders between": ("x/**/conftest.py", ("x/conftest.py", "x/y/conftest.py")),
    "several folder stars": ("**/x/**/y/**/conftest.py", ("x/y/conftest.py",)),
    "a folder star for a folder only": ("**/tests/**", ("tests/a.py", "tests/deep/b.py")),
    "a question mark": ("?.py", ("a.py", "A.py")),
    "a set": ("[ab].py", ("a.py",)),
    "an open set": ("[a.py", ()),
    "leading dots": ("*/run", (".ci/run",)),
    "a folder alone": ("tests", ()),
    "a prefix": ("test/**", ()),
    "characters of expressions": ("a+py", ()),
}


@pytest.mark.parametrize(("glob", "paths"), MATCHES.values(), ids=MATCHES)
def test_a_glob_matches_whole_paths(glob: str, paths: tuple[str, ...]) -> None:
    assert match_protected([glob], PATHS) == paths


def test_several_globs_keep_the_order_of_the_paths_and_name_each_once() -> None:
    assert match_protected(["tests/**", "a.py", "**/a.py"], PATHS) == ("a.py", "tests/a.py", "tests/deep/b.py")
    assert match_protected([], PATHS) == ()


PARTS = st.text("ab.", min_size=1, max_size=3)


@given(glob=st.text("ab.*?", min_size=1, max_size=5).filter(lambda text: "**" not in text), name=PARTS)
def test_one_part_is_matched_like_the_standard_library_does(glob: str, name: str) -> None:
    assert bool(match_protected([glob], [name])) == fnmatch.fnmatchcase(name, glob)


@given(st.lists(PARTS, min_size=1, max_size=5))
def test_a_folder_star_may_stand_for_any_folders_of_a_path(parts: list[str]) -> None:
    path = "/".join(parts)
    for cut in range(len(parts)):
        assert match_protected(["/".join([*parts[:cut], "**", parts[-1]])], [path]) == (path,)
        assert match_protected(["/".join([*parts[:cut], "**"])], [path]) == (path,)


@pytest.mark.timeout(20)
def test_many_stars_take_no_exponential_time() -> None:
    glob = "/".join(["**", "*a*a*a*a*b"] * 20)
    assert match_protected([glob], ["/".join(["a" * 100] * 200)] * 50) == ()


WRONG = {
    "absolute": "/tests/**",
    "a way out": "../tests/**",
    "a dot": "./tests",
    "an empty part": "tests//a",
    "a closing slash": "tests/",
    "nothing": "",
    "a back-slash": "tests\\a",
    "a folder star beside characters": "tests/**.py",
    "three stars": "***",
}


@pytest.mark.parametrize("glob", WRONG.values(), ids=WRONG)
def test_globs_that_cannot_name_files_of_the_starting_repo_are_faults(glob: str) -> None:
    assert glob_fault(glob) is not None


@pytest.mark.parametrize("glob", [case[0] for case in MATCHES.values()])
def test_globs_that_can_are_none(glob: str) -> None:
    assert glob_fault(glob) is None
