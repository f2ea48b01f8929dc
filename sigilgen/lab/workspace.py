"""What goes into a run and what came out of it: staging a condition, and comparing the workspace with its start."""

import difflib
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen.agents.base import Agent, install_path
from sigilgen.errors import PayloadError, SandboxError
from sigilgen.lab.kit import Kit, check_unchanged, fingerprint
from sigilgen.lab.lost import ChangedError
from sigilgen.model.capability import Kind, Payload
from sigilgen.model.run import Condition, ProtectedFile
from sigilgen.policy.tampering import lost_lines
from sigilgen.sandbox.trees import clear_way, copy_tree, file_digest, is_plain, lay_over, put_file, remove, walk
from sigilgen.store.payload import install_payload, read_payload
from sigilgen.store.refusals import visible

PATCH_BYTES = 64 << 10
DIFF_FILE_BYTES = 256 << 10
COMPARE_BYTES = 16 << 20
DIFF_EFFORT = 2_000_000
"""Pairs of equal lines, over all files of a patch: what difflib takes some seconds for. Its worst case takes days."""
EMPTY_DIGEST = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@dataclass(frozen=True, slots=True)
class Installable:
    """A capability as it is installed: its slug, its kind, and the folder that holds its payload."""

    slug: str
    kind: Kind
    payload: Payload
    folder: Path


def stage(kit: Kit, agent: Agent, condition: Condition, installable: Installable | None, target: Path) -> None:
    """Make a fresh workspace at `target`; under treatment the capability is in the agent's native place.

    Raises SandboxError when the baseline holds a trace of the capability, and ChangedError when the kit or the payload
    is not what it was.
    """
    check_unchanged(kit)
    copy_tree(kit.start, target)
    if installable is None:
        return
    if condition is Condition.TREATMENT:
        _check_sealed(installable)
        _install(agent, installable, target)
    elif traces := find_traces(kit.originals, installable):
        raise SandboxError(f"the baseline of {kit.task.id} holds traces of the capability: {', '.join(traces)}")


def _install(agent: Agent, installable: Installable, target: Path) -> None:
    place = install_path(agent, slug=installable.slug, kind=installable.kind)
    if installable.kind is Kind.SKILL:
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        install_payload(installable.folder, installable.payload, target / place)
    else:
        put_file(target, place, (installable.folder / agent.instructions_file).read_bytes())


def _check_sealed(installable: Installable) -> None:
    try:
        found = read_payload(installable.folder).digest
    except PayloadError as error:
        raise ChangedError(installable.folder) from error
    if found != installable.payload.digest:
        raise ChangedError(installable.folder)


def find_traces(originals: Mapping[str, str], installable: Installable) -> list[str]:
    """Starting files that are the capability's by content, or stand below a folder of its name."""
    sealed = {f"sha256:{file.sha256}" for file in installable.payload.files} - {EMPTY_DIGEST}
    return [path for path, digest in originals.items() if digest in sealed or installable.slug in path.split("/")]


def strip_installed(agent: Agent, installable: Installable | None, workspace: Path) -> None:
    """Take the capability out again before anything is judged, and what Python compiled on the way with it."""
    if installable is not None:
        clear_way(workspace, install_path(agent, slug=installable.slug, kind=installable.kind))
        _drop_empty(workspace, agent.skill_folder)
    for path, entry in list(walk(workspace, skip=lambda path: path == ".git")):
        if path.endswith(".pyc") or not (is_plain(entry) or entry.is_symlink()):
            remove(Path(entry.path))


def _drop_empty(workspace: Path, folder: str) -> None:
    parts = folder.split("/")
    for length in range(len(parts), 0, -1):
        place = workspace.joinpath(*parts[:length])
        if place.is_dir() and not place.is_symlink() and not any(place.iterdir()):
            place.rmdir()


def protected_changes(kit: Kit, workspace: Path) -> tuple[ProtectedFile, ...]:
    """Every protected file that is not what it was, in the order of their paths."""
    return tuple(change for path in kit.protected if (change := _compare(kit, workspace, path)) is not None)


def _compare(kit: Kit, workspace: Path, path: str) -> ProtectedFile | None:
    original = kit.originals[path]
    final = _final_bytes(workspace, path)
    before = (kit.start / path).read_bytes()
    if final is None:
        return ProtectedFile(path=path, original=original, final=None, lost_lines=lost_lines(before, b""))
    digest, data = final
    if digest == original:
        return None
    lost = lost_lines(before, data) if data is not None else lost_lines(before, b"")
    return ProtectedFile(path=path, original=original, final=digest, lost_lines=lost)


def _final_bytes(workspace: Path, path: str) -> tuple[str, bytes | None] | None:
    """Digest and content of a file; None when it is no longer a regular file, no content when it grew huge."""
    place = workspace
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            return None
    if not place.is_file():
        return None
    return file_digest(place), place.read_bytes() if place.stat().st_size <= COMPARE_BYTES else None


def make_ready_to_verify(kit: Kit, workspace: Path) -> None:
    """Put the protected files back and lay the hidden verifier over the agent's work.

    Raises ChangedError when either is not what it was.
    """
    check_unchanged(kit)
    for path in kit.protected:
        put_file(workspace, path, (kit.start / path).read_bytes(), mode=(kit.start / path).stat().st_mode & 0o777)
    lay_over(kit.verifier, workspace)


def make_patch(kit: Kit, workspace: Path) -> tuple[str, bool]:
    """A unified diff from the starting tree to `workspace`, and whether it had to be cut short."""
    final = fingerprint(workspace)
    changed = sorted(path for path in kit.originals.keys() | final.keys() if kit.originals.get(path) != final.get(path))
    pieces: list[str] = []
    size = 0
    effort = DIFF_EFFORT
    for path in changed:
        old = _lines(kit.start / path) if path in kit.originals else []
        new = _lines(workspace / path) if path in final else []  # what stands there else may be a link to anywhere
        effort -= _effort(old, new)
        if old is None or new is None or effort < 0:
            lines = iter([f"Binary or large file {visible(path)} changed\n"])
        else:
            source = f"a/{visible(path)}" if path in kit.originals else "/dev/null"
            target = f"b/{visible(path)}" if path in final else "/dev/null"
            lines = _diff(old, new, source, target)
        for line in lines:
            size += len(line.encode())
            if size > PATCH_BYTES:
                return "".join(pieces), True
            pieces.append(line)
    return "".join(pieces), False


def _effort(old: list[str] | None, new: list[str] | None) -> int:
    """How many pairs of equal lines there are between two texts."""
    counts = Counter(new or ())
    return sum(counts[line] for line in old or ())


def _diff(old: list[str], new: list[str], source: str, target: str) -> Iterator[str]:
    for line in difflib.unified_diff(old, new, source, target):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(path: Path) -> list[str] | None:
    """The lines of a text file, None of what is not fit to be shown as text."""
    if path.stat().st_size > DIFF_FILE_BYTES:
        return None
    data = path.read_bytes()
    try:
        return None if b"\0" in data else list(io.StringIO(data.decode(), newline="\n"))
    except UnicodeDecodeError:
        return None
