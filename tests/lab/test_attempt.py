import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.lab.attempt import TRANSCRIPT_BYTES, Attempted
from sigilgen.lab.lost import ChangedError
from sigilgen.model.run import Outcome, Phase
from sigilgen.sandbox.host import strongest_isolation
from sigilgen.store.codec import encode_runs, examine_runs

Perform = Callable[..., Attempted]


def play(*steps: str) -> str:
    """A rehearsal whose only play has these steps, given as YAML."""
    lines = "".join(f"        - {step}\n" for step in steps)
    one = f"\n    - name: p\n      steps:\n{lines}"
    return f"schema: 1\nbaseline:{one}treatment:{one}"


def test_work_done_before_a_time_out_is_verified_like_any_other(perform: Perform) -> None:
    run = perform("hangs", timeout=1).run
    assert run.timed_out
    assert run.outcome is Outcome.PASSED


def test_a_crash_of_the_agent_is_its_own_failure(perform: Perform) -> None:
    run = perform("crashes").run
    assert (run.outcome, run.agent_exit, run.infra) == (Outcome.FAILED, 139, None)
    assert run.final_message == "Working on it."


def test_a_large_file_does_not_fill_the_record(perform: Perform) -> None:
    attempted = perform("floods")
    assert "Binary or large file big.txt changed" in attempted.run.patch
    assert attempted.run.final_message == "I could not finish this."


def test_a_flood_of_output_is_measured_whole_and_kept_short(perform: Perform) -> None:
    rehearsal = play(*["say: " + "x" * 2000] * 100)
    attempted = perform("honest", files={"rehearsal.yaml": rehearsal})
    assert attempted.run.transcript_bytes > 2 * TRANSCRIPT_BYTES
    assert len(attempted.transcript.encode()) <= TRANSCRIPT_BYTES


def test_secrets_are_cut_out_of_everything_that_is_kept(perform: Perform) -> None:
    secret = "the-secret-of-the-operator"  # noqa: S105  (the one that the bench of these tests knows)
    rehearsal = play(f"say: it is {secret}", f"write: {{path: greeting.txt, text: {secret}}}")
    verifier = "cat greeting.txt; exit 1\n"
    attempted = perform("honest", files={"rehearsal.yaml": rehearsal, "verifier/verify.sh": verifier})
    assert attempted.run.verifier_output
    for text in (attempted.run.final_message, attempted.run.patch, attempted.run.verifier_output, attempted.transcript):
        assert text is not None
        assert "redacted" in text
        assert secret not in text


@pytest.mark.parametrize(
    ("verifier", "outcome", "status"),
    [
        ("exit 1\n", Outcome.FAILED, 1),
        ("exit 127\n", Outcome.FAILED, 127),
        ("sh -c 'kill -SEGV $$'\n", Outcome.FAILED, 139),
        ("exit 0\n", Outcome.PASSED, 0),
    ],
)
def test_the_exit_code_is_the_verdict(perform: Perform, verifier: str, outcome: Outcome, status: int) -> None:
    run = perform("honest", files={"verifier/verify.sh": verifier}).run
    assert (run.outcome, run.verifier_exit) == (outcome, status)


def test_a_verifier_that_runs_out_of_time_has_not_passed(perform: Perform) -> None:
    task = "schema: 1\ntitle: t\ntimeout_seconds: 60\nverify_timeout_seconds: 1\nprotected: []\n"
    run = perform("honest", files={"verifier/verify.sh": "sleep 60\n", "task.yaml": task}).run
    assert run.verifier_timed_out
    assert run.outcome is Outcome.FAILED


