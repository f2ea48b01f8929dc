"""One attempt at one task, as it is stored: facts only, so that every number can be derived again."""

from enum import StrEnum

import msgspec

from sigilgen.model.names import Count, Digest, Slug, Time


class Condition(StrEnum):
    """What is installed during a run."""

    BASELINE = "baseline"
    TREATMENT = "treatment"


class Outcome(StrEnum):
    """What a run came to. `infra` means that it could not be judged: it is never counted as a failure."""

    PASSED = "passed"
    FAILED = "failed"
    INFRA = "infra"


class Phase(StrEnum):
    """Where in a run something outside the agent's reach went wrong."""

    STAGING = "staging"
    AGENT = "agent"
    PROVIDER = "provider"
    VERIFIER = "verifier"


class InfraFailure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a run could not be judged: where it happened, and what was said."""

    phase: Phase
    reason: str


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one run as the agent reported them; null where it did not."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_tokens: Count | None = None
    cache_write_tokens: Count | None = None


class ProtectedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A protected file that did not come back as it was.

    `final` is null when the file was deleted or is no longer a regular file. `lost_lines` counts original lines that
    are not, in their order, among the final lines: 0 means that the agent only added lines.
    """

    path: str
    original: Digest
    final: Digest | None
    lost_lines: Count


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `runs.jsonl`: an attempt at the cell that stands at `position` of the plan.

    `outcome` follows from the facts beside it: `infra` when there is an infra failure, `passed` when the verifier
    exited 0 in time, else `failed`. Times are milliseconds. `patch` is a unified diff of the agent's work.
    """

    position: Count
    attempt: Count
    task: Slug
    condition: Condition
    repeat: Count
    outcome: Outcome
    infra: InfraFailure | None
    started_at: Time
    agent_milliseconds: Count | None
    agent_exit: int | None
    timed_out: bool
    verifier_milliseconds: Count | None
    verifier_exit: int | None
    verifier_timed_out: bool
    verifier_output: str
    model_requested: str | None
    models_served: tuple[str, ...]
    agent_version: str | None
    final_message: str | None
    usage: Usage | None
    cost_micro_usd: Count | None
    turns: Count | None
    capability_listed: bool | None
    capability_used: bool | None
    protected: tuple[ProtectedFile, ...]
    patch: str
    patch_truncated: bool
    transcript_bytes: Count
    transcript_sha256: Digest | None
