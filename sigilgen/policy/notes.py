"""What a reader should know beside a verdict. A note never changes the verdict."""

from collections.abc import Iterator

from sigilgen.model.effect import Effect, Judgement, Verdict
from sigilgen.policy.verdict import MARGIN, is_within_margin, leave_one_task_out, verdict_of
from sigilgen.stats.intervals import newcombe

_TASKS_NAMED = 5


def notes(judgement: Judgement) -> tuple[str, ...]:
    """Sentences about what the numbers of a judgement could not show, or show less strongly than they seem to.

    Ceiling: the baseline passed so often that no treatment could have been proven. Floor: nothing passed at all. Small:
    an effect that is established and nearer to zero than the margin. Carried: an effect that the interval without
    one of the tasks no longer shows.
    """
    return (*_range_notes(judgement.effect), *_size_notes(judgement), *_task_notes(judgement))


def _range_notes(effect: Effect) -> Iterator[str]:
    baseline, treatment = effect.baseline, effect.treatment
    best = newcombe(treatment.scored, treatment.scored, baseline.passed, baseline.scored)
    if best is None:
        return
    if baseline.failed == 0:
        yield f"The baseline passed all of its {baseline.scored} scored runs: nothing was left to gain."
    elif best.lower <= 0:
        yield (
            f"The baseline passed {baseline.passed} of {baseline.scored} scored runs: "
            "even a treatment that always passes could not have been proven."
        )
    if baseline.passed == treatment.passed == 0:
        yield "No run passed under either condition: the tasks may be too hard to show a difference."


def _size_notes(judgement: Judgement) -> Iterator[str]:
    interval = judgement.effect.interval
    if judgement.verdict in {Verdict.PROVEN, Verdict.HARMFUL} and interval is not None and is_within_margin(interval):
        yield f"The effect is {judgement.verdict}, and smaller than the margin of {100 * MARGIN:.0f} points."


def _task_notes(judgement: Judgement) -> Iterator[str]:
    if judgement.verdict not in {Verdict.PROVEN, Verdict.HARMFUL}:
        return
    carrying = [
        left.task
        for left in leave_one_task_out(judgement.effect)
        if left.interval is None or verdict_of(left.interval) is not judgement.verdict
    ]
    if carrying:
        more = f" and {len(carrying) - _TASKS_NAMED} more" if len(carrying) > _TASKS_NAMED else ""
        named = ", ".join(carrying[:_TASKS_NAMED])
        yield f"Leaving out one of these tasks would take the verdict away: {named}{more}."
