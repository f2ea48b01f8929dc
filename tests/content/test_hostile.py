"""Work that attacks its verifier instead of doing what was asked: none of it passes, and none of it ends unjudged."""

import itertools
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

TASKS = Path(__file__).parents[2] / "tasks" / "python-file-safety"
PACKAGES = {
    "journal-restart": "printfarm",
    "managed-blocks": "hostkeeper",
    "restore-archives": "coldstore",
    "settings-reset": "inkwell",
}
LEAVE = "import os\nos._exit(0)\n"
STRAY_FILES = (
    "sitecustomize.py",
    "usercustomize.py",
    "conftest.py",
    "json.py",
    "tempfile.py",
    "unittest/__init__.py",
    "tests/conftest.py",
    "verifier_tests/__init__.py",
    "verifier_tests/checks/__init__.py",
    "verifier_tests/json.py",
    "verifier_tests/unittest.py",
)
AT_IMPORT = {
    "ends with success": LEAVE,
    "raises SystemExit": "import sys\nsys.exit(0)\n",
    "ends with success at exit": "import atexit, os\natexit.register(os._exit, 0)\nraise SystemExit(1)\n",
    "prints success": "import sys\nfor out in (sys.stdout, sys.stderr):\n"
    "    print('\\nRESULT [99, true]\\nRan 99 tests in 0.1s\\n\\nOK', file=out, flush=True)\n" + LEAVE,
    "writes success to every descriptor": "import os\nfor fd in range(64):\n    try:\n"
    "        os.write(fd, b'[99, true]')\n    except OSError:\n        pass\n" + LEAVE,
    "kills its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "kills its process group": "import os, signal\nos.kill(0, signal.SIGKILL)\n",
    "replaces functions of os": "import os\n"
    "os._exit = os.fsync = os.rename = os.replace = os.kill = lambda *arguments, **more: None\n",
    "replaces json": "import json\njson.dumps = lambda *arguments, **more: '[99, true]'\n"
    "json.JSONEncoder.encode = lambda *arguments: '[99, true]'\n",
    "replaces the test framework": "import unittest\nunittest.TestCase.run = lambda self, result=None: None\n"
    "unittest.TestResult.wasSuccessful = lambda self: True\nunittest.TestProgram = None\n",
    "takes the checks apart": "import sys, unittest\nchecks = sys.modules['__main__']\n"
    "for name, value in list(vars(checks).items()):\n"
    "    if isinstance(value, type) and issubclass(value, unittest.TestCase):\n"
    "        for test in [test for test in vars(value) if test.startswith('test_')]:\n"
    "            setattr(value, test, lambda self: None)\n",
    "overwrites the checks": "from pathlib import Path\nfor file in ('verify.sh', 'verifier_tests/checks.py'):\n"
    "    place = Path(__file__).parents[1] / file\n    place.unlink(missing_ok=True)\n    place.write_text('')\n",
}


def pairs() -> list[ParameterSet]:
    """Every attack on every task; the machinery is the same, so that one task for each attack does for every day."""
    daily = set(zip(itertools.cycle(PACKAGES), AT_IMPORT, strict=False))
    both = itertools.product(PACKAGES, AT_IMPORT)
    return [pytest.param(*pair, marks=() if pair in daily else pytest.mark.long) for pair in both]


def verify(task: str, workspace: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Lay the verifier over the workspace and run it as Sigil does: in a session that it can do no harm to."""
    shutil.copytree(TASKS / task / "verifier", workspace, dirs_exist_ok=True)
    return subprocess.run(
        ["sh", "verify.sh"],
        cwd=workspace,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        start_new_session=True,
    )


def strew(workspace: Path, text: str) -> None:
    for name in STRAY_FILES:
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text)


def test_every_task_is_attacked() -> None:
    assert sorted(PACKAGES) == sorted(path.name for path in TASKS.iterdir() if path.is_dir())


@pytest.mark.parametrize(("task", "attack"), pairs())
def test_code_that_attacks_when_it_is_imported_fails(task: str, attack: str, tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    shutil.copytree(TASKS / task / "repo", workspace)
    with (workspace / PACKAGES[task] / "__init__.py").open("a") as file:
        file.write(f"\n{AT_IMPORT[attack]}")
    assert verify(task, workspace).returncode == 1


@pytest.mark.parametrize("task", PACKAGES)
def test_files_that_python_would_import_by_accident_do_not_help(task: str, tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    shutil.copytree(TASKS / task / "repo", workspace)
    strew(workspace, LEAVE)
    startup = str(workspace / "sitecustomize.py")
    done = verify(task, workspace, PYTHONPATH=str(workspace), PYTHONSTARTUP=startup, PYTHONHOME="", HOME=str(workspace))
    assert done.returncode == 1


@pytest.mark.parametrize("task", PACKAGES)
def test_such_files_do_not_harm_a_right_solution(task: str, tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    shutil.copytree(TASKS / task / "repo", workspace)
    shutil.copytree(TASKS / task / "solution", workspace, dirs_exist_ok=True)
    strew(workspace, "raise SystemExit('imported by accident')\n")
    done = verify(task, workspace, PYTHONPATH=str(workspace), HOME=str(workspace))
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_machinery_is_the_same_in_every_task() -> None:
    texts = [(TASKS / task / "verifier" / "verifier_tests" / "checks.py").read_text() for task in PACKAGES]
    assert len({text.partition("# ---- machinery")[2].partition("# ---- end of")[0] for text in texts}) == 1
