"""The one place that asks what time it is; everything else is told."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], str]


def now() -> str:
    """The time in UTC with milliseconds, as records write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")  # noqa: TID251  (here it is)
