"""Finds, sets and removes a marked block in a text.

Lines are what stands between two "\n"; a "\r" before it belongs to the line. Splitting and joining at "\n" alone
gives back the same text, whatever else is in it, and whether or not there is a line break at its end.
"""


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


def set_block(text, name, content, comment="#"):
    """A block that had to begin with a line break of its own ends without one."""
    begin, end = markers(name, comment)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    found = find_block(lines, name, comment)
    if found is None:
        if not text or text.endswith("\n"):
            return text + newline.join([begin, *content, end]) + newline
        return newline.join([text, begin, *content, end])
    head, tail = lines[: found[0]], lines[found[1] + 1 :]
    block = newline.join([begin, *content, end]).split("\n")
    if tail and newline == "\r\n":
        block[-1] += "\r"
    return "\n".join(head + block + tail)


def remove_block(text, name, comment="#"):
    lines = text.split("\n")
    found = find_block(lines, name, comment)
    if found is None:
        return text
    head, tail = lines[: found[0]], lines[found[1] + 1 :]
    result = "\n".join(head + tail)
    return result if tail else result.removesuffix("\r")
