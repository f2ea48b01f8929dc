"""Runs git for the store: in one repository, in English, deaf to what a caller's or hook's environment says."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sigilgen.errors import StoreError

# A missing git is reported by the first command that needs it, with advice, and not by the import.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")

import git

KEPT_VARIABLES = frozenset(
    {
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_EXEC_PATH",
    }
)
"""Who the user is and where git finds its own things. Every other GIT_ variable could send a commit elsewhere."""

QUIET = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "i18n.commitEncoding=UTF-8"),
)
"""No program of the user's runs because evidence is kept, and nobody's settings change what is stored."""

ADVICE = {
    "dubious ownership": "Another user owns the checkout. If you trust it, run the command that git names above.",
    "No space left": "The disk is full: make room and run the same command again.",
    "Disk quota exceeded": "The disk is full for this user: make room and run the same command again.",
    "File too large": "The file system or a limit of the shell refused a file of this size.",
    "Read-only file system": "The repository is on a read-only file system.",
    "Permission denied": "This user may not write to the repository.",
    "insufficient permission": "This user may not write to the repository.",
    "index.lock": "Another git process works here, or one died and left its lock. If none runs, delete the lock file.",
    "index file corrupt": "Git cannot read its index. Delete the file and run: git reset",
}
"""What to do, by what git says."""


def run_git(
    repository: Path, *arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] | None = None
) -> bytes:
    """Standard output of `git <arguments>` in `repository`. StoreError with git's words and advice if it fails."""
    own = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1", **(environment or {})}
    command = [*_without_foreign_variables(own), "git", *QUIET, "-C", str(repository), *arguments]
    with tempfile.TemporaryFile() as given:
        given.write(stdin or b"")
        given.seek(0)
        try:
            return git.Git().execute(
                command,
                istream=given,
                env=own,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except git.GitCommandNotFound:
            raise StoreError("git was not found", hint="Install git; `sigil doctor` says how.") from None
        except git.GitCommandError as error:
            raise _refusal(arguments, error) from None


def git_line(repository: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """The one line that `git <arguments>` prints."""
    return os.fsdecode(run_git(repository, *arguments, environment=environment).removesuffix(b"\n"))


def list_tree(repository: Path, commit: str, *arguments: str) -> dict[str, tuple[str, str]]:
    """Mode and object of what `git ls-tree` lists of `commit`, by path."""
    entries = {}
    for entry in run_git(repository, "ls-tree", "-z", "--full-tree", commit, *arguments).split(b"\0")[:-1]:
        facts, _, path = entry.partition(b"\t")
        mode, _, name = facts.decode().split(" ")
        entries[os.fsdecode(path)] = (mode, name)
    return entries


def require_checkout(repository: Path) -> None:
    """StoreError unless `repository` is the top of a git work tree: evidence never goes into another one around it."""
    if not os.path.lexists(repository / ".git"):
        bare = (repository / "HEAD").is_file() and (repository / "objects").is_dir()
        raise StoreError(
            f"{repository} is a bare git repository" if bare else f"{repository} is not the top of a git checkout",
            hint="Evidence is kept in a checkout: clone the repository."
            if bare
            else "Clone the repository, or: git init",
        )
    top = git_line(repository, "rev-parse", "--show-toplevel")
    if not Path(top).samefile(repository):
        raise StoreError(f"{repository} is not the top of a git checkout; git takes it for a part of {top}")


def _without_foreign_variables(own: Mapping[str, str]) -> list[str]:
    """GitPython can add variables but not take one away, so `env` does."""
    foreign = [name for name in os.environ if name.startswith("GIT_") and name not in {*KEPT_VARIABLES, *own}]
    return ["env", *(word for name in foreign for word in ("-u", name))] if foreign else []


def _refusal(arguments: tuple[str, ...], error: git.GitCommandError) -> StoreError:
    said = str(error.stderr).strip().removeprefix("stderr: '").removesuffix("'").strip()
    hint = next((advice for phrase, advice in ADVICE.items() if phrase in said), "")
    return StoreError(f"git {arguments[0]} failed: {said or f'exit status {error.status}'}", hint=hint)
