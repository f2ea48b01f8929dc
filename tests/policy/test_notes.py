from collections.abc import Callable, Sequence
from dataclasses import replace

from sigilgen.model.effect import Effect
from sigilgen.policy.notes import notes
from sigilgen.policy.verdict import judge

Tables = Sequence[tuple[int, int, int, int]]
EffectOf = Callable[[Tables], Effect]


def of(effect: Effect) -> tuple[str, ...]:
    return notes(judge(effect))


def test_a_sound_result_needs_no_note(effect_of: EffectOf) -> None:
    assert of(effect_of([(10, 12, 3, 12)] * 4)) == ()


def test_a_baseline_that_always_passes_leaves_nothing_to_gain(effect_of: EffectOf) -> None:
    assert of(effect_of([(9, 12, 12, 12)] * 4)) == (
        "The baseline passed all of its 48 scored runs: nothing was left to gain.",
    )


def test_a_baseline_near_the_ceiling_could_not_be_beaten(effect_of: EffectOf) -> None:
    sentence = (
        "The baseline passed {} of 30 scored runs: even a treatment that always passes could not have been proven."
    )
    assert of(effect_of([(9, 10, 9, 10), (9, 10, 9, 10), (8, 10, 8, 10)])) == (sentence.format(26),)
    assert of(effect_of([(9, 10, 9, 10), (8, 10, 8, 10), (8, 10, 8, 10)])) == ()


def test_nothing_passing_at_all_points_to_the_tasks(effect_of: EffectOf) -> None:
    assert of(effect_of([(0, 12, 0, 12)] * 3)) == (
        "No run passed under either condition: the tasks may be too hard to show a difference.",
    )


def test_an_established_effect_within_the_margin_is_called_small(effect_of: EffectOf) -> None:
    better, worse = [(275, 500, 250, 500)] * 4, [(250, 500, 275, 500)] * 4
    assert of(effect_of(better)) == ("The effect is proven, and smaller than the margin of 10 points.",)
    assert of(effect_of(worse)) == ("The effect is harmful, and smaller than the margin of 10 points.",)


def test_a_task_that_carries_the_verdict_is_named(effect_of: EffectOf) -> None:
    cases = [(12, 12, 0, 12), (6, 12, 6, 12), (6, 12, 6, 12)]
    assert of(effect_of(cases)) == ("Leaving out one of these tasks would take the verdict away: task-0.",)


def test_a_task_whose_omission_turns_the_effect_round_is_named(effect_of: EffectOf) -> None:
    cases = [(100, 100, 0, 100), (0, 20, 20, 20), (0, 20, 20, 20)]
    assert of(effect_of(cases)) == ("Leaving out one of these tasks would take the verdict away: task-0.",)


def test_many_carrying_tasks_are_counted(effect_of: EffectOf) -> None:
    (note,) = of(effect_of([(4, 10, 2, 10)] * 4 + [(4, 10, 3, 10)] * 2))
    assert note.endswith("verdict away: task-0, task-1, task-2, task-3, task-4 and 1 more.")


def test_an_experiment_without_an_interval_has_no_note(effect_of: EffectOf) -> None:
    assert of(effect_of([(3, 6, 0, 0)] * 3)) == ()
    assert of(effect_of([])) == ()


def test_an_inconclusive_experiment_has_no_carrying_task(effect_of: EffectOf) -> None:
    effect = effect_of([(12, 12, 0, 12), (6, 12, 6, 12), (6, 12, 6, 12)])
    assert of(replace(effect, models_served=("a", "b"))) == ()
