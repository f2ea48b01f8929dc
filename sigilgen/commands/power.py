"""Work out how many runs an effect needs, which effect a number of runs finds, or how likely it is to be found."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from sigilgen.errors import RequestError
from sigilgen.model.effect import Verdict
from sigilgen.policy.verdict import MARGIN, MINIMUM_RUNS, MINIMUM_TASKS
from sigilgen.stats.power import MOST_RUNS, no_effect_power, power, runs_for_no_effect, runs_needed, smallest_effect

USUAL_CHANCE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was asked, as it was asked. Rates, effects and chances are fractions, not per cent."""

    baseline: float | None
    effect: float | None = None
    no_effect: bool = False
    chance: float | None = None
    runs: int | None = None
    tasks: int | None = None
    repeats: int | None = None

    @property
    def size(self) -> int | None:
        """Runs per condition, if the question says how many."""
        if self.tasks is not None and self.repeats is not None:
            return self.tasks * self.repeats
        return self.runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsNeeded:
    """Runs that reach `verdict` with at least the target chance. None where no number up to the limit does."""

    verdict: Verdict
    baseline_rate: float
    effect: float
    target_chance: float
    runs_per_condition: int | None
    chance: float | None
    tasks: int | None
    repeats: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestEffects:
    """The smallest true gain and loss that a plan finds with the target chance. None where it finds none."""

    baseline_rate: float
    target_chance: float
    runs_per_condition: int
    gain: float | None
    loss: float | None
    tasks: int | None
    repeats: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """How likely a plan reaches `verdict` when the true difference is `effect`."""

    verdict: Verdict
    baseline_rate: float
    effect: float
    runs_per_condition: int
    chance: float
    tasks: int | None
    repeats: int | None


Answer = RunsNeeded | SmallestEffects | Chance


def answer(question: Question) -> Answer:
    """Answer whichever of the three questions was asked.

    Raises:
        RequestError: The question lacks something, contradicts itself or cannot be answered. All problems are named.
    """
    problems = [*_rate_problems(question), *_size_problems(question), *_combination_problems(question)]
    if problems or question.baseline is None:
        raise RequestError(
            problems[0] if len(problems) == 1 else "\n  ".join([f"{len(problems)} problems:", *problems]),
            hint="`sigil power --help` shows an example of every question.",
        )
    effect = 0.0 if question.no_effect else question.effect
    target = USUAL_CHANCE if question.chance is None else question.chance
    if effect is None:
        assert question.size is not None  # noqa: S101  (without a size and an effect there was a problem)
        return _smallest_effects(question, question.baseline, question.size, target=target)
    if question.size is None:
        return _runs_needed(question, question.baseline, effect, target=target)
    return Chance(
        verdict=_verdict(effect),
        baseline_rate=question.baseline,
        effect=effect,
        runs_per_condition=question.size,
        chance=_chance(question.size, question.baseline, effect),
        tasks=question.tasks,
        repeats=question.repeats,
    )


def is_yes(given: Answer) -> bool:
    """Whether there is such a number of runs, or such a gain."""
    match given:
        case RunsNeeded():
            return given.runs_per_condition is not None
        case SmallestEffects():
            return given.gain is not None
        case Chance():
            return True


def _smallest_effects(question: Question, baseline: float, runs: int, *, target: float) -> SmallestEffects:
    return SmallestEffects(
        baseline_rate=baseline,
        target_chance=target,
        runs_per_condition=runs,
        gain=smallest_effect(runs, baseline, target),
        loss=smallest_effect(runs, 1 - baseline, target),
        tasks=question.tasks,
        repeats=question.repeats,
    )


def _runs_needed(question: Question, baseline: float, effect: float, *, target: float) -> RunsNeeded:
    tasks, repeats, runs = question.tasks, question.repeats, _fewest_runs(baseline, effect, target)
    if runs is not None:
        runs = max(runs, MINIMUM_RUNS)
        if tasks is not None:
            repeats = ceil(runs / tasks)
            runs = tasks * repeats
        elif repeats is not None:
            tasks = max(MINIMUM_TASKS, ceil(runs / repeats))
            runs = tasks * repeats
    return RunsNeeded(
        verdict=_verdict(effect),
        baseline_rate=baseline,
        effect=effect,
        target_chance=target,
        runs_per_condition=runs,
        chance=None if runs is None else _chance(runs, baseline, effect),
        tasks=tasks,
        repeats=repeats,
    )