def test_a_verifier_that_is_killed_from_outside_says_nothing(perform: Perform, tmp_path: Path) -> None:
    def kill() -> None:
        deadline = time.monotonic() + 60
        while not (found := verifiers(tmp_path)) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(found[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    run = perform("honest", files={"verifier/verify.sh": "sleep 60\n"}).run
    killer.join()
    assert run.outcome is Outcome.INFRA
    assert run.infra is not None
    assert run.infra.phase is Phase.VERIFIER


def verifiers(root: Path) -> list[int]:
    """Numbers of the verifiers at work below `root`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_one = (process / "cmdline").read_bytes() == b"/bin/sh\0verify.sh\0"
            if is_one and (process / "cwd").readlink().is_relative_to(root):
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("target", ["$PPID", "-1"])
def test_work_that_kills_its_verifier_has_failed(perform: Perform, target: str) -> None:
    if strongest_isolation() != "processes":
        pytest.skip("this kernel gives a verifier no processes of its own")
    rehearsal = play(f'write: {{path: greeting.txt, text: "kill -KILL {target}"}}')
    verifier = "sh greeting.txt || exit 1\n[ -e done ]\n"
    run = perform("honest", files={"rehearsal.yaml": rehearsal, "verifier/verify.sh": verifier}).run
    assert (run.outcome, run.verifier_exit) == (Outcome.FAILED, 1)


def test_a_crash_in_place_of_the_verifiers_shell_is_a_verdict(perform: Perform) -> None:
    verifier = "exec python3 -c 'import ctypes; ctypes.string_at(0)'\n"
    run = perform("honest", files={"verifier/verify.sh": verifier}).run
    assert (run.outcome, run.verifier_exit) == (Outcome.FAILED, 139)


CHANGED = {
    "the verifier": "echo exit 0 > {root}/performed/tasks/greetings/one/verifier/verify.sh",
    "a file more in the verifier": "touch {root}/performed/tasks/greetings/one/verifier/conftest.py",
    "the mode of the verifier": "chmod 700 {root}/performed/tasks/greetings/one/verifier/verify.sh",
    "no verifier": "rm -r {root}/performed/tasks/greetings/one/verifier",
    "a starting file": "echo exit 0 > {root}/kits/one/start/tests/check.sh",
    "what git would run": "git -C {root}/kits/one/start config core.fsmonitor true",
    "a link in the start": "ln -s /etc {root}/kits/one/start/more",
}


@pytest.mark.parametrize("attack", CHANGED.values(), ids=CHANGED)
def test_nothing_is_judged_by_what_an_agent_has_changed(perform: Perform, tmp_path: Path, attack: str) -> None:
    command = json.dumps(attack.replace("{root}", str(tmp_path)))
    with pytest.raises(ChangedError, match="is not what it was when the work began"):
        perform("honest", files={"rehearsal.yaml": play(f"run: {command}")})
    assert [list((tmp_path / name).iterdir()) for name in ("staging", "boxes")] == [[], []]


def test_the_agent_cannot_reach_the_verifier_by_a_link(perform: Perform) -> None:
    rehearsal = play("run: rm -r tests && ln -s /etc tests && ln -s /etc/passwd verify.sh")
    run = perform("honest", files={"rehearsal.yaml": rehearsal}).run
    assert run.outcome is Outcome.FAILED
    assert {file.path: file.final for file in run.protected} == {"tests/check.sh": None, "tests/notes.txt": None}


def test_pipes_and_locked_folders_do_not_stop_the_judge(perform: Perform) -> None:
    rehearsal = play(
        'run: "mkfifo pipe && mkdir locked && touch locked/x && chmod 0 locked"',
        "write: {path: greeting.txt, text: hello}",
    )
    run = perform("honest", files={"rehearsal.yaml": rehearsal}).run
    assert run.outcome is Outcome.PASSED


def test_planted_bytecode_does_not_reach_the_verifier(perform: Perform) -> None:
    rehearsal = play('run: "mkdir -p tests/__pycache__ && touch tests/__pycache__/check.cpython-311.pyc"')
    run = perform(
        "honest", files={"rehearsal.yaml": rehearsal, "verifier/verify.sh": '[ -z "$(find . -name "*.pyc")" ]\n'}
    ).run
    assert run.outcome is Outcome.PASSED


def test_windows_line_ends_survive_snapshot_restore_and_verification(perform: Perform) -> None:
    check = "[ \"$(od -An -c tests/crlf.txt | tr -d ' \\n')\" = 'a\\r\\nb\\r\\n' ]\n"
    rehearsal = play('write: {path: tests/crlf.txt, text: "a\\nb\\n"}')
    run = perform(
        "honest",
        files={"repo/tests/crlf.txt": "a\r\nb\r\n", "verifier/verify.sh": check, "rehearsal.yaml": rehearsal},
    ).run
    assert run.outcome is Outcome.PASSED, run.verifier_output
    assert [(file.path, file.lost_lines) for file in run.protected] == [("tests/crlf.txt", 0)]


def test_the_agent_sees_one_commit_no_remote_and_an_empty_home(perform: Perform) -> None:
    look = (
        "git log --oneline | wc -l > seen; git remote | wc -l >> seen; git reflog | wc -l >> seen;"
        " git status --porcelain --ignored | grep -v seen | wc -l >> seen;"
        " ls -A $HOME | grep -v play.json | wc -l >> seen; env | grep -ci -e sigil -e virtual_env >> seen"
    )
    rehearsal = play(f'run: "{look}"')
    run = perform(
        "honest",
        files={
            "rehearsal.yaml": rehearsal,
            "verifier/verify.sh": "cat seen; exit 1\n",
            "repo/.gitignore": "*.log\n",
            "repo/kept.log": "x\n",
        },
    ).run
    assert run.verifier_output.split() == ["1", "0", "0", "0", "0", "0"]


def test_set_up_commands_are_part_of_the_start_and_not_of_the_agents_work(perform: Perform) -> None:
    task = (
        "schema: 1\ntitle: t\ntimeout_seconds: 60\nverify_timeout_seconds: 5\nprotected: []\n"
        "setup: ['echo built > built.txt']\n"
    )
    run = perform("honest", files={"task.yaml": task, "verifier/verify.sh": "grep -q built built.txt\n"}).run
    assert run.outcome is Outcome.PASSED
    assert "built.txt" not in run.patch


HOSTILE = {
    "takes the workspace away": "rm -rf $PWD",
    "takes everything away": "rm -rf $(dirname $HOME)",
    "puts a link in place of the workspace": "mv $PWD $HOME && ln -s {outside} $HOME/../work",
    "puts a file in place of the workspace": "mv $PWD $HOME && touch $HOME/../work",
    "locks the workspace": "chmod 400 tests . $HOME/..",
    "leaves a name that is no text": "touch tests/$(printf 'a\\377b') && printf x > $(printf 'c\\377\\nd')",
    "leads a file elsewhere": "ln -sf {outside}/secret README",
    "leads a protected file elsewhere": "ln -sf {outside}/secret tests/notes.txt",
    "leads the verifier elsewhere": "ln -s {outside}/secret verify.sh",
    "leads the place of skills elsewhere": "ln -s {outside}/empty .agents",
    "leads its home elsewhere": "mv $HOME ../moved && ln -s {outside} $HOME",
    "leaves what git would run": "git config core.fsmonitor 'touch {outside}/run'; git config diff.external 'touch x'",
    "grows a file beyond all disks": "truncate -s 4T tests/notes.txt",
}


@pytest.mark.parametrize("attack", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_an_agent_does_to_its_place_reaches_beyond_it_or_escapes_the_judge(
    perform: Perform, tmp_path: Path, attack: str
) -> None:
    outside = tmp_path / "outside"
    (outside / "empty").mkdir(parents=True)
    (outside / "secret").write_text("of the operator\n")
    (outside / "theirs.pyc").write_text("compiled")
    before = sorted(outside.rglob("*"))
    command = json.dumps(attack.replace("{outside}", str(outside)))
    attempted = perform("honest", files={"rehearsal.yaml": play(f"run: {command}", "say: done")})
    assert attempted.run.infra is None
    assert attempted.run.outcome is Outcome.FAILED  # the greeting was never written
    assert "of the operator" not in attempted.run.patch
    assert sorted(outside.rglob("*")) == before
    assert (outside / "secret").read_text() == "of the operator\n"
    assert examine_runs(encode_runs([attempted.run])) == ((attempted.run,), ())


TOLD = {
    "half of a surrogate pair": r'{"type":"message","text":"done \ud800"}',
    "a model of that name": r'{"type":"start","model":"\udfff","version":"\udfff"}',
    "a place nested too deep to be printed": '{"type":"tool","command":' + "[" * 900 + "]" * 900 + "}",
    "a name that never ends": '{"type":"start","model":"' + "m" * 400_000 + '","version":"' + "v" * 400_000 + '"}',
    "a number that is none": '{"type":"result","turns":NaN,"usage":{"input_tokens":Infinity}}',
}


@pytest.mark.parametrize("line", TOLD.values(), ids=TOLD)
def test_whatever_an_agent_prints_can_be_kept(perform: Perform, line: str) -> None:
    forge = "cat line > /proc/$PPID/fd/1"  # the player's own stream
    attempted = perform("honest", files={"repo/line": f"{line}\n", "rehearsal.yaml": play(f"run: {json.dumps(forge)}")})
    assert attempted.run.infra is None
    assert line[:60] in attempted.transcript
    assert examine_runs(encode_runs([attempted.run])) == ((attempted.run,), ())


def test_a_rewrite_that_would_take_days_to_compare_is_named_and_not_shown(perform: Perform) -> None:
    lines = [f"{number % 101}\n" for number in range(50_000)]
    rewrite = "tac data.txt > new && mv new data.txt"
    attempted = perform(
        "honest", files={"repo/data.txt": "".join(lines), "rehearsal.yaml": play(f"run: {json.dumps(rewrite)}")}
    )
    assert attempted.run.patch == "Binary or large file data.txt changed\n"
