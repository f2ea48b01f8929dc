"""Runs a step, or takes its result from the cache."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from kiln.cache import Cache
from kiln.keys import key_of


class BuildError(Exception):
    """A step failed."""


class Builder:
    """Steps read files below `folder` and print their result."""

    def __init__(self, folder: Path, cache: Cache) -> None:
        self.folder = folder
        self.cache = cache

    def run(self, command: Sequence[str], inputs: Sequence[str]) -> bytes:
        contents = self._read(inputs)
        key = key_of(command, contents)
        result = self.cache.get(key)
        if result is None:
            result = self._execute(command)
            self.cache.put(key, result)
        return result

    def _read(self, inputs: Sequence[str]) -> Mapping[str, bytes]:
        try:
            return {name: (self.folder / name).read_bytes() for name in inputs}
        except OSError as error:
            raise BuildError(f"input cannot be read: {error}") from error

    def _execute(self, command: Sequence[str]) -> bytes:
        done = subprocess.run(command, cwd=self.folder, capture_output=True)
        if done.returncode:
            raise BuildError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout
