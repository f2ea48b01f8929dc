"""The catalogue as values: one row for each capability, and the same as JSON for programs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sigilgen.model.capability import Kind
from sigilgen.pages import phrases
from sigilgen.pages.address import Address
from sigilgen.pages.amounts import DASH, NO_BREAK, counted, day, grouped
from sigilgen.pages.capability_page import glyph
from sigilgen.pages.dossier import Dossier
from sigilgen.pages.forest import mini_bar
from sigilgen.pages.links import Link
from sigilgen.pages.measured import Measured
from sigilgen.pages.published import CatalogueEntry, PublishedCatalogue
from sigilgen.policy.stated import REHEARSAL
from sigilgen.policy.trust import TrustLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRow:
    """One capability. `filters` are pairs of a filter's name and the values of this row, joined by bars.

    `text`, `lower` and `newest` serve search and sorting; empty means that there is nothing to sort by.
    """

    path: str
    name: str
    title: str
    summary: str
    kind: Kind
    digest: str | None
    glyph: Markup | None
    trust: TrustLevel
    verdict: str
    tested: str
    bar: Markup | None
    difference: str
    limits: str
    size: str
    settings: tuple[str, ...]
    text: str
    lower: str
    newest: str
    filters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A result on a capability that is no longer in the catalogue."""

    path: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CataloguePage:
    """`counts` are pairs of a number and what it counts."""

    rows: tuple[CatalogueRow, ...]
    counts: tuple[tuple[str, str], ...]
    gone: tuple[Gone, ...]
    repository: Link


def catalogue_page(
    dossiers: Sequence[Dossier], measured: Sequence[Measured], *, suites: int, address: Address | None
) -> CataloguePage:
    """Lay out all dossiers in the order of their names. `measured` are all results, also on what is gone."""
    here = {dossier.capability.name for dossier in dossiers}
    return CataloguePage(
        rows=tuple(_row(dossier, place) for place, dossier in enumerate(dossiers)),
        counts=_counts(dossiers, [one for one in measured if not one.rehearsal], suites),
        gone=tuple(
            Gone(one.path, f"{one.result.subject.capability}, {day(one.result.finished_at)}: {one.verdict}")
            for one in measured
            if one.result.subject.capability not in here
        ),
        repository=Link("The repository", address.url if address else None),
    )


def catalogue_json(page: CataloguePage) -> PublishedCatalogue:
    """The catalogue for programs."""
    return PublishedCatalogue(schema=1, capabilities=tuple(map(_entry, page.rows)))


def _entry(row: CatalogueRow) -> CatalogueEntry:
    return CatalogueEntry(
        name=row.name,
        kind=row.kind,
        title=row.title,
        summary=row.summary,
        digest=row.digest,
        trust=row.trust,
        verdict=row.verdict,
        lower=row.lower or None,
        newest=row.newest or None,
        page=f"{row.path}/",
        evidence=f"{row.path}/evidence.json",
    )


def _counts(dossiers: Sequence[Dossier], evidence: Sequence[Measured], suites: int) -> tuple[tuple[str, str], ...]:
    digests = len({one.result.subject.payload_digest for one in evidence})
    runs = sum(len(one.runs) for one in evidence)
    newest = max((day(one.result.finished_at) for one in evidence), default=DASH)
    return (
        (grouped(len(dossiers)), "capability" if len(dossiers) == 1 else "capabilities"),
        (grouped(digests), "digest with evidence" if digests == 1 else "digests with evidence"),
        (grouped(runs), "run" if runs == 1 else "runs"),
        (grouped(suites), "suite" if suites == 1 else "suites"),
        (newest, "newest evidence"),
    )


def _row(dossier: Dossier, place: int) -> CatalogueRow:
    capability, payload, leading = dossier.capability, dossier.payload, dossier.leading
    verdict = _verdict(dossier)
    interval = None if leading is None else leading.judgement.effect.interval
    counting = [one for one in dossier.current if dossier.counts(one)]
    settings = tuple(dict.fromkeys(f"{one.result.setting.agent} · {one.model}" for one in counting))
    return CatalogueRow(
        path=dossier.path,
        name=capability.name,
        title=capability.title,
        summary=capability.summary,
        kind=capability.kind,
        digest=None if payload is None else payload.digest,
        glyph=None if payload is None else glyph(payload.digest, id_suffix=f"-{place}"),
        trust=dossier.trust,
        verdict=verdict,
        tested=counted(dossier.summary.tested, "result") if dossier.summary.tested else "",
        bar=None if interval is None else mini_bar(interval, verdict),
        difference=DASH if interval is None else phrases.pp(interval.estimate),
        limits="" if interval is None else f"95{NO_BREAK}% CI {phrases.limits(interval)}",
        size=DASH if leading is None else _size(leading),
        settings=settings,
        text=f"{capability.name} {capability.title} {capability.summary}".lower(),
        lower="" if leading is None else (leading.stated.lower or ""),
        newest=max((day(one.result.finished_at) for one in counting), default=""),
        filters=_filters(dossier, verdict, counting),
    )


def _verdict(dossier: Dossier) -> str:
    verdict = dossier.summary.verdict
    if verdict is not None:
        return verdict.value
    return REHEARSAL if any(one.rehearsal for one in dossier.current) else phrases.NOT_MEASURED


def _size(leading: Measured) -> str:
    effect = leading.judgement.effect
    return f"{leading.tasks} · {effect.treatment.scored}/{effect.baseline.scored}"


def _filters(dossier: Dossier, verdict: str, counting: Sequence[Measured]) -> tuple[tuple[str, str], ...]:
    values: dict[str, Iterable[str]] = {
        "verdict": (verdict,),
        "trust": (dossier.trust.value,),
        "kind": (dossier.capability.kind.value,),
        "agent": (one.result.setting.agent for one in counting),
        "model": (one.model.replace("|", " ") for one in counting),
        "suite": (one.result.subject.suite for one in counting),
    }
    return tuple((name, "|".join(sorted(set(found)))) for name, found in values.items())
