"""The last lines of `sigil prove`: verdict, interval, counts, reasons, and where everything is."""

from sigilgen.commands.prove import Report
from sigilgen.model.effect import Tally, Verdict
from sigilgen.policy.wording import points, span

YES, NO, INCONCLUSIVE = 0, 1, 4

MEANINGS = {
    "infra": "could not be judged, for a reason outside of the agent; the run does not count",
    "tampered": "changed or deleted lines of a protected file; they were put back, and the run counts",
    "false done": "said that it was done, and the verifier disagrees",
}
"""What is said of runs beside whether they passed."""


def exit_status(report: Report) -> int:
    """0 proven, or a rehearsal that ran to its end; 1 harmful or no effect; 4 inconclusive."""
    if report.rehearsal or report.judgement.verdict is Verdict.PROVEN:
        return YES
    return INCONCLUSIVE if report.judgement.verdict is Verdict.INCONCLUSIVE else NO


def render(report: Report) -> str:
    """The report as text. A rehearsal never shows a verdict."""
    effect = report.judgement.effect
    verdict = "REHEARSAL, which is never evidence" if report.rehearsal else report.judgement.verdict.upper()
    lines = [f"verdict     {verdict}"]
    if effect.interval is not None:
        lines.append(f"difference  {points(effect.interval.estimate)} points, 95 % interval {span(effect.interval)}")
    lines += [f"baseline    {_counts(effect.baseline)}", f"treatment   {_counts(effect.treatment)}"]
    said = [name for tally in (effect.baseline, effect.treatment) for name, count in _remarks(tally).items() if count]
    lines += [f"{name:<12}{meaning}" for name, meaning in MEANINGS.items() if name in said]
    if not report.rehearsal:
        lines += [f"because     {reason}" for reason in report.judgement.reasons]
    lines.append(f"record      {report.path}{'' if report.committed else '  (not committed)'}")
    if report.lost_cells:
        name = report.plan.removeprefix("sha256:")[:16]
        lines.append(f"lost        {report.lost_cells} runs; try again: sigil prove --resume {name} --retry-infra")
    return "\n".join(lines)


def _counts(tally: Tally) -> str:
    extra = [f"{count} {name}" for name, count in _remarks(tally).items() if count]
    return f"{tally.passed} of {tally.scored} passed" + (f" ({', '.join(extra)})" if extra else "")


def _remarks(tally: Tally) -> dict[str, int]:
    return {"infra": tally.infra, "tampered": tally.tampered, "false done": tally.false_done}
