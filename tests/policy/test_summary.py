from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.model.effect import Verdict
from sigilgen.policy.summary import Origin, Result, summarise

P, H, N, I = Verdict.PROVEN, Verdict.HARMFUL, Verdict.NO_EFFECT, Verdict.INCONCLUSIVE  # noqa: E741  (a table below)


def result(verdict: Verdict, *, rehearsal: bool = False, origin: Origin = Origin.LOCAL, current: bool = True) -> Result:
    return Result(verdict=verdict, rehearsal=rehearsal, origin=origin, current=current)


MIXTURES = {
    "nothing": ([], None),
    "one proven": ([P], P),
    "one harmful among many proven": ([P] * 9 + [H], H),
    "proven beside unanswered": ([I, N, P], P),
    "only no effect": ([N, N], N),
    "no effect beside inconclusive": ([N, N, I], I),
    "only inconclusive": ([I], I),
}


@pytest.mark.parametrize(("verdicts", "overall"), MIXTURES.values(), ids=MIXTURES)
def test_one_word_stands_for_all_results(verdicts: list[Verdict], overall: Verdict | None) -> None:
    summary = summarise(map(result, verdicts))
    assert summary.verdict is overall
    assert summary.tested == len(verdicts)


COUNTS_FOR_NOTHING = {
    "a rehearsal": result(H, rehearsal=True),
    "a contributed result": result(H, origin=Origin.CONTRIBUTED),
    "a result for another digest": result(H, current=False),
}


@pytest.mark.parametrize("other", COUNTS_FOR_NOTHING.values(), ids=COUNTS_FOR_NOTHING)
def test_some_results_count_for_nothing_not_even_for_harm(other: Result) -> None:
    alone, beside = summarise([other]), summarise([result(P), other])
    assert (alone.verdict, alone.tested) == (None, 0)
    assert (beside.verdict, beside.tested, beside.harmful) == (P, 1, 0)


def test_attested_results_count_like_local_ones() -> None:
    summary = summarise([result(P), result(H, origin=Origin.ATTESTED)])
    assert (summary.verdict, summary.proven, summary.harmful) == (H, 1, 1)


results = st.lists(
    st.builds(
        Result,
        verdict=st.sampled_from(Verdict),
        rehearsal=st.booleans(),
        origin=st.sampled_from(Origin),
        current=st.booleans(),
    )
)


@given(results)
def test_exactly_the_results_that_count_are_tested(many: list[Result]) -> None:
    summary = summarise(many)
    assert summary.tested == sum(one.counts for one in many)
    assert (summary.verdict is None) == (summary.tested == 0)


@given(results, results)
def test_no_further_result_hides_harm(some: list[Result], more: list[Result]) -> None:
    if summarise(some).verdict is H:
        assert summarise([*some, *more]).verdict is H


def test_the_order_of_the_results_does_not_matter() -> None:
    for verdicts in product(Verdict, repeat=3):
        assert summarise(map(result, verdicts)) == summarise(map(result, reversed(verdicts)))
