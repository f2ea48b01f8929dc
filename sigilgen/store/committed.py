"""Whether what is measured can be found again: content that is in no commit is gone with the next edit."""

from collections.abc import Iterable
from pathlib import Path

from sigilgen.store.git_run import require_checkout, run_git

NOT_SEALED = "rehearsal.yaml"


def uncommitted_files(repository: Path, folders: Iterable[Path]) -> tuple[str, ...]:
    """Files below `folders` that the last commit does not hold as they are, relative to the repository.

    Ignored files count, because they are sealed like any other; rehearsals do not. StoreError if this is no checkout.
    """
    require_checkout(repository)
    root = repository.resolve()
    places = [str(folder.resolve().relative_to(root)) for folder in folders]
    status = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored", "--")
    entries = run_git(repository, *status, *places).decode(errors="replace").split("\0")[:-1]
    paths = (entry[3:] for entry in entries)
    return tuple(sorted(path for path in paths if not path.endswith(f"/{NOT_SEALED}")))
