"""Suites and tasks are read strictly, and the digest of a suite is the documented one."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import InputError, RequestError
from sigilgen.model.rehearsal import Execute, Exit, Patch, Play, Rehearsal, Say, Wait, Write
from sigilgen.model.task import Origin, Resources
from sigilgen.store.suites import find_suite, load_rehearsal, load_suites

SUITE = """\
schema: 1
title: A suite
summary: Tasks of one kind.
license: MIT
maintainers: [someone]
languages: [python]
"""
TASK = """\
schema: 1
title: A task
timeout_seconds: 600
verify_timeout_seconds: 60
protected: ['tests/**', '*.md']
"""
REHEARSAL = """\
schema: 1
baseline:
  - name: all steps
    steps:
      - say: |
          Two
          lines.
      - write: {path: a/b.py, text: ""}
      - patch: {path: a/b.py, find: x, replace: ""}
      - run: python3 -m unittest
      - wait: 250
      - exit: 137
treatment:
  - name: one
    steps: [say: done]
  - name: two
    steps: [say: done]
"""
PIPELINE = r"""
find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
  | sed 's|^\./||' | grep -v '^[^/]*/rehearsal\.yaml$' | LC_ALL=C sort \
  | while IFS= read -r f; do TOOL "$f"; done \
  | TOOL
