"""The verdict in words: what was found, what it rests on, and what it does not say."""

from collections.abc import Sequence
from dataclasses import dataclass

from sigilgen.model.effect import Interval, Verdict
from sigilgen.pages import phrases
from sigilgen.pages.amounts import counted
from sigilgen.pages.dossier import Dossier
from sigilgen.pages.measured import Measured
from sigilgen.policy.notes import notes
from sigilgen.policy.stated import REHEARSAL
from sigilgen.policy.summary import Summary

NOT_SAID = (
    "It is about this content, this suite, this agent and this model only, and it says nothing about safety.",
    "Other tasks, agents and models have to be measured on their own.",
)

UNMEASURED = "Not measured is neither “no effect” nor “inconclusive”: nobody has looked yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`word` stands in the verdict slot, `headline` beside it; the sentences follow, and what was not said last."""

    word: str
    headline: str
    sentences: tuple[str, ...]
    not_said: tuple[str, ...]


def result_answer(measured: Measured) -> Answer:
    """The answer of one result."""
    if measured.rehearsal:
        return _rehearsed(measured)
    judgement = measured.judgement
    return Answer(
        word=measured.verdict,
        headline=_headline(judgement.verdict),
        sentences=(_finding(measured), *judgement.reasons, *notes(judgement)),
        not_said=NOT_SAID,
    )


def capability_answer(dossier: Dossier) -> Answer:
    """The answer for a capability over all of its results."""
    leading, summary = dossier.leading, dossier.summary
    if leading is None or summary.verdict is None:
        return _unanswered(dossier)
    if summary.tested == 1:
        return result_answer(leading)
    setting = leading.result.setting
    place = f"{leading.result.subject.suite} with {setting.agent} and {leading.model}"
    return Answer(
        word=summary.verdict.value,
        headline=_headline(summary.verdict),
        sentences=(_tested(summary), f"Clearest: on {place}.", _finding(leading), *_weighing(summary)),
        not_said=NOT_SAID,
    )


def _headline(verdict: Verdict) -> str:
    match verdict:
        case Verdict.PROVEN:
            return "more correct results with it"
        case Verdict.HARMFUL:
            return "fewer correct results with it"
        case Verdict.NO_EFFECT:
            return "no difference that matters"
        case Verdict.INCONCLUSIVE:
            return "these runs cannot tell"


def _finding(measured: Measured) -> str:
    effect = measured.judgement.effect
    size = phrases.rests_on(effect.treatment, effect.baseline, measured.tasks)
    if effect.interval is None:
        return f"There is no interval: {size}."
    return f"{_rates(measured)}: {phrases.difference(effect.interval)}, from {size}."


def _rates(measured: Measured) -> str:
    effect = measured.judgement.effect
    return f"{phrases.passes(effect.treatment)} runs passed with it and {phrases.passes(effect.baseline)} without it"


def _tested(summary: Summary) -> str:
    parts = (
        (summary.proven, "proven"),
        (summary.harmful, "harmful"),
        (summary.no_effect, "no effect"),
        (summary.inconclusive, "inconclusive"),
    )
    named = ", ".join(f"{count} {word}" for count, word in parts if count)
    return f"{counted(summary.tested, 'result')} tested: {named}."


def _weighing(summary: Summary) -> Sequence[str]:
    if summary.harmful and summary.proven:
        return ("One harmful result outweighs any number of proven ones.",)
    return ()


def _rehearsed(measured: Measured) -> Answer:
    interval = measured.judgement.effect.interval
    return Answer(
        word=REHEARSAL,
        headline="no verdict, and no evidence",
        sentences=(
            "A script played the agent to try out the machine. The numbers below are what the script does.",
            _rehearsed_numbers(measured, interval),
        ),
        not_said=("It says nothing at all about the capability.",),
    )


def _rehearsed_numbers(measured: Measured, interval: Interval | None) -> str:
    if interval is None:
        return "There is no interval."
    return f"{_rates(measured)}: {phrases.difference(interval)}."


def _unanswered(dossier: Dossier) -> Answer:
    if any(measured.rehearsal for measured in dossier.current):
        return Answer(
            word=REHEARSAL,
            headline="rehearsed, not measured",
            sentences=("A script played the agent to try out the machine. That is no evidence for anything.",),
            not_said=(UNMEASURED,),
        )
    if dossier.current:
        why = "The results below were measured on older versions of their suites and do not count any more."
    elif dossier.former:
        why = "There are results for other digests. They do not carry over; the history below lists them."
    else:
        why = "No experiment with this content has been published."
    return Answer(word=phrases.NOT_MEASURED, headline="no answer yet", sentences=(why,), not_said=(UNMEASURED,))
