r"""Suites and their tasks.

A suite's digest is the seal of its whole folder without each task's `rehearsal.yaml`, so that new plays for the
scripted agent leave every result standing:

    find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
      | sed 's|^\./||' | grep -v '^[^/]*/rehearsal\.yaml$' | LC_ALL=C sort \
      | while IFS= read -r f; do shasum -a 256 "$f"; done \
      | shasum -a 256
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from sigilgen.errors import Fault, InputError, RequestError
from sigilgen.model.task import Suite, Task
from sigilgen.store.checks import slug_fault
from sigilgen.store.fields import Field, integer, line, mapping, sequence
from sigilgen.store.locate import folders_in, locate, nearest
from sigilgen.store.refusals import visible
from sigilgen.store.rehearsal import load_rehearsal, read_rehearsal
from sigilgen.store.task_files import read_task
from sigilgen.store.tree import Tree, read_tree, tree_digest
from sigilgen.store.yaml_file import read_yaml

__all__ = ["SuiteEntry", "find_suite", "load_rehearsal", "load_suites"]

HOME = "tasks"
UNSHARED = {
    ".git": "git never commits what has this name; each run makes its own",
    "__pycache__": "compiled Python is not committed, so nobody else could reproduce the digest",
}
"""Names that nothing in a suite may have, and why."""

_SUITE = mapping(
    Field("schema", integer(1, 1)),
    Field("title", line(100)),
    Field("summary", line(300)),
    Field("license", line(100)),
    Field("maintainers", sequence(line(100), least=1, unique=True)),
    Field("languages", sequence(line(64, slug_fault), unique=True)),
)


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A suite and the folder that holds it."""

    suite: Suite
    folder: Path


def load_suites(repository: Path, *, rehearsals: bool = False) -> tuple[SuiteEntry, ...]:
    """Every suite, sorted by id. InputError lists the faults of all of them, with `rehearsals` also of their plays."""
    faults: list[Fault] = []
    folders = folders_in(repository / HOME)
    entries = [_read_suite(repository, folder, rehearsals=rehearsals, faults=faults) for folder in folders]
    if faults:
        raise InputError(faults)
    return tuple(entry for entry in entries if entry)


def find_suite(repository: Path, wanted: str, *, rehearsals: bool = False) -> SuiteEntry:
    """The suite with this id, or in the folder at this path. Others need not be right.

    RequestError when there is none; InputError with all its faults when it is wrong.
    """
    found = locate(repository, wanted, [HOME], depth=1)
    if found is None:
        names = [folder.name for folder in folders_in(repository / HOME)]
        suite = wanted.removeprefix(f"{HOME}/").partition("/")[0]
        hint = f"{suite} is a suite: name that, and its tasks apart." if suite in names else nearest(wanted, names)
        raise RequestError(f"no suite {wanted!r} in {HOME}/", hint=hint)
    faults: list[Fault] = []
    entry = _read_suite(repository, found[1], rehearsals=rehearsals, faults=faults)
    if entry is None or faults:
        raise InputError(faults)
    return entry


def _read_suite(repository: Path, folder: Path, *, rehearsals: bool, faults: list[Fault]) -> SuiteEntry | None:
    label = folder.relative_to(repository).as_posix()
    if folder.is_symlink():
        faults.append(Fault(label, None, "is a symbolic link", "Suites are real folders."))
        return None
    if what := slug_fault(folder.name):
        faults.append(Fault(label, None, f"its name {what}"))
    declared = read_yaml(folder / "suite.yaml", f"{label}/suite.yaml", _SUITE, faults=faults)
    tree = read_tree(folder, leave_out=_is_left_out)
    faults += _unsealable(tree, label)
    tasks = _read_tasks(folder, tree, label, faults=faults) if tree.files else ()
    if rehearsals:
        for task in folders_in(folder):
            read_rehearsal(task, f"{label}/{task.name}/rehearsal.yaml", faults=faults)
    if not isinstance(declared, dict):
        return None
    suite = msgspec.convert({**declared, "id": folder.name, "tasks": (), "digest": tree_digest(tree.files)}, Suite)
    return SuiteEntry(replace(suite, tasks=tasks), folder)


def _read_tasks(folder: Path, tree: Tree, label: str, *, faults: list[Fault]) -> tuple[Task, ...]:
    files: dict[str, list[str]] = {}
    for file in tree.files:
        task, _, path = file.path.partition("/")
        files.setdefault(task, []).append(path)
    folders = [entry for entry in folders_in(folder) if not entry.is_symlink()]
    if not folders:
        faults.append(Fault(label, None, "has no task", "Start one with `sigil new task`."))
    tasks = [read_task(task, f"{label}/{task.name}", files.get(task.name, []), faults=faults) for task in folders]
    return tuple(task for task in tasks if task)


def _is_left_out(path: str) -> bool:
    return re.fullmatch(r"[^/]+/rehearsal\.yaml|([^/]+/)?\.DS_Store", path) is not None


def _unsealable(tree: Tree, label: str) -> Iterator[Fault]:
    for refusal in tree.refusals:
        yield Fault(f"{label}/{visible(refusal.path)}", None, refusal.reason, "Remove or rename it.")
    for folder, name in sorted({place for file in tree.files for place in _unshared(file.path)}):
        yield Fault(f"{label}/{visible(folder)}", None, UNSHARED[name], "Remove it.")


def _unshared(path: str) -> Iterator[tuple[str, str]]:
    """`path` and the folders above it that may not lie in a suite, each with its name.

    A file `.git` would lead git to any repository on the machine. Some file systems do not tell letter case apart.
    """
    parts = path.split("/")
    for index, part in enumerate(parts):
        if (name := part.lower()) in UNSHARED:
            yield "/".join(parts[: index + 1]), name
