"""Results by key, in files."""

import os
from pathlib import Path

from kiln.keys import check_key
from kiln.stats import Stats


class Cache:
    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root)
        self.objects = self.root / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)
        self._stats = Stats(self.root / "stats.json")

    def get(self, key: str) -> bytes | None:
        """The result that was stored under `key`, or None."""
        path = self._path(key)
        if not path.exists():
            self._stats.add("misses")
            return None
        data = path.read_bytes()
        os.utime(path)
        self._stats.add("hits")
        return data

    def put(self, key: str, data: bytes) -> None:
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        self._stats.add("stored")

    def keys(self) -> list[str]:
        return sorted(path.parent.name + path.name for path in self.objects.glob("*/*"))

    def size(self) -> int:
        """Bytes that all results take up together."""
        return sum(path.stat().st_size for path in self.objects.glob("*/*"))

    def prune(self, max_bytes: int) -> int:
        """Remove results, the longest unused first, until `max_bytes` are left. Returns how many bytes were removed."""
        size = self.size()
        removed = 0
        for path in sorted(self.objects.glob("*/*"), key=lambda path: path.stat().st_mtime):
            if size - removed <= max_bytes:
                break
            removed += path.stat().st_size
            path.unlink()
        return removed

    def stats(self) -> dict[str, int]:
        return self._stats.read()

    def _path(self, key: str) -> Path:
        check_key(key)
        return self.objects / key[:2] / key[2:]
