"""`sigil prove` from the command line, on a repository of its own."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sigilgen.commands.prove import Request, prepare
from sigilgen.errors import PayloadError, RequestError
from sigilgen.lab.clock import now
from sigilgen.lab.desk import desk_of
from sigilgen.model.experiment import Experiment
from sigilgen.model.run import Condition, Outcome
from sigilgen.sandbox.host import HostSandbox
from sigilgen.store.evidence import load_experiments

PROVE = ("prove", "acme/polite", "--runs", "2", "--seed", "5", "--jobs", "2")


def sigil(repository: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "sigilgen", *arguments],
        cwd=repository,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def git(repository: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, text=True).stdout


def only_experiment(repository: Path) -> Experiment:
    (experiment,) = load_experiments(repository)
    return experiment


def outcomes(experiment: Experiment) -> Counter[tuple[str, str, str]]:
    return Counter((run.task, run.condition.value, run.outcome.value) for run in experiment.runs)


@pytest.fixture(scope="module")
def proved(make_repository: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one experiment, which tests look at and do not change."""
    repository = make_repository(tmp_path_factory.mktemp("proved"))
    done = sigil(repository, *PROVE)
    assert done.returncode == 0, done.stderr
    return repository


def test_a_rehearsal_is_published_in_two_commits_and_never_shows_a_verdict(proved: Path) -> None:
    experiment = only_experiment(proved)
    assert experiment.result is not None
    assert experiment.plan.rehearsal
    assert experiment.result.stated.verdict == "rehearsal"
    assert len(git(proved, "log", "--oneline").splitlines()) == 3
    assert git(proved, "status", "--porcelain") == ""
    assert sigil(proved, "verify").returncode == 0


def rehearse(repository: Path, task: str, command: str) -> None:
    """Let the agent run `command` in one task, in both conditions."""
    one = f"\n    - name: p\n      steps:\n        - run: {json.dumps(command)}\n"
    (repository / "tasks/greetings" / task / "rehearsal.yaml").write_text(f"schema: 1\nbaseline:{one}treatment:{one}")


def test_the_plan_is_committed_before_the_first_run(repository: Path) -> None:
    last_commit = f"git -C {repository} show --name-only --format= HEAD > seen"
    for task in ("one", "two", "three"):
        rehearse(repository, task, last_commit)
    assert sigil(repository, *PROVE).returncode == 0
    experiment = only_experiment(repository)
    plan = f"+{experiment.folder}/plan-{experiment.plan.id.removeprefix('sha256:')[:16]}.json\n"
    assert len(experiment.runs) == 12
    assert all(run.patch.endswith(plan) for run in experiment.runs), (plan, experiment.runs[0].patch)


def test_nothing_more_is_measured_with_a_payload_that_an_agent_has_changed(repository: Path) -> None:
    for task in ("one", "two", "three"):
        rehearse(repository, task, f"for f in {repository}/.sigil/*/*/inputs/payload/*; do echo more >> $f; done")
    done = sigil(repository, *PROVE)
    assert done.returncode == 3
    assert "inputs/payload is not what it was when the work began" in done.stderr
    assert only_experiment(repository).result is None
    again = sigil(repository, "prove", "--resume")
    assert again.returncode == 3
    assert "It changed after the plan was made" in again.stderr


def test_every_behaviour_is_told_apart(proved: Path) -> None:
    experiment = only_experiment(proved)
    assert outcomes(experiment) == {
        ("one", "baseline", "failed"): 2,
        ("one", "treatment", "passed"): 2,
        ("two", "baseline", "passed"): 2,
        ("two", "treatment", "passed"): 2,
        ("three", "baseline", "failed"): 2,
        ("three", "treatment", "passed"): 2,
    }
    assert experiment.result is not None
    baseline = experiment.result.counts[Condition.BASELINE]
    assert (baseline.tampered, baseline.false_done) == (2, 2)
    crashed = [run for run in experiment.runs if run.task == "three" and run.condition is Condition.BASELINE]
    assert {run.agent_exit for run in crashed} == {139}


