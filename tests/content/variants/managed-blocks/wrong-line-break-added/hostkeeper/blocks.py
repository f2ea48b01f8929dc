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


def set_block(text: str, name: str, content: list[str], comment: str = "#") -> str:
    """`text` with the block as it should be: in its place, or at the end if it is new.

    A text without a line break at its end has none afterwards, so that removing the block gives back the text.
    """
    begin, end = markers(name, comment)
    carriage_return = "\r" if _lines_end_with_crlf(text) else ""
    block = [line + carriage_return for line in (begin, *content, end)]
    lines = text.split("\n")
    found = find_block(lines, name, comment)
    if found is not None:
        first, last = found
        if last == len(lines) - 1:
            block[-1] = end  # nothing follows, not even a line break
        lines[first : last + 1] = block
    elif lines[-1] == "":
        lines[-1:] = [*block, ""]
    else:
        lines[-1] += carriage_return
        lines += [*block, ""]
    return "\n".join(lines)


def remove_block(text: str, name: str, comment: str = "#") -> str:
    lines = text.split("\n")
    found = find_block(lines, name, comment)
    if found is None:
        return text
    first, last = found
    if first > 0 and last == len(lines) - 1:
        lines[first - 1] = lines[first - 1].removesuffix("\r")  # the line break before the block was ours
    del lines[first : last + 1]
    return "\n".join(lines)


def _lines_end_with_crlf(text: str) -> bool:
    return text.count("\r\n") * 2 > text.count("\n")
