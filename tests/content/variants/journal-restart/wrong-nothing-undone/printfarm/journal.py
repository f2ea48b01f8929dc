"""The journal: one event a line, as JSON, numbered from 1.

A record is acknowledged when its line, line break included, is on disk. So after a crash only the end of the file can
be incomplete, and what follows the last line break was never acknowledged.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be read, or cannot be written any more."""


class Journal:
    """All events of one worker. `records` holds those written so far, oldest first."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        # Unbuffered: a buffer would keep a record whose writing failed, and write it later.
        self._file = open(self.path, "a+b", buffering=0)
        try:
            self._file.seek(0)
            self.records, self._end = self._read(self._file)
            self._file.truncate(self._end)  # only now: a damaged journal is left as it is
            os.fsync(self._file.fileno())
            _sync_folder(self.path.parent)  # the file may be new
        except BaseException:
            self._file.close()
            raise

    def append(self, event: str, job: str, data: dict) -> dict:
        """Write one event and return its record. When this returns, the record is on disk."""
        if self._end is None:
            raise JournalError(f"{self.path}: an earlier write could not be undone; open the journal again")
        record = {"seq": len(self.records) + 1, "event": event, "job": job, "data": data}
        line = json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n"
        try:
            self._write(line)
            os.fsync(self._file.fileno())
        except BaseException:
            raise
        self._end += len(line)
        self.records.append(record)
        return record

    def close(self) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _undo(self) -> None:
        """Remove what a failed write left, or the next record would share a line with it."""
        end, self._end = self._end, None
        self._file.truncate(end)
        os.fsync(self._file.fileno())
        self._end = end

    def _read(self, lines: Iterable[bytes]) -> tuple[list[dict], int]:
        """All complete records, and the position where they end."""
        records: list[dict] = []
        end = 0
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                break
            records.append(self._parse(line, number))
            end += len(line)
        return records, end

    def _parse(self, line: bytes, number: int) -> dict:
        try:
            record = json.loads(line.decode("utf-8"))
        except ValueError:
            raise JournalError(f"{self.path}: line {number} is not a record") from None
        if not isinstance(record, dict) or not {"seq", "event", "job", "data"} <= record.keys():
            raise JournalError(f"{self.path}: line {number} is not a record")
        if record["seq"] != number:
            raise JournalError(f"{self.path}: line {number} has number {record['seq']}")
        return record


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
