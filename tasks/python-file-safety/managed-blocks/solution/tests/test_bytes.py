import os
import stat
import tempfile
import unittest
from pathlib import Path

from hostkeeper import Item, apply_plan

CONTENTS = {
    "unix": b"a\nb\n",
    "windows": b"a\r\nb\r\n",
    "no line break at the end": b"a\nb",
    "windows, no line break at the end": b"a\r\nb",
    "empty": b"",
    "blank lines": b"\n\n\n",
    "latin-1": b"M\xfcller\n",
    "byte order mark": b"\xef\xbb\xbfa\n",
    "odd separators": "a\x0b\x0c\x1c\x85\u2028b\n".encode(),
    "progress bar": b"1%\r2%\r3%\nnext\n",
}


class BytesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "file.conf")

    def apply(self, **fields):
        (change,) = apply_plan([Item(path=self.path, block="x", **fields)])
        return change.status

    def test_a_file_is_what_it_was_when_the_block_is_gone(self):
        for name, content in CONTENTS.items():
            with self.subTest(name):
                self.path.write_bytes(content)
                self.apply(lines=("one",))
                self.assertTrue(self.path.read_bytes().startswith(content))
                self.apply(lines=("one", "two"))
                self.apply(ensure="absent")
                self.assertEqual(self.path.read_bytes(), content)

    def test_a_block_ends_its_lines_like_the_file(self):
        self.path.write_bytes(b"a\r\n")
        self.apply(lines=("one",))
        expected = b"a\r\n# BEGIN hostkeeper: x\r\none\r\n# END hostkeeper: x\r\n"
        self.assertEqual(self.path.read_bytes(), expected)

    def test_a_file_that_is_right_is_not_written(self):
        self.apply(lines=("one",))
        before = os.stat(self.path)
        self.assertEqual(self.apply(lines=("one",)), "unchanged")
        after = os.stat(self.path)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_permissions_and_links_stay(self):
        real = self.path.with_name("real.conf")
        real.write_bytes(b"a\n")
        real.chmod(0o640)
        self.path.symlink_to("real.conf")
        self.apply(lines=("one",))
        self.assertTrue(self.path.is_symlink())
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)
        self.assertIn(b"one", real.read_bytes())


if __name__ == "__main__":
    unittest.main()
