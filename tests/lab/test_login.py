import pytest

from sigilgen.agents import claude_code, scripted
from sigilgen.lab.login import is_rehearsal

PROVIDERS = {
    "none named": ({}, False),
    "the real one": ({"ANTHROPIC_BASE_URL": "https://API.anthropic.com/v1"}, False),
    "this machine": ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"}, True),
    "the real one as a user name": ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com@host.example"}, True),
    "the real one as a part of a name": ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com.host.example"}, True),
    "no address": ({"ANTHROPIC_BASE_URL": "http://["}, True),
}


@pytest.mark.parametrize(("environment", "rehearsal"), PROVIDERS.values(), ids=PROVIDERS)
def test_runs_against_any_but_the_real_provider_are_rehearsals(environment: dict[str, str], rehearsal: bool) -> None:
    assert is_rehearsal(claude_code, environment) is rehearsal
    assert is_rehearsal(scripted, environment)
