import os
import tempfile
import unittest
from pathlib import Path

from kiln import Cache, key_of
from kiln.stats import hit_rate

A, B, C = (key_of([name], {}) for name in "abc")


class CacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name, "cache")
        self.cache = Cache(self.root)

    def test_results_are_found_again(self):
        self.assertIsNone(self.cache.get(A))
        self.cache.put(A, b"result")
        self.assertEqual(Cache(self.root).get(A), b"result")

    def test_the_layout_is_the_one_that_others_know(self):
        self.cache.put(A, b"result")
        self.assertEqual((self.root / "objects" / A[:2] / A[2:]).read_bytes(), b"result")

    def test_keys_and_size(self):
        self.cache.put(A, b"one")
        self.cache.put(B, b"three")
        self.assertEqual(self.cache.keys(), sorted([A, B]))
        self.assertEqual(self.cache.size(), 8)

    def test_what_was_used_last_is_kept(self):
        for age, key in enumerate((A, B, C)):
            self.cache.put(key, b"12345")
            os.utime(self.root / "objects" / key[:2] / key[2:], (1_000_000 - age, 1_000_000 - age))
        self.cache.get(C)
        self.assertEqual(self.cache.prune(10), 5)
        self.assertEqual(self.cache.keys(), sorted([A, C]))

    def test_lookups_are_counted(self):
        self.assertIsNone(hit_rate(self.cache.stats()))
        self.cache.get(A)
        self.cache.put(A, b"")
        for _ in range(3):
            self.cache.get(A)
        self.assertEqual(self.cache.stats(), {"hits": 3, "misses": 1, "stored": 1})
        self.assertEqual(hit_rate(self.cache.stats()), 0.75)

    def test_what_is_no_key_is_refused(self):
        for key in ("", "../../etc/passwd", A.upper(), A + "0"):
            with self.subTest(key), self.assertRaises(ValueError):
                self.cache.get(key)


if __name__ == "__main__":
    unittest.main()
