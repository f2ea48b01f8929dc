"""What a record says of itself, as decimal text for human readers."""

from decimal import ROUND_HALF_EVEN, Decimal

from sigilgen.model.effect import Judgement
from sigilgen.model.record import Stated
from sigilgen.policy.wording import stands_on_threshold

REHEARSAL = "rehearsal"
"""Stands in the place of the verdict when the runs only exercised the machinery."""

_LAST_PLACE = Decimal("0.000001")


def state(judgement: Judgement, *, rehearsal: bool) -> Stated:
    """Write a judgement as a record states it: the verdict, and the difference with its limits.

    Numbers are rounded to six places, half to even. A number that would come to stand on zero or on the margin without
    being there is moved by one in the last place towards its own side, so that the text never contradicts the verdict:
    a lower bound of 0.0000002 is "0.000001".

    Args:
        judgement: As `judge` gives it.
        rehearsal: Whether the runs were a rehearsal. Then the verdict is "rehearsal", and the numbers are still given.

    Returns:
        Differences of rates in [-1, 1] as text; None where there is no interval.
    """
    interval = judgement.effect.interval
    return Stated(
        verdict=REHEARSAL if rehearsal else judgement.verdict.value,
        difference=None if interval is None else _text(interval.estimate),
        lower=None if interval is None else _text(interval.lower),
        upper=None if interval is None else _text(interval.upper),
    )


def _text(difference: float) -> str:
    exact = Decimal(difference)
    rounded = exact.quantize(_LAST_PLACE, rounding=ROUND_HALF_EVEN)
    if stands_on_threshold(rounded, difference):
        rounded += _LAST_PLACE if exact > rounded else -_LAST_PLACE
    return f"{rounded + 0:f}"
