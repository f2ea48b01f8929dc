"""Every command ends in the same way when it is asked to stop. Each test stops a real process."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sigilgen.commands.new import About, new_skill, new_suite
from sigilgen.interrupts import STOPPING

SIGNALS = {number.name: number for number in STOPPING}


def script(text: str, *, ignored: str = "") -> str:
    """What `text` prints when it runs after `interrupt_once` in a Python of its own."""
    head = "import os, signal, sys, time\nfrom sigilgen.interrupts import interrupt_once\ninterrupt_once()\n"
    trap = f"trap '' {ignored}; " if ignored else ""
    done = subprocess.run(
        ["sh", "-c", f'{trap}exec "$0" -c "$1"', sys.executable, head + text],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("number", SIGNALS.values(), ids=SIGNALS)
def test_the_first_signal_interrupts_and_the_others_change_nothing(number: signal.Signals) -> None:
    text = f"""
try:
    os.kill(os.getpid(), {number})
    time.sleep(30)
except KeyboardInterrupt:
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), other)
    print("cleaned up")
"""
    assert script(text) == "cleaned up\n"


def test_what_the_parent_ignores_stays_ignored() -> None:
    text = "os.kill(os.getpid(), signal.SIGHUP)\nprint('at work')\n"
    assert script(text, ignored="HUP") == "at work\n"


def test_an_interrupt_waits_until_a_module_is_whole(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhole = True\n")
    text = f"""
sys.path.insert(0, {str(tmp_path)!r})
try:
    import slow
    time.sleep(30)
except KeyboardInterrupt:
    print(slow.whole)
"""
    assert script(text) == "True\n"


def test_an_interrupt_that_python_drops_comes_again() -> None:
    text = """
class Fleeting:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)

try:
    Fleeting()
    time.sleep(30)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert script(text) == "interrupted\n"


def test_what_else_goes_wrong_in_a_finaliser_is_still_shown() -> None:
    text = """
class Broken:
    def __del__(self):
        raise ValueError("odd")

sys.stderr = sys.stdout
Broken()
"""
    assert "ValueError: odd" in script(text)


def test_an_interrupt_before_there_is_a_command_line_shows_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    done = subprocess.run(
        [sys.executable, "-m", "sigilgen", "--help"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One task whose verifier says that it is at work, and takes its time."""
    root = tmp_path / "repository"
    (root / "catalog").mkdir(parents=True)
    (root / "tasks").mkdir()
    (tmp_path / "temporary").mkdir()
    new_suite(root, "greetings", about=About(), task="one")
    new_skill(root, "acme/polite", about=About(), suites=["greetings"])
    (root / "tasks/greetings/one/verifier/verify.sh").write_text(f"touch {tmp_path}/at-work\nsleep 20\nexit 1\n")
    return root


def stop(repository: Path, *command: str, number: signal.Signals, times: int = 1) -> tuple[int, str, str]:
    """Run a command until the repository's task is at work, then signal; its status, output and errors."""
    temporary = repository.with_name("temporary")
    running = subprocess.Popen(
        [sys.executable, "-m", "sigilgen", *command, "--repository", str(repository)],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not repository.with_name("at-work").exists():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    for _ in range(times):
        running.send_signal(number)
        time.sleep(0.005)
    output, errors = running.communicate(timeout=60)
    assert list(temporary.iterdir()) == [], "temporary folders are left"
    return running.returncode, output, errors


@pytest.mark.parametrize("number", SIGNALS.values(), ids=SIGNALS)
def test_checking_tasks_can_be_stopped_and_leaves_nothing(repository: Path, number: signal.Signals) -> None:
    status, output, errors = stop(repository, "task", "check", "greetings", number=number)
    assert (status, output) == (130, "")
    assert "Traceback" not in errors


PROVE = ("prove", "acme/polite", "--no-commit", "--runs", "1", "--jobs", "2")


@pytest.mark.parametrize("times", [1, 2, 20])
def test_however_often_an_experiment_is_interrupted_it_says_how_to_go_on(repository: Path, times: int) -> None:
    status, output, errors = stop(repository, *PROVE, number=signal.SIGINT, times=times)
    (desk,) = repository.glob(".sigil/experiments/*/")
    assert (status, output) == (130, "")
    assert errors.splitlines()[-1] == f"  Go on with: sigil prove --resume {desk.name}"


def test_an_experiment_that_is_stopped_before_its_first_run_says_how_to_go_on(repository: Path) -> None:
    task = repository / "tasks/greetings/one/task.yaml"
    at_work = repository.with_name("at-work")
    task.write_text(task.read_text() + f'setup: ["touch {at_work} && sleep 20"]\n')
    status, _, errors = stop(repository, *PROVE, number=signal.SIGTERM)
    (desk,) = repository.glob(".sigil/experiments/*/")
    assert status == 130
    assert errors.splitlines()[-1] == f"  Go on with: sigil prove --resume {desk.name}"
