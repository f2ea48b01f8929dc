import json
from collections.abc import Sequence

import click
import pytest
from click.testing import CliRunner

from sigilgen.cli.power import power_command
from sigilgen.cli.prove import prove_command
from sigilgen.commands.power import Chance, Question, RunsNeeded, SmallestEffects, answer, is_yes
from sigilgen.commands.power_report import MOST_REPEATS, render
from sigilgen.errors import RequestError
from sigilgen.model.effect import Verdict
from sigilgen.stats.power import no_effect_power, power, runs_needed


def needed(question: Question) -> RunsNeeded:
    found = answer(question)
    assert isinstance(found, RunsNeeded)
    return found


def test_says_how_many_runs_an_effect_needs() -> None:
    found = needed(Question(baseline=0.5, effect=0.2))
    assert (found.verdict, found.runs_per_condition, found.target_chance) == (Verdict.PROVEN, 94, 0.8)
    assert found.chance == power(94, 0.5, 0.7)
    assert is_yes(found)


def test_a_loss_needs_as_many_runs_as_the_gain_back() -> None:
    found = needed(Question(baseline=0.9, effect=-0.2, chance=0.9))
    assert (found.verdict, found.runs_per_condition) == (Verdict.HARMFUL, runs_needed(0.7, 0.9, 0.9))
    assert found.chance is not None
    assert found.chance >= 0.9


PLANS = {
    "six tasks": (Question(baseline=0.5, effect=0.2, tasks=6), (6, 16, 96)),
    "six repeats": (Question(baseline=0.5, effect=0.2, repeats=6), (16, 6, 96)),
    "as many as it takes for a verdict": (Question(baseline=0.0, effect=1.0, tasks=4), (4, 3, 12)),
    "at least three tasks": (Question(baseline=0.0, effect=1.0, repeats=50), (3, 50, 150)),
    "no plan": (Question(baseline=0.0, effect=1.0), (None, None, 12)),
}


@pytest.mark.parametrize(("question", "plan"), PLANS.values(), ids=PLANS)
def test_runs_are_rounded_up_to_whole_tasks_and_repeats(
    question: Question, plan: tuple[int | None, int | None, int]
) -> None:
    found = needed(question)
    assert (found.tasks, found.repeats, found.runs_per_condition) == plan
    assert found.chance is not None
    assert found.chance >= 0.8


def test_says_which_effects_a_plan_can_find() -> None:
    found = answer(Question(baseline=0.7, tasks=6, repeats=5))
    assert isinstance(found, SmallestEffects)
    assert found.runs_per_condition == 30
    assert found.gain is not None
    assert found.loss is not None
    assert power(30, 0.7, 0.7 + found.gain) == pytest.approx(0.8, abs=1e-3)
    assert power(30, 0.7 - found.loss, 0.7) == pytest.approx(0.8, abs=1e-3)


def test_says_how_likely_a_plan_finds_an_effect() -> None:
    assert answer(Question(baseline=0.5, effect=0.2, runs=36)) == Chance(
        verdict=Verdict.PROVEN,
        baseline_rate=0.5,
        effect=0.2,
        runs_per_condition=36,
        chance=power(36, 0.5, 0.7),
        tasks=None,
        repeats=None,
    )
    assert answer(Question(baseline=0.5, no_effect=True, runs=400)) == Chance(
        verdict=Verdict.NO_EFFECT,
        baseline_rate=0.5,
        effect=0.0,
        runs_per_condition=400,
        chance=no_effect_power(400, 0.5, 0.1),
        tasks=None,
        repeats=None,
    )


def test_says_how_many_runs_establish_that_there_is_no_effect() -> None:
    found = needed(Question(baseline=1.0, no_effect=True))
    assert (found.verdict, found.effect, found.runs_per_condition) == (Verdict.NO_EFFECT, 0.0, 35)


def test_rates_that_add_up_to_one_by_a_rounding_error_are_accepted() -> None:
    assert needed(Question(baseline=0.7, effect=0.3 + 1e-16)).runs_per_condition is not None
    assert needed(Question(baseline=0.3, effect=-0.1 - 0.2)).runs_per_condition is not None


NO = {
    "too small an effect": (Question(baseline=0.5, effect=0.001), "more than 10,000 runs per condition"),
    "too high a chance of no effect": (Question(baseline=0.5, no_effect=True, chance=0.99), "more than 10,000 runs"),
    "too high a baseline": (Question(baseline=0.8, runs=12), "none, not even for a treatment that always passes"),
}


@pytest.mark.parametrize(("question", "words"), NO.values(), ids=NO)
def test_what_cannot_be_found_is_an_answer_and_the_answer_is_no(question: Question, words: str) -> None:
    found = answer(question)
    assert not is_yes(found)
    assert words in render(found)