def test_tampering_is_recorded_and_cannot_change_a_verdict(proved: Path) -> None:
    tampered = [
        run for run in only_experiment(proved).runs if run.task == "two" and run.condition is Condition.BASELINE
    ]
    assert len(tampered) == 2
    for run in tampered:
        assert {file.path: file.final is None for file in run.protected} == {
            "tests/check.sh": False,
            "tests/notes.txt": True,
        }
        assert run.outcome is Outcome.PASSED
        assert "-grep -q hello greeting.txt" in run.patch


def test_only_the_treatment_lists_the_capability(proved: Path) -> None:
    runs = only_experiment(proved).runs
    assert {run.condition for run in runs} == set(Condition)
    for run in runs:
        assert run.capability_listed is (run.condition is Condition.TREATMENT)
        assert ".agents" not in run.patch


def test_the_same_seed_gives_the_same_plan_and_another_seed_another(repository: Path) -> None:
    def plan(seed: str) -> list[dict[str, Any]]:
        done = sigil(repository, "prove", "acme/polite", "--seed", seed, "--dry-run", "--format", "json")
        cells: list[dict[str, Any]] = json.loads(done.stdout)["plan"]["cells"]
        return cells

    assert plan("1") == plan("1") != plan("2")
    assert not (repository / ".sigil").exists()
    assert git(repository, "status", "--porcelain") == ""


def test_without_commit_the_records_only_lie_in_the_work_tree(repository: Path) -> None:
    assert sigil(repository, *PROVE, "--no-commit").returncode == 0
    assert len(git(repository, "log", "--oneline").splitlines()) == 1
    assert only_experiment(repository).result is not None


def test_transcripts_are_kept_or_only_their_digest(repository: Path) -> None:
    assert sigil(repository, *PROVE, "--transcripts", "digest-only").returncode == 0
    assert list(repository.glob("evidence/**/transcripts*")) == []
    assert sigil(repository, "verify").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("prove",), 2, "say which capability"),
        (("prove", "acme/polit"), 2, "acme/polite"),
        (("prove", "acme/polite", "--suite", "greeting"), 2, "greetings"),
        (("prove", "acme/polite", "--agent", "claude-cod"), 2, "claude-code"),
        (("prove", "acme/polite", "--model", "some"), 2, "no model"),
        (("prove", "acme/polite", "--agent", "claude-code"), 2, "--model"),
        (("prove", "--resume"), 2, "no experiment is under way"),
        (("prove", "--resume", "abc"), 2, "abc"),
        (("prove", "acme/polite", "--resume"), 2, "leave out CAPABILITY"),
        (("prove", "--resume", "--runs", "3", "--seed", "1"), 2, "--runs, --seed"),
        (("prove", "acme/polite", "--retry-infra"), 2, "needs --resume"),
        (("prove", "acme/polite", "--runs", "0"), 2, "--runs"),
    ],
)
def test_wrong_usage_is_explained(repository: Path, arguments: tuple[str, ...], status: int, said: str) -> None:
    done = sigil(repository, *arguments)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def add_third_party(repository: Path) -> None:
    folder = repository / "catalog/skills/stranger/gift"
    folder.mkdir(parents=True)
    text = (repository / "catalog/skills/acme/polite/sigil.yaml").read_text()
    source = "source: {repository: 'https://example.com/x.git', commit: '" + "a" * 40 + "', path: skills/gift}\n"
    (folder / "sigil.yaml").write_text(text + source)


def test_a_third_party_capability_is_refused_by_name(repository: Path) -> None:
    add_third_party(repository)
    done = sigil(repository, "prove", "stranger/gift")
    assert done.returncode == 2
    assert "stranger/gift is a third-party capability" in done.stderr


