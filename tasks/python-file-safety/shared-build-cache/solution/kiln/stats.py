"""Counts hits, misses and stored results."""

import json
from pathlib import Path

from kiln.files import locked, replace_file

NAMES = ("hits", "misses", "stored")


class Stats:
    def __init__(self, path: Path, temporary: Path) -> None:
        self.path = path
        self._temporary = temporary
        self._lock = path.with_suffix(".lock")  # not the file itself, which is replaced each time

    def read(self) -> dict[str, int]:
        """The counts so far; zero if there are none that can be read."""
        try:
            counts = json.loads(self.path.read_bytes())
            return {name: int(counts.get(name, 0)) for name in NAMES}
        except (FileNotFoundError, ValueError, TypeError, AttributeError):
            return dict.fromkeys(NAMES, 0)

    def add(self, name: str) -> None:
        with locked(self._lock):
            counts = self.read()
            counts[name] += 1
            replace_file(self.path, json.dumps(counts).encode("utf-8") + b"\n", self._temporary)


def hit_rate(counts: dict[str, int]) -> float | None:
    """Share of lookups that found something, or None before the first one."""
    lookups = counts["hits"] + counts["misses"]
    return counts["hits"] / lookups if lookups else None
