"""A capability under test: what its `sigil.yaml` says, and the sealed files of its payload."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a capability is, which decides where it is installed."""

    SKILL = "skill"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What a capability declares that it uses. Empty means that it declares to use nothing."""

    hosts: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    env: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a third-party payload lives: pinned to a full commit, never to a branch."""

    repository: str
    commit: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """The content of `sigil.yaml`. `source` is None for a first-party capability, whose payload is beside it."""

    name: str
    kind: Kind
    title: str
    summary: str
    license: str
    maintainers: tuple[str, ...]
    permissions: Permissions
    source: Source | None = None
    agents: tuple[str, ...] = ()
    suites: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        return self.name.partition("/")[2]


@dataclass(frozen=True, slots=True)
class PayloadFile:
    """One sealed file: its path relative to the payload with forward slashes, its size, and its sha256 in hex."""

    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Payload:
    """All sealed files of a capability, sorted by the bytes of their paths, and the digest over them."""

    files: tuple[PayloadFile, ...]
    digest: str
