"""What `sigil power` says: the answer, what it means, and the plan as a command."""

from collections.abc import Iterator
from math import ceil

from sigilgen.commands.power import Answer, Chance, RunsNeeded, SmallestEffects, treatment_rate
from sigilgen.model.effect import Verdict
from sigilgen.policy.verdict import MARGIN
from sigilgen.policy.wording import points
from sigilgen.stats.power import MOST_RUNS

MOST_REPEATS = 1_000
"""Runs of each task under each condition that `sigil prove` takes at most."""


def render(given: Answer) -> str:
    assumption = "Computed for tasks of equal difficulty, run equally often under both conditions."
    return "\n".join([*_render_lines(given), assumption, *_render_command(given)])


def _render_command(given: Answer) -> Iterator[str]:
    """The plan as a command, where tasks and repeats are known."""
    if given.runs_per_condition is None or given.tasks is None or given.repeats is None:
        return
    if given.repeats > MOST_REPEATS:
        yield f"sigil prove runs each task at most {MOST_REPEATS:,} times under each condition: use more tasks."
    else:
        yield f"As a plan, with a suite of {given.tasks:,} tasks: sigil prove CAPABILITY --runs {given.repeats}"


def _render_lines(given: Answer) -> list[str]:
    match given:
        case RunsNeeded():
            return _render_runs(given)
        case SmallestEffects():
            return _render_effects(given)
        case Chance():
            chance = _percent(given.chance)
            return [f"{chance} chance with {given.runs_per_condition:,} runs per condition", _meaning(given)]


def _render_runs(given: RunsNeeded) -> list[str]:
    runs = given.runs_per_condition
    if runs is None or given.chance is None:
        return [
            f"more than {MOST_RUNS:,} runs per condition for a chance of {_percent(given.target_chance)}",
            _meaning(given),
        ]
    plan = "" if given.tasks is None else f"{given.repeats:,} of each of {given.tasks:,} tasks, "
    return [
        f"{runs:,} runs per condition ({plan}{2 * runs:,} in all) for a chance of {_percent(given.chance)}",
        _meaning(given),
    ]


def _render_effects(given: SmallestEffects) -> list[str]:
    gain = "none, not even for a treatment that always passes"
    if given.gain is not None:
        gain = _change(given.baseline_rate, _rounded_up(given.gain))
    loss = "none, not even for a treatment that always fails"
    if given.loss is not None:
        loss = _change(given.baseline_rate, -_rounded_up(given.loss))
    return [
        f"{given.runs_per_condition:,} runs per condition find with a chance of {_percent(given.target_chance)}",
        f"  as proven, a gain of at least:   {gain}",
        f"  as harmful, a loss of at least:  {loss}",
    ]


def _meaning(given: RunsNeeded | Chance) -> str:
    if given.verdict is Verdict.NO_EFFECT:
        return (
            f'Verdict "no effect", if both conditions truly pass {_percent(given.baseline_rate)} of their runs: '
            f"the whole interval within {100 * MARGIN:.0f} points of zero."
        )
    return f'Verdict "{given.verdict}", if the true change is {_change(given.baseline_rate, given.effect)}.'


def _change(baseline: float, effect: float) -> str:
    treatment = treatment_rate(baseline, effect)
    return f"{points(effect)} points, from {_percent(baseline)} to {_percent(treatment)}"


def _percent(rate: float) -> str:
    """A rate in per cent with at most one decimal place. Nearly certain is not written as certain."""
    if 0 < rate < 0.0005:
        return "below 0.1 %"
    if 0.9995 < rate < 1:
        return "above 99.9 %"
    return f"{100 * rate:.1f}".removesuffix(".0") + " %"


def _rounded_up(effect: float) -> float:
    """To the next tenth of a point, so that the effect which is named is one that is found."""
    return ceil(1000 * effect - 1e-6) / 1000
