"""Commits evidence: only the files it was given, on the current branch, whatever else is going on in the checkout.

The commit is built against a temporary index and the branch is moved with compare-and-swap, under a lock that all
writers of this repository share. Then the files are put into the work tree and into the user's own index, so that
`git status` shows nothing of them. Staged changes, dirty files and untracked files stay as they are; no hook runs; the
commit is not signed, whatever the configuration says.

A detached HEAD is refused: a commit made there belongs to no branch and is lost at the next switch.
"""

import fcntl
import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from sigilgen.errors import StoreError
from sigilgen.store.git_run import git_line, list_tree, require_checkout, run_git
from sigilgen.store.worktree import refuse_conflicts, write_files

LOCK = "sigil.lock"
LOCK_SECONDS = 120.0
INDEX_SECONDS = 10.0
SWAPS = 20
MILLISECONDS_BETWEEN = (5, 50)
REGULAR = "100644"
FOLDER = "040000"

FALLBACK_NAME = "Sigil"
FALLBACK_EMAIL = "sigil@localhost"
"""Who commits where git knows no user. Git's own guess would publish the names of the account and the machine."""


@dataclass(frozen=True, slots=True)
class _Checkout:
    """A work tree, its branch, the index of its own and the folder that all its work trees share."""

    root: Path
    branch: str
    index: Path
    shared: Path


def commit_files(repository: Path, files: Mapping[str, bytes], message: str) -> str:
    """Add `files` to the current branch in one commit, and return its id.

    Files that HEAD has already, with the same bytes, are not committed again; if that is all of them, HEAD is returned.
    So the same call may be repeated after any failure.

    Raises StoreError before anything is committed if a path is taken by another content, or if this is not a checkout
    with a branch that can be written to; and after the commit, saying so, if only work tree or index could not follow.
    """
    checkout = _open(repository)
    with _exclusive(checkout) as scratch:
        refuse_conflicts(checkout.root, files)
        _wait_for_index(checkout)
        blobs = _store_blobs(checkout, files, scratch)
        commit = _advance(checkout, blobs, message, scratch)
        _confirm(checkout, blobs)
        try:
            write_files(checkout.root, files)
            _update_index(checkout, blobs)
        except StoreError as error:
            raise StoreError(
                f"the evidence is committed as {commit[:12]}, but the checkout does not show it yet: {error.message}",
                hint=error.hint or "Mend the cause and run: git checkout HEAD -- evidence",
            ) from error
    return commit


def _open(repository: Path) -> _Checkout:
    require_checkout(repository)
    try:
        branch = git_line(repository, "symbolic-ref", "--quiet", "HEAD")
    except StoreError:
        raise StoreError(
            "HEAD is detached: a commit made here would belong to no branch and be lost",
            hint="Switch to a branch first (git switch -c <name>), or keep the evidence uncommitted with --no-commit.",
        ) from None
    root = repository.resolve()
    index = git_line(repository, "rev-parse", "--git-path", "index")
    shared = git_line(repository, "rev-parse", "--git-common-dir")
    return _Checkout(root=root, branch=branch, index=root / index, shared=root / shared)


