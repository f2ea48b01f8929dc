from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.model.effect import Effect, Interval, Tally, TaskTally, Verdict
from sigilgen.policy.verdict import MARGIN, judge, leave_one_task_out, stratified, verdict_of
from sigilgen.stats.intervals import newcombe
from sigilgen.stats.stratified import mantel_haenszel

Tables = Sequence[tuple[int, int, int, int]]
EffectOf = Callable[[Tables], Effect]


def spread(treatment_passes: int, baseline_passes: int, runs: int, tasks: int = 4) -> Tables:
    """The same pooled counts, shared out among tasks as evenly as possible."""

    def share(total: int, task: int) -> int:
        return total * (task + 1) // tasks - total * task // tasks

    return [
        (share(treatment_passes, task), share(runs, task), share(baseline_passes, task), share(runs, task))
        for task in range(tasks)
    ]


POOLED = {
    # treatment passes, baseline passes, runs per condition; the first bound that matters is in the comment
    "clearly better": (30, 12, 36, Verdict.PROVEN),
    "lower bound +0.0000029": (31, 20, 67, Verdict.PROVEN),
    "lower bound +0.00019": (24, 14, 60, Verdict.PROVEN),
    "lower bound -0.0000035": (98, 89, 105, Verdict.INCONCLUSIVE),
    "lower bound -0.00019": (18, 9, 60, Verdict.INCONCLUSIVE),
    "clearly worse": (12, 30, 36, Verdict.HARMFUL),
    "upper bound -0.0000029": (20, 31, 67, Verdict.HARMFUL),
    "upper bound +0.0000035": (89, 98, 105, Verdict.INCONCLUSIVE),
    "everything passes, 35 runs": (35, 35, 35, Verdict.NO_EFFECT),
    "everything passes, 34 runs": (34, 34, 34, Verdict.INCONCLUSIVE),
    "nothing passes, 36 runs": (0, 0, 36, Verdict.NO_EFFECT),
    "half pass, 190 runs": (95, 95, 190, Verdict.NO_EFFECT),
    "half pass, 188 runs": (94, 94, 188, Verdict.INCONCLUSIVE),
    "slightly better, including zero, within the margin": (1_050, 1_000, 2_000, Verdict.NO_EFFECT),
    "proven and within the margin": (1_100, 1_000, 2_000, Verdict.PROVEN),
    "harmful and within the margin": (1_000, 1_100, 2_000, Verdict.HARMFUL),
}


@pytest.mark.parametrize(("treatment", "baseline", "runs", "verdict"), POOLED.values(), ids=POOLED)
def test_the_unrounded_interval_decides(
    effect_of: EffectOf, treatment: int, baseline: int, runs: int, verdict: Verdict
) -> None:
    judgement = judge(effect_of(spread(treatment, baseline, runs)))
    assert judgement.verdict is verdict
    assert len(judgement.reasons) == 1


BOUNDS = {
    "just above zero": (5e-324, 0.5, Verdict.PROVEN),
    "on zero from above": (0.0, 0.5, Verdict.INCONCLUSIVE),
    "just below zero": (-0.5, -5e-324, Verdict.HARMFUL),
    "on zero from below": (-0.5, 0.0, Verdict.INCONCLUSIVE),
    "from zero to within the margin": (0.0, 0.0999999999, Verdict.NO_EFFECT),
    "from zero to the margin": (0.0, MARGIN, Verdict.INCONCLUSIVE),
    "from the margin to zero": (-MARGIN, 0.0, Verdict.INCONCLUSIVE),
    "the margin on both sides": (-MARGIN, MARGIN, Verdict.INCONCLUSIVE),
    "within the margin on both sides": (-0.0999999999, 0.0999999999, Verdict.NO_EFFECT),
}


@pytest.mark.parametrize(("lower", "upper", "verdict"), BOUNDS.values(), ids=BOUNDS)
def test_a_bound_on_a_threshold_does_not_pass_it(lower: float, upper: float, verdict: Verdict) -> None:
    assert verdict_of(Interval(lower, (lower + upper) / 2, upper)) is verdict


