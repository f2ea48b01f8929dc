import hashlib
import sys
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from sigilgen.errors import RecordError
from sigilgen.store.canonical import INTEGER_MAX, canonical_bytes, digest_of
from sigilgen.store.limits import DEPTH_MAX

unicode_text = st.text(st.characters(exclude_categories=["Cs"]))
integers = st.integers(-INTEGER_MAX, INTEGER_MAX)
values = st.recursive(
    st.none() | st.booleans() | integers | unicode_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(unicode_text, inner, max_size=4),
    max_leaves=20,
)


@given(values)
@example({"\U0001f600": 1, "\ue000": 2})
@example({'\x00\x1f\x7f\b\f\n\r\t"\\/': "\u2028\u2029</script>\U0001f600\x00"})
@example({"b": 1, "a": 2, "B": 3, "": 4})
def test_the_bytes_are_those_of_the_reference_implementation(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


CANONICAL = {
    "keys sorted by UTF-16 units": ({"\U0001f600": 1, "\ue000": 2}, '{"\U0001f600":1,"\ue000":2}'.encode()),
    "controls escaped, DEL not": ({"k": "\x01\x7f"}, b'{"k":"\\u0001\x7f"}'),
    "a tuple is a list": ((1, (2,)), b"[1,[2]]"),
    "the largest integer": (INTEGER_MAX, b"9007199254740991"),
    "the smallest integer": (-INTEGER_MAX, b"-9007199254740991"),
    "true is not one": ([True, 1], b"[true,1]"),
}


@pytest.mark.parametrize(("value", "expected"), CANONICAL.values(), ids=CANONICAL)
def test_canonical_bytes_are(value: object, expected: bytes) -> None:
    assert canonical_bytes(value) == expected


REFUSED = {
    "float": ({"rates": [1, 0.5]}, "$.rates[1]: a value of type float"),
    "float that is whole": ({"rate": 1.0}, "$.rate: a value of type float"),
    "NaN": ([float("nan")], "$[0]: a value of type float"),
    "large integer": ({"n": INTEGER_MAX + 1}, "$.n: an integer beyond 9007199254740991"),
    "small integer": ({"n": -INTEGER_MAX - 1}, "$.n: an integer beyond"),
    "huge integer": (10**5000, "$: an integer beyond"),
    "half a pair in a value": ({"a b": "\ud800"}, "$['a b']: text with half of a surrogate pair"),
    "half a pair in a key": ({"\udfff": 1}, "$: the key '\\udfff' is not Unicode text"),
    "half a pair beside a key beyond ASCII": ({"é": "\ud800"}, "half of a surrogate pair"),
    "key that is no text": ({1: 2}, "$: the key 1 is not Unicode text"),
    "bytes": ({"b": b"x"}, "$.b: a value of type bytes"),
    "set": ([{1}], "$[0]: a value of type set"),
}


@pytest.mark.parametrize(("value", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses_with_path_and_reason(value: object, message: str) -> None:
    with pytest.raises(RecordError) as refusal:
        canonical_bytes(value)
    assert message in refusal.value.message


def test_names_every_fault_at_once() -> None:
    with pytest.raises(RecordError) as refusal:
        canonical_bytes({"a": 1.5, "b": ["\ud800", 2**60]})
    assert [line.split(":")[0].strip() for line in refusal.value.message.splitlines()[1:]] == [
        "$.a",
        "$.b[0]",
        "$.b[1]",
    ]


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def test_nesting_has_a_limit_that_does_not_depend_on_the_stack() -> None:
    assert canonical_bytes(nested(DEPTH_MAX)) == b"[" * DEPTH_MAX + b"1" + b"]" * DEPTH_MAX
    for depth in (DEPTH_MAX + 1, 10_000, sys.getrecursionlimit() * 20):
        with pytest.raises(RecordError, match=f"nested more than {DEPTH_MAX} deep"):
            canonical_bytes(nested(depth))


def test_a_digest_names_its_algorithm() -> None:
    assert digest_of(b"sigil") == "sha256:" + hashlib.sha256(b"sigil").hexdigest()
