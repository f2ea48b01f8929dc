from itertools import product
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigilgen.stats.medians import RESAMPLES, _resampled_medians, ratio_of_medians

BASELINE = [900, 1_100, 1_000, 950, 1_300, 8_000, 1_050]
TREATMENT = [1_900, 2_200, 2_000, 1_950, 2_600, 17_000]

amounts = st.lists(st.integers(1, 10**9), min_size=6, max_size=40)


def test_says_how_many_times_as_much_the_typical_treatment_run_used() -> None:
    ratio = ratio_of_medians(BASELINE, TREATMENT, seed=1)
    assert ratio is not None
    assert ratio.estimate == 2_100 / 1_050
    assert 1.5 < ratio.lower < 2 < ratio.upper < 10


def test_the_same_seed_gives_the_same_interval_and_another_seed_a_similar_one() -> None:
    first, again, other = (ratio_of_medians(BASELINE, TREATMENT, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first is not None
    assert other is not None
    assert other.upper == pytest.approx(first.upper, rel=0.2)


@settings(max_examples=50, deadline=None)
@given(amounts, amounts, st.integers(0, 2**53 - 1))
def test_the_estimate_is_the_ratio_of_the_medians_and_lies_between_its_limits(
    baseline: list[int], treatment: list[int], seed: int
) -> None:
    ratio = ratio_of_medians(baseline, treatment, seed=seed)
    assert ratio is not None
    assert ratio.estimate == pytest.approx(median(treatment) / median(baseline))
    assert 0 < ratio.lower <= ratio.estimate <= ratio.upper


def test_the_unit_and_the_order_of_the_values_do_not_matter() -> None:
    plain = ratio_of_medians(BASELINE, TREATMENT, seed=3)
    scaled = ratio_of_medians([1024 * x for x in BASELINE], [1024 * x for x in reversed(TREATMENT)], seed=3)
    assert plain == scaled


@pytest.mark.parametrize("values", [[2.0, 3.0, 7.0], [1.0, 2.0, 5.0, 11.0]], ids=["odd", "even"])
def test_resampled_medians_are_as_frequent_as_among_all_possible_samples(values: list[float]) -> None:
    every = [median(sample) for sample in product(values, repeat=len(values))]
    drawn = _resampled_medians(np.array(values), (5, 0)).tolist()
    assert set(drawn) <= set(every)
    for value in set(every):
        share = every.count(value) / len(every)
        assert drawn.count(value) / RESAMPLES == pytest.approx(share, abs=4 * (share * (1 - share) / RESAMPLES) ** 0.5)


def test_intervals_cover_the_true_ratio_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for seed in range(300):
        baseline, treatment = (np.exp(rng.normal(8, 0.6, 15)), 1.5 * np.exp(rng.normal(8, 0.6, 15)))
        ratio = ratio_of_medians(baseline.astype(int).tolist(), treatment.astype(int).tolist(), seed=seed)
        assert ratio is not None
        covered += ratio.lower <= 1.5 <= ratio.upper
    assert 0.93 <= covered / 300 <= 0.99


NO_RATIO = {
    "nothing": ([], []),
    "five values": ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]),
    "free of cost": ([0] * 6, [0] * 6),
    "baseline mostly zero": ([0, 0, 0, 0, 5, 6, 7], [1, 2, 3, 4, 5, 6]),
    "treatment mostly zero": ([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 5, 6, 7]),
    "zero in some resamples": ([0, 0, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
}


@pytest.mark.parametrize(("baseline", "treatment"), NO_RATIO.values(), ids=NO_RATIO)
def test_there_is_no_ratio_of_too_few_values_or_of_zero(baseline: list[int], treatment: list[int]) -> None:
    assert ratio_of_medians(baseline, treatment, seed=1) is None


def test_a_zero_far_from_the_median_does_no_harm() -> None:
    assert ratio_of_medians([0, *range(100, 140)], list(range(100, 140)), seed=1) is not None


def test_refuses_negative_amounts_and_seeds() -> None:
    with pytest.raises(ValueError, match="negative"):
        ratio_of_medians(BASELINE, [*TREATMENT, -1], seed=1)
    with pytest.raises(ValueError, match="non-negative"):
        ratio_of_medians(BASELINE, TREATMENT, seed=-1)
