"""Replays the plays of a task's `rehearsal.yaml`, so that the whole machine turns without a model or a key."""

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
from sigilgen.errors import RequestError
from sigilgen.model.invocation import Invocation, Order
from sigilgen.model.run import Condition

name = "scripted"


def invocation(order: Order) -> Invocation:
    if order.rehearsal is None:
        raise RequestError("the scripted agent needs a rehearsal.yaml in every task of the suite")
    plays = order.rehearsal.treatment if order.condition is Condition.TREATMENT else order.rehearsal.baseline
    return perform(plays[order.seed % len(plays)])


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
