"""Rehearse the whole machine on a throw-away clone: what to clone, what to measure, what to look at."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import RequestError, StoreError
from sigilgen.sandbox.trees import remove
from sigilgen.store.catalogue import load_catalogue
from sigilgen.store.suites import find_suite, load_rehearsal

CLONE = Path("build") / "demo"
CONTENT = ("catalog", "evidence", "mkdocs.yml", "site_src", "tasks")
"""What a Sigil repository is made of besides the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """What the demo made, for `--format json` and for its last lines."""

    clone: str
    capability: str
    suite: str
    record: str
    page: str
    serve: str
    checks_failed: bool
    disagreements: int


def make_clone(repository: Path) -> Path:
    """Clone the last commit of `repository` into an empty `build/demo`; its evidence can be thrown away with it."""
    target = repository / CLONE
    remove(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if (repository / ".git").exists():
        _git(repository, "clone", "--quiet", "--", str(repository), str(target))
        # Links on the pages would lead to a folder of this machine.
        _git(target, "remote", "remove", "origin")
    else:
        _copy(repository, target)
    return target


def _copy(repository: Path, target: Path) -> None:
    """The same for a download without history."""
    target.mkdir()
    for name in CONTENT:
        source = repository / name
        if source.is_dir():
            shutil.copytree(source, target / name)
        elif source.exists():
            shutil.copy(source, target / name)
    _git(target, "init", "--quiet")
    _git(target, "add", "--all")
    identity = ("-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "commit.gpgsign=false")
    _git(target, *identity, "commit", "--quiet", "--no-verify", "-m", "The repository as it was downloaded")


def _git(folder: Path, *arguments: str) -> None:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S607  (git is found on the operator's PATH)
    if done.returncode != 0:
        raise StoreError(f"git {arguments[0]} failed in {folder}: {done.stderr.strip()}")


def choose(repository: Path) -> tuple[str, str]:
    """A first-party capability, and a suite of it whose every task can be rehearsed."""
    for entry in load_catalogue(repository):
        if entry.capability.source is None:
            for name in entry.capability.suites:
                suite = find_suite(repository, name)
                if all(load_rehearsal(suite.folder / task.id) for task in suite.suite.tasks):
                    return entry.capability.name, name
    raise RequestError(
        "nothing here can be rehearsed: no first-party capability names a suite with a rehearsal.yaml in every task",
        hint="`sigil new skill` and `sigil new suite` make one of each.",
    )


def render(made: Rehearsed) -> str:
    """Where to look, said once more to be a rehearsal."""
    return "\n".join(
        [
            f"REHEARSAL: {made.capability} on {made.suite} with the built-in scripted agent. Nothing here is evidence.",
            f"clone    {made.clone}",
            f"record   {made.record}",
            f"page     {made.page}",
            "",
            "Open the page in a browser, or run:",
            f"  {made.serve}",
        ]
    )
