import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

from kiln import BuildError, Builder, Cache, key_of
from kiln.cli import main

COUNT = "import sys; print(len(open('main.c').read())); open('runs', 'a').write('x')"


class KeyTest(unittest.TestCase):
    def test_everything_counts(self):
        keys = [
            key_of(["cc"], {}),
            key_of(["cc", "-O2"], {}),
            key_of(["cc-O2"], {}),
            key_of(["cc"], {"a": b"1"}),
            key_of(["cc"], {"a": b"2"}),
            key_of(["cc"], {"a1": b""}),
        ]
        self.assertEqual(len(set(keys)), len(keys))

    def test_the_order_of_inputs_does_not_count(self):
        self.assertEqual(key_of([], {"a": b"1", "b": b"2"}), key_of([], {"b": b"2", "a": b"1"}))


class BuildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "main.c").write_text("int x;", encoding="utf-8")
        self.builder = Builder(self.folder, Cache(self.folder / "cache"))

    def build(self):
        return self.builder.run([sys.executable, "-c", COUNT], ["main.c"]).strip()

    def test_a_step_runs_once(self):
        self.assertEqual([self.build(), self.build()], [b"6", b"6"])
        self.assertEqual((self.folder / "runs").read_text(encoding="utf-8"), "x")

    def test_a_step_runs_again_when_its_input_changes(self):
        self.build()
        (self.folder / "main.c").write_text("int xyz;", encoding="utf-8")
        self.assertEqual(self.build(), b"8")

    def test_failures_are_reported_and_not_remembered(self):
        with self.assertRaises(BuildError):
            self.builder.run([sys.executable, "-c", "raise SystemExit(3)"], [])
        with self.assertRaises(BuildError):
            self.builder.run([sys.executable, "-c", ""], ["missing.c"])
        self.assertEqual(self.builder.cache.keys(), [])

    def test_the_command_shows_the_numbers(self):
        self.build()
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            main([str(self.folder / "cache"), "stats"])
            main([str(self.folder / "cache"), "prune", "--max-bytes", "0"])
        self.assertEqual(output.getvalue(), "hits=0 misses=1 stored=1\nsize=2 hit rate=0%\nremoved 2 bytes\n")


if __name__ == "__main__":
    unittest.main()
