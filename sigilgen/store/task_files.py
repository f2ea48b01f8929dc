"""One task: what its `task.yaml` declares, checked against the folders beside it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from sigilgen.errors import Fault
from sigilgen.model.task import Task
from sigilgen.policy.globs import glob_fault, match_protected
from sigilgen.store.checks import commit_fault, folder_fault, repository_fault, slug_fault
from sigilgen.store.fields import Field, integer, line, mapping, sequence, suggestion
from sigilgen.store.locate import IGNORED
from sigilgen.store.text_file import read_text
from sigilgen.store.yaml_file import Reader, read_yaml

PROMPT_BYTES = 64 << 10
PROTECTED_BYTES = 400_000
"""What a run may have to say about protected files, at some 220 bytes and the path for each: it must fit a record."""
PARTS = ("task.yaml", "prompt.md", "repo", "verifier", "solution", "rehearsal.yaml", "README.md", "LICENSE", "NOTICE")
"""Everything that may stand at the top of a task."""

_RESOURCES = mapping(
    Field("cpus", integer(1, 64), required=False),
    Field("memory_mb", integer(64, 1 << 20), required=False),
)
_ORIGIN = mapping(
    Field("repository", line(300, repository_fault)),
    Field("commit", line(40, commit_fault)),
    Field("path", line(300, folder_fault)),
    Field("license", line(100)),
)


def read_task(folder: Path, label: str, files: Sequence[str], *, faults: list[Fault]) -> Task | None:
    """The task in `folder`, or None with all that is wrong added to `faults`. `files` are its files, by path."""
    before = len(faults)
    if what := slug_fault(folder.name):
        faults.append(Fault(label, None, f"its name {what}"))
    faults += _misfits(folder, label)
    faults += _missing_parts(label, files)
    repo = [path.removeprefix("repo/") for path in files if path.startswith("repo/")]
    declared = read_yaml(folder / "task.yaml", f"{label}/task.yaml", _declaration(repo), faults=faults)
    prompt = _read_prompt(folder / "prompt.md", f"{label}/prompt.md", faults=faults)
    if len(faults) > before or not isinstance(declared, dict):
        return None
    if what := _too_much_protected(declared["protected"], repo):
        faults.append(Fault(f"{label}/task.yaml", None, what, "Name fewer files, those that decide what is tested."))
        return None
    return msgspec.convert({**declared, "id": folder.name, "prompt": prompt}, Task)


def _declaration(repo: Sequence[str]) -> Reader:
    """The table of `task.yaml` for a starting tree with the files `repo`."""

    def protected_fault(glob: str) -> str | None:
        if fault := glob_fault(glob):
            return f"{fault}: {glob!r}"
        return None if match_protected([glob], repo) else f"matches no file of repo/: {glob!r}"

    return mapping(
        Field("schema", integer(1, 1)),
        Field("title", line(100)),
        Field("timeout_seconds", integer(1, 6 * 3600)),
        Field("verify_timeout_seconds", integer(1, 3600)),
        Field("protected", sequence(line(200, protected_fault), unique=True)),
        Field("resources", _RESOURCES, required=False),
        Field("setup", sequence(line(2000)), required=False),
        Field("origin", _ORIGIN, required=False),
    )


def _too_much_protected(globs: Sequence[str], repo: Sequence[str]) -> str | None:
    protected = match_protected(globs, repo)
    fits = sum(220 + len(path.encode()) for path in protected) <= PROTECTED_BYTES
    return None if fits else f"protects {len(protected):,} files, more than the record of a run can hold"


def _misfits(folder: Path, label: str) -> Iterator[Fault]:
    for name in sorted({entry.name for entry in folder.iterdir()} - set(PARTS) - IGNORED):
        fix = suggestion(name, dict.fromkeys(PARTS)) or f"A task has {', '.join(PARTS)}."
        yield Fault(f"{label}/{name}", None, "is no part of a task", fix)


def _missing_parts(label: str, files: Sequence[str]) -> Iterator[Fault]:
    if not any(path.startswith("repo/") for path in files):
        yield Fault(f"{label}/repo", None, "holds no file", "The agent starts from what is in it.")
    if "verifier/verify.sh" not in files:
        fix = "It runs in the workspace as `sh verify.sh`; exit status 0 means passed."
        yield Fault(f"{label}/verifier/verify.sh", None, "is missing", fix)
    solution = [path for path in files if path.startswith("solution/")]
    if not solution:
        yield Fault(f"{label}/solution", None, "holds no file", "The reference solution proves that the task is fair.")
    elif "solution/apply.sh" in solution and len(solution) > 1:
        what = "has apply.sh beside other files"
        yield Fault(f"{label}/solution", None, what, "It is either one script or files laid over the workspace.")


def _read_prompt(path: Path, label: str, *, faults: list[Fault]) -> str | None:
    prompt = read_text(path, label, limit_bytes=PROMPT_BYTES, faults=faults)
    if prompt is not None and not prompt.strip():
        faults.append(Fault(label, None, "is empty", "It is what the agent is asked."))
    if prompt and (unfit := re.search(r"[^\t\n\r\x20-\x7e\x80-\U0010ffff]", prompt)):
        number = prompt.count("\n", 0, unfit.start()) + 1
        faults.append(Fault(label, number, f"holds the control character U+{ord(unfit[0]):04X}", "Remove it."))
    return prompt
