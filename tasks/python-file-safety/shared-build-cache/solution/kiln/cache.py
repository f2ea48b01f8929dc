"""Results by key, in files. Any number of processes may use the same folder."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from kiln.files import replace_file
from kiln.keys import check_key
from kiln.stats import Stats


class Cache:
    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root)
        self.objects = self.root / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)
        self._temporary = self.root / "temporary"  # outside of objects: what is in there is no result yet
        self._temporary.mkdir(exist_ok=True)
        self._stats = Stats(self.root / "stats.json", self._temporary)

    def get(self, key: str) -> bytes | None:
        """The result that was stored under `key`, or None."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            self._stats.add("misses")
            return None
        with contextlib.suppress(FileNotFoundError, PermissionError):  # pruned since, or another account's
            os.utime(path)
        self._stats.add("hits")
        return data

    def put(self, key: str, data: bytes) -> None:
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        replace_file(path, data, self._temporary)
        self._stats.add("stored")

    def keys(self) -> list[str]:
        return sorted(path.parent.name + path.name for path in self.objects.glob("*/*"))

    def size(self) -> int:
        """Bytes that all results take up together."""
        return sum(size for _, size, _ in self._results())

    def prune(self, max_bytes: int) -> int:
        """Remove results, the longest unused first, until `max_bytes` are left. Returns how many bytes were removed."""
        results = sorted(self._results())
        size = sum(size for _, size, _ in results)
        removed = 0
        for _, bytes_, path in results:
            if size - removed <= max_bytes:
                break
            path.unlink(missing_ok=True)  # another prune may have been faster
            removed += bytes_
        return removed

    def stats(self) -> dict[str, int]:
        return self._stats.read()

    def _results(self) -> Iterator[tuple[float, int, Path]]:
        """When it was last used, size and path of each result that is still there when its turn comes."""
        for path in self.objects.glob("*/*"):
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                yield status.st_mtime, status.st_size, path

    def _path(self, key: str) -> Path:
        check_key(key)
        return self.objects / key[:2] / key[2:]
