import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sigilgen.agents.registry import find_agent
from sigilgen.commands import doctor
from sigilgen.commands.doctor import Diagnosis, Finding, diagnose, render
from sigilgen.commands.doctor_probes import Found, Probe
from sigilgen.errors import SandboxError


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH: nothing but what a test puts there is installed."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def install(tools: Path, name: str, script: str) -> None:
    (tools / name).write_text(f"#!/bin/sh\n{script}\n")
    (tools / name).chmod(0o755)


def finding(diagnosis: Diagnosis, name: str) -> Finding:
    return next(found for found in diagnosis.findings if found.name == name)


def test_every_finding_says_what_it_is_for_and_how_to_get_it(tmp_path: Path) -> None:
    for found in diagnose(tmp_path).findings:
        assert found.purpose
        assert found.detail
        assert (found.remedy is None) == (found.state == "ok")


def test_a_machine_without_git_is_not_ready(tools: Path, tmp_path: Path) -> None:
    diagnosis = diagnose(tmp_path)
    assert not diagnosis.ready
    assert finding(diagnosis, "git").detail == "not found on PATH"
    assert "Sigil cannot work here yet: git" in render(diagnosis)


GITS = {
    "old": ("echo git version 2.20.1", "missing", "git version 2.20.1 is older than 2.30"),
    "just new enough": ("echo git version 2.30.0", "ok", "git version 2.30.0"),
    "of a vendor": ("echo 'git version 2.39.5 (Apple Git-154)'", "ok", "git version 2.39.5 (Apple Git-154)"),
    "next major": ("echo git version 3.0.0", "ok", "git version 3.0.0"),
    "broken": ("echo git: cannot load library; exit 127", "missing", "git: cannot load library"),
}


@pytest.mark.parametrize(("script", "state", "detail"), GITS.values(), ids=GITS)
def test_git_must_work_and_be_new_enough(tools: Path, tmp_path: Path, script: str, state: str, detail: str) -> None:
    install(tools, "git", script)
    found = finding(diagnose(tmp_path), "git")
    assert (found.state, found.detail) == (state, detail)


AGENT_STATES = {
    "not installed": (None, {}, "missing", "not found on PATH", "Install claude as its maker says"),
    "signed in": (
        "echo; echo '2.1.3 (Some Agent)'",
        {"ANTHROPIC_API_KEY": "k" * 20},
        "ok",
        "2.1.3 (Some Agent), signed in",
        None,
    ),
    "not signed in": (
        "echo 2.1.3",
        {},
        "missing",
        "2.1.3 is installed, but no login for claude-code was found",
        "Log in with `claude`, or set one of",
    ),
    "broken": (
        "echo cannot find node; exit 127",
        {},
        "missing",
        "cannot find node",
        "claude is on PATH and does not start",
    ),
}


@pytest.mark.parametrize(("script", "variables", "state", "detail", "remedy"), AGENT_STATES.values(), ids=AGENT_STATES)
def test_an_agent_must_be_installed_and_signed_in(
    tools: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    script: str | None,
    variables: dict[str, str],
    state: str,
    detail: str,
    remedy: str | None,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in find_agent("claude-code").login_variables:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    if script is not None:
        install(tools, "claude", script)
    found = finding(diagnose(tmp_path), "claude-code")
    assert (found.state, found.detail) == (state, detail)
    assert found.remedy == remedy or (found.remedy or "").startswith(remedy or "?")


def test_agents_that_cannot_be_driven_yet_are_named_as_such(tools: Path, tmp_path: Path) -> None:
    install(tools, "codex", "echo codex-cli 0.99.1")
    found = finding(diagnose(tmp_path), "other agents")
    assert found.detail == "codex codex-cli 0.99.1: installed, but this version cannot drive them"


def test_what_is_only_optional_does_not_decide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def two(_start: Path) -> tuple[Probe, ...]:
        return (
            Probe(name="a", purpose="all", look=lambda: Found(ok=True, detail="1"), remedy="", needed=True),
            Probe(name="b", purpose="some", look=lambda: Found(ok=False, detail="no"), remedy="Get b."),
        )

    monkeypatch.setattr(doctor, "probes", two)
    diagnosis = diagnose(tmp_path)
    assert diagnosis.ready
    assert render(diagnosis).splitlines() == [
        "ok       a  1",
        "missing  b  optional, for some: no",
        "            Get b.",
        "",
        "Sigil can work here.",
    ]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), SandboxError("traces above")])
def test_a_look_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception) -> None:
    def look() -> Found:
        raise error

    monkeypatch.setattr(doctor, "probes", lambda _: (Probe(name="a", purpose="all", look=look, remedy="Mend it."),))
    (found,) = diagnose(tmp_path).findings
    assert found.state == "missing"
    assert found.detail in str(error)


def repository(folder: Path) -> Path:
    for name in ("catalog", "tasks"):
        (folder / name).mkdir(parents=True)
    return folder


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *settings, *arguments], cwd=folder, check=True, capture_output=True)


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    assert finding(diagnose(tmp_path), "repository").detail == "not inside one"


def test_a_repository_without_a_commit_is_said_so(tmp_path: Path) -> None:
    git(repository(tmp_path), "init")
    found = finding(diagnose(tmp_path), "repository")
    assert found.state == "missing"
    assert "is no git repository with a commit" in found.detail
    assert "git commit" in (found.remedy or "")


def test_the_state_of_a_repository_is_shown_from_any_folder_in_it(tmp_path: Path) -> None:
    git(repository(tmp_path), "init")
    git(tmp_path, "commit", "--allow-empty", "-m", "start")
    clean = finding(diagnose(tmp_path / "tasks"), "repository")
    (tmp_path / "new.txt").touch()
    dirty = finding(diagnose(tmp_path), "repository")
    git(tmp_path, "checkout", "--detach")
    detached = finding(diagnose(tmp_path), "repository")
    assert clean.detail.startswith(f"{tmp_path} on main at ")
    assert clean.detail.endswith(", clean")
    assert dirty.detail.endswith(", with uncommitted changes")
    assert detached.state == "missing"
    assert "on no branch (detached HEAD)" in detached.detail
    assert "git switch" in (detached.remedy or "")


def test_an_identity_is_asked_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    (tmp_path / "config").touch()
    unknown = finding(diagnose(tmp_path), "git identity")
    (tmp_path / "config").write_text("[user]\nname = Ada\nemail = ada@example.com\n")
    known = finding(diagnose(tmp_path), "git identity")
    assert unknown.state == "missing"
    assert unknown.purpose.startswith("your own `git commit`; ")
    assert (known.state, known.detail) == ("ok", "Ada <ada@example.com>")


def test_an_engine_that_does_not_answer_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    assert finding(diagnose(tmp_path), "docker").state == "missing"


def test_the_command_prints_json_and_ends_with_3_when_something_needed_is_missing(tools: Path) -> None:
    command = [sys.executable, "-m", "sigilgen", "doctor", "--format", "json"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (3, "")
    shown = json.loads(done.stdout)
    assert shown["ready"] is False
    assert {"name", "state", "needed", "purpose", "detail", "remedy"} == set(shown["findings"][0])
