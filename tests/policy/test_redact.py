import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.policy.redact import redact

A = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"

# Put together here, so that nobody's secret scanner takes this file for a leak.
TOKENS = {
    "anthropic": "sk-" + "ant-" + "api03-" + A,
    "openai": "sk-" + "proj-" + A,
    "github": "gh" + "p_" + A[:36],
    "gitlab": "gl" + "pat-" + A[:20],
    "npm": "np" + "m_" + A[:36],
    "pypi": "py" + "pi-" + A + A,
    "slack": "xo" + "xb-" + "123456789012-" + A[:24],
    "stripe": "sk_" + "live_" + A[:24],
    "google": "AI" + "za" + A[:35],
    "aws": "AK" + "IA" + "ABCDEFGHIJKLMNOP",
    "hugging-face": "h" + "f_" + A[:34],
    "jwt": "ey" + "J" + A[:20] + "." + A[:30] + "." + A[:30],
    "private-key": "-----BEGIN " + "PRIVATE KEY-----\nMIIE\n" + A + "\n-----END " + "PRIVATE KEY-----",
}

PLAIN = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "d7a3e0a4-6d1c-4b53-9a3e-0a46d1c4b539",
    "8e1925a397d7ed859c027cc19b3a3d90c16ef8df",
    "the bearer of good news",
    "https://example.com/a:b@c",
    "task-based ask-me-anything risk-assessment-for-the-whole-team",
    "basic understanding",
]


@pytest.mark.parametrize(("kind", "token"), TOKENS.items(), ids=TOKENS)
@pytest.mark.parametrize("frame", ["{}", 'key="{}"', "KEY={}\n", "({}).", "see {} there"])
def test_tokens_of_known_shapes_are_cut_out(kind: str, token: str, frame: str) -> None:
    assert redact(frame.format(token), ()) == frame.format(f"[redacted:{kind}]")


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text, ()) == text


def test_headers_and_passwords_in_addresses_are_cut_out() -> None:
    assert redact("Authorization: " + "Bearer " + A, ()) == "Authorization: [redacted:authorization]"
    assert redact("https://me:pass" + "word1@example.com/x", ()) == "https://[redacted:password-in-url]@example.com/x"


def test_known_secrets_are_cut_out_whole_and_short_ones_left_in() -> None:
    assert redact("x longer-secret-value y", ["secret-value", "longer-secret-value", "y"]) == "x [redacted:known] y"


SECRET = 'pass"word/with é+signs'  # noqa: S105  (of nobody)
SPELLED = {
    "as it is": SECRET,
    "in JSON": json.dumps(SECRET),
    "in JSON with other letters": json.dumps(SECRET, ensure_ascii=False),
    "in an address": quote(SECRET, safe=""),
    "in base64": base64.b64encode(SECRET.encode()).decode(),
    "in base64 behind one letter": base64.b64encode(f"x{SECRET}".encode()).decode(),
    "in base64 behind two letters": base64.b64encode(f"xy{SECRET}".encode()).decode(),
    "in base64 for addresses": base64.urlsafe_b64encode(SECRET.encode()).decode(),
}


@pytest.mark.parametrize("spelling", SPELLED.values(), ids=SPELLED)
def test_known_secrets_are_cut_out_in_every_usual_spelling(spelling: str) -> None:
    left = redact(f"<{spelling}>", [SECRET])
    assert "[redacted:known]" in left
    assert len(left) <= len("<[redacted:known]>") + 8  # what base64 makes of the letters at the edges


def test_a_secret_that_is_no_text_is_no_trouble() -> None:
    assert redact("nothing \ud800 here", ["\ud800" * 12, "\udcff" * 12]) == "nothing \ud800 here"


@given(st.text(max_size=300), st.lists(st.text(min_size=8, max_size=20), max_size=3))
def test_redacting_again_changes_nothing(text: str, secrets: list[str]) -> None:
    once = redact(text + "".join(secrets), secrets)
    assert redact(once, ()) == once


@pytest.mark.parametrize(
    "text", ["-----BEGIN A PRIVATE KEY-----" * 20_000, "sk-" * 300_000, "://a:" * 200_000, "eyJ" + "a" * 999_999]
)
def test_a_long_hostile_text_is_read_in_linear_time(text: str) -> None:
    assert redact(text, ["not in there at all"])
