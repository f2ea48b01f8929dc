"""What `sigil doctor` looks for, how it looks, and how to get what is missing."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from platform import machine, python_version, system

from sigilgen.agents.base import Agent
from sigilgen.agents.registry import AGENTS
from sigilgen.commands.ask import ask
from sigilgen.commands.find_repository import find_repository
from sigilgen.errors import SandboxError
from sigilgen.lab.login import find_login
from sigilgen.sandbox.host import check_surroundings, verifier_network

OLDEST_PYTHON = (3, 11)
OLDEST_GIT = (2, 30)
DISK_BYTES = 1 << 30
UNDRIVEN = ("codex", "gemini", "opencode", "pi")
"""Programs of agents for which there is no adapter yet."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DOCKER_PROBE = "import docker; print(docker.from_env(timeout=4).version()['Version'])"


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at one thing came to; `detail` is what was seen, or why it will not do.

    `remedy` is for what is there and not fit for use; without it the remedy of the probe holds.
    """

    ok: bool
    detail: str
    remedy: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One thing to look for: what it is for, how to look, and how to get it."""

    name: str
    purpose: str
    look: Callable[[], Found]
    remedy: str
    needed: bool = False


def probes(start: Path) -> tuple[Probe, ...]:
    """Everything to look for, in the order in which it is shown."""
    driven = (_agent(agent) for agent in AGENTS if agent.executable is not None)
    return (*_ground(start), *_workplace(start), *_helpful(), *driven, _undriven())


def _ground(start: Path) -> tuple[Probe, ...]:
    return (
        Probe(
            name="python",
            needed=True,
            purpose="everything",
            look=_python,
            remedy="Install Python 3.11 or newer, remove .venv and run make demo again.",
        ),
        Probe(
            name="git",
            needed=True,
            purpose="keeping evidence and giving every run a fresh repository",
            look=_git,
            remedy=_package("git"),
        ),
        Probe(
            name="temporary files",
            needed=True,
            purpose="the workspaces of runs",
            look=_temporary_folder,
            remedy="Set TMPDIR to a folder that is yours and has no instruction files in it or above it.",
        ),
        Probe(
            name="built-in agents",
            needed=True,
            purpose="rehearsals, and the controls of tasks",
            look=_built_in,
            remedy="Install Sigil again.",
        ),
        Probe(
            name="disk space",
            needed=True,
            purpose="workspaces and evidence",
            look=lambda: _disk(start),
            remedy="Free at least 1 GiB here and in the temporary folder.",
        ),
    )


def _workplace(start: Path) -> tuple[Probe, ...]:
    return (
        Probe(
            name="repository",
            purpose="all commands that read or keep evidence",
            look=lambda: _repository(start),
            remedy="Change into a checkout of a Sigil repository: it has the folders catalog/ and tasks/.",
        ),
        Probe(
            name="git identity",
            purpose="your own `git commit`; commits of evidence are made without it, under Sigil's name",
            look=lambda: _identity(start),
            remedy='git config --global user.name "…" and git config --global user.email "…"',
        ),
        Probe(
            name="offline verifiers",
            purpose="proof that a verifier uses no network",
            look=_offline,
            remedy="Works on Linux where user namespaces are allowed (kernel.unprivileged_userns_clone, or as root).",
        ),
    )


def _helpful() -> tuple[Probe, ...]:
    return (
        Probe(
            name="faketime",
            purpose="sigil task check with the clock two years ahead",
            look=_faketime,
            remedy=_package("faketime", brew="libfaketime"),
        ),
        Probe(
            name="docker",
            purpose="runs in containers, which this version cannot make yet",
            look=_docker,
            remedy="Install Docker Engine, start it, and let your user reach its socket; or set DOCKER_HOST.",
        ),
        Probe(name="make", purpose="make demo, test, check", look=lambda: _version("make"), remedy=_package("make")),
        Probe(
            name="node",
            purpose="tasks in JavaScript, and agents that come as npm packages",
            look=lambda: _version("node"),
            remedy=_package("nodejs", brew="node"),
        ),
        Probe(
            name="npm",
            purpose="tasks in JavaScript, and agents that come as npm packages",
            look=lambda: _version("npm"),
            remedy=_package("npm", brew="node"),
        ),
        Probe(
            name="chromium",
            purpose="tests that look at pages in a browser",
            look=_browser,
            remedy=_package("chromium", brew="--cask chromium"),
        ),
    )


def _agent(agent: Agent) -> Probe:
    return Probe(
        name=agent.name,
        purpose=f"sigil prove --agent {agent.name}",
        look=lambda: _signed_in(agent),
        remedy=f"Install {agent.executable} as its maker says, so that it is on PATH, and sign in once.",
    )


def _undriven() -> Probe:
    return Probe(
        name="other agents",
        purpose="later versions, which will drive more agents",
        look=_installed_undriven,
        remedy="There is no need to install one of them for Sigil.",
    )


