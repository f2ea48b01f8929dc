"""A control that applies the reference solution: a task that it fails cannot be passed by anybody."""

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
from sigilgen.model.rehearsal import Execute, Play, Say

name = "oracle"


def invocation(order: Order) -> Invocation:
    if order.solution is None:
        raise RequestError("the oracle needs a task with a reference solution")
    apply = 'sh "$HOME/solution/apply.sh"' if set(order.solution) == {"apply.sh"} else 'cp -R "$HOME/solution/." .'
    play = Play(name=name, steps=(Execute(command=apply), Say(text="The reference solution is applied.")))
    return perform(play, files={f"solution/{path}": data for path, data in order.solution.items()})


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