def _tip(repository: Path, name: str) -> str | None:
    try:
        return git_line(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except StoreError:
        return None


@contextmanager
def _exclusive(checkout: _Checkout) -> Iterator[Path]:
    """Hold the lock that all Sigil writers of this repository share, with a scratch folder beside it."""
    try:
        with (checkout.shared / LOCK).open("ab") as lock:
            _take(lock)
            with tempfile.TemporaryDirectory(prefix="sigil-", dir=checkout.shared) as scratch:
                yield Path(scratch)
    except OSError as error:
        raise StoreError(f"cannot write to the repository: {error.filename or ''} {error.strerror}") from error


def _take(lock: BinaryIO) -> None:
    """Wait for the lock, which the system lets go when its holder dies."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreError(f"another Sigil has been writing here for {LOCK_SECONDS:.0f} s: {lock.name}") from None
            _pause()
        else:
            return


def _pause() -> None:
    """Wait a little, and not as long as the next writer."""
    least, most = MILLISECONDS_BETWEEN
    time.sleep((least + secrets.randbelow(most - least)) / 1000)


def _wait_for_index(checkout: _Checkout) -> None:
    """Wait until no other git command holds the user's index, so that nothing is committed that it could not show."""
    lock = checkout.index.with_name("index.lock")
    deadline = time.monotonic() + INDEX_SECONDS
    while lock.exists():
        if time.monotonic() > deadline:
            raise StoreError(
                f"another git command holds {lock}",
                hint="Wait until it has ended. If none runs, one died: delete that file.",
            )
        _pause()


def _store_blobs(checkout: _Checkout, files: Mapping[str, bytes], scratch: Path) -> dict[str, str]:
    """Give the contents to git as they are, without filters, and return their blobs by path."""
    copies = [scratch / str(number) for number in range(len(files))]
    for copy, data in zip(copies, files.values(), strict=True):
        copy.write_bytes(data)
    names = run_git(checkout.root, "hash-object", "-w", "--no-filters", "--", *map(str, copies)).decode().split()
    return dict(zip(files, names, strict=True))


def _advance(checkout: _Checkout, blobs: Mapping[str, str], message: str, scratch: Path) -> str:
    """Move the branch to a commit that adds the blobs to whatever it holds by then."""
    identity = _identity(checkout.root)
    refusal: StoreError | None = None
    for _ in range(SWAPS):
        parent = _tip(checkout.root, checkout.branch)
        missing = _missing(checkout, blobs, parent)
        if parent is not None and not missing:
            return parent
        tree = _tree(checkout, missing, parent, scratch / "index")
        ancestry = () if parent is None else ("-p", parent)
        commit = git_line(checkout.root, "commit-tree", *ancestry, "-m", message, tree, environment=identity)
        note = f"sigil: {message.partition(chr(10))[0]}"
        try:
            run_git(checkout.root, "update-ref", "-m", note, checkout.branch, commit, parent or "0" * len(commit))
        except StoreError as error:
            refusal = error  # somebody else moved the branch or is about to: look again
            _pause()
        else:
            return commit
    raise StoreError(f"the branch could not be moved in {SWAPS} tries: {refusal}")


def _missing(checkout: _Checkout, blobs: Mapping[str, str], commit: str | None) -> dict[str, str]:
    """The blobs that `commit` does not hold yet. StoreError if it holds something else where one of them is to go."""
    if commit is None:
        return dict(blobs)
    folders = {str(folder) for path in blobs for folder in PurePosixPath(path).parents} - {"."}
    there = list_tree(checkout.root, commit, "--", *sorted(folders), *blobs)
    for path, (mode, name) in there.items():
        if path in folders and mode != FOLDER:
            raise StoreError(f"{path} is committed as something else than a folder; evidence cannot go below it")
        if path in blobs and (mode, name) != (REGULAR, blobs[path]):
            raise StoreError(f"{path} is committed already, with another content; evidence is never changed")
    return {path: blob for path, blob in blobs.items() if path not in there}


def _tree(checkout: _Checkout, blobs: Mapping[str, str], parent: str | None, index: Path) -> str:
    """The tree of `parent` with `blobs` added, built in an index of its own."""
    own = {"GIT_INDEX_FILE": str(index)}
    run_git(checkout.root, "read-tree", *(["--empty"] if parent is None else [parent]), environment=own)
    run_git(checkout.root, "update-index", "-z", "--index-info", stdin=_index_info(blobs), environment=own)
    return git_line(checkout.root, "write-tree", environment=own)


def _index_info(blobs: Mapping[str, str]) -> bytes:
    return b"".join(f"{REGULAR} {blob}\t".encode() + os.fsencode(path) + b"\0" for path, blob in blobs.items())


def _identity(repository: Path) -> dict[str, str]:
    """Variables that name the fallback identity, for each role that the user's configuration leaves open."""
    identity: dict[str, str] = {}
    for role in ("AUTHOR", "COMMITTER"):
        try:
            run_git(repository, "-c", "user.useConfigOnly=true", "var", f"GIT_{role}_IDENT")
        except StoreError:
            identity |= {f"GIT_{role}_NAME": FALLBACK_NAME, f"GIT_{role}_EMAIL": FALLBACK_EMAIL}
    return identity


def _confirm(checkout: _Checkout, blobs: Mapping[str, str]) -> None:
    """Look again whether the branch holds what was to be kept."""
    lost = _missing(checkout, blobs, _tip(checkout.root, checkout.branch))
    if lost:
        raise StoreError(f"{checkout.branch} does not hold what was just committed: {', '.join(lost)}")


def _update_index(checkout: _Checkout, blobs: Mapping[str, str]) -> None:
    deadline = time.monotonic() + INDEX_SECONDS
    while True:
        try:
            run_git(checkout.root, "update-index", "-z", "--index-info", stdin=_index_info(blobs))
        except StoreError as error:
            if "index.lock" not in error.message or time.monotonic() > deadline:
                raise
            _pause()
        else:
            return
