"""Whether what is measured can be found again: content that is in no commit is gone with the next edit."""

import re
from collections.abc import Iterable
from pathlib import Path

from sigilgen.errors import StoreError
from sigilgen.store.git_run import require_checkout, run_git

UNSEALED = re.compile(r"tasks/[^/]+/[^/]+/rehearsal\.yaml|(.+/)?\.DS_Store")
"""Files that no digest covers: the plays of a task, and what file browsers leave behind."""


def uncommitted_files(repository: Path, folders: Iterable[Path]) -> tuple[str, ...]:
    """Files below `folders` that the last commit does not hold as they are, relative to the repository.

    Ignored files count, because they are sealed like any other; what is not sealed does not.
    StoreError if this is no checkout, or if a folder is in it only by a symbolic link, which git does not follow.
    """
    require_checkout(repository)
    places = [_place(folder, repository.resolve()) for folder in folders]
    status = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored", "--")
    entries = run_git(repository, *status, *places).decode(errors="replace").split("\0")[:-1]
    paths = (entry[3:] for entry in entries)
    return tuple(sorted(path for path in paths if not UNSEALED.fullmatch(path)))


def _place(folder: Path, root: Path) -> str:
    real = folder.resolve()
    if not real.is_relative_to(root):
        raise StoreError(
            f"{folder} lies outside the repository, at {real}: no commit can hold it",
            hint="Move it into the repository, in the place of the symbolic link.",
        )
    return str(real.relative_to(root))