def test_six_of_six_against_three_of_six_is_proven_by_its_interval_and_too_small_for_a_verdict(
    effect_of: EffectOf,
) -> None:
    interval = newcombe(6, 6, 3, 6)
    assert interval is not None
    assert verdict_of(interval) is Verdict.PROVEN
    judgement = judge(effect_of([(2, 2, 1, 2)] * 3))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == (
        "Baseline has 6 scored runs; a verdict needs at least 12.",
        "Treatment has 6 scored runs; a verdict needs at least 12.",
    )


tables = st.lists(
    st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(0, n), st.just(n))),
    max_size=8,
)


@given(tables)
def test_exchanging_the_conditions_exchanges_proven_and_harmful(effect_of: EffectOf, cases: Tables) -> None:
    exchanged = {Verdict.PROVEN: Verdict.HARMFUL, Verdict.HARMFUL: Verdict.PROVEN}
    there = judge(effect_of(cases)).verdict
    back = judge(effect_of([(y, m, x, n) for x, n, y, m in cases])).verdict
    assert back is exchanged.get(there, there)


@given(tables)
def test_every_effect_has_a_verdict_with_a_reason(effect_of: EffectOf, cases: Tables) -> None:
    judgement = judge(effect_of(cases))
    assert judgement.reasons
    assert all(reason.endswith(".") for reason in judgement.reasons)


def test_an_inconclusive_interval_says_what_it_leaves_open(effect_of: EffectOf) -> None:
    def reason(treatment: int, baseline: int, runs: int) -> str:
        (only,) = judge(effect_of(spread(treatment, baseline, runs))).reasons
        return only

    assert "leaves room for a gain or a loss of 10 points or more" in reason(18, 18, 36)
    assert "leaves room for a gain of 10 points or more" in reason(32, 28, 36)
    assert "leaves room for a loss of 10 points or more" in reason(28, 32, 36)


def proven(effect_of: EffectOf) -> Effect:
    effect = effect_of([(10, 12, 3, 12)] * 4)
    assert judge(effect).verdict is Verdict.PROVEN
    return effect


def test_a_cell_without_a_result_withholds_the_verdict(effect_of: EffectOf) -> None:
    effect = proven(effect_of)
    judgement = judge(replace(effect, treatment=replace(effect.treatment, planned=effect.treatment.planned + 1)))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == ("1 of 97 planned runs have no result yet.",)


def test_fewer_than_three_tasks_withhold_the_verdict(effect_of: EffectOf) -> None:
    judgement = judge(effect_of([(10, 12, 3, 12)] * 2))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == ("2 tasks with scored runs under both conditions; a verdict needs at least 3.",)


def test_a_task_that_was_scored_under_one_condition_only_is_no_task_of_the_comparison(effect_of: EffectOf) -> None:
    judgement = judge(effect_of([(10, 12, 3, 12), (10, 12, 3, 12), (1, 1, 0, 0)]))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == ("2 tasks with scored runs under both conditions; a verdict needs at least 3.",)


def test_scored_runs_of_a_task_may_differ_by_one_and_no_more(effect_of: EffectOf) -> None:
    assert judge(effect_of([(10, 12, 3, 11)] * 4)).verdict is Verdict.PROVEN
    judgement = judge(effect_of([(10, 12, 3, 10), *[(10, 12, 3, 12)] * 3]))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == (
        "Scored runs under baseline and treatment differ by more than one for task-0 (10 and 12).",
    )


def with_infra(effect: Effect, baseline: int, treatment: int) -> Effect:
    """Some runs more under each condition, lost to infrastructure; the first task bears them."""

    def more(tally: Tally, lost: int) -> Tally:
        return replace(tally, planned=tally.planned + lost, infra=lost)

    first, *_ = effect.tasks
    task = effect.tasks[first]
    return replace(
        effect,
        baseline=more(effect.baseline, baseline),
        treatment=more(effect.treatment, treatment),
        tasks={**effect.tasks, first: TaskTally(more(task.baseline, baseline), more(task.treatment, treatment))},
    )


