"""Every adapter passes the same examination."""

import json
import pkgutil

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sigilgen.agents
from sigilgen.agents.base import Agent, install_path
from sigilgen.agents.registry import AGENTS, find_agent
from sigilgen.errors import RequestError
from sigilgen.model.capability import Kind
from sigilgen.model.invocation import Order
from sigilgen.model.names import is_slug
from sigilgen.model.rehearsal import Play, Rehearsal, Say
from sigilgen.model.run import Condition

NOT_ADAPTERS = {"base", "registry", "replay", "stream"}
each_agent = pytest.mark.parametrize("agent", AGENTS, ids=[agent.name for agent in AGENTS])


def order(condition: Condition = Condition.BASELINE, *, prompt: str = "Do it.", seed: int = 0) -> Order:
    rehearsal = Rehearsal(
        baseline=(Play(name="a", steps=(Say(text="base 0"),)), Play(name="b", steps=(Say(text="base 1"),))),
        treatment=(Play(name="c", steps=(Say(text="treat 0"),)),),
    )
    return Order(
        prompt=prompt,
        model="some-model",
        condition=condition,
        seed=seed,
        home="/home/agent",
        workspace="/workspace",
        rehearsal=rehearsal,
        solution={"a.py": b"pass\n", "deep/b.bin": b"\0\xff"},
    )


def test_every_adapter_module_is_registered_under_its_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(sigilgen.agents.__path__)} - NOT_ADAPTERS
    assert {agent.name.replace("-", "_") for agent in AGENTS} == modules


def test_an_unknown_agent_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(RequestError, match="claude-code"):
        find_agent("claude-cod")


@each_agent
def test_names_and_places_are_usable(agent: Agent) -> None:
    assert is_slug(agent.name)
    for path in (agent.skill_folder, agent.instructions_file, *agent.credentials):
        assert not path.startswith("/")
        assert ".." not in path.split("/")
    assert install_path(agent, slug="x", kind=Kind.SKILL) == f"{agent.skill_folder}/x"
    assert install_path(agent, slug="x", kind=Kind.INSTRUCTIONS) == agent.instructions_file


@each_agent
def test_an_invocation_is_the_same_for_the_same_order(agent: Agent) -> None:
    first, second = agent.invocation(order()), agent.invocation(order())
    assert first == second
    assert first.argv
    assert all(isinstance(word, str) for word in first.argv)


@each_agent
def test_the_prompt_is_never_an_argument_that_could_be_an_option(agent: Agent) -> None:
    invocation = agent.invocation(order(prompt="--dangerous $(touch x) `y`\n; rm"))
    assert not any("--dangerous $(touch" in word for word in invocation.argv)


@each_agent
def test_files_stay_below_the_home_folder(agent: Agent) -> None:
    for path in agent.invocation(order()).files:
        assert not path.startswith("/")
        assert ".." not in path.split("/")


@each_agent
def test_an_agent_that_is_evidence_needs_a_program_and_a_login(agent: Agent) -> None:
    assert agent.rehearsal == (agent.executable is None)
    assert agent.rehearsal or (agent.login_variables and agent.provider_hosts)


@each_agent
@given(st.binary(max_size=400))
def test_any_bytes_can_be_read(agent: Agent, output: bytes) -> None:
    for kind in Kind:
        agent.transcript(output, slug="x", kind=kind)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("type", "subtype", "message", "result", "usage", "text", "skills", "model", "content", "command", "is_error")

TYPES = ("start", "system", "assistant", "tool", "message", "result")


@each_agent
@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6), max_size=4), st.sampled_from(TYPES))
def test_any_events_can_be_read(agent: Agent, made: list[dict[str, object]], kind: str) -> None:
    lines = [json.dumps({**event, "type": kind}) for event in made]
    agent.transcript("\n".join(lines).encode(), slug="x", kind=Kind.SKILL)


@each_agent
def test_no_text_of_a_transcript_is_half_a_character(agent: Agent) -> None:
    """JSON can spell such halves; no record can hold them."""
    half = r"\ud800"
    lines = [
        f'{{"type":"start","model":"{half}","version":"{half}"}}',
        f'{{"type":"message","text":"{half}"}}',
        f'{{"type":"system","subtype":"init","claude_code_version":"{half}"}}',
        f'{{"type":"assistant","message":{{"model":"{half}","id":"{half}"}}}}',
        f'{{"type":"result","result":"{half}","is_error":true,"terminal_reason":"api_error"}}',
    ]
    msgspec.json.encode(agent.transcript("\n".join(lines).encode(), slug="x", kind=Kind.SKILL))


@each_agent
def test_output_cut_anywhere_can_be_read(agent: Agent) -> None:
    stream = b'{"type":"start","model":"m"}\n{"type":"message","text":"done"}\n{"type":"result","turns":1}\n'
    for length in range(len(stream)):
        agent.transcript(stream[:length], slug="x", kind=Kind.SKILL)


def test_the_run_seed_chooses_among_the_plays_of_the_condition() -> None:
    scripted = find_agent("scripted")

    def said(condition: Condition, seed: int) -> str:
        play = json.loads(scripted.invocation(order(condition, seed=seed)).files["play.json"])
        text = play["steps"][0]["text"]
        assert isinstance(text, str)
        return text

    assert [said(Condition.BASELINE, seed) for seed in range(4)] == ["base 0", "base 1", "base 0", "base 1"]
    assert said(Condition.TREATMENT, 7) == "treat 0"


def test_the_oracle_brings_the_solution_and_the_idle_agent_nothing() -> None:
    assert set(find_agent("oracle").invocation(order()).files) == {"play.json", "solution/a.py", "solution/deep/b.bin"}
    assert set(find_agent("idle").invocation(order()).files) == {"play.json"}