"""
NO_PATH = "must be a relative path with / between its parts, without '.' and '..'"
NO_GLOB = "has an empty part, a '.' or a '..'; name the files below repo/ directly"
NO_SLUG = "must be lower-case letters, digits and single hyphens, at most 64 of them"


def add_task(suite: Path, name: str = "a-task") -> Path:
    task = suite / name
    parts = {
        "task.yaml": TASK,
        "prompt.md": "Please mend it.\n",
        "repo/README.md": "read me",
        "repo/tests/deep/test_a.py": "",
        "verifier/verify.sh": "exit 0\n",
        "solution/a.py": "",
    }
    for path, text in parts.items():
        place = task / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return task


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks/a-suite"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text(SUITE)
    add_task(folder)
    return folder


def faults_of(suite: Path, *, rehearsals: bool = False) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_suites(suite.parents[1], rehearsals=rehearsals)
    return [f"{fault.file}:{fault.line}: {fault.what}" for fault in caught.value.faults]


def test_a_suite_says_what_its_files_say(suite: Path, tmp_path: Path) -> None:
    task = add_task(suite, "b-task")
    more = "resources: {cpus: 2}\nsetup: [make]\norigin:\n  repository: https://host.example/a/b\n"
    more += f"  commit: {'a' * 40}\n  path: .\n  license: MIT\n"
    (task / "task.yaml").write_text(TASK + more)
    (entry,) = load_suites(tmp_path)
    assert entry.folder == suite
    assert (entry.suite.id, entry.suite.title, entry.suite.languages) == ("a-suite", "A suite", ("python",))
    first, second = entry.suite.tasks
    assert (first.id, first.prompt, first.protected) == ("a-task", "Please mend it.\n", ("tests/**", "*.md"))
    assert (first.timeout_seconds, first.verify_timeout_seconds, first.setup) == (600, 60, ())
    assert (first.resources, first.origin) == (Resources(), None)
    assert (second.resources, second.setup) == (Resources(cpus=2), ("make",))
    assert second.origin == Origin(repository="https://host.example/a/b", commit="a" * 40, path=".", license="MIT")


def test_suites_come_in_the_order_of_their_names(suite: Path, tmp_path: Path) -> None:
    shutil.copytree(suite, tmp_path / "tasks/0-suite")
    (tmp_path / "tasks/README.md").write_text("loose files belong to no suite")
    assert [entry.suite.id for entry in load_suites(tmp_path)] == ["0-suite", "a-suite"]


def test_without_tasks_there_are_no_suites(tmp_path: Path) -> None:
    assert load_suites(tmp_path) == ()


def test_the_digest_is_that_of_the_documented_pipeline(suite: Path, tmp_path: Path) -> None:
    tool = "sha256sum" if shutil.which("sha256sum") else "shasum -a 256"
    (suite / "a-task/rehearsal.yaml").write_text(REHEARSAL)
    (suite / "a-task/repo/rehearsal.yaml").write_text("a file of the task like any other")
    (suite / ".DS_Store").touch()
    done = subprocess.run(["sh", "-c", PIPELINE.replace("TOOL", tool)], cwd=suite, capture_output=True, check=True)
    assert find_suite(tmp_path, "a-suite").suite.digest == f"sha256:{done.stdout.decode().split()[0]}"


def test_only_a_tasks_own_rehearsal_leaves_the_digest_as_it_is(suite: Path, tmp_path: Path) -> None:
    before = find_suite(tmp_path, "a-suite").suite.digest
    (suite / "a-task/rehearsal.yaml").write_text(REHEARSAL)
    assert find_suite(tmp_path, "a-suite").suite.digest == before
    (suite / "a-task/repo/rehearsal.yaml").write_text(REHEARSAL)
    inside = find_suite(tmp_path, "a-suite").suite.digest
    assert inside != before
    (suite / "a-task/prompt.md").write_text("Please mend it!\n")
    assert find_suite(tmp_path, "a-suite").suite.digest != inside


def replace(path: str, old: str, new: str) -> Callable[[Path], object]:
    return lambda suite: (suite / path).write_text((suite / path).read_text().replace(old, new))


def put(path: str, text: str = "") -> Callable[[Path], object]:
    def place(suite: Path) -> None:
        (suite / path).parent.mkdir(parents=True, exist_ok=True)
        (suite / path).write_text(text)

    return place


def drop(path: str) -> Callable[[Path], object]:
    return lambda suite: shutil.rmtree(suite / path) if (suite / path).is_dir() else (suite / path).unlink()


def make_pipe(suite: Path) -> None:
    os.mkfifo(suite / "a-task/repo/pipe")


SPOILED: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "no suite.yaml": (drop("suite.yaml"), ["suite.yaml:None: is missing"]),
    "a typing error in suite.yaml": (
        replace("suite.yaml", "languages", "language"),
        ["suite.yaml:1: languages is missing", "suite.yaml:6: unknown key 'language'"],
    ),
    "no tasks": (drop("a-task"), [":None: has no task"]),
    "an id that is no slug": (
        lambda suite: (suite / "a-task").rename(suite / "A_task"),
        [f"A_task:None: its name {NO_SLUG}: 'A_task'"],
    ),
    "no task.yaml": (drop("a-task/task.yaml"), ["a-task/task.yaml:None: is missing"]),
    "no prompt": (drop("a-task/prompt.md"), ["a-task/prompt.md:None: is missing"]),
    "an empty prompt": (put("a-task/prompt.md", " \n"), ["a-task/prompt.md:None: is empty"]),
    "a prompt with a control character": (
        put("a-task/prompt.md", "a\n\x1b[2J"),
        ["a-task/prompt.md:2: holds the control character U+001B"],
    ),
    "a prompt that is a book": (
        put("a-task/prompt.md", "x" * (64 << 10) + "x"),
        ["a-task/prompt.md:None: is larger than 64 KiB"],
    ),
    "no solution": (drop("a-task/solution"), ["a-task/solution:None: holds no file"]),
    "a script beside a solution": (
        put("a-task/solution/apply.sh"),
        ["a-task/solution:None: has apply.sh beside other files"],
    ),
    "no verifier": (drop("a-task/verifier/verify.sh"), ["a-task/verifier/verify.sh:None: is missing"]),
    "no starting repo": (
        drop("a-task/repo"),
        [
            "a-task/repo:None: holds no file",
            "a-task/task.yaml:5: protected[0] matches no file of repo/: 'tests/**'",
            "a-task/task.yaml:5: protected[1] matches no file of repo/: '*.md'",
        ],
    ),
    "a misspelled part": (
        lambda suite: (suite / "a-task/verifier").rename(suite / "a-task/verifer"),
        ["a-task/verifer:None: is no part of a task", "a-task/verifier/verify.sh:None: is missing"],
    ),
    "a glob that protects nothing": (
        replace("a-task/task.yaml", "*.md", "test/**"),
        ["a-task/task.yaml:5: protected[1] matches no file of repo/: 'test/**'"],
    ),
    "a glob that leaves the repo": (
        replace("a-task/task.yaml", "*.md", "../*"),
        [f"a-task/task.yaml:5: protected[1] {NO_GLOB}: '../*'"],
    ),
    "no time at all": (
        replace("a-task/task.yaml", "600", "0"),
        ["a-task/task.yaml:3: timeout_seconds must be a whole number from 1 to 21600, found '0'"],
    ),
    "a day to verify": (
        replace("a-task/task.yaml", ": 60\n", ": 86400\n"),
        ["a-task/task.yaml:4: verify_timeout_seconds must be a whole number from 1 to 3600, found '86400'"],
    ),
    "a link in the repo": (
        lambda suite: (suite / "a-task/repo/link").symlink_to("/etc"),
        ["a-task/repo/link:None: is a symbolic link; only regular files are sealed"],
    ),
    "a pipe in the repo": (
        make_pipe,
        ["a-task/repo/pipe:None: is a pipe, socket or device; only regular files are sealed"],
    ),
    "a file that the seal leaves out": (
        put("a-task/repo/sigil.yaml"),
        ["a-task/repo/sigil.yaml:None: the seal leaves out every file of this name, so none may be installed"],
    ),
    "a machine's file where it would be staged": (
        put("a-task/repo/.DS_Store"),
        ["a-task/repo/.DS_Store:None: the seal leaves out every file of this name, so none may be installed"],
    ),
    "a repository inside": (
        put("a-task/repo/.git/config"),
        ["a-task/repo/.git:None: git never commits what has this name; each run makes its own"],
    ),
    "a file that leads git to another repository": (
        put("a-task/repo/deep/.git", "gitdir: /elsewhere"),
        ["a-task/repo/deep/.git:None: git never commits what has this name; each run makes its own"],
    ),
    "the same where letter case does not count": (
        put("a-task/repo/.GIT"),
        ["a-task/repo/.GIT:None: git never commits what has this name; each run makes its own"],
    ),
    "more protected files than a record can hold": (
        lambda suite: [put(f"a-task/repo/tests/{i}-{'x' * 240}")(suite) for i in range(900)],
        ["a-task/task.yaml:None: protects 902 files, more than the record of a run can hold"],
    ),
    "a path longer than some systems can hold": (
        put("a-task/repo/" + "/".join(["x" * 200] * 6)),
        ["a-task/repo/" + "/".join(["x" * 200] * 6) + ":None: its path is longer than 1,024 bytes or 128 folders"],
    ),
    "compiled Python": (
        put("a-task/repo/__pycache__/a.pyc"),
        ["a-task/repo/__pycache__:None: compiled Python is not committed, so nobody else could reproduce the digest"],
    ),
    "many things in many files": (
        lambda suite: (
            replace("suite.yaml", "MIT", "[MIT]")(suite),
            replace("a-task/task.yaml", "title", "tilte")(suite),
            drop("a-task/prompt.md")(suite),
            put("b-task/task.yaml", "schema: 1")(suite),
        ),
        [
            "a-task/prompt.md:None: is missing",
            "a-task/task.yaml:1: title is missing",
            "a-task/task.yaml:2: unknown key 'tilte'",
            "b-task/prompt.md:None: is missing",
            "b-task/repo:None: holds no file",
            "b-task/solution:None: holds no file",
            "b-task/task.yaml:1: protected is missing",
            "b-task/task.yaml:1: timeout_seconds is missing",
            "b-task/task.yaml:1: title is missing",
            "b-task/task.yaml:1: verify_timeout_seconds is missing",
            "b-task/verifier/verify.sh:None: is missing",
            "suite.yaml:4: license must be text, found a list",
        ],
    ),
}


@pytest.mark.parametrize(("spoil", "faults"), SPOILED.values(), ids=SPOILED)
def test_faults_of_a_suite_are_told_with_file_and_line(
    spoil: Callable[[Path], object], faults: list[str], suite: Path
) -> None:
    spoil(suite)
    expected = [f"tasks/a-suite{'' if fault.startswith(':') else '/'}{fault}" for fault in faults]
    assert faults_of(suite) == expected


def test_a_linked_suite_is_refused(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks/b-suite").symlink_to(suite)
    assert faults_of(suite) == ["tasks/b-suite:None: is a symbolic link"]


def test_a_suite_is_found_by_id_and_by_path_though_another_is_wrong(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tasks/wrong").mkdir()
    monkeypatch.chdir(tmp_path / "tasks")
    for wanted in ("a-suite", "a-suite/", "tasks/a-suite", "./a-suite", str(suite)):
        assert find_suite(tmp_path, wanted).folder == suite
    with pytest.raises(InputError, match=r"tasks/wrong/suite\.yaml: is missing"):
        find_suite(tmp_path, "wrong")


@pytest.mark.parametrize("wanted", ["a-suit", "tasks/a-suit", "a-suites"])
def test_a_suite_that_is_not_there_is_told_with_what_is_near(wanted: str, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        find_suite(tmp_path, wanted)
    assert caught.value.hint == "Did you mean a-suite?"


@pytest.mark.parametrize("wanted", ["tasks", ".", "a-suite/a-task", "/etc", ""])
def test_other_folders_are_no_suites(wanted: str, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(RequestError):
        find_suite(tmp_path, wanted)


def test_a_rehearsal_has_plays_of_steps(suite: Path) -> None:
    assert load_rehearsal(suite / "a-task") is None
    (suite / "a-task/rehearsal.yaml").write_text(REHEARSAL)
    done = (Say(text="done"),)
    assert load_rehearsal(suite / "a-task") == Rehearsal(
        baseline=(
            Play(
                name="all steps",
                steps=(
                    Say(text="Two\nlines.\n"),
                    Write(path="a/b.py", text=""),
                    Patch(path="a/b.py", find="x", replace=""),
                    Execute(command="python3 -m unittest"),
                    Wait(milliseconds=250),
                    Exit(status=137),
                ),
            ),
        ),
        treatment=(Play(name="one", steps=done), Play(name="two", steps=done)),
    )


PLAYS = {
    "one condition only": ("schema: 1\nbaseline:\n- name: a\n  steps: [say: x]\n", ["1: treatment is missing"]),
    "no plays": (
        REHEARSAL.partition("treatment:")[0] + "treatment: []\n",
        ["13: treatment must have at least 1 entry"],
    ),
    "no steps": (REHEARSAL.replace("[say: done]", "[]", 1), ["15: treatment[0].steps must have at least 1 entry"]),
    "an unknown step": (REHEARSAL.replace("- wait:", "- wiat:"), ["11: unknown key 'wiat'"]),
    "two steps in one": (
        REHEARSAL.replace("- wait: 250", "- wait: 250\n        say: x"),
        ["11: baseline[0].steps[4] must have exactly one key, found 2"],
    ),
    "a path that leaves the workspace": (
        REHEARSAL.replace("write: {path: a/b.py", "write: {path: ../b.py"),
        [f"8: baseline[0].steps[1].write.path {NO_PATH}: '../b.py'"],
    ),
    "nothing to find": (
        REHEARSAL.replace("find: x", "find: ''"),
        ["9: baseline[0].steps[2].patch.find must not be empty"],
    ),
    "an impossible status": (
        REHEARSAL.replace("137", "256"),
        ["12: baseline[0].steps[5].exit must be a whole number from 0 to 255, found '256'"],
    ),
}


@pytest.mark.parametrize(("text", "faults"), PLAYS.values(), ids=PLAYS)
def test_faults_of_a_rehearsal_are_told_with_their_lines(text: str, faults: list[str], suite: Path) -> None:
    (suite / "a-task/rehearsal.yaml").write_text(text)
    expected = [f"tasks/a-suite/a-task/rehearsal.yaml:{fault}" for fault in faults]
    with pytest.raises(InputError) as caught:
        load_rehearsal(suite / "a-task")
    assert [f"{fault.file}:{fault.line}: {fault.what}" for fault in caught.value.faults] == expected
    assert faults_of(suite, rehearsals=True) == expected
    assert len(load_suites(suite.parents[1])) == 1
