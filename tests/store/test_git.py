import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import StoreError
from sigilgen.store import git
from sigilgen.store.git import commit_files

PATH = "evidence/skills/acme/tidy/0123456789abcdef/plan-fedcba9876543210.json"
DATA = b'{"kind":"plan"}\n'


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(autouse=True)
def plain_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own git configuration, replaced for the test."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    configuration = tmp_path / "gitconfig"
    configuration.write_text("[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return configuration


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "a repository"
    root.mkdir()
    run(root, "init", "--quiet")
    (root / "tracked.txt").write_text("one\n")
    run(root, "add", "tracked.txt")
    run(root, "commit", "--quiet", "-m", "start")
    return root


def committed(root: Path, path: str = PATH) -> bytes:
    return subprocess.run(["git", "show", f"HEAD:{path}"], cwd=root, check=True, capture_output=True).stdout


def test_one_commit_holds_exactly_the_files(repository: Path) -> None:
    parent = run(repository, "rev-parse", "HEAD")
    other = PATH.replace("plan", "scan")
    commit = commit_files(repository, {PATH: DATA, other: b"\x00\r\n"}, "Plan one\n\nwith a body")
    assert commit == run(repository, "rev-parse", "HEAD")
    assert run(repository, "rev-parse", "HEAD^") == parent
    assert run(repository, "show", "--format=%B%an <%ae>", "--name-status", "HEAD").splitlines() == [
        "Plan one", "", "with a body", "Tester <tester@example.com>", "", f"A\t{PATH}", f"A\t{other}",
    ]  # fmt: skip
    assert (committed(repository), committed(repository, other)) == (DATA, b"\x00\r\n")
    assert ((repository / PATH).read_bytes(), (repository / other).read_bytes()) == (DATA, b"\x00\r\n")
    assert run(repository, "status", "--porcelain") == ""
    assert (repository / PATH).stat().st_mode & 0o777 == 0o644


def test_what_else_is_going_on_in_the_checkout_stays_as_it_is(repository: Path) -> None:
    (repository / "tracked.txt").write_text("staged\n")
    (repository / "new.txt").write_text("staged too\n")
    run(repository, "add", "--all")
    (repository / "tracked.txt").write_text("dirty\n")
    (repository / "evidence").mkdir()
    (repository / "evidence" / "draft.txt").write_text("untracked\n")
    before = run(repository, "status", "--porcelain", "--untracked-files=all")
    staged = run(repository, "diff", "--cached")
    commit_files(repository, {PATH: DATA}, "Plan")
    assert before.splitlines() == ["A  new.txt", "MM tracked.txt", "?? evidence/draft.txt"]
    assert run(repository, "status", "--porcelain", "--untracked-files=all") == before
    assert run(repository, "diff", "--cached") == staged
    assert run(repository, "show", "--format=", "--name-only", "HEAD") == PATH


def test_the_same_call_again_changes_nothing(repository: Path) -> None:
    first = commit_files(repository, {PATH: DATA}, "Plan")
    assert commit_files(repository, {PATH: DATA}, "Plan") == first
    (repository / PATH).unlink()
    run(repository, "rm", "--cached", "--quiet", PATH)
    assert commit_files(repository, {PATH: DATA}, "Plan") == first
    assert run(repository, "status", "--porcelain") == ""


def test_of_several_files_only_the_new_ones_are_committed(repository: Path) -> None:
    commit_files(repository, {PATH: DATA}, "Plan")
    other = PATH.replace("plan", "scan")
    commit_files(repository, {PATH: DATA, other: DATA}, "Both")
    assert run(repository, "show", "--format=", "--name-status", "HEAD") == f"A\t{other}"


def replace_in_head(root: Path) -> None:
    commit_files(root, {PATH: b"other\n"}, "Plan")
    (root / PATH).unlink()


def folder_in_the_way(root: Path) -> None:
    (root / PATH).mkdir(parents=True)


def file_in_the_way(root: Path) -> None:
    (root / "evidence").write_text("no folder")


def link_in_the_way(root: Path) -> None:
    (root / PATH).parent.mkdir(parents=True)
    (root / PATH).symlink_to(root / "tracked.txt")


def linked_folder_in_the_way(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / "evidence").symlink_to(root / "elsewhere")


def file_in_head_where_a_folder_is_to_go(root: Path) -> None:
    (root / "evidence").write_text("a file")
    run(root, "add", "evidence")
    run(root, "commit", "--quiet", "-m", "file")
    (root / "evidence").unlink()


def submodule_in_the_way(root: Path) -> None:
    inner = root.parent / "inner"
    run(root.parent, "init", "--quiet", str(inner))
    run(inner, "commit", "--quiet", "--allow-empty", "-m", "inner")
    run(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "evidence")
    run(root, "commit", "--quiet", "-m", "submodule")


def dirty_copy(root: Path) -> None:
    (root / PATH).parent.mkdir(parents=True)
    (root / PATH).write_bytes(DATA + b" ")


TAKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "HEAD has another content": (replace_in_head, "is committed already, with another content"),
    "the work tree has another content": (dirty_copy, "is there already, with another content"),
    "a folder": (folder_in_the_way, "is there already, with another content"),
    "a file where a folder is to go": (file_in_the_way, "evidence is not a folder"),
    "a link": (link_in_the_way, "is there already, with another content"),
    "a linked folder": (linked_folder_in_the_way, "evidence is not a folder"),
    "a file in HEAD where a folder is to go": (
        file_in_head_where_a_folder_is_to_go,
        "evidence is committed as something else than a folder",
    ),
    "a submodule": (submodule_in_the_way, "evidence is committed as something else than a folder"),
}