def _package(debian: str, *, brew: str | None = None) -> str:
    return f"Debian, Ubuntu: apt-get install {debian}. macOS: brew install {brew or debian}."


def _python() -> Found:
    return Found(sys.version_info >= OLDEST_PYTHON, f"{python_version()} on {system()} {machine()}")


def _git() -> Found:
    answer = ask("git", "--version")
    numbers = re.search(r"(\d+)\.(\d+)", answer.text)
    if answer.status != 0 or numbers is None:
        return Found(ok=False, detail=answer.failure)
    if (int(numbers[1]), int(numbers[2])) < OLDEST_GIT:
        return Found(ok=False, detail=f"{answer.line} is older than 2.30", remedy="Install a newer git.")
    return Found(ok=True, detail=answer.line)


def _built_in() -> Found:
    names = [agent.name for agent in AGENTS if agent.executable is None]
    return Found(bool(names), ", ".join(names))


def _temporary_folder() -> Found:
    check_surroundings()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "probe").write_bytes(b"written")
    return Found(ok=True, detail=tempfile.gettempdir())


def _disk(start: Path) -> Found:
    free = min(shutil.disk_usage(folder).free for folder in (start, tempfile.gettempdir()))
    return Found(free >= DISK_BYTES, f"{free / (1 << 30):.1f} GiB free")


def _repository(start: Path) -> Found:
    root = find_repository(start)
    if root is None:
        return Found(ok=False, detail="not inside one")
    commit = ask("git", "-C", str(root), "rev-parse", "--short", "HEAD")
    if commit.status != 0:
        what = f"{root} is no git repository with a commit: {commit.failure}"
        return Found(
            ok=False, detail=what, remedy="git init, then git add and git commit once: evidence is kept in commits."
        )
    branch = ask("git", "-C", str(root), "symbolic-ref", "--quiet", "--short", "HEAD")
    if branch.status != 0:
        what = f"{root} is on no branch (detached HEAD), so evidence cannot be committed"
        return Found(
            ok=False, detail=what, remedy="Switch to a branch: git switch NAME, or git switch -c NAME for a new one."
        )
    changes = ask("git", "-C", str(root), "status", "--porcelain")
    clean = "clean" if changes.status == 0 and not changes.text else "with uncommitted changes"
    return Found(ok=True, detail=f"{root} on {branch.line} at {commit.line}, {clean}")


def _identity(start: Path) -> Found:
    answer = ask("git", "-C", str(start), "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
    if answer.status != 0:
        return Found(ok=False, detail="git does not know your name or address")
    return Found(ok=True, detail=answer.line.rpartition("> ")[0] + ">")


def _offline() -> Found:
    if verifier_network() == "none":
        return Found(ok=True, detail="commands can be run without any network")
    return Found(ok=False, detail="this system gives a command no network of its own")


def _faketime() -> Found:
    answer = ask("faketime", "2040-01-02 12:00:00", "date", "+%Y")
    if answer.status != 0 or answer.line != "2040":
        return Found(ok=False, detail=answer.failure)
    return Found(ok=True, detail="moves the clock of a command")


def _signed_in(agent: Agent) -> Found:
    program = agent.executable or ""
    version = _version(program)
    if not version.ok:
        remedy = f"{program} is on PATH and does not start: install it again." if shutil.which(program) else None
        return Found(ok=False, detail=version.detail, remedy=remedy)
    try:
        find_login(agent, home=Path.home(), environment=os.environ)
    except SandboxError as error:
        return Found(ok=False, detail=f"{version.detail} is installed, but {error.message}", remedy=error.hint)
    return Found(ok=True, detail=f"{version.detail}, signed in")


def _installed_undriven() -> Found:
    versions = {program: _version(program) for program in UNDRIVEN}
    installed = [f"{program} {version.detail}" for program, version in versions.items() if version.ok]
    if not installed:
        return Found(ok=False, detail=f"none of {', '.join(UNDRIVEN)} is on PATH")
    return Found(ok=True, detail=f"{', '.join(installed)}: installed, but this version cannot drive them")


def _docker() -> Found:
    answer = ask(sys.executable, "-c", DOCKER_PROBE, seconds=10)
    if answer.status != 0:
        return Found(ok=False, detail="no engine answers")
    return Found(ok=True, detail=f"engine {answer.line}")


def _browser() -> Found:
    program = next((name for name in BROWSERS if shutil.which(name)), BROWSERS[0])
    return _version(program)


def _version(program: str) -> Found:
    answer = ask(program, "--version")
    if answer.status != 0:
        return Found(ok=False, detail=answer.failure)
    lines = answer.text.splitlines()
    return Found(ok=True, detail=next((line.strip() for line in lines if re.search(r"\d\.\d", line)), answer.line))
