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
        data = self.path.read_bytes() if self.path.exists() else b""
        sound = data[: data.rfind(b"\n") + 1]
        lines = sound.split(b"\n")[:-1]
        self.records = [self._parse(line, number) for number, line in enumerate(lines, start=1)]
        if sound != data or not self.path.exists():
            self._replace(sound)
        self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND)

    def _replace(self, data):
        fd, name = tempfile.mkstemp(dir=self.path.parent, prefix=".journal-")
        with open(fd, "wb") as file:
            file.write(data)
            os.fchmod(fd, 0o644)
            file.flush()
            os.fsync(fd)
        os.replace(name, self.path)
        _sync_folder(self.path.parent)

    def append(self, event, job, data):
        record = {"seq": len(self.records) + 1, "event": event, "job": job, "data": data}
        line = (json.dumps(record, ensure_ascii=False) + "\n").encode()
        start = os.fstat(self._fd).st_size
        try:
            done = 0
            while done < len(line):
                done += os.write(self._fd, line[done:])
            os.fdatasync(self._fd)
        except BaseException:
            os.ftruncate(self._fd, start)
            raise
        self.records.append(record)
        return record

    def close(self):
        if self._fd is not None:
            os.close(self._fd)
        self._fd = None

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