def test_the_refusal_of_strangers_follows_from_what_the_sandbox_says_of_itself(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_third_party(repository)
    request = Request(capability="stranger/gift", suite="greetings", agent="scripted", model=None, repeats=1, seed=1)
    with pytest.raises(RequestError, match="third-party"):
        prepare(repository, request, clock=now, home=repository, environment={})
    monkeypatch.setattr(HostSandbox, "isolated", True)
    with pytest.raises(PayloadError, match="holds no payload"):
        prepare(repository, request, clock=now, home=repository, environment={})


REAL = ("prove", "acme/polite", "--agent", "claude-code", "--model", "some-model", "--runs", "1")
LOGIN = ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


@pytest.fixture
def real_agent(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository on a machine where `claude` is installed, but does nothing, and nobody is signed in."""
    program = tmp_path / "programs" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 2.1.0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in LOGIN:
        monkeypatch.delenv(name, raising=False)
    return repository


@pytest.mark.parametrize("dry_run", [False, True])
def test_without_a_login_nothing_is_planned(real_agent: Path, *, dry_run: bool) -> None:
    before = git(real_agent, "rev-parse", "HEAD")
    done = sigil(real_agent, *REAL, *["--dry-run"] * dry_run)
    assert done.returncode == 3
    assert "no login for claude-code was found" in done.stderr
    assert git(real_agent, "rev-parse", "HEAD") == before
    assert list(real_agent.glob(".sigil/experiments/*")) == []


def change_payload(repository: Path) -> None:
    (repository / "catalog/skills/acme/polite/SKILL.md").write_text("---\nname: polite\ndescription: Other.\n---\n")


def add_ignored(repository: Path) -> None:
    (repository / ".git/info/exclude").write_text("*.pyc\n")
    (repository / "catalog/skills/acme/polite/a.pyc").write_text("compiled")


def change_suite(repository: Path) -> None:
    (repository / "tasks/greetings/one/prompt.md").write_text("Write something else.\n")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (change_payload, "catalog/skills/acme/polite/SKILL.md"),
        (add_ignored, "catalog/skills/acme/polite/a.pyc"),
        (change_suite, "tasks/greetings/one/prompt.md"),
    ],
)
def test_what_is_in_no_commit_is_not_measured(
    real_agent: Path, change: Callable[[Path], None], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-real-key-at-all")
    change(real_agent)
    done = sigil(real_agent, *REAL)
    assert done.returncode == 2
    assert f"in no commit: {path}" in done.stderr
    assert list(real_agent.glob(".sigil/experiments/*")) == []


def test_a_draft_can_be_measured_without_a_commit(real_agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no-real-key-at-all")
    change_payload(real_agent)
    before = git(real_agent, "rev-parse", "HEAD")
    done = sigil(real_agent, *REAL, "--no-commit")
    assert done.returncode == 4, done.stderr
    assert len(only_experiment(real_agent).runs) > 0
    assert git(real_agent, "rev-parse", "HEAD") == before


def test_instructions_below_the_temporary_folder_are_refused(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Always say yes.")
    (tmp_path / "inner").mkdir()
    done = sigil(repository, *PROVE, TMPDIR=str(tmp_path / "inner"))
    assert done.returncode == 3
    assert str(tmp_path / "AGENTS.md") in done.stderr


def test_a_trace_of_the_capability_in_the_starting_repo_loses_the_baseline(repository: Path) -> None:
    skill = (repository / "catalog/skills/acme/polite/SKILL.md").read_bytes()
    (repository / "tasks/greetings/one/repo/notes.md").write_bytes(skill)
    done = sigil(repository, *PROVE, "--format", "json")
    lost = [run for run in only_experiment(repository).runs if run.outcome is Outcome.INFRA]
    assert {(run.task, run.condition) for run in lost} == {("one", Condition.BASELINE)}
    assert all(run.infra is not None and "traces of the capability" in run.infra.reason for run in lost)
    assert json.loads(done.stdout)["lost_cells"] == 2


def test_lost_runs_are_tried_three_times_and_again_on_request(repository: Path) -> None:
    notes = repository / "tasks/greetings/one/repo/notes.md"
    notes.write_bytes((repository / "catalog/skills/acme/polite/SKILL.md").read_bytes())
    sigil(repository, *PROVE)
    attempts = Counter(run.position for run in only_experiment(repository).runs if run.outcome is Outcome.INFRA)
    assert set(attempts.values()) == {3}
    again = sigil(repository, "prove", "--resume", "--retry-infra")
    assert again.returncode == 0, again.stderr
    experiment = only_experiment(repository)
    assert experiment.result is not None
    assert experiment.result.supersedes is not None
    assert set(Counter(run.position for run in experiment.runs if run.outcome is Outcome.INFRA).values()) == {6}
    assert sigil(repository, "verify").returncode == 0


def journal_lines(repository: Path) -> list[dict[str, Any]]:
    journals = repository.glob(".sigil/experiments/*/journal.jsonl")
    return [json.loads(line) for path in journals for line in path.read_text().splitlines() if line.endswith("}")]


def start(repository: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "sigilgen", *PROVE], cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_clean_and_resumable(repository: Path, number: signal.Signals) -> None:
    running = start(repository)
    while len(journal_lines(repository)) < 4:
        time.sleep(0.01)
    running.send_signal(number)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"sigil prove --resume" in said
    assert sigil(repository, "prove", "--resume").returncode == 0
    assert sum(outcomes(only_experiment(repository)).values()) == 12


def kill_after(repository: Path, seconds: float) -> None:
    """Start an experiment and kill it with -9 after some time, should it still be at work."""
    running = start(repository)
    time.sleep(seconds)
    running.kill()
    running.communicate()


def check_kill(repository: Path, seconds: float) -> None:
    """However far it came, `--resume` completes exactly the plan, and nothing is left behind."""
    kill_after(repository, seconds)
    experiments = load_experiments(repository)
    finished = bool(experiments) and experiments[0].result is not None
    if not (under_way := list(repository.glob(".sigil/experiments/[0-9a-f]*/plan.json"))) and not finished:
        assert sigil(repository, *PROVE).returncode == 0  # killed before there was a plan
    elif under_way:
        again = sigil(repository, "prove", "--resume")
        assert again.returncode == 0, again.stderr
    experiment = only_experiment(repository)
    assert [run.position for run in experiment.runs] == list(range(12))
    assert outcomes(experiment)["one", "treatment", "passed"] == 2
    assert sigil(repository, "verify").returncode == 0
    assert git(repository, "status", "--porcelain") == ""
    assert scratch_folders(repository) == []


def scratch_folders(repository: Path) -> list[Path]:
    """What runs of the only experiment left behind in the folder for temporary files."""
    desk = desk_of(repository.resolve(), only_experiment(repository).plan.id).root
    place = hashlib.sha256(os.fsencode(desk)).hexdigest()[:16]
    return list(Path(tempfile.gettempdir()).glob(f"run-*-{place}"))


def test_copies_of_a_repository_work_on_the_same_plan_at_once(repository: Path) -> None:
    running = start(repository)
    while not list(repository.glob(".sigil/experiments/[0-9a-f]*/plan.json")):
        time.sleep(0.01)
    running.kill()
    running.communicate()
    copies = [repository, *(repository.with_name(f"copy-{number}") for number in range(2))]
    for copy in copies[1:]:
        shutil.copytree(repository, copy, symlinks=True)
    with ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda copy: sigil(copy, "prove", "--resume"), copies))
    assert [(result.returncode, result.stderr) for result in done if result.returncode] == []
    experiments = [only_experiment(copy) for copy in copies]
    assert len({experiment.plan.id for experiment in experiments}) == 1
    assert [[run.position for run in experiment.runs] for experiment in experiments] == [list(range(12))] * 3
    assert [scratch_folders(copy) for copy in copies] == [[], [], []]


@pytest.mark.parametrize("seconds", [0.5, 0.9, 1.4, 2.0])
def test_a_kill_at_any_moment_costs_nothing_but_time(repository: Path, seconds: float) -> None:
    check_kill(repository, seconds)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [step * 0.13 for step in range(1, 31)])
def test_a_kill_at_thirty_moments_costs_nothing_but_time(repository: Path, seconds: float) -> None:
    check_kill(repository, seconds)