@pytest.mark.parametrize(("prepare", "message"), TAKEN.values(), ids=TAKEN)
def test_nothing_is_committed_over_something_else(
    repository: Path, prepare: Callable[[Path], None], message: str
) -> None:
    prepare(repository)
    before, status = run(repository, "rev-parse", "HEAD"), run(repository, "status", "--porcelain")
    with pytest.raises(StoreError, match=message):
        commit_files(repository, {PATH: DATA}, "Plan")
    assert run(repository, "rev-parse", "HEAD") == before
    assert run(repository, "status", "--porcelain") == status
    assert (repository / "tracked.txt").read_text() == "one\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../out", "a/../../b", ".git/hooks/post-commit", "", "a//b", "a/./b"])
def test_a_path_outside_the_repository_is_refused(repository: Path, path: str) -> None:
    with pytest.raises(StoreError, match="is no path inside the repository"):
        commit_files(repository, {path: DATA}, "Plan")


def test_no_hook_and_no_other_program_of_the_user_runs(repository: Path, tmp_path: Path) -> None:
    alarm = tmp_path / "alarm"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 >> '{alarm}'\nexit 1\n")
    program.chmod(0o755)
    for hook in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change", "update"):
        shutil.copy(program, repository / ".git" / "hooks" / hook)
    run(repository, "config", "core.fsmonitor", str(program))
    run(repository, "config", "commit.gpgSign", "true")
    run(repository, "config", "gpg.program", str(program))
    run(repository, "config", "filter.spy.clean", str(program))
    (repository / ".git" / "info" / "attributes").write_text("evidence/** filter=spy\n")
    commit_files(repository, {PATH: DATA}, "Plan")
    assert not alarm.exists()
    assert committed(repository) == DATA
    assert "gpgsig" not in run(repository, "cat-file", "commit", "HEAD")


def test_line_ends_are_kept_whatever_git_is_told(repository: Path) -> None:
    run(repository, "config", "core.autocrlf", "true")
    (repository / ".gitattributes").write_text("* text eol=crlf ident\n")
    data = b"$Id$\r\nline\n"
    commit_files(repository, {PATH: data}, "Plan")
    assert (committed(repository), (repository / PATH).read_bytes()) == (data, data)


