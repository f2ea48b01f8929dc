"""Reads what is wanted from a JSON file."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEYS = {"path", "block", "lines", "comment", "ensure"}


class PlanError(Exception):
    """A plan that makes no sense."""


@dataclass(frozen=True)
class Item:
    """One block in one file."""

    path: Path
    block: str
    lines: tuple[str, ...] = ()
    comment: str = "#"
    ensure: str = "present"

    def __post_init__(self) -> None:
        if self.ensure not in ("present", "absent"):
            raise PlanError(f"{self.path}: ensure is present or absent, not {self.ensure!r}")
        if not self.block or not self.comment.strip():
            raise PlanError(f"{self.path}: a block needs a name and a comment sign")
        for line in (self.block, self.comment, *self.lines):
            if "\n" in line or "\r" in line:
                raise PlanError(f"{self.path}: {line!r} is more than one line")


def load_plan(path: str | os.PathLike[str]) -> list[Item]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise PlanError(f"{path}: {error}") from error
    if not isinstance(data, list):
        raise PlanError(f"{path}: a plan is a list")
    return [_item(entry, path) for entry in data]


def _item(entry: dict[str, Any], path: str | os.PathLike[str]) -> Item:
    if not isinstance(entry, dict) or not {"path", "block"} <= entry.keys() <= KEYS:
        raise PlanError(f"{path}: an entry has path and block, and may have lines, comment and ensure")
    return Item(
        path=Path(entry["path"]),
        block=entry["block"],
        lines=tuple(entry.get("lines", ())),
        comment=entry.get("comment", "#"),
        ensure=entry.get("ensure", "present"),
    )