def _verdict(effect: float) -> Verdict:
    if effect == 0:
        return Verdict.NO_EFFECT
    return Verdict.PROVEN if effect > 0 else Verdict.HARMFUL


def _fewest_runs(baseline: float, effect: float, target: float) -> int | None:
    if effect == 0:
        return runs_for_no_effect(baseline, MARGIN, target)
    lower, higher = sorted((baseline, treatment_rate(baseline, effect)))
    return runs_needed(lower, higher, target)


def _chance(runs: int, baseline: float, effect: float) -> float:
    if effect == 0:
        return no_effect_power(runs, baseline, MARGIN)
    lower, higher = sorted((baseline, treatment_rate(baseline, effect)))
    return power(runs, lower, higher)


def treatment_rate(baseline: float, effect: float) -> float:
    """Sum of both, kept within the rates: 0.9 + 0.1 may be a last digit above 1."""
    return min(1.0, max(0.0, baseline + effect))


def _rate_problems(question: Question) -> Iterator[str]:
    baseline, effect, chance = question.baseline, question.effect, question.chance
    if baseline is None:
        yield "--baseline is missing: the pass rate to expect without the capability, from 0 to 1"
    elif not 0 <= baseline <= 1:
        yield f"--baseline {baseline:g}: a pass rate lies between 0 and 1, so 50 % is 0.5"
    if effect == 0:
        yield "--effect 0 is no effect: ask for --no-effect"
    elif effect is not None and not -1 <= effect <= 1:
        yield f"--effect {effect:g}: a difference of pass rates lies between -1 and 1, so 20 points are 0.2"
    elif effect is not None and baseline is not None and 0 <= baseline <= 1:
        yield from _room_problems(baseline, effect)
    if chance is not None and not 0 < chance < 1:
        yield f"--power {chance:g}: the chance to aim for lies between 0 and 1, so 80 % is 0.8"


def _room_problems(baseline: float, effect: float) -> Iterator[str]:
    room = 1 - baseline if effect > 0 else baseline
    if abs(effect) > room + 1e-9:
        change = "gain" if effect > 0 else "loss"
        yield f"--effect {effect:g} cannot be reached: a baseline of {baseline:g} leaves a {change} of at most {room:g}"


def _size_problems(question: Question) -> Iterator[str]:
    if question.tasks is not None and question.tasks < MINIMUM_TASKS:
        yield f"--tasks {question.tasks}: with fewer than {MINIMUM_TASKS} tasks every experiment is inconclusive"
    if question.repeats is not None and question.repeats < 1:
        yield f"--repeats {question.repeats}: every task must run at least once"
    if question.size is not None and question.size < MINIMUM_RUNS:
        yield (
            f"{question.size} runs per condition: with fewer than {MINIMUM_RUNS} every experiment is inconclusive, "
            "whatever the effect"
        )
    if max(question.size or 0, question.tasks or 0, question.repeats or 0) > MOST_RUNS:
        yield f"more than {MOST_RUNS:,} runs per condition: nothing beyond that is computed"


def _combination_problems(question: Question) -> Iterator[str]:
    names_effect = question.effect is not None or question.no_effect
    if question.effect is not None and question.no_effect:
        yield "--effect and --no-effect exclude each other"
    if question.runs is not None and (question.tasks is not None or question.repeats is not None):
        yield "--runs is the product of --tasks and --repeats: give either the one or the other"
    if not names_effect and question.size is None:
        yield "nothing to work out: give --effect or --no-effect, or --runs, or --tasks with --repeats"
    if names_effect and question.size is not None and question.chance is not None:
        yield "--power is what an effect and a number of runs lead to: leave out one of the three"
