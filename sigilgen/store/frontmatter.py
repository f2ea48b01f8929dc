"""The head of a `SKILL.md`, held to the Agent Skills specification: six keys, and no others.

Agents read many more keys, each its own; a payload that is to mean the same everywhere has only these.
"""

from pathlib import Path

from sigilgen.errors import Fault
from sigilgen.store.checks import slug_fault
from sigilgen.store.fields import Field, block, line, mapping, string_map
from sigilgen.store.text_file import read_text
from sigilgen.store.yaml_file import LIMIT_BYTES, Reader, parse_yaml

FENCE = "---"


def check_skill(path: Path, label: str, *, slug: str, faults: list[Fault]) -> None:
    """Add everything to `faults` that is wrong with the head of the `SKILL.md` at `path` in the skill `slug`."""
    text = read_text(path, label, limit_bytes=LIMIT_BYTES, faults=faults)
    if text is None:
        return
    lines = [row.rstrip() for row in text.split("\n")]
    if lines[0] != FENCE:
        what = "must begin with front matter between two lines of ---"
        faults.append(Fault(label, 1, what, "It holds at least the keys name and description."))
        return
    if FENCE not in lines[1:]:
        faults.append(Fault(label, 1, "front matter is never closed", "End it with a line of ---."))
        return
    head = "\n".join(text.split("\n")[1 : lines.index(FENCE, 1)])
    parse_yaml(head, label, _skill(slug), faults=faults, lines_above=1)


def _skill(slug: str) -> Reader:
    def name_fault(text: str) -> str | None:
        return slug_fault(text) or (None if text == slug else f"must be the name of the folder, {slug!r}")

    return mapping(
        Field("name", line(64, name_fault)),
        Field("description", block(1024)),
        Field("license", line(500), required=False),
        Field("compatibility", block(500), required=False),
        Field("metadata", string_map(1000), required=False),
        Field("allowed-tools", line(2000), required=False),
    )
