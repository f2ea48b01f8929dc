"""What can be said about the fairness of a task without running it: words in the prompt, leaks in the repo."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

LEAK_LINE_LENGTH = 40
"""Shorter lines (`import os`, `return None`) stand in any two repos; a line this long is a quotation."""


def named_words(prompt: str, capability_names: Iterable[str]) -> tuple[str, ...]:
    """Names that a prompt must not hold: Sigil's, and each capability's in any usual spelling."""
    names = {"sigil"}
    for name in capability_names:
        slug = name.partition("/")[2]
        names |= {name, slug, slug.replace("-", " "), slug.replace("-", "_")}
    return tuple(sorted(name for name in names if re.search(rf"\b{re.escape(name)}\b", prompt, re.IGNORECASE)))


def leaks(start: Mapping[str, bytes], hidden: Mapping[str, bytes]) -> Iterator[str]:
    """Every place of the starting repo that gives away something hidden, in words: its file, its line, what it quotes.

    Args:
        start: Files of the starting repo by path.
        hidden: Files of the verifier and of capabilities by path.

    Source: method 1.0, "Writing fair tasks".
    """
    digests = {hashlib.sha256(data).digest(): path for path, data in hidden.items() if data.strip()}
    lines = {line: path for path, data in hidden.items() for line in _long_lines(data).values()}
    for path, data in sorted(start.items()):
        if (source := digests.get(hashlib.sha256(data).digest())) is not None:
            yield f"{path} is the same file as {source}"
            continue
        for number, line in _long_lines(data).items():
            if line in lines:
                yield f"{path}:{number} stands word for word in {lines[line]}"


def _long_lines(data: bytes) -> dict[int, bytes]:
    stripped = enumerate((line.strip() for line in data.splitlines()), start=1)
    return {number: line for number, line in stripped if len(line) >= LEAK_LINE_LENGTH}
