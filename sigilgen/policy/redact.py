"""Cutting secrets out of text before it is kept: the ones the caller knows, and whatever has the shape of one.

Shapes are those that their issuers document (a fixed prefix or frame); digests, commit ids and UUIDs are left alone.
Every pattern reads a text once, so that a long hostile one takes no longer than its length deserves.
"""

import base64
import json
import re
from collections.abc import Iterator, Sequence

MINIMUM_LENGTH = 8
"""Shorter secrets would cut common words out of every text."""

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
"""Bytes that stand for themselves in an address (RFC 3986, section 2.3)."""

MARK = "[redacted:"
"""How every replacement begins."""

_WORD = r"(?<![A-Za-z0-9_-])"

_SHAPES = {
    "private-key": r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?",
    "anthropic": _WORD + r"sk-ant-[A-Za-z0-9_-]{16,}",
    "openai": _WORD + r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    "github": _WORD + r"(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "gitlab": _WORD + r"glpat-[A-Za-z0-9_-]{20,}",
    "npm": _WORD + r"npm_[A-Za-z0-9]{36}",
    "pypi": _WORD + r"pypi-[A-Za-z0-9_-]{50,}",
    "slack": _WORD + r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "stripe": _WORD + r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "google": _WORD + r"(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})",
    "aws": _WORD + r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "hugging-face": _WORD + r"hf_[A-Za-z0-9]{30,}",
    "jwt": _WORD + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    "authorization": r"(?i:\b(?:bearer|basic))[ \t]+(?!\[redacted:)[A-Za-z0-9._~+/=-]{16,}",
    "password-in-url": r"(?<=://)[^\s/@:\[\]]{1,200}:(?!\[redacted:)[^\s/@\[\]]{1,200}(?=@)",
}

_ANY = re.compile("|".join(f"(?P<{kind.replace('-', '_')}>{shape})" for kind, shape in _SHAPES.items()))


def redact(text: str, secrets: Sequence[str]) -> str:
    """`text` with every secret replaced by `[redacted:<kind>]`.

    Args:
        text: Anything that an agent, a verifier or a file said.
        secrets: Values that must not be kept, in any usual spelling; those shorter than `MINIMUM_LENGTH` are ignored.
    """
    spelled = {spelling for secret in secrets if len(secret) >= MINIMUM_LENGTH for spelling in _spellings(secret)}
    known = sorted(spelled, key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), f"{MARK}known]", text)
    return _ANY.sub(_mark, text)


def _spellings(secret: str) -> Iterator[str]:
    """`secret` as it is, and as agents write it: in JSON, in an address, and in base64 from any place of a text."""
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    data = secret.encode(errors="surrogatepass")
    yield "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
    for offset in range(3):  # only the part that does not depend on what stands before and behind
        start, length = (3 - offset) % 3, len(data)
        whole = data[start : start + (length - start) // 3 * 3]
        if len(whole) >= MINIMUM_LENGTH:
            yield base64.b64encode(whole).decode()
            yield base64.urlsafe_b64encode(whole).decode()


def _mark(match: re.Match[str]) -> str:
    return f"{MARK}{(match.lastgroup or 'secret').replace('_', '-')}]"
