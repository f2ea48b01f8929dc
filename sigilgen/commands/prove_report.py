"""The last lines of `sigil prove`: verdict, interval, counts, reasons, and where everything is."""

from sigilgen.commands.prove import Report
from sigilgen.model.effect import Tally, Verdict
from sigilgen.policy.wording import points, span

YES, NO, INCONCLUSIVE = 0, 1, 4


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
    if not report.rehearsal:
        lines += [f"because     {reason}" for reason in report.judgement.reasons]
    lines.append(f"record      {report.path}{'' if report.committed else '  (not committed)'}")
    if report.lost_cells:
        name = report.plan.removeprefix("sha256:")[:16]
        lines.append(f"lost        {report.lost_cells} runs; try again: sigil prove --resume {name} --retry-infra")
    return "\n".join(lines)


def _counts(tally: Tally) -> str:
    extra = [
        f"{count} {name}"
        for count, name in ((tally.infra, "infra"), (tally.tampered, "tampered"), (tally.false_done, "false done"))
        if count
    ]
    return f"{tally.passed} of {tally.scored} passed" + (f" ({', '.join(extra)})" if extra else "")
