"""What was restored, for people."""

from collections import Counter
from dataclasses import dataclass, field

KINDS = {"file": "files", "folder": "folders", "link": "links"}


@dataclass
class Report:
    counts: Counter = field(default_factory=Counter)
    bytes: int = 0

    def add(self, kind: str, size: int) -> None:
        self.counts[kind] += 1
        self.bytes += size

    def __str__(self) -> str:
        parts = [f"{self.counts[kind]} {plural}" for kind, plural in KINDS.items() if self.counts[kind]]
        return f"restored {', '.join(parts) or 'nothing'}, {readable(self.bytes)}"


def readable(size: int) -> str:
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1024 or unit == "GB":
            break
        amount /= 1024
    return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
