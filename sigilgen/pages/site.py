"""The whole generated site: from what the repository holds to the bytes of every page source."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from sigilgen.model.capability import Payload
from sigilgen.model.experiment import Experiment
from sigilgen.model.fairness import FairnessProof
from sigilgen.pages.address import Address, find_address
from sigilgen.pages.capability_page import capability_page
from sigilgen.pages.catalogue_page import catalogue_json, catalogue_page
from sigilgen.pages.dossier import Dossier, open_dossier
from sigilgen.pages.evidence_json import evidence_json
from sigilgen.pages.lookalike import lookalikes
from sigilgen.pages.measured import Measured, derive
from sigilgen.pages.published import PublishedCatalogue, PublishedEvidence
from sigilgen.pages.render import render
from sigilgen.pages.result_page import result_page
from sigilgen.pages.rows import result_row
from sigilgen.pages.suite_page import suite_page, suite_row
from sigilgen.store.catalogue import Entry, load_catalogue
from sigilgen.store.evidence import load_experiments
from sigilgen.store.fairness import kept_proof
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import SuiteEntry, load_suites

T = TypeVar("T")
Pages = Iterator[tuple[str, bytes]]
"""Files of the page sources: path below them, and content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a repository holds, read and not yet judged.

    `payloads` are by capability; third-party ones are missing. `proofs` are by suite, for those that were checked here.
    """

    repository: Path
    entries: tuple[Entry, ...]
    payloads: Mapping[str, Payload]
    suites: tuple[SuiteEntry, ...]
    proofs: Mapping[str, FairnessProof]
    experiments: tuple[Experiment, ...]
    address: Address | None


def read_contents(repository: Path) -> Contents:
    """Read catalogue, payloads, suites and evidence. What cannot be read is an error: nothing is left out silently."""
    entries = load_catalogue(repository)
    own = [entry for entry in entries if entry.capability.source is None]
    suites = load_suites(repository)
    proofs = {entry.suite.id: kept_proof(repository, entry.suite.id, entry.suite.digest) for entry in suites}
    return Contents(
        repository=repository,
        entries=entries,
        payloads={entry.capability.name: read_payload(entry.folder) for entry in own},
        suites=suites,
        proofs={suite: proof for suite, proof in proofs.items() if proof is not None},
        experiments=load_experiments(repository),
        address=find_address(repository),
    )


def site_pages(contents: Contents) -> dict[str, bytes]:
    """Every generated file by its path below the page sources. The same contents always give the same bytes."""
    found = [measured for measured in map(derive, contents.experiments) if measured is not None]
    measured = sorted(found, key=lambda one: (one.result.finished_at, one.name), reverse=True)
    dossiers = _dossiers(contents, measured)
    return dict(
        [
            *_catalogue(contents, dossiers, measured),
            *_capabilities(contents, dossiers),
            *_results(contents, measured),
            *_suites(contents, measured),
        ]
    )


def _dossiers(contents: Contents, measured: Sequence[Measured]) -> tuple[Dossier, ...]:
    results = _grouped((one.result.subject.capability, one) for one in measured)
    plans = _grouped((one.plan.subject.capability, one.plan) for one in contents.experiments if one.result is None)
    digests = {entry.suite.id: entry.suite.digest for entry in contents.suites}
    return tuple(
        open_dossier(
            entry.capability,
            folder=entry.folder.relative_to(contents.repository).as_posix(),
            payload=contents.payloads.get(entry.capability.name),
            measured=results.get(entry.capability.name, ()),
            plans=plans.get(entry.capability.name, ()),
            suite_digests=digests,
        )
        for entry in contents.entries
    )


def _catalogue(contents: Contents, dossiers: Sequence[Dossier], measured: Sequence[Measured]) -> Pages:
    page = catalogue_page(dossiers, measured, suites=len(contents.suites), address=contents.address)
    yield "catalogue/index.md", render("catalogue", page, path="catalogue")
    yield "catalogue/catalogue.json", _json(catalogue_json(page))


def _capabilities(contents: Contents, dossiers: Sequence[Dossier]) -> Pages:
    alike = lookalikes({name: payload.digest for name, payload in contents.payloads.items()})
    for dossier in dossiers:
        page = capability_page(dossier, address=contents.address, lookalike=alike.get(dossier.capability.name))
        yield f"{dossier.path}/index.md", render("capability", page, path=dossier.path)
        yield f"{dossier.path}/evidence.json", _json(evidence_json(dossier))


def _results(contents: Contents, measured: Sequence[Measured]) -> Pages:
    """One page for each result, also for those on capabilities that are no longer in the catalogue."""
    here = _names(contents)
    suites = {entry.suite.id: entry.suite.digest for entry in contents.suites}
    for one in measured:
        subject = one.result.subject
        row = result_row(
            one,
            suite_is_current=suites.get(subject.suite) == subject.suite_digest,
            suite_is_here=subject.suite in suites,
            capability_is_here=subject.capability in here,
        )
        page = result_page(one, row, address=contents.address)
        yield f"{one.path}/index.md", render("result", page, path=one.path)


def _suites(contents: Contents, measured: Sequence[Measured]) -> Pages:
    results = _grouped((one.result.subject.suite, one) for one in measured)
    rows = [suite_row(entry.suite, results.get(entry.suite.id, ())) for entry in contents.suites]
    yield "suites/index.md", render("suites", rows, path="suites")
    for entry in contents.suites:
        path = f"suites/{entry.suite.id}"
        measured_here = results.get(entry.suite.id, ())
        page = suite_page(
            entry.suite,
            measured_here,
            proof=contents.proofs.get(entry.suite.id),
            capabilities=_names(contents),
            address=contents.address,
        )
        yield f"{path}/index.md", render("suite", page, path=path)


def _names(contents: Contents) -> frozenset[str]:
    """The capabilities that have a page."""
    return frozenset(entry.capability.name for entry in contents.entries)


def _grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _json(published: PublishedCatalogue | PublishedEvidence) -> bytes:
    """JSON in ASCII and without `<`, so that nothing takes it for a page."""
    text = json.dumps(msgspec.to_builtins(published, str_keys=True), ensure_ascii=True, sort_keys=True)
    return text.replace("<", "\\u003c").encode() + b"\n"
