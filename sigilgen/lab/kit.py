"""Everything that the runs of one task share, prepared once: the starting workspace and what stood in it.

<kits>/<task>/start/     starting tree as the agent will see it, a git repository with one commit
<kits>/<task>/digest     of that tree, written last: without it the kit is made again
"""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen.errors import SandboxError
from sigilgen.lab.lost import ChangedError
from sigilgen.model.rehearsal import Rehearsal
from sigilgen.model.task import Task
from sigilgen.policy.globs import match_protected
from sigilgen.sandbox.host import search_path
from sigilgen.sandbox.process import Command, Stopper, run_command
from sigilgen.sandbox.trees import copy_tree, file_digest, is_plain, remove, tree_digest, walk, write_at_once
from sigilgen.store.suites import load_rehearsal

INSTALL_PLACES = (".agents/", ".claude/", ".gemini/", ".opencode/", ".pi/")
"""Where capabilities are installed, kept out of `git status` in both conditions alike."""

SETUP_SECONDS = 600
COMMIT_TIME = "2024-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """One task, ready to be started any number of times.

    `digests` are those of the two folders `start` and `verifier`, `originals` those of the starting files by path.
    """

    task: Task
    start: Path
    verifier: Path
    digests: tuple[str, str]
    originals: Mapping[str, str]
    protected: tuple[str, ...]
    solution: Mapping[str, bytes]
    rehearsal: Rehearsal | None


def prepare_kit(task: Task, folder: Path, kits: Path) -> Kit:
    """Make the kit of `task`, whose files are in `folder`, below `kits`; one that is ready is used again."""
    home = kits / task.id
    start = home / "start"
    if not (home / "digest").exists():
        remove(home)
        home.mkdir(parents=True)
        copy_tree(folder / "repo", start)
        _make_repository(start)
        _set_up(task, start)
        write_at_once(home / "digest", tree_digest(start))
    originals = fingerprint(start)
    kit = Kit(
        task=task,
        start=start,
        verifier=folder / "verifier",
        digests=((home / "digest").read_text(encoding="ascii"), tree_digest(folder / "verifier")),
        originals=originals,
        protected=match_protected(task.protected, tuple(originals)),
        solution={path: Path(entry.path).read_bytes() for path, entry in walk(folder / "solution")},
        rehearsal=load_rehearsal(folder),
    )
    check_unchanged(kit)
    return kit


def check_unchanged(kit: Kit) -> None:
    """Raise ChangedError when the starting workspace or the verifier is not the one that the kit was made of."""
    for folder, digest in zip((kit.start, kit.verifier), kit.digests, strict=True):
        try:
            found = tree_digest(folder)
        except OSError as error:
            raise ChangedError(folder) from error
        if found != digest:
            raise ChangedError(folder)


def fingerprint(root: Path) -> dict[str, str]:
    """Digest of every regular file of a workspace by path, without git's own files and compiled Python."""
    return {path: file_digest(Path(entry.path)) for path, entry in walk(root, skip=is_noise) if is_plain(entry)}


def is_noise(path: str) -> bool:
    """Files that are neither the task's nor the agent's work: git's, and what Python compiles on the way."""
    return path == ".git" or path.endswith((".pyc", "__pycache__"))


def _make_repository(start: Path) -> None:
    """Exactly one commit; no remotes, hooks, reflog or other history for an agent to read the future from."""
    _git(start, "-c", "init.defaultBranch=main", "init", "--quiet", "--template=")
    _git(start, "config", "core.logAllRefUpdates", "false")
    _git(start, "add", "--all", "--force")
    _git(
        start, "-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "--allow-empty", "-m", "Initial commit"
    )
    exclude = start / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("".join(f"/{place}\n" for place in INSTALL_PLACES), encoding="utf-8")


def _git(folder: Path, *arguments: str) -> None:
    environment = {
        "PATH": search_path(),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": str(folder),
    }
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{role}_NAME": "Developer",
            f"GIT_{role}_EMAIL": "developer@example.com",
            f"GIT_{role}_DATE": COMMIT_TIME,
        }
    safe = ("-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
    done = subprocess.run(["git", *safe, *arguments], cwd=folder, env=environment, capture_output=True, check=False)  # noqa: S607  (git is found on the operator's PATH)
    if done.returncode != 0:
        raise SandboxError(
            f"git could not make the starting repository: {done.stderr.decode(errors='replace').strip()}"
        )


def _set_up(task: Task, start: Path) -> None:
    """Run the task's set-up commands once, without any capability; what they leave is part of the start."""
    for command in task.setup:
        with tempfile.TemporaryDirectory() as control:
            order = Command(
                argv=("/bin/sh", "-c", command),
                cwd=start,
                env={"PATH": search_path(), "HOME": control, "LANG": "C.UTF-8"},
                timeout_seconds=SETUP_SECONDS,
            )
            done = run_command(order, Path(control), Stopper())
        if done.exit_status != 0 or done.timed_out:
            output = (done.stdout + done.stderr)[-2_000:].decode(errors="replace").strip()
            raise SandboxError(f"task {task.id}: set-up command failed ({done.exit_status}): {command}\n{output}")
