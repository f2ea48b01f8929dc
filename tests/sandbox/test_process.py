import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import SandboxError
from sigilgen.sandbox.host import strongest_isolation
from sigilgen.sandbox.process import (
    HEAD_BYTES,
    PLAYER,
    TAIL_BYTES,
    Command,
    Finished,
    Isolation,
    StoppedError,
    Stopper,
    run_command,
)

PATH = {"PATH": os.environ.get("PATH", os.defpath)}


def run(
    tmp_path: Path,
    script: str,
    *,
    timeout: float = 30,
    stopper: Stopper | None = None,
    stdin: bytes = b"",
    isolation: Isolation = "none",
) -> Finished:
    work, control = tmp_path / "work", tmp_path / "control"
    work.mkdir(exist_ok=True)
    control.mkdir(exist_ok=True)
    command = Command(
        argv=("/bin/sh", "-c", script),
        cwd=work,
        env=PATH,
        timeout_seconds=timeout,
        stdin=stdin,
        isolation=isolation,
    )
    return run_command(command, control, stopper or Stopper())


def allowed(isolation: Isolation) -> Isolation:
    if isolation not in (strongest_isolation(), "network") or strongest_isolation() == "none":
        pytest.skip(f"this kernel gives a command {strongest_isolation()} of its own")
    return isolation


def alive(marker: str) -> list[str]:
    """Command lines of living processes that hold `marker`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if marker in line:
                found.append(line)
    return found


@pytest.mark.parametrize(("script", "status"), [("exit 0", 0), ("exit 3", 3), ("kill -SEGV $$", 139)])
def test_reports_how_the_command_ended(tmp_path: Path, script: str, status: int) -> None:
    finished = run(tmp_path, script)
    assert (finished.exit_status, finished.timed_out, finished.killed) == (status, False, status > 128)


def test_an_exit_status_above_128_is_not_taken_for_a_signal(tmp_path: Path) -> None:
    assert not run(tmp_path, "exit 139").killed


def test_both_streams_and_standard_input_are_carried(tmp_path: Path) -> None:
    finished = run(tmp_path, "cat; echo err >&2", stdin=b"given")
    assert (finished.stdout, finished.stderr) == (b"given", b"err\n")


def test_a_command_that_does_not_exist_is_no_exit_status(tmp_path: Path) -> None:
    command = Command(argv=("no-such-program-here",), cwd=tmp_path, env=PATH, timeout_seconds=5)
    with pytest.raises(SandboxError, match="could not start no-such-program-here"):
        run_command(command, tmp_path, Stopper())


def test_a_time_out_leaves_no_process_even_one_that_ignores_sigterm_and_forked_away(tmp_path: Path) -> None:
    marker = f"31.{os.getpid()}"
    script = f"""
        trap '' TERM
        (setsid sh -c "trap '' TERM; sleep {marker}; sleep {marker}" &)
        (setsid setsid sleep {marker} &)
        nohup sleep {marker} >/dev/null 2>&1 &
        while :; do sleep {marker}; done
    """
    finished = run(tmp_path, script, timeout=0.3)
    assert finished.timed_out
    assert alive(f"sleep {marker}") == []


def test_what_a_command_leaves_running_is_dead_before_its_output_is_read(tmp_path: Path) -> None:
    run(tmp_path, "(setsid sh -c 'while :; do echo x >> grows; sleep 0.01; done' &); sleep 0.1")
    size = (tmp_path / "work" / "grows").stat().st_size
    time.sleep(0.1)
    assert (tmp_path / "work" / "grows").stat().st_size == size


def test_the_last_words_before_a_time_out_are_kept(tmp_path: Path) -> None:
    script = "trap 'echo last words; exit 0' TERM; echo first; while :; do sleep 0.05; done"
    finished = run(tmp_path, script, timeout=0.3)
    assert finished.timed_out
    assert finished.stdout == b"first\nlast words\n"


def test_a_flood_of_output_is_counted_whole_and_kept_at_both_ends(tmp_path: Path) -> None:
    size = 4 * (HEAD_BYTES + TAIL_BYTES)
    finished = run(tmp_path, f"echo begin; head -c {size} /dev/zero; echo end")
    assert finished.stdout_bytes == size + len("begin\nend\n")
    assert len(finished.stdout) <= HEAD_BYTES + TAIL_BYTES
    assert finished.stdout.startswith(b"begin\n")
    assert finished.stdout.endswith(b"end\n")


def test_stopping_ends_a_command_at_once(tmp_path: Path) -> None:
    stopper = Stopper()
    marker = f"32.{os.getpid()}"
    threading.Timer(0.3, stopper.stop).start()
    with pytest.raises(StoppedError):
        run(tmp_path, f"(setsid sleep {marker} &); sleep {marker}", stopper=stopper)
    assert alive(f"sleep {marker}") == []


def test_killing_sigil_ends_what_it_started(tmp_path: Path) -> None:
    marker = f"33.{os.getpid()}"
    program = f"""
import sys
from pathlib import Path
from sigilgen.sandbox.process import *
command = Command(argv=("/bin/sh", "-c", "(setsid sleep {marker} &); sleep {marker}"), cwd=Path({str(tmp_path)!r}),
                  env={PATH!r}, timeout_seconds=60)
