"""Globs that name protected files: `*` and `?` within one part of a path, `**` for any number of folders."""

import fnmatch
import re
from collections.abc import Iterable, Sequence


def glob_fault(glob: str) -> str | None:
    """Why `glob` cannot name protected files, or None. It must be relative to the root of the starting repo."""
    parts = glob.split("/")
    if "\\" in glob:
        return "holds a back-slash; folders are separated by /"
    if glob.startswith("/"):
        return "is absolute; write it relative to the root of repo/"
    if any(part in {"", ".", ".."} for part in parts):
        return "has an empty part, a '.' or a '..'; name the files below repo/ directly"
    if any("**" in part and part != "**" for part in parts):
        return "has '**' beside other characters; '**' stands alone between slashes"
    return None


def match_protected(globs: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Those of `paths` that any of `globs` matches, in the order in which they came.

    Paths are relative, with forward slashes. A glob matches a whole path, letter case included; `**` stands for zero
    or more folders, and at the end for everything below: `tests/**` matches `tests/a.py` and `tests/deep/b.py`, and
    `**/conftest.py` also matches `conftest.py`. `*`, `?` and `[...]` match within one part, a leading dot included.
    """
    patterns = [_compile(glob) for glob in globs]
    return tuple(path for path in paths if any(_matches(pattern, path.split("/")) for pattern in patterns))


def _compile(glob: str) -> list[re.Pattern[str] | None]:
    """One pattern for each part; None stands for any number of folders, so a closing `**` needs a file after it."""
    parts = glob.split("/")
    if parts[-1] == "**":
        parts.append("*")
    return [None if part == "**" else re.compile(fnmatch.translate(part)) for part in parts]


def _matches(pattern: Sequence[re.Pattern[str] | None], parts: Sequence[str]) -> bool:
    """Follow all ways through `pattern` at once, so that many `**` cost no more than their number."""
    places = _skip_folders(pattern, {0})
    for part in parts:
        onward: set[int] = set()
        for place in places - {len(pattern)}:
            wanted = pattern[place]
            if wanted is None:
                onward.add(place)
            elif wanted.match(part):
                onward.add(place + 1)
        places = _skip_folders(pattern, onward)
    return len(pattern) in places


def _skip_folders(pattern: Sequence[re.Pattern[str] | None], places: set[int]) -> set[int]:
    """`places`, and those behind any `**` that stands at them: it may stand for no folder at all."""
    reached = set(places)
    for place, wanted in enumerate(pattern):
        if wanted is None and place in reached:
            reached.add(place + 1)
    return reached
