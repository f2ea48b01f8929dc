"""The page of one result as values: the verdict, what surrounds it, and every run."""

import math
from dataclasses import dataclass

from markupsafe import Markup

from sigilgen.model.effect import Interval, Tally, Verdict
from sigilgen.pages import commands, phrases
from sigilgen.pages.address import Address
from sigilgen.pages.amounts import DASH, counted, duration, listed, moment
from sigilgen.pages.answer import Answer, result_answer
from sigilgen.pages.forest import ForestRow, forest_plot
from sigilgen.pages.links import Link, challenge_link, contest_link, file_link
from sigilgen.pages.measured import Measured, Medians, runs_for_gain, smallest_gain, smallest_loss
from sigilgen.pages.rows import ResultRow
from sigilgen.pages.run_view import RunView, run_view
from sigilgen.pages.task_rows import TaskRow, task_rows
from sigilgen.policy.effect import last_attempts
from sigilgen.policy.verdict import MARGIN, leave_one_task_out, stratified
from sigilgen.store.layout import RECORD, RUNS, plan_path

GAIN_TO_FIND = 0.20
MANTEL_HAENSZEL = f"Mantel{DASH}Haenszel"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionRow:
    """One condition and what its planned runs came to."""

    condition: str
    tally: Tally
    rate: str


