"""How differences of rates are written for people: in points, and never so short that they contradict the verdict."""

from decimal import Decimal

from sigilgen.model.effect import Interval
from sigilgen.policy.verdict import MARGIN

_THRESHOLDS = (-MARGIN, 0.0, MARGIN)

_ROUNDING_ERROR = 1e-15
"""Differences of two rates are exact up to this size, so anything nearer to a threshold stands on it."""


def points(difference: float) -> str:
    """A difference of rates in points, signed, with one decimal place: 0.0524 is "+5.2".

    Places are added while the text would stand on zero or on the margin and the number does not: a bound of 0.0000556
    is "+0.01", never "+0.0". Zero itself is "0.0", without a sign.

    Args:
        difference: A difference of rates, in [-1, 1].
    """
    places = 1
    while stands_on_threshold(Decimal(f"{100 * difference:.{places}f}") / 100, difference):
        places += 1
    text = f"{100 * difference:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def span(interval: Interval) -> str:
    """Both limits of an interval in points: "+5.2 to +33.4 points"."""
    return f"{points(interval.lower)} to {points(interval.upper)} points"


def stands_on_threshold(shown: Decimal, difference: float) -> bool:
    """Whether `shown` equals a threshold of the verdict (zero, or the margin on either side) and `difference` does not.

    Args:
        shown: A rounded difference of rates, as it would be written.
        difference: The same, unrounded.
    """
    return any(
        shown == Decimal(str(threshold)) and abs(difference - threshold) > _ROUNDING_ERROR for threshold in _THRESHOLDS
    )
