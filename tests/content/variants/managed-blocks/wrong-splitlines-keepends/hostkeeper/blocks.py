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


def set_block(text, name, content, comment="#"):
    begin, end = markers(name, comment)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    block = [begin, *content, end]
    found = find_block(lines, name, comment)
    if found is None:
        lines += block
    else:
        lines[found[0] : found[1] + 1] = block
    return newline.join(lines) + (newline if not text or text.endswith("\n") else "")


def remove_block(text, name, comment="#"):
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    found = find_block(lines, name, comment)
    if found is None:
        return text
    del lines[found[0] : found[1] + 1]
    return newline.join(lines) + (newline if lines and text.endswith("\n") else "")
