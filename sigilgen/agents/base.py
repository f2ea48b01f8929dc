"""What every adapter is: a module with these names. It describes and reads; it never runs anything."""

from typing import Protocol

from sigilgen.model.capability import Kind
from sigilgen.model.invocation import Invocation, Order
from sigilgen.model.transcript import Transcript


class Agent(Protocol):
    """An agent as a module of constants and pure functions."""

    @property
    def name(self) -> str:
        """How the agent is called on the command line and in records."""

    @property
    def rehearsal(self) -> bool:
        """Whether its runs exercise the machinery only and are never evidence."""

    @property
    def executable(self) -> str | None:
        """The program that must be on PATH, or None for an agent that is built in."""

    @property
    def skill_folder(self) -> str:
        """Where a skill is installed, relative to the workspace; the skill's own folder goes below it."""

    @property
    def instructions_file(self) -> str:
        """The instruction file that the agent reads by itself, relative to the workspace."""

    @property
    def credentials(self) -> tuple[str, ...]:
        """Files of the operator's home, relative to it, that hold the login and nothing else."""

    @property
    def login_variables(self) -> tuple[str, ...]:
        """Environment variables that hold the login; handed to host runs, and cut out of all that is stored."""

    @property
    def provider_variable(self) -> str | None:
        """The environment variable that sends the agent to another model provider, if there is one."""

    @property
    def provider_hosts(self) -> tuple[str, ...]:
        """Hosts of the real model provider: runs against any other are rehearsals."""

    def invocation(self, order: Order) -> Invocation:
        """Say how to start the agent for `order`."""

    def transcript(self, stdout: bytes, *, slug: str, kind: Kind) -> Transcript:
        """Read what the agent printed.

        `slug` names the capability that was looked for. Bytes that mean nothing are skipped: an agent may be killed
        in the middle of a line, and output may have been cut in the middle.
        """


def install_path(agent: Agent, *, slug: str, kind: Kind) -> str:
    """Where the payload goes, relative to the workspace: a folder for a skill, a file for instructions."""
    return f"{agent.skill_folder}/{slug}" if kind is Kind.SKILL else agent.instructions_file
