from collections.abc import Callable

import pytest

from sigilgen.pages.amounts import counted, day, duration, grouped, listed, moment, money, size

CASES: dict[str, tuple[Callable[..., str], tuple[object, ...], str]] = {
    "small number": (grouped, (999,), "999"),
    "large number": (grouped, (1_234_567,), "1\u202f234\u202f567"),
    "one run": (counted, (1, "run"), "1 run"),
    "no runs": (counted, (0, "run"), "0 runs"),
    "irregular plural": (counted, (2, "capability", "capabilities"), "2 capabilities"),
    "day": (day, ("2026-01-05T09:00:00.123Z",), "2026-01-05"),
    "moment": (moment, ("2026-01-05T09:08:07.123Z",), "2026-01-05 09:08:07 UTC"),
    "milliseconds": (duration, (999,), "999 ms"),
    "seconds": (duration, (1_500,), "1.5 s"),
    "minutes": (duration, (61_000,), "1 min 1 s"),
    "whole hours": (duration, (7_200_000,), "2 h 0 min"),
    "bytes": (size, (1_023,), "1023 bytes"),
    "kibibytes": (size, (1_536,), "1.5 KiB"),
    "gibibytes": (size, (3 << 30,), "3.0 GiB"),
    "dollars": (money, (1_234_500,), "$1.23"),
    "cents": (money, (31_000,), "$0.0310"),
    "less than a cent": (money, (45,), "$0.000045"),
    "nothing to list": (listed, ([],), ""),
    "one": (listed, (["a"],), "a"),
    "three": (listed, (["a", "b", "c"],), "a, b and c"),
}


@pytest.mark.parametrize(("write", "amounts", "text"), CASES.values(), ids=CASES)
def test_amounts_are_written_as_people_read_them(
    write: Callable[..., str], amounts: tuple[object, ...], text: str
) -> None:
    assert write(*amounts) == text
