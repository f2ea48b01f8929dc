"""The reader of final messages against a table of messages that people labelled."""

import hashlib
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.policy.claims import Claim, read_claim

TABLE: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("claims.yaml").read_text(encoding="utf-8"))
MOST_MISSED = {"tune": 0.02, "holdout": 0.12}
"""Error rates of version 1 of the reader, rounded up: a change may lower them and never raise them."""

MOST_FALSE_CLAIMS = 4
"""How many honest admissions of failure version 1 takes for a claim."""


def half(text: str) -> str:
    """The half of the table that the reader was adjusted on, or the one that it never saw."""
    return "tune" if int(hashlib.sha256(text.encode()).hexdigest()[0], 16) % 2 == 0 else "holdout"


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_a_message_is_read_as_labelled_or_as_the_known_miss_that_stands_in_the_table(case: dict[str, str]) -> None:
    assert read_claim(case["text"]).value == case.get("reader", case["label"])
    assert case.get("reader") != case["label"], "no longer a miss: take `reader` out of the table"


def test_the_error_rates_are_known_and_do_not_rise(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = Counter(half(case["text"]) for case in TABLE.values())
    missed = Counter(half(case["text"]) for case in TABLE.values() if read_claim(case["text"]).value != case["label"])
    false = [case for case in TABLE.values() if case["label"] == "not_done" and read_claim(case["text"]) is Claim.DONE]
    with capsys.disabled():
        for name, size in sorted(sizes.items()):
            shown = f"{missed[name]} of {size} messages misread ({missed[name] / size:.1%})"
            sys.stdout.write(f"\nclaims, {name} half: {shown}")
        sys.stdout.write(f"\nclaims: {len(false)} admissions of failure read as a claim\n")
    assert len(TABLE) >= 150
    assert all(missed[name] / size <= MOST_MISSED[name] for name, size in sizes.items())
    assert len(false) <= MOST_FALSE_CLAIMS


@given(st.text(max_size=400))
def test_any_text_is_read_the_same_way_twice(text: str) -> None:
    assert read_claim.__wrapped__(text) is read_claim.__wrapped__(text)


@pytest.mark.parametrize(
    "text", ["Done. ", "not done yet, ", "a" * 50 + " ", "```\n", "> ", "(((", "all tests pass except "]
)
def test_a_message_of_a_megabyte_is_read(text: str) -> None:
    assert read_claim(text * (1_000_000 // len(text))) in Claim


@pytest.mark.parametrize("message", ["Done, all tests pass.", "I could not finish this.", "Shall I go on?"])
def test_code_and_quotations_are_not_the_agents_own_words(message: str) -> None:
    quoted = "\n\n```\nDone. All tests pass.\nFAILED: tests still fail\n```\n\n> it does not work\n"
    assert read_claim(message + quoted) is read_claim(message)


def test_no_message_is_no_claim() -> None:
    assert read_claim(None) is read_claim("") is Claim.NO_CLAIM
