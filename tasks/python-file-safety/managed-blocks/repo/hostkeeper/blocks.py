"""Finds, sets and removes a marked block in a text."""


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
    """`text` with the block as it should be: in its place, or at the end if it is new."""
    begin, end = markers(name, comment)
    block = [begin, *content, end]
    lines = text.splitlines()
    found = find_block(lines, name, comment)
    if found is None:
        lines += block
    else:
        lines[found[0] : found[1] + 1] = block
    return "\n".join(lines) + "\n"


def remove_block(text: str, name: str, comment: str = "#") -> str:
    lines = text.splitlines()
    found = find_block(lines, name, comment)
    if found is None:
        return text
    del lines[found[0] : found[1] + 1]
    return "\n".join(lines) + "\n" if lines else ""