@dataclass(frozen=True, slots=True)
class TaskRuns:
    """All attempts at one task, in the order of the plan."""

    task: str
    runs: tuple[RunView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """`row` is the result as other pages list it."""

    row: ResultRow
    record: str
    rehearsed: bool
    answer: Answer
    plot: Markup | None
    conditions: tuple[ConditionRow, ...]
    tasks: tuple[TaskRow, ...]
    beside: tuple[tuple[str, str], ...]
    medians: tuple[Medians, ...]
    facts: tuple[tuple[str, str], ...]
    reproduce: str
    files: tuple[Link, ...]
    kept: str
    runs: tuple[TaskRuns, ...]
    links: tuple[Link, ...]


def result_page(measured: Measured, row: ResultRow, *, address: Address | None) -> ResultPage:
    """Lay out one result, which `row` already says in short."""
    effect, result = measured.judgement.effect, measured.result
    return ResultPage(
        row=row,
        record=result.id,
        rehearsed=measured.rehearsal,
        answer=result_answer(measured),
        plot=_plot(measured),
        conditions=tuple(
            ConditionRow(condition=name, tally=tally, rate=phrases.rate(tally))
            for name, tally in (("baseline", effect.baseline), ("treatment", effect.treatment))
        ),
        tasks=task_rows(effect),
        beside=_beside(measured),
        medians=measured.medians,
        facts=_facts(measured),
        reproduce=commands.prove_command(measured.plan),
        files=_files(measured, address),
        kept=_kept(measured),
        runs=_runs(measured),
        links=(
            contest_link(address, result),
            challenge_link(address, suite=result.subject.suite, digest=result.subject.suite_digest),
        ),
    )


def _plot(measured: Measured) -> Markup | None:
    effect = measured.judgement.effect
    runs = effect.baseline.scored + effect.treatment.scored
    if effect.interval is None:
        return None
    rows = [_interval_row("all tasks", "pooled, Newcombe", measured.verdict, effect.interval, runs)]
    if (apart := stratified(effect)) is not None:
        rows.append(_interval_row("tasks kept apart", f"{MANTEL_HAENSZEL}, no verdict", "", apart, runs))
    for left in leave_one_task_out(effect):
        if left.interval is not None:
            tally = effect.tasks[left.task]
            remaining = runs - tally.baseline.scored - tally.treatment.scored
            rows.append(_interval_row(f"without {left.task}", "pooled, no verdict", "", left.interval, remaining))
    title = "Difference in pass rate: pooled, with tasks kept apart, and without each task in turn"
    return forest_plot(rows, identifier="forest", title=title, margin=MARGIN)


def _interval_row(label: str, detail: str, verdict: str, interval: Interval, runs: int) -> ForestRow:
    numbers = f"{phrases.pp(interval.estimate)} ({phrases.limits(interval)})"
    return ForestRow(label=label, detail=detail, verdict=verdict, numbers=numbers, interval=interval, runs=runs)


def _beside(measured: Measured) -> tuple[tuple[str, str], ...]:
    effect = measured.judgement.effect
    apart = stratified(effect)
    used = measured.used
    pairs = (
        ("without any one task", _range_without_one(measured)),
        (
            "tasks kept apart",
            "no interval" if apart is None else f"{phrases.difference(apart)}, {MANTEL_HAENSZEL} and Sato",
        ),
        ("could have found", _power(measured)),
        ("runs for a gain of 20 pp", _runs_needed(measured)),
        (
            "capability used",
            f"in {used.used} of {counted(used.told, 'treatment run')}" if used else "the agent does not say",
        ),
    )
    return tuple((name, value) for name, value in pairs if value is not None)


def _range_without_one(measured: Measured) -> str:
    estimates = [left.interval.estimate for left in leave_one_task_out(measured.judgement.effect) if left.interval]
    if len(estimates) < 2:
        return "needs two tasks at least"
    return f"{phrases.bare_points(min(estimates))} to {phrases.pp(max(estimates))}"


def _power(measured: Measured) -> str:
    """What this number of runs finds four times out of five, at the baseline's observed rate."""
    effect = measured.judgement.effect
    runs = min(effect.baseline.scored, effect.treatment.scored)
    if not runs:
        return "nothing: a condition has no scored run"
    passed = round(effect.baseline.passed * runs / effect.baseline.scored)
    gain, loss = smallest_gain(runs, passed), smallest_loss(runs, passed)
    found = [
        f"a {word} of {_rounded_up(size)} pp or more"
        for word, size in (("gain", gain), ("loss", loss))
        if size is not None
    ]
    missed = [word for word, size in (("gain", gain), ("loss", loss)) if size is None]
    parts = listed(found) + (", four times out of five" if found else "")
    return parts + (f"{'; ' if found else ''}no {listed(missed)}, however large" if missed else "")


def _rounded_up(effect: float) -> int:
    """In whole points, so that the effect which is named is one that is found."""
    return math.ceil(100 * effect - 1e-6)


def _runs_needed(measured: Measured) -> str | None:
    """For an inconclusive result: how many runs it takes to find a gain that would matter."""
    effect = measured.judgement.effect
    if measured.rehearsal or measured.judgement.verdict is not Verdict.INCONCLUSIVE or not effect.baseline.scored:
        return None
    percent = 5 * round(20 * effect.baseline.passed / effect.baseline.scored)
    if percent > 80:
        return f"out of reach: the baseline passes about {percent} %"
    runs = runs_for_gain(percent, GAIN_TO_FIND)
    return None if runs is None else f"about {runs} in each condition, from a baseline of about {percent} %"


def _facts(measured: Measured) -> tuple[tuple[str, str], ...]:
    result, plan, setting = measured.result, measured.plan, measured.result.setting
    timeouts = sorted(set(plan.timeouts_seconds.values()))
    return (
        ("payload digest", result.subject.payload_digest),
        ("permissions digest", result.subject.permissions_digest),
        ("suite digest", result.subject.suite_digest),
        ("agent", f"{setting.agent} {setting.agent_version or '(version not reported)'}"),
        ("model asked for", setting.model or "none"),
        ("model served", ", ".join(measured.judgement.effect.models_served) or "none reported"),
        ("sandbox", f"{setting.sandbox}, {setting.platform}"),
        ("image", setting.image_digest or "none: the host"),
        ("network", f"agent {setting.network}, verifier {setting.verifier_network}"),
        ("time-outs", listed([duration(1_000 * seconds) for seconds in timeouts]) or "none"),
        ("repeats", f"{plan.repeats} for each task and condition"),
        ("seed", str(plan.seed)),
        ("planned", moment(plan.created_at)),
        ("run", f"{moment(result.started_at)} to {moment(result.finished_at)}"),
        ("supersedes", result.supersedes or "nothing"),
        ("canary", f"{result.canary.state}: {result.canary.reason}"),
        ("origin", f"{measured.origin} run"),
        ("Sigil", f"{setting.sigil_version}, method {setting.method_version}, claims reader {result.claims_version}"),
    )


def _files(measured: Measured, address: Address | None) -> tuple[Link, ...]:
    paths = (f"{measured.folder}/{RECORD}", f"{measured.folder}/{RUNS}", plan_path(measured.plan))
    return tuple(file_link(address, path) for path in paths)


def _kept(measured: Measured) -> str:
    transcripts = measured.result.transcripts
    if transcripts.kept:
        return "The transcripts lie beside the runs, cleared of known secrets and cut to size."
    return f"The transcripts are not in git; their digest is {transcripts.sha256}."


def _runs(measured: Measured) -> tuple[TaskRuns, ...]:
    last = last_attempts(measured.runs)
    by_task: dict[str, list[RunView]] = {task: [] for task in measured.judgement.effect.tasks}
    for run in sorted(measured.runs, key=lambda run: (run.condition, run.repeat, run.attempt)):
        by_task[run.task].append(run_view(run, superseded=run.attempt < last[run.position].attempt))
    return tuple(TaskRuns(task, tuple(runs)) for task, runs in by_task.items())
