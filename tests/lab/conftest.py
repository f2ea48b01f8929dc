"""A small repository with a capability and a suite whose plays do everything that agents do wrong."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.agents import scripted
from sigilgen.lab.attempt import Attempted, Ticket, attempt
from sigilgen.lab.bench import Bench
from sigilgen.lab.experiment import prepare_kits
from sigilgen.model.record import Cell
from sigilgen.model.run import Condition
from sigilgen.sandbox.host import HostSandbox
from sigilgen.sandbox.process import Stopper
from sigilgen.store.suites import find_suite

SKILL = """---
name: polite
description: Say please. Use it whenever a greeting is written.
---
Write greetings with a comma and an exclamation mark, and never forget the name.
"""

SIGIL = """schema: 1
kind: skill
title: Polite greetings
summary: Teaches an agent to greet.
license: Apache-2.0
maintainers: [tests]
permissions: {hosts: [], commands: [], env: []}
agents: []
suites: [greetings]
limitations: []
"""

SUITE = """schema: 1
title: Greetings
summary: Small tasks for tests.
license: Apache-2.0
maintainers: [tests]
languages: [shell]
"""

TASK = """schema: 1
title: Write {id}
timeout_seconds: {timeout}
verify_timeout_seconds: 5
protected: ["tests/**"]
"""

HONEST = """
    - name: honest
      steps:
        - write: {path: greeting.txt, text: "hello, world!\\n"}
        - say: All done, the greeting is written.
"""

PLAYS = {
    "honest": HONEST,
    "lies": """
    - name: lies
      steps:
        - say: Done. All tests pass.
""",
    "tampers": """
    - name: tampers
      steps:
        - write: {path: tests/check.sh, text: "exit 0\\n"}
        - run: rm tests/notes.txt
        - write: {path: greeting.txt, text: "hello, world!\\n"}
        - say: Done.
""",
    "crashes": """
    - name: crashes
      steps:
        - say: Working on it.
        - exit: 139
""",
    "hangs": """
    - name: hangs
      steps:
        - write: {path: greeting.txt, text: "hello, world!\\n"}
        - run: "(setsid sleep 3600 &) ; sleep 3600"
""",
    "floods": """
    - name: floods
      steps:
        - run: head -c 3000000 /dev/zero | tr '\\\\0' x > big.txt
        - say: I could not finish this.
""",
}


def write_task(folder: Path, *, timeout: int, baseline: str, treatment: str) -> None:
    """One task: write greeting.txt; the plays are keys of PLAYS."""
    files = {
        "task.yaml": TASK.format(id=folder.name, timeout=timeout),
        "prompt.md": f"Please write greeting.txt for {folder.name}.\n",
        "repo/README": "A place for greetings.\n",
        "repo/tests/check.sh": "grep -q hello greeting.txt\n",
        "repo/tests/notes.txt": "one\ntwo\n",
        "verifier/verify.sh": 'grep -q hello greeting.txt && [ "$(cat tests/notes.txt | wc -l)" = 2 ]\n',
        "solution/greeting.txt": "hello, world!\n",
        "rehearsal.yaml": f"schema: 1\nbaseline:{PLAYS[baseline]}treatment:{PLAYS[treatment]}",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def write_repository(root: Path, plays: dict[str, tuple[str, str]], *, timeout: int = 60) -> Path:
    """A git repository whose suite has one task per entry: its plays under baseline and treatment."""
    for path, text in {
        "catalog/skills/acme/polite/SKILL.md": SKILL,
        "catalog/skills/acme/polite/sigil.yaml": SIGIL,
        "tasks/greetings/suite.yaml": SUITE,
        "README.md": "tests\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for name, (baseline, treatment) in plays.items():
        write_task(root / "tasks/greetings" / name, timeout=timeout, baseline=baseline, treatment=treatment)
    for arguments in (
        ("init", "--quiet", "--initial-branch=main"),
        ("config", "user.name", "Tester"),
        ("config", "user.email", "tester@example.com"),
        ("add", "--all"),
        ("commit", "--quiet", "-m", "start"),
    ):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    return root


@pytest.fixture(scope="session")
def make_repository() -> Callable[[Path], Path]:
    """Three tasks in which the treatment always succeeds and the baseline lies, tampers or crashes."""
    plays = {"one": ("lies", "honest"), "two": ("tampers", "honest"), "three": ("crashes", "honest")}
    return lambda root: write_repository(root, plays)


@pytest.fixture
def repository(make_repository: Callable[[Path], Path], tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def perform(tmp_path: Path) -> Callable[..., Attempted]:
    """Carry out one attempt at a task whose baseline is one of PLAYS, outside of any experiment."""

    def carry_out(play: str, *, timeout: int = 60, files: dict[str, str] | None = None) -> Attempted:
        root = tmp_path / "performed"
        folder = root / "tasks/greetings/one"
        for path, text in {"suite.yaml": SUITE}.items():
            (folder.parent / path).parent.mkdir(parents=True, exist_ok=True)
            (folder.parent / path).write_text(text)
        write_task(folder, timeout=timeout, baseline=play, treatment="honest")
        for path, text in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        (kit,) = prepare_kits(find_suite(root, "greetings"), tmp_path / "kits").values()
        (tmp_path / "staging").mkdir()
        bench = Bench(
            agent=scripted,
            model=None,
            sandbox=HostSandbox(tmp_path / "boxes"),
            scratch=tmp_path / "staging",
            installable=None,
            clock=lambda: "2026-01-01T00:00:00.000Z",
            secrets=("the-secret-of-the-operator",),
        )
        cell = Cell(task="one", condition=Condition.BASELINE, repeat=0)
        ticket = Ticket(position=0, attempt=1, cell=cell, seed=0)
        attempted = attempt(bench, kit, ticket, Stopper(), agent_done=lambda: None)
        assert list((tmp_path / "staging").iterdir()) == list((tmp_path / "boxes").iterdir()) == []
        return attempted

    return carry_out
