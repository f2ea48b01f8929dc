"""The journal: one event a line, as JSON, numbered from 1."""

import contextlib
import json
import os
import tempfile
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be read."""


class Journal:
    def __init__(self, path):
        self.path = Path(path).absolute()
        self.records = []
        self._size = 0
        with contextlib.suppress(FileNotFoundError), open(self.path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line[-1:] == b"\n":
                    self.records.append(self._parse(line, number))
                    self._size += len(line)

    def append(self, event, job, data):
        record = {"seq": len(self.records) + 1, "event": event, "job": job, "data": data}
        line = (json.dumps(record, ensure_ascii=False) + "\n").encode()
        new = not self.path.exists()
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_DSYNC, 0o644)
        try:
            os.ftruncate(fd, self._size)  # what a crash or an error left
            position = self._size
            while position < self._size + len(line):
                position += os.pwrite(fd, line[position - self._size :], position)
        finally:
            os.close(fd)
        if new:
            _sync_folder(self.path.parent)
        self._size = position
        self.records.append(record)
        return record

    def close(self):
        pass

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
