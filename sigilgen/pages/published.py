"""What pages publish for programs: `catalogue.json` and one `evidence.json` for each capability.

Fields are only ever added; a field that changes its meaning is a new schema. There is no number with a fraction:
differences are decimal text, as records state them.
"""

from typing import Literal

import msgspec

from sigilgen.model.capability import Kind
from sigilgen.model.effect import Tally, Verdict
from sigilgen.model.names import Count, Digest, Name, Slug, Time
from sigilgen.model.record import Stated
from sigilgen.model.run import Condition
from sigilgen.policy.summary import Origin
from sigilgen.policy.trust import Layers, TrustLevel


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One capability of the catalogue.

    `verdict` is the word of its page: a verdict, `rehearsal` or `not measured`. `lower` is the lower limit of the
    clearest result with that verdict. `newest` is the day of the newest result that counts. `page` and `evidence` are
    addresses relative to the site.
    """

    name: Name
    kind: Kind
    title: str
    summary: str
    digest: Digest | None
    trust: TrustLevel
    verdict: str
    lower: str | None
    newest: str | None
    page: str
    evidence: str


class PublishedCatalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Every capability, in the order of their names."""

    schema: Literal[1]
    capabilities: tuple[CatalogueEntry, ...]


class PublishedResult(msgspec.Struct, frozen=True, kw_only=True):
    """One result, computed from its runs.

    `counts` says whether the summary of the capability rests on it. `folder` is the place of the record in the
    repository, `page` an address relative to the site.
    """

    record: Digest
    folder: str
    page: str
    counts: bool
    rehearsal: bool
    origin: Origin
    payload_digest: Digest
    suite: Slug
    suite_digest: Digest
    agent: Slug
    agent_version: str | None
    model: str
    finished_at: Time
    stated: Stated
    conditions: dict[Condition, Tally]


class PublishedEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about one capability.

    `verdict` is null when no result counts. `results` are about the digest of today, `former` about others, and
    `open_plans` are plans without a result.
    """

    schema: Literal[1]
    name: Name
    kind: Kind
    digest: Digest | None
    trust: TrustLevel
    layers: Layers
    verdict: Verdict | None
    results_tested: Count
    results: tuple[PublishedResult, ...]
    former: tuple[PublishedResult, ...]
    open_plans: tuple[Digest, ...]
