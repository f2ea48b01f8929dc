import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.policy.tampering import lost_lines

CASES = {
    "unchanged": (b"a\nb\n", b"a\nb\n", 0),
    "line added at the end": (b"a\nb\n", b"a\nb\nc\n", 0),
    "line added before": (b"a\nb\n", b"z\na\nb\n", 0),
    "line added between": (b"a\nb\n", b"a\nx\nb\n", 0),
    "line removed": (b"a\nb\nc\n", b"a\nc\n", 1),
    "line changed": (b"a\nb\nc\n", b"a\nB\nc\n", 1),
    "lines swapped": (b"a\nb\n", b"b\na\n", 1),
    "one of two equal lines removed": (b"a\na\n", b"a\n", 1),
    "emptied": (b"a\nb\n", b"", 2),
    "rewritten": (b"a\nb\n", b"c\nd\n", 2),
    "empty file filled": (b"", b"a\n", 0),
    "final newline added": (b"a\nb", b"a\nb\n", 0),
    "final newline dropped": (b"a\nb\n", b"a\nb", 0),
    "line ends rewritten": (b"a\r\nb\r\n", b"a\nb\n", 0),
    "line ends rewritten and a line changed": (b"a\r\nb\r\n", b"a\nc\n", 1),
    "indented": (b"a\n", b"  a\n", 1),
    "binary unchanged": (b"\0\1", b"\0\1", 0),
    "binary changed": (b"\0\1", b"\0\1\2", 1),
    "text made binary": (b"a\n", b"a\n\0", 0),
}


@pytest.mark.parametrize(("original", "final", "lost"), CASES.values(), ids=CASES)
def test_counts_original_lines_that_are_no_longer_there_in_order(original: bytes, final: bytes, lost: int) -> None:
    assert lost_lines(original, final) == lost


def text(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


lines = st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"  a"]), max_size=12)


@given(lines, st.data())
def test_adding_lines_anywhere_loses_none(original: list[bytes], data: st.DataObject) -> None:
    final = list(original)
    for added in data.draw(lines):
        final.insert(data.draw(st.integers(0, len(final))), added)
    assert lost_lines(text(original), text(final)) == 0


@given(lines, lines)
def test_nothing_is_lost_exactly_when_the_original_is_a_subsequence(original: list[bytes], final: list[bytes]) -> None:
    remaining = iter(final)
    kept = all(line in remaining for line in original)
    lost = lost_lines(text(original), text(final))
    assert (lost == 0) is kept
    assert 0 <= lost <= len(original)


def test_a_hundred_thousand_hostile_lines_are_compared() -> None:
    original = b"".join(b"%d\n" % (number % 7) for number in range(100_000))
    final = b"".join(b"%d\n" % (number % 5) for number in range(100_000))
    assert 0 < lost_lines(original, final) < 100_000
