"""What the built-in agents share: each is a play that the sandbox's player performs and narrates as JSON lines.

The stream looks like that of real agents, so that the same code reads both: one object a line, with `type` one of
`start`, `tool`, `message`, `result`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from sigilgen.agents.stream import count, events, rows, table, text
from sigilgen.model.capability import Kind
from sigilgen.model.invocation import PLAYER, Invocation
from sigilgen.model.rehearsal import Play
from sigilgen.model.run import Usage
from sigilgen.model.transcript import Transcript

executable: str | None = None
rehearsal = True
skill_folder = ".agents/skills"
instructions_file = "AGENTS.md"
credentials: tuple[str, ...] = ()
login_variables: tuple[str, ...] = ()
provider_variable: str | None = None
provider_hosts: tuple[str, ...] = ()

PLAY_FILE = "play.json"


def perform(play: Play, *, files: Mapping[str, bytes] | None = None) -> Invocation:
    """Ask the player to perform `play`; `files` are put below its home first."""
    script = msgspec.json.encode(play)
    return Invocation(argv=(PLAYER, PLAY_FILE), files={**(files or {}), PLAY_FILE: script})


def transcript(stdout: bytes, *, slug: str, kind: Kind) -> Transcript:
    """Read the player's stream. Without a `result` event (killed, crashed) the last message is the final one."""
    started: Mapping[str, Any] = {}
    result: Mapping[str, Any] = {}
    message: str | None = None
    used = False
    for event in events(stdout):
        match event.get("type"):
            case "start":
                started = event
            case "tool":
                used = used or (_worked(event) and f"skills/{slug}/" in _target(event))
            case "message":
                message = text(event.get("text"))
            case "result":
                result = event
            case _:
                pass
    model = text(started.get("model"))
    return Transcript(
        final_message=message,
        models_served=(model,) if model else (),
        usage=_usage(table(result.get("usage"))),
        turns=count(result.get("turns")),
        capability_listed=_listed(started, slug, kind),
        capability_used=used if kind is Kind.SKILL else None,
        agent_version=text(started.get("version")),
    )


def _target(event: Mapping[str, Any]) -> str:
    return f"{text(event.get('command')) or ''} {text(event.get('path')) or ''}"


def _worked(event: Mapping[str, Any]) -> bool:
    return "error" not in event and event.get("exit", 0) == 0


def _usage(reported: Mapping[str, Any]) -> Usage | None:
    if not reported:
        return None
    return Usage(input_tokens=count(reported.get("input_tokens")), output_tokens=count(reported.get("output_tokens")))


def _listed(started: Mapping[str, Any], slug: str, kind: Kind) -> bool | None:
    if not started:
        return None
    if kind is Kind.SKILL:
        return slug in rows(started.get("skills"))
    return instructions_file in rows(started.get("instructions"))
