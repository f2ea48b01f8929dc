"""The catalogue: what each `sigil.yaml` declares, checked against the folder it stands in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sigilgen.errors import Fault, InputError, RequestError
from sigilgen.model.capability import Capability, Kind, Permissions
from sigilgen.store.canonical import canonical_bytes, digest_of
from sigilgen.store.checks import (
    command_fault,
    commit_fault,
    folder_fault,
    host_fault,
    repository_fault,
    slug_fault,
    variable_fault,
)
from sigilgen.store.fields import Field, integer, line, mapping, sequence
from sigilgen.store.frontmatter import check_skill
from sigilgen.store.locate import IGNORED, folders_in, locate, nearest
from sigilgen.store.payload import PAPERS
from sigilgen.store.yaml_file import Reader, read_yaml

HOMES = {"catalog/skills": Kind.SKILL, "catalog/instructions": Kind.INSTRUCTIONS}
INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md")

_PERMISSIONS = mapping(
    Field("hosts", sequence(line(253, host_fault), unique=True), required=False),
    Field("commands", sequence(line(100, command_fault), unique=True), required=False),
    Field("env", sequence(line(100, variable_fault), unique=True), required=False),
)
_SOURCE = mapping(
    Field("repository", line(300, repository_fault)),
    Field("commit", line(40, commit_fault)),
    Field("path", line(300, folder_fault)),
)


def _declaration(kind: Kind, suites: Sequence[str]) -> Reader:
    """The table of `sigil.yaml` in a folder for `kind`, in a repository that has `suites`."""

    def kind_fault(text: str) -> str | None:
        return None if text == kind else f"must be {kind}, as its folder says, found {text[:80]!r}"

    def suite_fault(text: str) -> str | None:
        return None if text in suites else f"names {text[:80]!r}, which is no suite in tasks/. {nearest(text, suites)}"

    return mapping(
        Field("schema", integer(1, 1)),
        Field("kind", line(100, kind_fault)),
        Field("title", line(100)),
        Field("summary", line(300)),
        Field("license", line(100)),
        Field("maintainers", sequence(line(100), least=1, unique=True)),
        Field("permissions", _PERMISSIONS),
        Field("agents", sequence(line(64, slug_fault), unique=True), required=False),
        Field("suites", sequence(line(100, suite_fault), unique=True), required=False),
        Field("limitations", sequence(line(500)), required=False),
        Field("source", _SOURCE, required=False),
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A capability, the folder of its `sigil.yaml`, and the digest of what it declares to use."""

    capability: Capability
    folder: Path
    permissions_digest: str


def load_catalogue(repository: Path) -> tuple[Entry, ...]:
    """Every capability, sorted by name. InputError lists the faults of all of them at once."""
    faults: list[Fault] = []
    folders = [(folder, kind) for home, kind in HOMES.items() for folder in _folders(repository / home)]
    faults += _shared_names(repository, [folder for folder, _ in folders])
    entries = [_read_entry(repository, folder, kind, faults=faults) for folder, kind in folders]
    if faults:
        raise InputError(faults)
    return tuple(sorted((entry for entry in entries if entry), key=lambda entry: entry.capability.name))


def find_entry(repository: Path, wanted: str) -> Entry:
    """The capability named `namespace/slug`, or in the folder at that path. Others need not be right.

    RequestError when there is none; InputError with all its faults when it is wrong.
    """
    found = locate(repository, wanted, list(HOMES), depth=2)
    if found is None:
        names = [_name(folder) for home in HOMES for folder in _folders(repository / home)]
        raise RequestError(f"no capability {wanted!r} in the catalogue", hint=nearest(wanted, names))
    home, folder = found
    faults: list[Fault] = []
    entry = _read_entry(repository, folder, HOMES[home], faults=faults)
    if entry is None or faults:
        raise InputError(faults)
    return entry


def permissions_digest(permissions: Permissions) -> str:
    """The digest of what a capability declares to use, whatever the order in which it is written."""
    return digest_of(
        canonical_bytes(
            {
                "commands": sorted(permissions.commands),
                "env": sorted(permissions.env),
                "hosts": sorted(permissions.hosts),
            }
        )
    )


def _folders(home: Path) -> Iterator[Path]:
    for namespace in folders_in(home):
        yield from folders_in(namespace)


def _name(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


def _shared_names(repository: Path, folders: list[Path]) -> Iterator[Fault]:
    first: dict[str, Path] = {}
    for folder in folders:
        if first.setdefault(_name(folder), folder) != folder:
            label = folder.relative_to(repository).as_posix()
            yield Fault(label, None, f"there is a skill {_name(folder)} as well", "Every capability has its own name.")


def _read_entry(repository: Path, folder: Path, kind: Kind, *, faults: list[Fault]) -> Entry | None:
    label = folder.relative_to(repository).as_posix()
    if folder.is_symlink() or folder.parent.is_symlink():
        faults.append(Fault(label, None, "is a symbolic link", "Capabilities are real folders."))
        return None
    parts = (folder.parent.name, folder.name)
    faults += [Fault(label, None, f"each part of its name {what}") for part in parts if (what := slug_fault(part))]
    reader = _declaration(kind, _suites(repository))
    declared = read_yaml(folder / "sigil.yaml", f"{label}/sigil.yaml", reader, faults=faults)
    if not isinstance(declared, dict):
        return None
    capability = msgspec.convert({**declared, "name": _name(folder)}, Capability)
    if capability.source is None:
        _check_payload(folder, label, capability, faults=faults)
    else:
        faults += _stray_files(folder, label)
    return Entry(capability, folder, permissions_digest(capability.permissions))


def _suites(repository: Path) -> list[str]:
    return [folder.name for folder in folders_in(repository / "tasks") if (folder / "suite.yaml").is_file()]


def _check_payload(folder: Path, label: str, capability: Capability, *, faults: list[Fault]) -> None:
    """What must be among the files of a first-party payload."""
    if capability.kind is Kind.SKILL:
        check_skill(folder / "SKILL.md", f"{label}/SKILL.md", slug=capability.slug, faults=faults)
    elif not any((folder / name).is_file() for name in INSTRUCTION_FILES):
        faults.append(Fault(label, None, f"has neither {' nor '.join(INSTRUCTION_FILES)}"))


def _stray_files(folder: Path, label: str) -> Iterator[Fault]:
    for name in sorted({entry.name for entry in folder.iterdir()} - PAPERS - IGNORED):
        what = "stands beside a sigil.yaml with a source, whose payload lies elsewhere"
        yield Fault(f"{label}/{name}", None, what, "Remove the file, or the source.")
