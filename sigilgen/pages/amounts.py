"""Amounts as people read them: times, durations, sizes, money and counts. Signs are real minus signs."""

from collections.abc import Sequence

MINUS = "\u2212"
THIN = "\u202f"
TIMES = "\u00d7"
NO_BREAK = "\u00a0"
DASH = "\u2013"
"""Stands where there is no number. It is never a zero."""


def grouped(number: int) -> str:
    """`12345` as `12 345`, with a thin space that does not break."""
    return f"{number:,}".replace(",", THIN)


def counted(number: int, one: str, many: str | None = None) -> str:
    """`3 runs`, `1 run`: the number with the right form of the word."""
    return f"{grouped(number)} {one if number == 1 else many or one + 's'}"


def day(time: str) -> str:
    """The date of an RFC 3339 time."""
    return time[:10]


def moment(time: str) -> str:
    """An RFC 3339 time in UTC to the second."""
    return f"{time[:10]} {time[11:19]} UTC"


def duration(milliseconds: float) -> str:
    """Milliseconds as the two largest units that matter."""
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1_000:.1f} s"
    minutes, seconds = divmod(round(milliseconds / 1_000), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def size(size_bytes: int) -> str:
    """Bytes in binary units."""
    amount = float(size_bytes)
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 1_024:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1_024
    return f"{amount:.1f} GiB"


def money(micro_usd: float) -> str:
    """Micro-dollars with two digits that say something."""
    dollars = micro_usd / 1_000_000
    if dollars >= 1:
        return f"${dollars:,.2f}"
    return f"${dollars:.4f}" if dollars >= 0.01 else f"${dollars:.6f}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
