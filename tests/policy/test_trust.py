from dataclasses import replace
from itertools import product
from typing import Literal

import pytest

from sigilgen.policy.trust import Layers, LayerState, TrustLevel, trust_level

NOT_RUN, PASS, WARNING, FAIL = LayerState.NOT_RUN, LayerState.PASS, LayerState.WARNING, LayerState.FAIL

EVERY = [
    Layers(static=static, canary=canary, review=review) for static, canary, review in product(LayerState, repeat=3)
]
NAMES: tuple[Literal["static", "canary", "review"], ...] = ("static", "canary", "review")

LEVELS = {
    "nothing was run": (NOT_RUN, NOT_RUN, NOT_RUN, TrustLevel.LISTED),
    "the scan passed": (PASS, NOT_RUN, NOT_RUN, TrustLevel.SCANNED),
    "the scan warned": (WARNING, NOT_RUN, NOT_RUN, TrustLevel.LISTED),
    "scan and canary passed": (PASS, PASS, NOT_RUN, TrustLevel.SANDBOXED),
    "the canary warned": (PASS, WARNING, NOT_RUN, TrustLevel.SCANNED),
    "all three passed": (PASS, PASS, PASS, TrustLevel.VERIFIED),
    "the reviewer warned": (PASS, PASS, WARNING, TrustLevel.SANDBOXED),
    "reviewed without a canary": (PASS, NOT_RUN, PASS, TrustLevel.SCANNED),
    "canary and review without a scan": (NOT_RUN, PASS, PASS, TrustLevel.LISTED),
    "the scan failed": (FAIL, PASS, PASS, TrustLevel.FLAGGED),
    "the canary failed": (PASS, FAIL, PASS, TrustLevel.FLAGGED),
    "the review failed": (PASS, PASS, FAIL, TrustLevel.FLAGGED),
    "a failure without anything else": (NOT_RUN, FAIL, NOT_RUN, TrustLevel.FLAGGED),
}


def rank(layers: Layers) -> int:
    return list(TrustLevel).index(trust_level(layers))


@pytest.mark.parametrize(("static", "canary", "review", "level"), LEVELS.values(), ids=LEVELS)
def test_the_level_follows_from_the_layers(
    static: LayerState, canary: LayerState, review: LayerState, level: TrustLevel
) -> None:
    assert trust_level(Layers(static=static, canary=canary, review=review)) is level


def test_missing_evidence_never_raises_a_level() -> None:
    for layers, name in product(EVERY, NAMES):
        if getattr(layers, name) is not FAIL:
            assert rank(replace(layers, **{name: NOT_RUN})) <= rank(layers)


def test_a_worse_answer_never_raises_a_level() -> None:
    for layers, name in product(EVERY, NAMES):
        levels = [rank(replace(layers, **{name: state})) for state in (PASS, WARNING, FAIL)]
        assert levels == sorted(levels, reverse=True)


def test_only_three_passes_verify() -> None:
    assert [layers for layers in EVERY if trust_level(layers) is TrustLevel.VERIFIED] == [
        Layers(static=PASS, canary=PASS, review=PASS)
    ]
