"""Every agent that Sigil knows, listed by hand; a test proves that no module is missing."""

import difflib

from sigilgen.agents import claude_code, idle, oracle, scripted
from sigilgen.agents.base import Agent
from sigilgen.errors import RequestError

AGENTS: tuple[Agent, ...] = (scripted, idle, oracle, claude_code)


def find_agent(name: str) -> Agent:
    """The agent called `name`; RequestError names the ones there are."""
    for agent in AGENTS:
        if agent.name == name:
            return agent
    names = [agent.name for agent in AGENTS]
    close = difflib.get_close_matches(name, names, n=1)
    raise RequestError(
        f"no agent is called {name!r}",
        hint=f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(names)}.",
    )
