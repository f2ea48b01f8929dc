"""Makes files match a plan."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hostkeeper.blocks import remove_block, set_block
from hostkeeper.files import read_file, write_file
from hostkeeper.plan import Item


@dataclass(frozen=True)
class Change:
    """What became of a file: "created", "changed" or "unchanged"."""

    path: Path
    status: str


def apply_plan(items: Iterable[Item]) -> list[Change]:
    return [Change(item.path, apply_item(item)) for item in items]


def apply_item(item: Item) -> str:
    before = read_file(item.path)
    if before is None and item.ensure == "absent":
        return "unchanged"
    if item.ensure == "present":
        after = set_block(before or "", item.block, list(item.lines), item.comment)
    else:
        after = remove_block(before or "", item.block, item.comment)
    if after == before:
        return "unchanged"  # and not written, or daemons would reload for nothing
    write_file(item.path, after)
    return "created" if before is None else "changed"
