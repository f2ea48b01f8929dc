import multiprocessing
import os
import signal
import tempfile
import unittest
from pathlib import Path

from kiln import Cache, key_of
from kiln.files import locked

A, B = (key_of([name], {}) for name in "ab")


def look_up(root, times):
    cache = Cache(root)
    for _ in range(times):
        cache.get(A)
        cache.get(B)


def die_with_lock(path):
    with locked(path):
        os.kill(os.getpid(), signal.SIGKILL)


class ProcessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def run_all(self, target, arguments, count):
        processes = [multiprocessing.Process(target=target, args=arguments) for _ in range(count)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()

    def test_no_lookup_is_lost(self):
        Cache(self.root).put(A, b"result")
        self.run_all(look_up, (self.root, 50), 4)
        self.assertEqual(Cache(self.root).stats(), {"hits": 200, "misses": 200, "stored": 1})

    def test_a_dead_process_holds_no_lock(self):
        path = self.root / "lock"
        self.run_all(die_with_lock, (path,), 1)
        with locked(path):
            pass

    def test_a_broken_statistics_file_starts_again(self):
        (self.root / "stats.json").write_bytes(b"")
        cache = Cache(self.root)
        cache.get(A)
        self.assertEqual(cache.stats()["misses"], 1)


if __name__ == "__main__":
    unittest.main()
