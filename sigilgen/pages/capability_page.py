"""The page of one capability as values, from its dossier."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sigilgen.model.capability import Payload, Permissions
from sigilgen.model.record import PlanRecord
from sigilgen.pages import commands
from sigilgen.pages.address import Address
from sigilgen.pages.amounts import counted, day, size
from sigilgen.pages.answer import Answer, capability_answer
from sigilgen.pages.dossier import Dossier
from sigilgen.pages.forest import forest_plot
from sigilgen.pages.glyph import glyph_svg
from sigilgen.pages.links import Link, contest_link, file_link, rerun_link, source_links
from sigilgen.pages.measured import Measured
from sigilgen.pages.rows import ResultRow, forest_row, result_row, unmeasured_row
from sigilgen.pages.task_rows import TaskRow, task_rows
from sigilgen.policy.trust import Layers
from sigilgen.policy.verdict import MARGIN

FORMER_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Layer:
    """One security layer and what it said."""

    name: str
    state: str
    question: str


@dataclass(frozen=True, slots=True)
class TaskTable:
    """The tasks of one result."""

    result: ResultRow
    rows: tuple[TaskRow, ...]


@dataclass(frozen=True, slots=True)
class Former:
    """Another digest of the same capability, and what was measured on it."""

    digest: str
    glyph: Markup
    results: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityPage:
    """`digest`, `glyph`, `sealed` and `install` are None for third-party content that is not here."""

    name: str
    title: str
    summary: str
    kind: str
    license: str
    maintainers: tuple[str, ...]
    folder: Link
    source: tuple[Link, ...]
    digest: str | None
    glyph: Markup | None
    sealed: str | None
    lookalike: str | None
    rehearsed: bool
    answer: Answer
    glance: tuple[tuple[str, str], ...]
    trust: str
    layers: tuple[Layer, ...]
    results: tuple[ResultRow, ...]
    plot: Markup | None
    task_tables: tuple[TaskTable, ...]
    permissions: Permissions
    reproduce: tuple[str, ...]
    measure: str
    install: str | None
    seal: str
    limitations: tuple[str, ...]
    history: tuple[Former, ...]
    open_plans: tuple[str, ...]
    links: tuple[Link, ...]


def capability_page(dossier: Dossier, *, address: Address | None, lookalike: str | None) -> CapabilityPage:
    """Lay out everything in the dossier; `lookalike` names a capability whose glyph is close to this one."""
    capability, payload = dossier.capability, dossier.payload
    digest = None if payload is None else payload.digest
    rows = result_rows(dossier, dossier.current)
    tables = [task_rows(measured.judgement.effect) for measured in dossier.current]
    return CapabilityPage(
        name=capability.name,
        title=capability.title,
        summary=capability.summary,
        kind=capability.kind.value,
        license=capability.license,
        maintainers=capability.maintainers,
        folder=file_link(address, dossier.folder),
        source=source_links(capability.source) if capability.source else (),
        digest=digest,
        glyph=None if digest is None else glyph(digest),
        sealed=None if payload is None else _sealed(payload),
        lookalike=lookalike,
        rehearsed=any(measured.rehearsal for measured in dossier.current),
        answer=capability_answer(dossier),
        glance=_glance(dossier),
        trust=dossier.trust.value,
        layers=_layers(dossier.layers),
        results=rows,
        plot=_plot(dossier, rows),
        task_tables=tuple(TaskTable(row, table) for row, table in zip(rows, tables, strict=True)),
        permissions=capability.permissions,
        reproduce=tuple(dict.fromkeys(commands.prove_command(measured.plan) for measured in dossier.current)),
        measure=commands.measure_command(capability.kind, capability.name, next(iter(capability.suites), None)),
        install=None if digest is None else commands.install_commands(capability.kind, capability.name, digest),
        seal=commands.seal_commands(dossier.folder),
        limitations=capability.limitations,
        history=_history(dossier),
        open_plans=tuple(_open_plan(plan) for plan in dossier.open_plans),
        links=_links(dossier, address),
    )


def result_rows(dossier: Dossier, results: Sequence[Measured]) -> tuple[ResultRow, ...]:
    """Results of a capability as rows, in their order."""
    return tuple(
        result_row(
            measured,
            suite_is_current=dossier.is_current_suite(measured),
            suite_is_here=measured.result.subject.suite in dossier.suite_digests,
            capability_is_here=True,
        )
        for measured in results
    )


def glyph(digest: str, *, id_suffix: str = "") -> Markup:
    """The picture of a digest, ready for a page. Pages that show several tell their ids apart by the suffix."""
    return Markup(glyph_svg(digest, id_suffix=id_suffix))  # noqa: S704  (drawn from hexadecimal digits)


def _sealed(payload: Payload) -> str:
    return f"{counted(len(payload.files), 'file')}, {size(sum(file.size_bytes for file in payload.files))}"


def _glance(dossier: Dossier) -> tuple[tuple[str, str], ...]:
    """What a reader should have seen after ten seconds, beside the verdict: pairs of a value and what it is."""
    leading, tested = dossier.leading, dossier.summary.tested
    found = [("trust level", dossier.trust.value), ("results tested", str(tested))]
    if leading is not None:
        found += [(f"{one.what}, ratio", one.factor) for one in leading.medians if one.factor]
        found.append(("measured", day(leading.result.finished_at)))
    return tuple(found)


def _layers(layers: Layers) -> tuple[Layer, ...]:
    return (
        Layer("static scan", layers.static.value, "known dangerous patterns, and use of more than is declared"),
        Layer("canary sandbox", layers.canary.value, "what the agent touched only with the capability installed"),
        Layer("human review", layers.review.value, "honest documentation, and permissions that it really needs"),
    )


def _plot(dossier: Dossier, rows: Sequence[ResultRow]) -> Markup | None:
    measured_suites = {row.suite for row in rows}
    missing = [suite for suite in dossier.capability.suites if suite not in measured_suites]
    plotted = [*map(forest_row, rows), *map(unmeasured_row, missing)]
    if not plotted:
        return None
    title = f"Difference in pass rate with {dossier.capability.name}, by agent, model and suite"
    return forest_plot(plotted, identifier="forest", title=title, margin=MARGIN)


def _history(dossier: Dossier) -> tuple[Former, ...]:
    by_digest: dict[str, list[Measured]] = {}
    for measured in dossier.former:
        by_digest.setdefault(measured.result.subject.payload_digest, []).append(measured)
    return tuple(
        Former(digest, glyph(digest, id_suffix=f"-former-{place}"), result_rows(dossier, results))
        for place, (digest, results) in enumerate(list(by_digest.items())[:FORMER_SHOWN])
    )


def _open_plan(plan: PlanRecord) -> str:
    setting, subject = plan.setting, plan.subject
    return (
        f"{day(plan.created_at)}: {counted(len(plan.cells), 'run')} on {subject.suite} with {setting.agent}, "
        f"seed {plan.seed}. Planned, and without a result: still running somewhere, or abandoned."
    )


def _links(dossier: Dossier, address: Address | None) -> tuple[Link, ...]:
    digest = None if dossier.payload is None else dossier.payload.digest
    contest = (contest_link(address, dossier.current[0].result),) if len(dossier.current) == 1 else ()
    return (rerun_link(address, capability=dossier.capability.name, digest=digest), *contest)
