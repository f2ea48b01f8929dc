"""What an adapter understood of the bytes an agent printed."""

from dataclasses import dataclass

from sigilgen.model.run import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The few facts that Sigil uses. None means that the agent did not say.

    `provider_failure` is set when the model provider, not the agent, ended the run (429, 5xx, auth, quota).
    """

    final_message: str | None = None
    models_served: tuple[str, ...] = ()
    usage: Usage | None = None
    cost_micro_usd: int | None = None
    turns: int | None = None
    capability_listed: bool | None = None
    capability_used: bool | None = None
    provider_failure: str | None = None
    agent_version: str | None = None
