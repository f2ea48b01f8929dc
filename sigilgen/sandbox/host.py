"""Boxes on this machine, without isolation: for first-party capabilities and for rehearsals only.

What it does give: an empty home, an environment of its own, a workspace outside any repository, a whole process tree
that ends with the run. What it does not: the verifier and the operator's files can be read from a run, and the
network is open to the agent. A host run is never a canary pass.
"""

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from sigilgen.errors import SandboxError
from sigilgen.model.invocation import PLAYER
from sigilgen.sandbox.base import Errand
from sigilgen.sandbox.process import PLAYER as PLAYER_FILE
from sigilgen.sandbox.process import Command, Finished, Isolation, Stopper, run_command
from sigilgen.sandbox.trees import put_file, remove, tame

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".agents", ".claude", ".gemini", ".opencode", ".pi")
"""What agents look for in every folder above their workspace."""

MINIMUM_FREE_BYTES = 64 << 20
"""With less room than this nothing that fails says anything about who made it fail."""


@dataclass(frozen=True, slots=True)
class HostBox:
    """A folder with a home, a workspace and a folder for temporary files."""

    root: Path
    keep_open: tuple[int, ...]

    @property
    def home(self) -> str:
        return str(self.root / "home")

    @property
    def workspace(self) -> str:
        return str(self.root / "work")

    def put(self, folder: Path) -> None:
        shutil.move(folder, self.workspace)

    def put_home(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            put_file(self.root / "home", path, data, mode=0o600)

    def execute(self, errand: Errand, stopper: Stopper) -> Finished:
        control = Path(tempfile.mkdtemp(prefix="control-", dir=self.root))
        command = Command(
            argv=_with_player(errand.argv, self.home),
            cwd=Path(self.workspace),
            env={**self._environment(), **errand.env},
            timeout_seconds=errand.timeout_seconds,
            stdin=errand.stdin,
            isolation=strongest_isolation() if errand.alone else "none",
            keep_open=self.keep_open,
        )
        return run_command(command, control, stopper)

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": search_path(),
            "HOME": self.home,
            "TMPDIR": str(self.root / "tmp"),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def take(self, folder: Path) -> None:
        if self.root.is_dir():
            self.root.chmod(0o700)
        tame(Path(self.workspace))
        shutil.move(self.workspace, folder)

    def close(self) -> None:
        remove(self.root)


@dataclass(frozen=True, slots=True)
class HostSandbox:
    """Makes boxes below `base`. `keep_open` are locks that every run holds until all of it is dead."""

    name: ClassVar[Literal["host"]] = "host"
    isolated: ClassVar[bool] = False

    base: Path
    keep_open: tuple[int, ...] = ()

    @property
    def verifier_network(self) -> Literal["none", "host"]:
        return verifier_network()

    def open_box(self, label: str) -> HostBox:
        self.base.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shutil.disk_usage(self.base).free < MINIMUM_FREE_BYTES:
            raise SandboxError(
                f"less than {MINIMUM_FREE_BYTES >> 20} MiB are free in {tempfile.gettempdir()}",
                hint="Make room, or set TMPDIR to a folder with more of it.",
            )
        root = Path(tempfile.mkdtemp(prefix=f"{label}-", dir=self.base))
        for name in ("home", "tmp"):
            (root / name).mkdir(mode=0o700)
        return HostBox(root, self.keep_open)


def check_surroundings() -> None:
    """Refuse a temporary folder below which every agent would read somebody's instruction files."""
    temporary = Path(tempfile.gettempdir()).resolve()
    found = [folder / name for folder in (temporary, *temporary.parents) for name in INSTRUCTION_FILES]
    traces = [str(path) for path in found if path.exists()]
    if traces:
        raise SandboxError(
            f"agents would read these besides the task: {', '.join(traces)}",
            hint="Set TMPDIR to a folder that has no such files in it or above it.",
        )


@functools.cache
def search_path() -> str:
    """The operator's PATH without Sigil's own environment: a run must not find `sigil` there."""
    own = str(Path(sys.prefix) / "bin")
    entries = [entry for entry in os.environ.get("PATH", os.defpath).split(os.pathsep) if entry not in ("", own)]
    base = str(Path(getattr(sys, "_base_executable", sys.executable)).parent)
    return os.pathsep.join(entries if base in entries else [*entries, base])


def verifier_network() -> Literal["none", "host"]:
    """`none` when the kernel lets us put a command into a network of its own."""
    return "host" if strongest_isolation() == "none" else "none"


@functools.cache
def strongest_isolation() -> Isolation:
    """The most that the kernel gives a command for itself, found out by trying."""
    levels: tuple[Isolation, ...] = ("processes", "network")
    return next(filter(_is_possible, levels), "none")


def _is_possible(isolation: Isolation) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        probe = Command(
            argv=("true",), cwd=Path(folder), env={"PATH": search_path()}, timeout_seconds=10, isolation=isolation
        )
        try:
            run_command(probe, Path(folder), Stopper())
        except SandboxError:
            return False
    return True


def _with_player(argv: tuple[str, ...], home: str) -> tuple[str, ...]:
    if argv[0] != PLAYER:
        return argv
    return (sys.executable, "-I", "-S", str(PLAYER_FILE), str(Path(home) / argv[1]))
