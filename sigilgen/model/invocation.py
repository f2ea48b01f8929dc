"""How an agent is started: what the lab asks of an adapter, and what the adapter answers.

An adapter runs nothing. It turns an `Order` into an `Invocation`, which a sandbox carries out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sigilgen.model.rehearsal import Rehearsal
from sigilgen.model.run import Condition

PLAYER = "{player}"
"""First word of the argument list of agents that replay a play: each sandbox puts its own player there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One run as an adapter sees it. `home` and `workspace` are paths inside the sandbox."""

    prompt: str
    model: str | None
    condition: Condition
    seed: int
    home: str
    workspace: str
    rehearsal: Rehearsal | None = None
    solution: Mapping[str, bytes] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A command with everything it needs.

    `files` go below the agent's home. `env` is the whole environment besides PATH, HOME, TMPDIR, LANG and LC_ALL,
    which the sandbox sets.
    """

    argv: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
