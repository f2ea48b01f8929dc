"""What git remembers of the evidence: files are added, never changed or removed, in any commit that leads to HEAD."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import RequestError, StoreError
from sigilgen.store.git_run import git_line, list_tree, require_checkout, run_git
from sigilgen.store.layout import EVIDENCE

CHANGES = ("-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=MDTUXB")
"""How diff-tree lists everything but additions; a rename is a removal and an addition."""

SHALLOW = "git history was checked only as far as this shallow clone goes; fetch the rest with: git fetch --unshallow"


@dataclass(frozen=True, slots=True)
class Change:
    """A file that a commit removed or changed, and the blob that it was before. `commit` is "" between two commits."""

    path: str
    blob: str
    commit: str


@dataclass(frozen=True, slots=True)
class History:
    """Mode and blob of each evidence file in HEAD, and what commits before it changed or removed, latest first.

    `note` says what could not be looked at.
    """

    tree: Mapping[str, tuple[str, str]]
    changes: tuple[Change, ...]
    note: str | None


def read_history(repository: Path) -> History | str:
    """The history of `evidence/`, or why it cannot be looked at."""
    if shutil.which("git") is None:
        return "git history was not checked: git is not installed"
    if not os.path.lexists(repository / ".git"):
        return "git history was not checked: this is not the top of a git checkout"
    require_checkout(repository)
    if _commit(repository, "HEAD") is None:
        return "git history was not checked: nothing has been committed yet"
    commits = run_git(repository, "rev-list", "--topo-order", "HEAD")
    changes = run_git(repository, "diff-tree", "--stdin", "-m", *CHANGES, "--", EVIDENCE, stdin=commits)
    shallow = git_line(repository, "rev-parse", "--is-shallow-repository") == "true"
    return History(
        list_tree(repository, "HEAD", "-r", "--", EVIDENCE), tuple(_changes(changes)), SHALLOW if shallow else None
    )


def changes_since(repository: Path, ref: str) -> tuple[Change, ...]:
    """What HEAD removed or changed under `evidence/` since it parted from `ref`.

    Raises RequestError if there is no such commit, and StoreError if the two have no common ancestor.
    """
    commit = _commit(repository, ref)
    if commit is None:
        raise RequestError(f"git knows no commit {ref!r}", hint="Name a branch, tag or commit, and fetch it first.")
    try:
        base = git_line(repository, "merge-base", commit, "HEAD")
    except StoreError:
        raise StoreError(
            f"{ref} and HEAD have no common ancestor here", hint="In a shallow clone, first run: git fetch --unshallow"
        ) from None
    return tuple(_changes(run_git(repository, "diff-tree", *CHANGES, base, "HEAD", "--", EVIDENCE)))


def blob_id(data: bytes, *, like: str) -> str:
    """The name that git gives to `data`, in the same algorithm as the name `like`."""
    algorithm = "sha1" if len(like) == 40 else "sha256"
    return hashlib.new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _commit(repository: Path, name: str) -> str | None:
    """The id of the commit that `name` names in any of git's ways; None if it names none, or something like `^main`."""
    try:
        identity = git_line(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except StoreError:
        return None
    return identity if re.fullmatch(r"[0-9a-f]{40,64}", identity) else None


def _changes(listing: bytes) -> Iterator[Change]:
    """Read `diff-tree -z --raw`: the name of a commit, then facts and path of each file, all ended by NUL."""
    commit = ""
    words = iter(listing.split(b"\0")[:-1])
    for word in words:
        if word.startswith(b":"):
            _, _, blob, _, _ = word.decode().split(" ")
            yield Change(os.fsdecode(next(words)), blob, commit)
        else:
            commit = word.decode()
