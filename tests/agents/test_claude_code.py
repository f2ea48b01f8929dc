import json
from typing import Any

import pytest

from sigilgen.agents import claude_code
from sigilgen.model.capability import Kind
from sigilgen.model.run import Usage

INIT = {"type": "system", "subtype": "init", "skills": ["polite"], "claude_code_version": "2.1.332", "model": "asked"}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "Done.",
    "total_cost_usd": 0.014295,
    "usage": {
        "input_tokens": 2250,
        "cache_creation_input_tokens": 800,
        "cache_read_input_tokens": 6900,
        "output_tokens": 165,
    },
}


def assistant(number: int, **block: object) -> dict[str, Any]:
    usage = {"output_tokens": 1}
    return {"type": "assistant", "message": {"id": f"m{number}", "model": "served", "content": [block], "usage": usage}}


def call(name: str, **given: str) -> dict[str, Any]:
    return assistant(1, type="tool_use", id="t1", name=name, input=given)


def answer(*, is_error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t1", "is_error": is_error, "content": "text"}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def read(*events: dict[str, Any]) -> Any:
    return claude_code.transcript("\n".join(map(json.dumps, events)).encode(), slug="polite", kind=Kind.SKILL)


def test_reads_what_the_closing_event_reports() -> None:
    text = assistant(2, type="text", text="Done.")
    said = read(INIT, assistant(1, type="text", text="x"), text, text, RESULT)
    assert said.final_message == "Done."
    assert said.models_served == ("served",)
    assert said.usage == Usage(input_tokens=2250, output_tokens=165, cache_read_tokens=6900, cache_write_tokens=800)
    assert said.cost_micro_usd == 14295
    assert said.turns == 2
    assert said.agent_version == "2.1.332"
    assert said.provider_failure is None


@pytest.mark.parametrize(
    ("events", "used"),
    [
        ([call("Skill", skill="polite"), answer()], True),
        ([call("Skill", skill="polite"), answer(is_error=True)], False),
        ([call("Skill", skill="other"), answer()], False),
        ([call("Read", file_path="/w/.claude/skills/polite/SKILL.md"), answer()], True),
        ([call("Bash", command="cat .claude/skills/polite/SKILL.md"), answer()], True),
        ([call("Bash", command="cat .claude/skills/polite/SKILL.md"), answer(is_error=True)], False),
        ([call("Bash", command="ls"), answer()], False),
    ],
)
def test_a_skill_is_used_when_it_was_loaded_or_read_with_success(events: list[dict[str, Any]], used: bool) -> None:
    assert read(INIT, *events, RESULT).capability_used is used


def test_a_skill_is_listed_when_the_agent_says_so() -> None:
    assert read(INIT, RESULT).capability_listed is True
    assert read({**INIT, "skills": ["other"]}, RESULT).capability_listed is False
    assert read(RESULT).capability_listed is None


FAILED = {**RESULT, "is_error": True, "terminal_reason": "api_error"}


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        (RESULT, None),
        ({**FAILED, "api_error_status": 529, "result": "overloaded"}, "status 529: overloaded"),
        ({**FAILED, "api_error_status": 401, "result": "bad key"}, "status 401: bad key"),
        ({**FAILED, "api_error_status": 400, "result": "Prompt is too long"}, None),
        ({"type": "result", "subtype": "error_max_turns", "is_error": True, "terminal_reason": "max_turns"}, None),
    ],
)
def test_whose_failure_it_was(result: dict[str, Any], failure: str | None) -> None:
    assert read(INIT, result).provider_failure == failure


def test_an_agent_that_printed_nothing_did_not_start() -> None:
    assert "did not start" in read().provider_failure


def test_a_run_that_was_cut_off_has_no_final_message() -> None:
    said = read(INIT, assistant(1, type="text", text="working"))
    assert (said.final_message, said.usage, said.cost_micro_usd, said.provider_failure) == (None, None, None, None)