run_command(command, Path({str(tmp_path)!r}), Stopper())
"""
    parent = subprocess.Popen([sys.executable, "-c", program])
    wait_until(lambda: len(alive(f"sleep {marker}")) >= 2)
    parent.kill()
    parent.wait()
    wait_until(lambda: alive(f"sleep {marker}") == [])


@pytest.mark.parametrize("isolation", ["network", "processes"])
def test_a_command_without_network_still_has_loopback(tmp_path: Path, isolation: Isolation) -> None:
    program = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname());"
        "names = [n for _, n in socket.if_nameindex()]; print(names)"
    )
    command = Command(
        argv=("python3", "-c", program), cwd=tmp_path, env=PATH, timeout_seconds=30, isolation=allowed(isolation)
    )
    finished = run_command(command, tmp_path, Stopper())
    assert (finished.exit_status, finished.stdout) == (0, b"['lo']\n"), finished.stderr


def test_a_lock_is_held_by_the_keeper_and_not_by_the_command(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
    command = Command(
        argv=("/bin/sh", "-c", "ls -l /proc/self/fd"),
        cwd=tmp_path,
        env=PATH,
        timeout_seconds=30,
        keep_open=(descriptor,),
    )
    finished = run_command(command, tmp_path, Stopper())
    os.close(descriptor)
    assert str(tmp_path / "lock") not in finished.stdout.decode()


def wait_until(condition: Callable[[], bool], *, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


UNDER_ATTACK = {
    "its files": "rm -rf ../control && mkfifo ../control",
    "the place of its result": "mkfifo ../control/result.json; ln -s /dev/full ../control/result",
}


@pytest.mark.parametrize("attack", UNDER_ATTACK.values(), ids=UNDER_ATTACK)
def test_what_a_command_does_to_the_files_of_its_keeper_changes_nothing(tmp_path: Path, attack: str) -> None:
    done = run(tmp_path, f"{attack}; echo said; exit 3")
    assert (done.exit_status, done.stdout, done.timed_out) == (3, b"said\n", False)


def test_a_command_that_kills_its_keeper_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="keeper of a command ended without a result"):
        run(tmp_path, "kill -KILL $PPID; sleep 7654", timeout=7000)
    wait_until(lambda: not alive("sleep 7654"))


def test_a_command_with_processes_of_its_own_sees_no_others_and_none_of_them_can_end_it(tmp_path: Path) -> None:
    isolation = allowed("processes")
    others = "echo /proc/[0-9]*"
    kills = "sh -c 'kill -KILL $PPID'; kill -KILL -1"
    done = run(tmp_path, f"{others}; {kills}; ls -A /dev/shm; echo end; exit 7", isolation=isolation)
    assert (done.exit_status, done.killed) == (7, False)
    assert done.stdout == b"/proc/1\nend\n"


def test_whatever_was_started_in_a_world_of_its_own_dies_with_the_keeper(tmp_path: Path) -> None:
    isolation = allowed("processes")
    marker = f"34.{os.getpid()}"
    trouble: list[SandboxError] = []

    def work() -> None:
        with pytest.raises(SandboxError, match="keeper of a command ended without a result") as raised:
            run(tmp_path, f"(setsid sleep {marker} &); sleep {marker}", isolation=isolation)
        trouble.append(raised.value)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: len(alive(f"sleep {marker}")) >= 2)
    keepers = subprocess.run(["pgrep", "-f", f"keeper.py {tmp_path}/"], capture_output=True, text=True, check=True)
    (keeper,) = keepers.stdout.split()
    os.kill(int(keeper), signal.SIGKILL)
    thread.join()
    assert len(trouble) == 1
    wait_until(lambda: alive(f"sleep {marker}") == [])


def test_a_line_of_descendants_longer_than_python_recurses_is_ended(tmp_path: Path) -> None:
    marker = f"35.{os.getpid()}"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "line.sh").write_text(
        f'[ "$1" = 0 ] && {{ setsid sleep {marker} & touch begun; wait; }}\nsetsid sh line.sh $(($1 - 1)); wait\n'
    )
    done = run(tmp_path, "sh line.sh 1100 & while [ ! -e begun ]; do sleep 0.05; done; exit 3")
    assert done.exit_status == 3
    assert alive(f"sleep {marker}") == []


def test_a_stopper_gives_its_pipe_back() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(10):
        Stopper()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.long
def test_a_command_that_stops_its_keeper_is_ended_with_it(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="keeper of a command ended without a result"):
        run(tmp_path, "kill -STOP $PPID; sleep 7655", timeout=1)
    assert not alive("sleep 7655")


def test_the_player_keeps_only_the_end_of_what_its_commands_print(tmp_path: Path) -> None:
    step = {"step": "run", "command": "head -c 400000000 /dev/zero; echo the end"}
    (tmp_path / "play.json").write_text(json.dumps({"steps": [step]}))
    player = f"ulimit -v 250000; exec {sys.executable} -I -S {PLAYER} play.json"
    done = subprocess.run(["/bin/sh", "-c", player], cwd=tmp_path, capture_output=True, check=True)
    assert b"the end" in done.stdout
