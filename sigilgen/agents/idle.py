"""A control that does nothing: a task that it passes proves nothing."""

from sigilgen.agents.replay import (
    credentials,
    executable,
    instructions_file,
    login_variables,
    perform,
    provider_hosts,
    provider_variable,
    rehearsal,
    skill_folder,
    transcript,
)
from sigilgen.model.invocation import Invocation, Order
from sigilgen.model.rehearsal import Play

name = "idle"


def invocation(_order: Order) -> Invocation:
    return perform(Play(name=name, steps=()))


__all__ = [
    "credentials",
    "executable",
    "instructions_file",
    "invocation",
    "login_variables",
    "name",
    "provider_hosts",
    "provider_variable",
    "rehearsal",
    "skill_folder",
    "transcript",
]
