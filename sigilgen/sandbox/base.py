"""What every sandbox is: a place that can make boxes, in which one agent or one verifier runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from sigilgen.sandbox.process import Finished, Stopper


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """One command to run in a box, from its workspace. `argv` may begin with `invocation.PLAYER`.

    `alone` asks for no network, and for no processes in sight but the command's own, as far as the sandbox can.
    """

    argv: tuple[str, ...]
    timeout_seconds: float
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    alone: bool = False


class Box(Protocol):
    """One place for one run: a workspace, an empty home, nothing else."""

    @property
    def home(self) -> str:
        """The home folder as the command sees it."""

    @property
    def workspace(self) -> str:
        """The workspace as the command sees it."""

    def put(self, folder: Path) -> None:
        """Make `folder`, which is given away, the workspace."""

    def put_home(self, files: Mapping[str, bytes]) -> None:
        """Write files below the home folder."""

    def execute(self, errand: Errand, stopper: Stopper) -> Finished:
        """Run the errand; when this returns or raises, nothing of it is alive."""

    def take(self, folder: Path) -> None:
        """Hand the workspace back as the new folder `folder`."""

    def close(self) -> None:
        """Leave nothing behind."""


class Sandbox(Protocol):
    """A kind of place. `isolated` tells whether strangers' capabilities may run in it."""

    @property
    def name(self) -> Literal["host", "container"]:
        """How it is called on the command line and in records."""

    @property
    def isolated(self) -> bool:
        """Whether what runs in it can reach neither the operator's files nor the hidden verifier."""

    @property
    def verifier_network(self) -> Literal["none", "host"]:
        """Whether an errand that is to be alone really has no network here."""

    def open_box(self, label: str) -> Box:
        """Make an empty box; `label` helps a person who looks for it."""
