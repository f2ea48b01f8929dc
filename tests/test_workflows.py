"""What decides whether a change passes: workflows, forms, the Makefile and the CI script."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
WORKFLOWS = {path.name: path for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
FORMS = {path.name: path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))}
PINNED = re.compile(r"^\s*-? ?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


def loaded(path: Path) -> dict[Any, Any]:
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, path in WORKFLOWS.items():
        for job, content in loaded(path)["jobs"].items():
            yield f"{name}:{job}", content


JOBS = dict(jobs())


def commands(job: dict[str, Any]) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


@pytest.mark.parametrize("path", WORKFLOWS.values(), ids=WORKFLOWS)
def test_a_workflow_grants_nothing_but_what_a_job_asks_for(path: Path) -> None:
    assert loaded(path)["permissions"] == {}


@pytest.mark.parametrize("path", WORKFLOWS.values(), ids=WORKFLOWS)
def test_no_workflow_runs_strangers_code_with_our_rights(path: Path) -> None:
    triggers = loaded(path)[True]  # YAML 1.1 takes the key `on` for true
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(triggers)


@pytest.mark.parametrize("path", WORKFLOWS.values(), ids=WORKFLOWS)
def test_every_action_is_pinned_to_a_commit_and_names_its_release(path: Path) -> None:
    used = [line for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    assert used
    assert [line for line in used if not PINNED.match(line)] == []


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_every_job_ends_and_says_what_it_may_do(job: dict[str, Any]) -> None:
    assert job["timeout-minutes"] <= 60
    assert job["permissions"]
    assert "write" not in job["permissions"].values() or job.get("environment")


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_no_checkout_leaves_its_token_behind(job: dict[str, Any]) -> None:
    checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_ci_runs_the_commands_that_people_run() -> None:
    job = JOBS["ci.yml:test"]
    assert "make --keep-going check" in commands(job)
    assert "make test" in commands(job)
    assert job["strategy"]["matrix"]["python"][0] == "3.11"


def test_pages_are_published_only_after_the_evidence_was_verified() -> None:
    ran = commands(JOBS["pages.yml:build"])
    assert 0 <= ran.index("make verify") < ran.index("make site")
    assert JOBS["pages.yml:deploy"]["needs"] == "build"


TOOLS = {
    "zizmor": ["zizmor", "--offline", "--quiet", "--persona", "pedantic", ".github"],
    "actionlint": ["actionlint"],
    "workflow schema": [
        "check-jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        *map(str, WORKFLOWS.values()),
    ],
    "form schema": [
        *("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms"),
        *(str(path) for name, path in FORMS.items() if name != "config.yml"),
    ],
    "form settings": [
        *("check-jsonschema", "--builtin-schema", "vendor.github-issue-config"),
        str(ROOT / ".github/ISSUE_TEMPLATE/config.yml"),
    ],
    "update settings": [
        "check-jsonschema",
        "--builtin-schema",
        "vendor.dependabot",
        str(ROOT / ".github/dependabot.yml"),
    ],
}


@pytest.mark.parametrize("command", TOOLS.values(), ids=TOOLS)
def test_the_linters_of_workflows_and_forms_find_nothing(command: list[str]) -> None:
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_forms_are_the_ones_that_pages_link_to() -> None:
    bodies = {name: loaded(path)["body"] for name, path in FORMS.items() if name != "config.yml"}
    fields = {name: {part["id"] for part in body if "id" in part} for name, body in bodies.items()}
    assert set(fields) == {"challenge-task.yml", "request-rerun.yml", "contest-or-context.yml"}
    assert {"suite", "task", "digest"} <= fields["challenge-task.yml"]
    assert {"capability", "digest", "suite", "agent", "model"} <= fields["request-rerun.yml"]
    assert {"record"} <= fields["contest-or-context.yml"]


def test_no_owner_is_invented() -> None:
    lines = (ROOT / ".github" / "CODEOWNERS").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == []


# ---- the Makefile and the CI script


def test_make_help_lists_every_target_that_people_run() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, check=True, text=True)
    listed = re.findall(r"^  make (\S+)", done.stdout, re.MULTILINE)
    wanted = {"help", "demo", "test", "test-long", "check", "format", "lock", "site", "bench", "reference", "verify"}
    assert wanted <= set(listed)


def test_an_old_or_missing_python_is_refused_with_what_to_do(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    for name in ("pyproject.toml", "requirements/runtime.txt", "requirements/dev.txt"):
        (tmp_path / name).touch()
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\ncase "$1" in -V) echo Python 3.9.2;; *) exit 1;; esac\n')
    old.chmod(0o755)
    for python, message in {"no-such-python": "there is no 'no-such-python'", str(old): "is Python 3.9.2"}.items():
        command = ["make", "demo", f"PYTHON={python}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Python 3.11 or newer" in done.stderr
        assert not (tmp_path / ".venv").exists()


def test_the_ci_script_is_executable_and_bash_can_read_it() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_finds_nothing_in_the_ci_script() -> None:
    done = subprocess.run(["shellcheck", ROOT / ".ci" / "run"], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("required", "status"), [("", 0), ("long, browser", 1)])
def test_a_skipped_test_fails_where_its_marker_is_required(tmp_path: Path, required: str, status: int) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.browser\ndef test_it() -> None:\n    pytest.skip('no browser')\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    environment = {**os.environ, "SIGIL_REQUIRE": required}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(tmp_path)],
        env=environment,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == status, done.stdout
    assert "no browser" in done.stdout