def test_an_ignored_folder_holds_evidence_all_the_same(repository: Path) -> None:
    (repository / ".gitignore").write_text("evidence/\n")
    commit_files(repository, {PATH: DATA}, "Plan")
    assert committed(repository) == DATA


def test_a_detached_head_is_refused(repository: Path) -> None:
    run(repository, "checkout", "--quiet", "--detach")
    with pytest.raises(StoreError, match="HEAD is detached") as refusal:
        commit_files(repository, {PATH: DATA}, "Plan")
    assert "git switch -c" in refusal.value.hint
    assert not (repository / "evidence").exists()


def test_a_branch_without_commits_gets_its_first(tmp_path: Path) -> None:
    run(tmp_path, "init", "--quiet", "new")
    root = tmp_path / "new"
    commit = commit_files(root, {PATH: DATA}, "Plan")
    assert run(root, "rev-list", "HEAD") == commit
    assert run(root, "status", "--porcelain") == ""


IDENTITIES = {
    "none": ("", {}, "Sigil <sigil@localhost> Sigil <sigil@localhost>"),
    "a name without an address": ("[user]\n\tname = Half\n", {}, "Sigil <sigil@localhost> Sigil <sigil@localhost>"),
    "configured": ("[user]\n\tname = Ada\n\temail = a@b.c\n", {}, "Ada <a@b.c> Ada <a@b.c>"),
    "in the environment": (
        "",
        {"GIT_AUTHOR_NAME": "Env", "GIT_AUTHOR_EMAIL": "e@f.g"},
        "Env <e@f.g> Sigil <sigil@localhost>",
    ),
}


@pytest.mark.parametrize(("configuration", "environment", "expected"), IDENTITIES.values(), ids=IDENTITIES)
def test_who_commits_is_who_git_knows_and_never_a_guess(
    repository: Path,
    plain_configuration: Path,
    monkeypatch: pytest.MonkeyPatch,
    configuration: str,
    environment: dict[str, str],
    expected: str,
) -> None:
    plain_configuration.write_text(configuration)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    commit_files(repository, {PATH: DATA}, "Plan")
    assert run(repository, "log", "-1", "--format=%an <%ae> %cn <%ce>") == expected


def test_variables_of_a_hook_or_caller_are_ignored(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, "init", "--quiet", "other")
    other = tmp_path / "other"
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_PREFIX": "sub/",
        "GIT_COMMITTER_DATE": "1999-01-01T00:00:00Z",
        "GIT_AUTHOR_DATE": "1999-01-01T00:00:00Z",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_REPLACE_REF_BASE": "refs/nowhere/",
    }.items():
        monkeypatch.setenv(name, value)
    commit = commit_files(repository, {PATH: DATA}, "Plan")
    for name in [name for name in os.environ if name.startswith("GIT_") and "CONFIG" not in name]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("GIT_CONFIG_COUNT")
    assert run(repository, "rev-parse", "HEAD") == commit
    assert run(repository, "status", "--porcelain") == ""
    assert not run(repository, "log", "-1", "--format=%aI").startswith("1999")
    assert not (other / "evidence").exists()