INFRA_LOSSES = {
    # lost runs on top of 36 scored ones under each condition
    "none": (0, 0, Verdict.PROVEN),
    "many under both conditions": (36, 36, Verdict.PROVEN),
    "10 per cent against none": (4, 0, Verdict.PROVEN),
    "12 per cent against none": (5, 0, Verdict.INCONCLUSIVE),
    "none against 12 per cent": (0, 5, Verdict.INCONCLUSIVE),
}


@pytest.mark.parametrize(("baseline", "treatment", "verdict"), INFRA_LOSSES.values(), ids=INFRA_LOSSES)
def test_losses_to_infrastructure_must_not_differ_by_more_than_ten_points(
    effect_of: EffectOf, baseline: int, treatment: int, verdict: Verdict
) -> None:
    judgement = judge(with_infra(effect_of([(10, 12, 1, 12)] * 3), baseline, treatment))
    assert judgement.verdict is verdict


def test_more_than_one_served_model_withholds_the_verdict(effect_of: EffectOf) -> None:
    effect = replace(proven(effect_of), models_served=("model-a", "model-b"))
    judgement = judge(effect)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == ("More than one model was served: model-a, model-b.",)
    assert judge(replace(effect, models_served=("model-a",))).verdict is Verdict.PROVEN


def test_every_shortfall_is_named_in_the_order_of_the_method(effect_of: EffectOf) -> None:
    effect = with_infra(effect_of([(2, 2, 0, 5), (1, 1, 0, 0)]), 0, 9)
    effect = replace(effect, baseline=replace(effect.baseline, planned=7), models_served=tuple("abcdefg"))
    judgement = judge(effect)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons == (
        "2 of 19 planned runs have no result yet.",
        "Baseline has 5 scored runs; a verdict needs at least 12.",
        "Treatment has 3 scored runs; a verdict needs at least 12.",
        "1 task with scored runs under both conditions; a verdict needs at least 3.",
        "Scored runs under baseline and treatment differ by more than one for task-0 (5 and 2).",
        (
            "Infrastructure cost 0 of 7 baseline runs and 9 of 12 treatment runs: "
            "the shares differ by more than 10 points."
        ),
        "More than one model was served: a, b, c, d, e and 2 more.",
    )


def test_an_empty_condition_is_inconclusive_and_has_no_interval(effect_of: EffectOf) -> None:
    judgement = judge(effect_of([(3, 6, 0, 0)] * 3))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.reasons[-1] == "A condition has no scored run, so there is no interval."
    assert judge(effect_of([])).verdict is Verdict.INCONCLUSIVE


def test_leaving_out_a_task_gives_the_interval_of_the_others(effect_of: EffectOf) -> None:
    cases = [(6, 6, 1, 6), (3, 6, 3, 6), (2, 6, 4, 5)]
    found = {left.task: left.interval for left in leave_one_task_out(effect_of(cases))}
    assert found == {
        "task-0": newcombe(5, 12, 7, 11),
        "task-1": newcombe(8, 12, 5, 11),
        "task-2": newcombe(9, 12, 4, 12),
    }


def test_leaving_out_the_only_task_leaves_nothing(effect_of: EffectOf) -> None:
    (only,) = leave_one_task_out(effect_of([(6, 6, 1, 6)]))
    assert (only.task, only.interval) == ("task-0", None)


def test_the_stratified_interval_is_taken_over_the_scored_runs_of_each_task(effect_of: EffectOf) -> None:
    cases = [(6, 6, 1, 6), (3, 6, 3, 6), (2, 6, 4, 5)]
    assert stratified(with_infra(effect_of(cases), 3, 1)) == mantel_haenszel(cases)
