"""`sigil demo` for real, on a small repository: what it makes, what it leaves alone, and how it refuses and stops."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FILES = {
    ".gitignore": "build/\n",
    "catalog/skills/acme/polite/SKILL.md": "---\nname: polite\ndescription: Say hello.\n---\nGreet everybody.\n",
    "catalog/skills/acme/polite/sigil.yaml": """schema: 1
kind: skill
title: Polite greetings
summary: Teaches an agent to greet.
license: Apache-2.0
maintainers: [tests]
permissions: {hosts: [], commands: [], env: []}
agents: []
suites: [greetings]
limitations: []
""",
    "tasks/greetings/suite.yaml": """schema: 1
title: Greetings
summary: Small tasks for tests.
license: Apache-2.0
maintainers: [tests]
languages: [shell]
""",
    "tasks/greetings/one/task.yaml": """schema: 1
title: Write a greeting
timeout_seconds: 60
verify_timeout_seconds: 20
protected: []
""",
    "tasks/greetings/one/prompt.md": "Please write greeting.txt.\n",
    "tasks/greetings/one/repo/README": "A place for greetings.\n",
    "tasks/greetings/one/verifier/verify.sh": "grep -q hello greeting.txt\n",
    "tasks/greetings/one/solution/greeting.txt": "hello\n",
    "tasks/greetings/one/rehearsal.yaml": """schema: 1
baseline:
  - name: forgets it
    steps: [{say: Done.}]
treatment:
  - name: writes it
    steps: [{write: {path: greeting.txt, text: "hello\\n"}}, {say: Done.}]
""",
}


def git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=repository, check=True, capture_output=True, text=True, env={**os.environ, **IDENTITY}
    ).stdout


IDENTITY = {f"GIT_{role}_{part}": f"tests@{part}" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    shutil.copytree(PROJECT / "site_src", root / "site_src", ignore=shutil.ignore_patterns("catalogue", "suites"))
    shutil.copy(PROJECT / "mkdocs.yml", root)
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--no-gpg-sign", "-m", "start")
    return root


def start(repository: Path, tmp_path: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """The demo with an empty home, as somebody has who never told git a name."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    nameless = {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "sigilgen", "demo", "--repository", str(repository), *arguments],
        env={**os.environ, **nameless, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_rehearses_the_last_commit_without_a_git_identity_and_leaves_the_repository_alone(
    repository: Path, tmp_path: Path
) -> None:
    (repository / "tasks/greetings/one/verifier/verify.sh").write_text("exit 7\n")
    (repository / "notes.txt").write_text("not committed\n")
    before = git(repository, "status", "--porcelain"), git(repository, "log", "--format=%H")
    demo = start(repository, tmp_path, "--format", "json")
    output, errors = demo.communicate(timeout=240)
    assert demo.returncode == 0, errors
    assert (git(repository, "status", "--porcelain"), git(repository, "log", "--format=%H")) == before
    made = json.loads(output)
    assert (made["capability"], made["checks_failed"], made["disagreements"]) == ("acme/polite", False, 0)
    clone = repository / "build" / "demo"
    assert made["clone"] == str(clone)
    assert not (clone / "notes.txt").exists()
    assert git(clone, "ls-files", made["record"]).strip() == made["record"]
    assert git(clone, "log", "--format=%H", "--", "evidence").count("\n") == 2  # the plan, and later its result
    result = json.loads((clone / made["record"]).read_text())
    (plan,) = [json.loads(path.read_text()) for path in clone.glob("evidence/**/plan*.json")]
    assert (plan["rehearsal"], plan["repeats"], len(plan["cells"])) == (True, 3, 6)
    assert (result["rehearsal"], result["plan"]) == (True, plan["id"])
    assert "rehearsal" in Path(made["page"]).read_text().lower()
    assert "REHEARSAL" in errors
    program, *_, folder = shlex.split(made["serve"])
    assert (shutil.which(program) is not None, folder) == (True, str(clone))
    assert "Checked by Sigil" in (clone / "build/site/suites/greetings/index.html").read_text()


def without_suite(repository: Path) -> None:
    entry = repository / "catalog/skills/acme/polite/sigil.yaml"
    entry.write_text(entry.read_text().replace("suites: [greetings]", "suites: []"))
    git(repository, "commit", "--quiet", "--no-gpg-sign", "--all", "-m", "no suite")


def without_rehearsal(repository: Path) -> None:
    git(repository, "rm", "--quiet", "tasks/greetings/one/rehearsal.yaml")
    git(repository, "commit", "--quiet", "--no-gpg-sign", "-m", "no rehearsal")


def with_build_in_the_way(repository: Path) -> None:
    (repository / "build").write_text("a file\n")


REFUSED: dict[str, tuple[Callable[[Path], None], int, str]] = {
    "no suite": (without_suite, 2, "nothing here can be rehearsed"),
    "a task without a rehearsal": (without_rehearsal, 2, "nothing here can be rehearsed"),
    "a build folder that cannot be written to": (with_build_in_the_way, 3, "build"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_refuses_with_a_reason(case: str, repository: Path, tmp_path: Path) -> None:
    spoil, status, reason = REFUSED[case]
    spoil(repository)
    demo = start(repository, tmp_path, **IDENTITY)
    output, errors = demo.communicate(timeout=120)
    assert demo.returncode == status, errors
    assert reason in errors
    assert "Traceback" not in errors
    assert output == ""


def test_ctrl_c_ends_it_with_130(repository: Path, tmp_path: Path) -> None:
    verifier = repository / "tasks/greetings/one/verifier/verify.sh"
    verifier.write_text(f"touch {tmp_path}/verifying\nsleep 15\nexit 1\n")
    git(repository, "commit", "--quiet", "--no-gpg-sign", "--all", "-m", "a slow verifier")
    demo = start(repository, tmp_path)
    while not (tmp_path / "verifying").exists():
        assert demo.poll() is None, demo.communicate()
        time.sleep(0.05)
    demo.send_signal(signal.SIGINT)
    output, errors = demo.communicate(timeout=120)
    assert (demo.returncode, output) == (130, "")
    assert "Traceback" not in errors
