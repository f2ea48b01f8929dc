"""The one place that asks what time it is; everything else is told."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], str]


def now() -> str:
    """The time in UTC with milliseconds, as records write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")  # noqa: TID251  (here it is)


def steady(clock: Clock, *, since: str) -> Clock:
    """`clock`, but never earlier than `since` or than it said before: a machine may set its time back in between."""
    latest = since

    def tell() -> str:
        nonlocal latest
        latest = max(latest, clock())
        return latest

    return tell
