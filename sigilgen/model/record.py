"""Evidence records: immutable JSON files, identified by the sha256 of their canonical bytes without the id.

Records hold no floating-point numbers. Whatever is derived (`Stated`) is there for human readers only: `sigil verify`
computes it again, and nothing reads it.
"""

from typing import Literal

import msgspec

from sigilgen.model.capability import Kind
from sigilgen.model.names import Count, Digest, Name, Slug, Time
from sigilgen.model.run import Condition

METHOD_VERSION = "1.0"


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One planned run. Its position in the plan's list is its identity."""

    task: Slug
    condition: Condition
    repeat: Count


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The exact content under test, and what it was tested on."""

    capability: Name
    capability_kind: Kind
    payload_digest: Digest
    permissions_digest: Digest
    suite: Slug
    suite_digest: Digest


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is held fixed between the two conditions."""

    agent: Slug
    agent_version: str | None
    model: str | None
    sandbox: Literal["host", "container"]
    image_digest: Digest | None
    network: Literal["none", "gateway", "host"]
    verifier_network: Literal["none", "host"]
    platform: str
    sigil_version: str
    method_version: str


class PlanRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="plan"):
    """Every run of an experiment in the order in which it will start, committed before the first one."""

    schema: Literal[1]
    id: Digest
    created_at: Time
    subject: Subject
    setting: Setting
    rehearsal: bool
    seed: Count
    repeats: Count
    timeouts_seconds: dict[Slug, Count]
    cells: tuple[Cell, ...]


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file beside `record.json`, bound to it by its digest. `kept` is false when only the digest is in git."""

    sha256: Digest
    size_bytes: Count
    kept: bool


class ConditionCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Cells of one condition by what they came to. Cells without a terminal state are `unfinished`."""

    planned: Count
    passed: Count
    failed: Count
    infra: Count
    unfinished: Count
    tampered: Count
    false_done: Count
    attempts: Count


class Stated(msgspec.Struct, frozen=True, kw_only=True):
    """What the record says of itself, as decimal text with six places; null where there is no interval."""

    verdict: str
    difference: str | None
    lower: str | None
    upper: str | None


class Canary(msgspec.Struct, frozen=True, kw_only=True):
    """State of the canary check of this experiment. A host run never has one."""

    state: Literal["not run"]
    reason: str


class ProveRecord(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="prove"):
    """The result of an experiment: what was planned, where the runs are, and what they add up to.

    `supersedes` names an earlier result of the same plan, some of whose lost runs were tried again for this one.
    """

    schema: Literal[1]
    id: Digest
    plan: Digest
    started_at: Time
    finished_at: Time
    subject: Subject
    setting: Setting
    rehearsal: bool
    models_served: tuple[str, ...]
    claims_version: Count
    counts: dict[Condition, ConditionCounts]
    runs: Attachment
    transcripts: Attachment
    canary: Canary
    stated: Stated
    supersedes: Digest | None = None


Record = PlanRecord | ProveRecord