PROBLEMS = {
    "no question": (Question(baseline=None), ["--baseline is missing", "nothing to work out"]),
    "out of reach": (Question(baseline=0.95, effect=0.2), ["a baseline of 0.95 leaves a gain of at most 0.05"]),
    "loss out of reach": (Question(baseline=0.1, effect=-0.2), ["a baseline of 0.1 leaves a loss of at most 0.1"]),
    "per cent": (Question(baseline=50, effect=20, chance=80), ["--baseline 50", "--effect 20", "--power 80"]),
    "no numbers": (Question(baseline=float("nan"), effect=float("inf")), ["--baseline nan", "--effect inf"]),
    "zero effect": (Question(baseline=0.5, effect=0.0), ["ask for --no-effect"]),
    "both effects": (Question(baseline=0.5, effect=0.2, no_effect=True), ["exclude each other"]),
    "size twice": (
        Question(baseline=0.5, runs=36, tasks=6, repeats=6),
        ["--runs is the product of --tasks and --repeats"],
    ),
    "all three": (Question(baseline=0.5, effect=0.2, runs=36, chance=0.8), ["leave out one of the three"]),
    "tasks alone": (Question(baseline=0.5, tasks=6), ["nothing to work out"]),
    "too small": (Question(baseline=0.5, tasks=2, repeats=3), ["--tasks 2", "6 runs per condition"]),
    "no repeats": (Question(baseline=0.5, effect=0.2, repeats=0), ["--repeats 0"]),
    "negative": (Question(baseline=0.5, runs=-1), ["-1 runs per condition"]),
    "too many": (Question(baseline=0.5, runs=10**9), ["more than 10,000 runs per condition"]),
    "too many tasks": (Question(baseline=0.5, effect=0.1, tasks=10**9), ["more than 10,000 runs per condition"]),
}


@pytest.mark.parametrize(("question", "words"), PROBLEMS.values(), ids=PROBLEMS)
def test_every_problem_of_a_question_is_named(question: Question, words: Sequence[str]) -> None:
    with pytest.raises(RequestError) as caught:
        answer(question)
    for word in words:
        assert word in caught.value.message
    assert caught.value.message.startswith(f"{len(words)} problems:") == (len(words) > 1)


TEXTS = {
    "runs": (
        ["--baseline", "0.5", "--effect", "0.2", "--tasks", "6"],
        (
            "96 runs per condition (16 of each of 6 tasks, 192 in all) for a chance of 80.9 %\n"
            'Verdict "proven", if the true change is +20.0 points, from 50 % to 70 %.\n'
        ),
    ),
    "effects": (
        ["--baseline", "0.5", "--runs", "36"],
        (
            "36 runs per condition find with a chance of 80 %\n"
            "  as proven, a gain of at least:   +30.5 points, from 50 % to 80.5 %\n"
            "  as harmful, a loss of at least:  -30.5 points, from 50 % to 19.5 %\n"
        ),
    ),
    "no effect": (
        ["--baseline", "0", "--no-effect"],
        (
            "35 runs per condition (70 in all) for a chance of 100 %\n"
            'Verdict "no effect", if both conditions truly pass 0 % of their runs: '
            "the whole interval within 10 points of zero.\n"
        ),
    ),
    "nearly certain": (
        ["--baseline", "0.1", "--effect", "0.8", "--runs", "60"],
        (
            "above 99.9 % chance with 60 runs per condition\n"
            'Verdict "proven", if the true change is +80.0 points, from 10 % to 90 %.\n'
        ),
    ),
}


@pytest.mark.parametrize(("arguments", "text"), TEXTS.values(), ids=TEXTS)
def test_answers_in_plain_text(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(power_command, arguments)
    assert result.exception is None
    assert result.output.startswith(text)
    assert "Computed for tasks of equal difficulty, run equally often under both conditions.\n" in result.output


COMMANDS = {
    "runs needed of some tasks": (
        Question(baseline=0.5, effect=0.2, tasks=6),
        "6 tasks: sigil prove CAPABILITY --runs 16",
    ),
    "tasks needed": (Question(baseline=0.5, effect=0.2, repeats=6), "16 tasks: sigil prove CAPABILITY --runs 6"),
    "effects of a plan": (Question(baseline=0.5, tasks=4, repeats=9), "4 tasks: sigil prove CAPABILITY --runs 9"),
    "chance of a plan": (
        Question(baseline=0.5, effect=0.2, tasks=12, repeats=1),
        "12 tasks: sigil prove CAPABILITY --runs 1",
    ),
    "more than one plan can be": (
        Question(baseline=0.5, effect=0.03, tasks=3),
        "sigil prove runs each task at most 1,000 times under each condition: use more tasks.",
    ),
    "no tasks": (Question(baseline=0.5, effect=0.2), "run equally often under both conditions."),
    "no such number": (Question(baseline=0.5, effect=0.001, tasks=6), "run equally often under both conditions."),
}


@pytest.mark.parametrize(("question", "end"), COMMANDS.values(), ids=COMMANDS)
def test_where_there_are_tasks_the_answer_ends_with_the_plan_as_a_command(question: Question, end: str) -> None:
    assert render(answer(question)).splitlines()[-1].endswith(end)


def test_no_plan_is_named_that_prove_would_refuse() -> None:
    (runs,) = [parameter for parameter in prove_command.params if parameter.name == "repeats"]
    assert isinstance(runs.type, click.IntRange)
    assert runs.type.max == MOST_REPEATS


def test_answers_in_json() -> None:
    arguments = ["--baseline", "0.5", "--runs", "36", "--format", "json"]
    answered = json.loads(CliRunner().invoke(power_command, arguments).output)
    assert answered.keys() == {
        "baseline_rate",
        "target_chance",
        "runs_per_condition",
        "gain",
        "loss",
        "tasks",
        "repeats",
    }
    assert answered["gain"] == answered["loss"] == pytest.approx(0.304, abs=1e-3)


def test_the_exit_status_says_whether_there_is_such_a_number_or_gain() -> None:
    def status(*arguments: str) -> object:
        return power_command.main(list(arguments), standalone_mode=False)

    assert status("--baseline", "0.5", "--effect", "0.2") == 0
    assert status("--baseline", "0.5", "--effect", "0.001") == 1
    assert status("--baseline", "0.8", "--runs", "12") == 1
