"""What the files themselves cannot tell, git's history does: evidence is added, never changed, renamed or removed."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sigilgen.errors import RequestError, StoreError
from sigilgen.model.experiment import Experiment
from sigilgen.model.run import Outcome, Run
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.verify import verify_store

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]

CAPABILITY = "evidence/skills/acme/tidy-code"


@pytest.fixture(autouse=True)
def plain_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-configuration"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, message: str = "Change") -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", message)


def found(root: Path, since: str | None = None) -> str:
    return "\n".join(map(str, verify_store(root, since=since).disagreements))


def keep(root: Path, made: tuple[Experiment, bytes, bytes]) -> None:
    experiment, runs, transcripts = made
    publish_plan(root, experiment.plan, commit=False)
    if experiment.result is not None:
        publish_result(root, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False)


def home(root: Path) -> Path:
    return next((root / CAPABILITY).glob("*/prove-*"))


def test_additions_pass(committed: Path, make_experiment: MakeExperiment) -> None:
    keep(committed, make_experiment(seed=8))
    commit(committed)
    assert found(committed, since="base") == ""
    assert found(committed, since=git(committed, "rev-parse", "HEAD")) == ""


def test_what_is_not_committed_yet_is_checked_and_said(committed: Path, make_experiment: MakeExperiment) -> None:
    keep(committed, make_experiment(seed=8))
    report = verify_store(committed, since="base")
    assert report.disagreements == ()
    assert report.notes == ("4 files are not committed yet",)
    (home(committed).parent / "plan-0123456789abcdef.json").write_text("{}\n")
    assert "$.kind: None is no kind" in found(committed)


def better(run: Run) -> Run:
    """Forged: what failed with the capability has passed, and so consistently that no content gives it away."""
    if run.condition == "treatment" and run.outcome is Outcome.FAILED:
        return msgspec.structs.replace(run, outcome=Outcome.PASSED, verifier_exit=0, verifier_output="4 passed")
    return run


def remove_result(root: Path, _make: MakeExperiment) -> None:
    shutil.rmtree(home(root))


def remove_all(root: Path, _make: MakeExperiment) -> None:
    shutil.rmtree(root / CAPABILITY)


def rename_capability(root: Path, _make: MakeExperiment) -> None:
    (root / CAPABILITY).rename(root / "evidence/skills/acme/renamed")


def replace_by_forgery(root: Path, make: MakeExperiment) -> None:
    shutil.rmtree(home(root))
    keep(root, make(lost=[2], change=better))


def replace_plan_and_result(root: Path, make: MakeExperiment) -> None:
    shutil.rmtree(root / CAPABILITY)
    keep(root, make(seed=8, change=better))


def rewrite_runs(root: Path, _make: MakeExperiment | None = None) -> None:
    file = home(root) / "runs.jsonl"
    file.write_bytes(file.read_bytes().replace(b"4 passed", b"5 passed"))


def link_result(root: Path, _make: MakeExperiment) -> None:
    home(root).joinpath("runs.jsonl").unlink()
    home(root).joinpath("runs.jsonl").symlink_to("record.json")


def make_executable(root: Path, _make: MakeExperiment) -> None:
    home(root).joinpath("runs.jsonl").chmod(0o755)


REWRITES: dict[str, tuple[Callable[[Path, MakeExperiment], None], str]] = {
    "removed result": (remove_result, "record.json"),
    "removed capability": (remove_all, "runs.jsonl"),
    "renamed capability": (rename_capability, "record.json"),
    "result replaced by a forged one that fits": (replace_by_forgery, "runs.jsonl"),
    "plan and result replaced by forged ones": (replace_plan_and_result, "plan-"),
    "rewritten runs": (rewrite_runs, "runs.jsonl"),
    "link for a file": (link_result, "runs.jsonl"),
    "executable": (make_executable, "runs.jsonl"),
}


@pytest.mark.parametrize(("rewrite", "file"), REWRITES.values(), ids=REWRITES)
def test_since_names_every_file_that_was_not_only_added(
    committed: Path, make_experiment: MakeExperiment, rewrite: Callable[[Path, MakeExperiment], None], file: str
) -> None:
    before = [str(path.relative_to(committed)) for path in (committed / CAPABILITY).rglob(f"{file}*")]
    rewrite(committed, make_experiment)
    commit(committed)
    lines = found(committed, since="base").splitlines()
    assert f"{before[0]}: was changed or removed since base; evidence is only added" in lines


@pytest.mark.parametrize(("rewrite", "file"), REWRITES.values(), ids=REWRITES)
def test_without_since_the_history_of_head_tells_as_well(
    committed: Path, make_experiment: MakeExperiment, rewrite: Callable[[Path, MakeExperiment], None], file: str
) -> None:
    rewrite(committed, make_experiment)
    assert file in found(committed), "before the commit"
    commit(committed)
    lines = [line for line in found(committed).splitlines() if file in line]
    assert any("by commit" in line or "has the mode" in line for line in lines), lines


def test_a_forged_result_that_fits_is_found_by_history_alone(committed: Path, make_experiment: MakeExperiment) -> None:
    replace_by_forgery(committed, make_experiment)
    commit(committed)
    lines = found(committed, since="base").splitlines()
    assert len(lines) == 6
    assert all("was removed by commit" in line or "was changed or removed since base" in line for line in lines)


def test_a_file_that_was_changed_and_restored_is_as_good_as_new(committed: Path) -> None:
    original = home(committed).joinpath("runs.jsonl").read_bytes()
    rewrite_runs(committed)
    commit(committed)
    home(committed).joinpath("runs.jsonl").write_bytes(original)
    commit(committed)
    assert found(committed, since="base") == ""


def test_a_removal_hidden_in_a_merge_is_found(committed: Path, make_experiment: MakeExperiment) -> None:
    git(committed, "switch", "--quiet", "--create", "side")
    keep(committed, make_experiment(seed=8))
    commit(committed)
    git(committed, "switch", "--quiet", "main")
    git(committed, "commit", "--quiet", "--allow-empty", "--message", "Main goes on")
    git(committed, "merge", "--quiet", "--no-commit", "--no-ff", "side")
    shutil.rmtree(committed / "evidence/skills/acme/other")
    commit(committed, "Merge")
    assert "evidence/skills/acme/other" in found(committed)
    assert "was changed or removed since base" in found(committed, since="base")


def test_evidence_that_came_to_the_base_later_is_not_missed(committed: Path, make_experiment: MakeExperiment) -> None:
    """A pull request that was begun earlier does not have it yet."""
    git(committed, "switch", "--quiet", "--create", "pull-request")
    keep(committed, make_experiment(seed=8))
    commit(committed)
    git(committed, "switch", "--quiet", "main")
    keep(committed, make_experiment(seed=9))
    commit(committed)
    git(committed, "switch", "--quiet", "pull-request")
    assert found(committed, since="main") == ""


@pytest.mark.parametrize(
    "ref", ["nowhere", "--option", "--output=stolen", "-h", "", "^main", "main..base", "HEAD:evidence", "f" * 40, "a b"]
)
def test_a_ref_that_names_no_commit_is_refused(committed: Path, ref: str) -> None:
    with pytest.raises(RequestError, match="git knows no commit"):
        verify_store(committed, since=ref)
    assert not (committed / "stolen").exists()


@pytest.mark.parametrize("ref", ["base", "main", "HEAD", "HEAD~0", "tags/base", "@"])
def test_a_commit_may_be_named_in_any_of_gits_ways(committed: Path, ref: str) -> None:
    assert found(committed, since=ref) == ""


def test_a_ref_without_a_common_ancestor_is_refused(committed: Path) -> None:
    git(committed, "switch", "--quiet", "--orphan", "unrelated")
    (committed / "README").write_text("hello\n")
    commit(committed)
    with pytest.raises(StoreError, match="main and HEAD have no common ancestor"):
        verify_store(committed, since="main")


@pytest.fixture
def shallow(committed: Path, tmp_path: Path, make_experiment: MakeExperiment) -> Path:
    """A clone of two commits of which it has the last."""
    keep(committed, make_experiment(seed=8))
    commit(committed)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{committed}", "shallow")
    return tmp_path / "shallow"


def test_a_shallow_clone_says_how_far_it_was_checked(shallow: Path) -> None:
    report = verify_store(shallow, since=None)
    assert report.disagreements == ()
    assert "shallow clone" in report.notes[0]
    assert "git fetch --unshallow" in report.notes[0]


def test_a_base_that_a_shallow_clone_lacks_is_refused(shallow: Path) -> None:
    base = git(shallow, "ls-remote", "origin", "base").split()[0]
    with pytest.raises(RequestError, match="git knows no commit"):
        verify_store(shallow, since=base)
    git(shallow, "fetch", "--quiet", "--depth=1", "origin", "tag", "base")
    with pytest.raises(StoreError, match="no common ancestor here") as refusal:
        verify_store(shallow, since="base")
    assert "git fetch --unshallow" in refusal.value.hint


def test_since_needs_git(loose: Path) -> None:
    with pytest.raises(RequestError, match="--since main needs git history") as refusal:
        verify_store(loose, since="main")
    assert "not the top of a git checkout" in refusal.value.hint


def test_a_repository_without_a_commit_says_so(loose: Path) -> None:
    git(loose, "init", "--quiet")
    assert verify_store(loose, since=None).notes == ("git history was not checked: nothing has been committed yet",)


def test_line_ends_that_git_or_an_editor_changed_are_named(committed: Path) -> None:
    for file in (committed / CAPABILITY).rglob("*.json*"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    text = found(committed)
    assert "bytes are not canonical JSON" in text
    assert "is not as it was committed; restore it with: git checkout HEAD -- evidence/" in text


def test_attributes_of_a_pull_request_cannot_change_what_is_read(committed: Path) -> None:
    """With `eol=crlf` a checkout differs from what was committed, and that is what is said."""
    (committed / ".gitattributes").write_text("evidence/** text eol=crlf\n")
    commit(committed)
    shutil.rmtree(committed / "evidence")
    git(committed, "checkout", "HEAD", "--", "evidence")
    assert "is not as it was committed" in found(committed)


def test_a_submodule_is_no_evidence(committed: Path) -> None:
    folder = home(committed).relative_to(committed)
    shutil.rmtree(committed / folder)
    (committed / ".gitmodules").write_text(
        f'[submodule "x"]\n\tpath = {folder}\n\turl = https://x.test\n\tignore = all\n'
    )
    git(committed, "add", "--all")
    git(committed, "update-index", "--add", "--cacheinfo", f"160000,{git(committed, 'rev-parse', 'HEAD')},{folder}")
    git(committed, "commit", "--quiet", "--message", "Submodule")
    (committed / folder).mkdir()
    text = found(committed, since="base")
    assert f"{folder}: has the mode 160000 in git" in text
    assert f"{folder}/record.json: was changed or removed since base" in text


def test_replace_refs_do_not_hide_a_change(committed: Path) -> None:
    rewrite_runs(committed)
    commit(committed)
    git(committed, "replace", "HEAD", "base")
    assert "was changed or removed since base" in found(committed, since="base")


def test_a_command_to_copy_is_quoted(committed: Path) -> None:
    hostile = committed / "evidence" / "x; touch stolen #"
    hostile.write_text("?")
    commit(committed)
    hostile.unlink()
    assert "git checkout HEAD -- 'evidence/x; touch stolen #'" in found(committed)


def test_names_that_are_no_text_are_named(committed: Path) -> None:
    name = os.fsencode(committed / "evidence") + b"/\xff\n\x1b[2J"
    Path(os.fsdecode(name)).write_text("?")
    commit(committed)
    text = found(committed, since="base")
    assert "evidence/\\udcff\\n\\x1b[2J: is a file that does not belong here" in text
    assert len(text.splitlines()) == 1


def test_ids_in_sha256_repositories_are_compared_too(loose: Path) -> None:
    git(loose, "init", "--quiet", "--object-format=sha256")
    git(loose, "config", "user.name", "Tester")
    git(loose, "config", "user.email", "tester@example.com")
    commit(loose)
    assert found(loose, since="HEAD") == ""
    rewrite_runs(loose)
    assert "is not as it was committed" in found(loose)


def test_records_say_when_they_were_made_and_git_does_not(committed: Path) -> None:
    """Verifying reads no clock and no commit time: the same store verifies the same for ever."""
    value = json.loads((home(committed) / "record.json").read_bytes())
    assert value["finished_at"] < "2026-02"
    git(committed, "commit", "--quiet", "--allow-empty", "--message", "Old", "--date=1980-01-01T00:00:00Z")
    assert found(committed) == ""
