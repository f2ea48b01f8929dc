"""What every attempt of an experiment is made with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sigilgen.agents.base import Agent
from sigilgen.lab.clock import Clock
from sigilgen.lab.workspace import Installable
from sigilgen.sandbox.base import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`scratch` is a folder of this machine for workspaces on their way in and out.

    `logins` are files for the agent's home by path; `secrets` are cut out of everything that is kept.
    `verifier_prefix` is put before the verifier's command.
    """

    agent: Agent
    model: str | None
    sandbox: Sandbox
    scratch: Path
    installable: Installable | None
    clock: Clock
    logins: Mapping[str, bytes] = field(default_factory=dict)
    login_variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Sequence[str] = ()
    verifier_prefix: tuple[str, ...] = ()
