"""Counts hits, misses and stored results."""

import json
from pathlib import Path

NAMES = ("hits", "misses", "stored")


class Stats:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, int]:
        try:
            counts = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            counts = {}
        return {name: counts.get(name, 0) for name in NAMES}

    def add(self, name: str) -> None:
        counts = self.read()
        counts[name] += 1
        self.path.write_text(json.dumps(counts) + "\n", encoding="utf-8")


def hit_rate(counts: dict[str, int]) -> float | None:
    """Share of lookups that found something, or None before the first one."""
    lookups = counts["hits"] + counts["misses"]
    return counts["hits"] / lookups if lookups else None
