"""Finds, sets and removes a marked block in a text."""

import re


class BlockError(Exception):
    """The markers in a text do not fit together."""


def markers(name: str, comment: str) -> tuple[str, str]:
    return f"{comment} BEGIN hostkeeper: {name}", f"{comment} END hostkeeper: {name}"


def find_block(lines: list[str], name: str, comment: str = "#") -> tuple[int, int] | None:
    """Positions of the two markers, or None if there is no such block."""
    begin, end = markers(name, comment)
    begins = [number for number, line in enumerate(lines) if line.strip() == begin]
    ends = [number for number, line in enumerate(lines) if line.strip() == end]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise BlockError(f"block {name!r} has {len(begins)} beginnings and {len(ends)} ends")
    return begins[0], ends[0]


def split(text):
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def set_block(text, name, content, comment="#"):
    begin, end = markers(name, comment)
    lines = split(text)
    windows = sum(line.endswith("\r\n") for line in lines)
    newline = "\r\n" if windows * 2 > text.count("\n") else "\n"
    block = [line + newline for line in (begin, *content, end)]
    found = find_block(lines, name, comment)
    if found is not None:
        if not lines[found[1]].endswith("\n"):
            block[-1] = end
        lines[found[0] : found[1] + 1] = block
        return "".join(lines)
    if text and not text.endswith("\n"):
        return text + newline + "".join(block).removesuffix(newline)
    return text + "".join(block)


def remove_block(text, name, comment="#"):
    lines = split(text)
    found = find_block(lines, name, comment)
    if found is None:
        return text
    ours = lines[found[0] : found[1] + 1]
    rest = "".join(lines[: found[0]]), "".join(lines[found[1] + 1 :])
    if not ours[-1].endswith("\n"):
        return re.sub(r"\r?\n\Z", "", rest[0])
    return "".join(rest)
