"""Claude Code without a terminal, reporting as a stream of JSON events.

Written against version 2.1.332. One message of the model comes as several `assistant` events with the same id, each
with a partial count of tokens: only the closing `result` event has the real ones.
"""

from collections.abc import Mapping
from typing import Any

from sigilgen.agents.stream import count, events, rows, table, text
from sigilgen.model.capability import Kind
from sigilgen.model.invocation import Invocation, Order
from sigilgen.model.run import Usage
from sigilgen.model.transcript import Transcript

name = "claude-code"
rehearsal = False
executable: str | None = "claude"
skill_folder = ".claude/skills"
instructions_file = "CLAUDE.md"
credentials: tuple[str, ...] = (".claude/.credentials.json",)
login_variables: tuple[str, ...] = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
provider_variable: str | None = "ANTHROPIC_BASE_URL"
provider_hosts: tuple[str, ...] = ("api.anthropic.com",)

_ENVIRONMENT = {
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",  # the same bare listing under both conditions
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "3",  # ten, the default, outlasts most time limits
    "DISABLE_AUTOUPDATER": "1",  # the version is part of the record
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "IS_SANDBOX": "1",  # without it the program refuses to skip permission prompts as root
}


def invocation(order: Order) -> Invocation:
    flags = ("-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions")
    model = () if order.model is None else ("--model", order.model)
    return Invocation(argv=("claude", *flags, *model), env=dict(_ENVIRONMENT), stdin=order.prompt.encode())


def transcript(stdout: bytes, *, slug: str, kind: Kind) -> Transcript:
    started: Mapping[str, Any] = {}
    result: Mapping[str, Any] = {}
    models: dict[str, None] = {}
    messages: set[str | None] = set()
    asked: set[str | None] = set()
    used = False
    for event in events(stdout):
        match event.get("type"):
            case "system" if event.get("subtype") == "init":
                started = event
            case "assistant":
                message = table(event.get("message"))
                messages.add(text(message.get("id")))
                models[text(message.get("model")) or ""] = None
                asked |= {text(block.get("id")) for block in _blocks(message) if _touches(block, slug)}
            case "user":
                used = used or any(_answers(block, asked) for block in _blocks(table(event.get("message"))))
            case "result":
                result = event
            case _:
                pass
    return Transcript(
        final_message=text(result.get("result")),
        models_served=tuple(model for model in models if model and not model.startswith("<")),
        usage=_usage(table(result.get("usage"))),
        cost_micro_usd=_micro(result.get("total_cost_usd")),
        turns=len(messages) or None,
        capability_listed=_listed(started, slug, kind),
        capability_used=used if kind is Kind.SKILL else None,
        provider_failure=_provider_failure(started, result),
        agent_version=text(started.get("claude_code_version")),
    )


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [table(block) for block in rows(message.get("content"))]


def _answers(block: Mapping[str, Any], asked: set[str | None]) -> bool:
    """Whether this is the result of one of these tool calls, and not an error such as an unknown skill."""
    return block.get("type") == "tool_result" and not block.get("is_error") and text(block.get("tool_use_id")) in asked


def _touches(block: Mapping[str, Any], slug: str) -> bool:
    """Whether a tool call loads the skill: by the Skill tool, or by reading its files."""
    if block.get("type") != "tool_use":
        return False
    given = table(block.get("input"))
    if block.get("name") == "Skill":
        return text(given.get("skill")) == slug
    return any(f"skills/{slug}/" in value for value in given.values() if isinstance(value, str))


def _listed(started: Mapping[str, Any], slug: str, kind: Kind) -> bool | None:
    """Whether the agent says that it found the skill; of instruction files it says nothing."""
    if not started or kind is not Kind.SKILL:
        return None
    return slug in rows(started.get("skills"))


def _usage(reported: Mapping[str, Any]) -> Usage | None:
    if not reported:
        return None
    return Usage(
        input_tokens=count(reported.get("input_tokens")),
        output_tokens=count(reported.get("output_tokens")),
        cache_read_tokens=count(reported.get("cache_read_input_tokens")),
        cache_write_tokens=count(reported.get("cache_creation_input_tokens")),
    )


def _micro(usd: object) -> int | None:
    return count(round(usd * 1_000_000)) if isinstance(usd, int | float) and 0 <= usd < 1e9 else None


def _provider_failure(started: Mapping[str, Any], result: Mapping[str, Any]) -> str | None:
    """What the provider said when it, and not the agent, ended the run.

    A prompt that outgrew the model is the agent's own doing.
    """
    if not started and not result:
        return "the agent printed no event: it did not start"
    if not result.get("is_error") or result.get("terminal_reason") != "api_error":
        return None
    said = text(result.get("result")) or "no reason given"
    if "prompt is too long" in said.lower():
        return None
    return f"status {result.get('api_error_status')}: {said}"