def test_not_a_repository(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not the top of a git checkout"):
        commit_files(tmp_path, {PATH: DATA}, "Plan")


def test_a_folder_inside_a_checkout_is_not_taken_for_it(repository: Path) -> None:
    inner = repository / "inner"
    (inner / ".git").mkdir(parents=True)
    for folder in (inner, repository / "inner" / ".git"):
        with pytest.raises(StoreError, match="is not the top of a git checkout"):
            commit_files(folder, {PATH: DATA}, "Plan")


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    run(tmp_path, "init", "--quiet", "--bare", "bare.git")
    with pytest.raises(StoreError, match="is a bare git repository"):
        commit_files(tmp_path / "bare.git", {PATH: DATA}, "Plan")


def test_paths_with_spaces_and_beyond_ascii(tmp_path: Path, repository: Path) -> None:
    odd = repository.rename(tmp_path / "Überraschung  *[x]' 文")
    path = "evidence/a b/ü*?[x]/-plan \\ 文.json"
    commit_files(odd, {path: DATA, "evidence/-dash": DATA}, "Plan")
    assert committed(odd, path) == DATA
    assert run(odd, "status", "--porcelain") == ""


def test_a_linked_work_tree_has_its_own_branch_and_index(repository: Path, tmp_path: Path) -> None:
    run(repository, "worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))
    before = run(repository, "rev-parse", "main")
    commit_files(tmp_path / "linked", {PATH: DATA}, "Plan")
    assert run(repository, "rev-parse", "main") == before
    assert run(repository, "rev-parse", "side^") == before
    assert run(tmp_path / "linked", "status", "--porcelain") == run(repository, "status", "--porcelain") == ""
    assert not (repository / "evidence").exists()


def test_a_submodule_is_a_checkout_of_its_own(repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    run(tmp_path, "init", "--quiet", "outer")
    run(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")
    run(outer, "commit", "--quiet", "-m", "submodule")
    before = run(outer, "rev-parse", "HEAD")
    commit_files(outer / "inner", {PATH: DATA}, "Plan")
    assert committed(outer / "inner") == DATA
    assert run(outer / "inner", "status", "--porcelain") == ""
    assert run(outer, "rev-parse", "HEAD") == before


def test_a_held_index_is_waited_for_and_then_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "INDEX_SECONDS", 0.1)
    lock = repository / ".git" / "index.lock"
    lock.touch()
    before = run(repository, "rev-parse", "HEAD")
    with pytest.raises(StoreError, match=r"another git command holds .*index\.lock"):
        commit_files(repository, {PATH: DATA}, "Plan")
    assert run(repository, "rev-parse", "HEAD") == before
    lock.unlink()
    commit_files(repository, {PATH: DATA}, "Plan")
    assert run(repository, "status", "--porcelain") == ""


def test_a_held_branch_is_tried_again_and_then_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "SWAPS", 3)
    lock = repository / ".git" / "refs" / "heads" / "main.lock"
    lock.touch()
    with pytest.raises(StoreError, match=r"could not be moved in 3 tries: git update-ref failed: .*main\.lock"):
        commit_files(repository, {PATH: DATA}, "Plan")
    assert not (repository / "evidence").exists()
    assert not list((repository / ".git").glob("sigil-*"))


def test_a_lock_of_another_sigil_is_waited_for_and_then_named(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "LOCK_SECONDS", 0.1)
    with git._exclusive(git._open(repository)), pytest.raises(StoreError, match="another Sigil has been writing here"):
        commit_files(repository, {PATH: DATA}, "Plan")


def test_if_only_the_index_cannot_follow_the_commit_is_named(repository: Path) -> None:
    (repository / ".git" / "index").write_bytes(b"DIRC nonsense that is long enough to be read as an index")
    with pytest.raises(StoreError, match=r"the evidence is committed as [0-9a-f]{12}, but the checkout") as refusal:
        commit_files(repository, {PATH: DATA}, "Plan")
    assert "git reset" in refusal.value.hint
    assert committed(repository) == DATA
    (repository / ".git" / "index").unlink()
    run(repository, "reset", "--quiet")
    assert run(repository, "status", "--porcelain") == ""


def write_ten(root: Path, writer: int) -> None:
    for number in range(10):
        commit_files(root, {f"evidence/{writer}/{number}.json": f"{writer} {number}\n".encode()}, f"{writer} {number}")


def test_eight_writers_at_once_lose_nothing(repository: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=write_ten, args=(repository, writer)) for writer in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 8
    assert int(run(repository, "rev-list", "--count", "HEAD")) == 1 + 80
    assert len(run(repository, "ls-tree", "-r", "--name-only", "HEAD", "evidence").splitlines()) == 80
    assert run(repository, "status", "--porcelain") == ""
    assert run(repository, "fsck") == ""


def test_a_writer_without_our_lock_loses_nothing_either(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody commits between our look at the branch and our move: the move is refused and made again on top."""
    read = git._tip
    intruders = iter(range(3))

    def tip_then_intrude(root: Path, name: str) -> str | None:
        seen = read(root, name)
        if name != "HEAD" and next(intruders, None) is not None:
            run(repository, "commit", "--quiet", "--allow-empty", "-m", "intruder")
        return seen

    monkeypatch.setattr(git, "_tip", tip_then_intrude)
    commit_files(repository, {PATH: DATA}, "Plan")
    assert run(repository, "log", "--format=%s").splitlines() == ["Plan", "intruder", "intruder", "intruder", "start"]
    assert committed(repository) == DATA


WITHOUT_PRIVILEGE = (
    ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"] if os.geteuid() == 0 else []
)
"""Runs a program to which file modes apply, for root too."""

COMMIT = """
import sys
from pathlib import Path
from sigilgen.errors import StoreError
from sigilgen.store.git import commit_files
try:
    commit_files(Path(sys.argv[1]), {sys.argv[2]: b"x" * int(sys.argv[3])}, "Plan")
except StoreError as error:
    print(error)
    sys.exit(3)
"""


def commit_in_child(command: list[str], root: Path, size: int) -> subprocess.CompletedProcess[str]:
    arguments = [*command, sys.executable, "-c", COMMIT, str(root), PATH, str(size)]
    return subprocess.run(arguments, check=False, capture_output=True, text=True)


@pytest.mark.skipif(bool(WITHOUT_PRIVILEGE) and shutil.which("setpriv") is None, reason="root needs setpriv")
def test_a_read_only_repository_is_refused_in_words(repository: Path) -> None:
    folders = [repository, *(path for path in repository.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    done = commit_in_child(WITHOUT_PRIVILEGE, repository, 10)
    for folder in folders:
        folder.chmod(0o755)
    assert (done.returncode, done.stderr) == (3, "")
    assert "cannot write to the repository" in done.stdout
    assert "Permission denied" in done.stdout
    assert run(repository, "rev-list", "--count", "HEAD") == "1"


def test_a_limit_on_file_sizes_is_met_in_words(repository: Path) -> None:
    done = commit_in_child(["sh", "-c", 'ulimit -f 64; exec "$@"', "sh"], repository, 1_000_000)
    assert (done.returncode, done.stderr) == (3, "")
    assert "File too large" in done.stdout
    assert run(repository, "status", "--porcelain") == ""
    assert run(repository, "rev-list", "--count", "HEAD") == "1"
    assert not list((repository / ".git").glob("sigil-*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """A file system of 512 KiB, where the machine lets a test have one."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root may mount a small disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("this machine lets nobody mount a small disk")
    return place


def test_a_full_disk_is_met_in_words_and_leaves_nothing_half_done(small_disk: Path) -> None:
    try:
        run(small_disk, "init", "--quiet", "--template=", ".")
        run(small_disk, "commit", "--quiet", "--allow-empty", "-m", "start")
        done = commit_in_child([], small_disk, 2_000_000)
        assert (done.returncode, done.stderr) == (3, "")
        assert "No space left" in done.stdout
        assert run(small_disk, "status", "--porcelain") == ""
        assert not list((small_disk / ".git").glob("sigil-*"))
        assert commit_in_child([], small_disk, 100).returncode == 0
    finally:
        subprocess.run(["umount", small_disk], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a repository to somebody else")
def test_a_repository_of_somebody_else_is_refused_with_advice(repository: Path) -> None:
    subprocess.run(["chown", "-R", "12345", repository], check=True)
    with pytest.raises(StoreError, match="dubious ownership") as refusal:
        commit_files(repository, {PATH: DATA}, "Plan")
    assert "If you trust it" in refusal.value.hint
    subprocess.run(["chown", "-R", "0", repository], check=True)


def test_a_missing_git_is_said(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="git was not found"):
        commit_files(repository, {PATH: DATA}, "Plan")
