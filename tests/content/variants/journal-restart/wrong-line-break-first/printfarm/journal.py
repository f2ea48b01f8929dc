"""The journal: one event a line, as JSON, numbered from 1."""

import json
import os
from collections.abc import Iterator
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be read."""


class Journal:
    """All events of one worker. `records` holds those written so far, oldest first."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.records = list(self._read())
        self._file = open(self.path, "a", encoding="utf-8")
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            self._file.write("\n")

    def append(self, event: str, job: str, data: dict) -> dict:
        """Write one event and return its record."""
        record = {"seq": len(self.records) + 1, "event": event, "job": job, "data": data}
        self._file.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.records.append(record)
        return record

    def close(self) -> None:
        self._file.close()

    def _read(self) -> Iterator[dict]:
        if not self.path.exists():
            return
        with open(self.path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith("\n"):
                    return
                yield self._parse(line, number)

    def _parse(self, line: str, number: int) -> dict:
        try:
            record = json.loads(line)
        except ValueError:
            raise JournalError(f"{self.path}: line {number} is not a record") from None
        if not isinstance(record, dict) or not {"seq", "event", "job", "data"} <= record.keys():
            raise JournalError(f"{self.path}: line {number} is not a record")
        if record["seq"] != number:
            raise JournalError(f"{self.path}: line {number} has number {record['seq']}")
        return record
