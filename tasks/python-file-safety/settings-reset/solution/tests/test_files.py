import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from inkwell.files import replace_file


class ReplaceFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "settings.json"

    def test_a_failure_leaves_the_old_content_and_nothing_else(self):
        replace_file(self.path, b"old")
        with mock.patch("os.fsync", side_effect=OSError("no space")), self.assertRaises(OSError):
            replace_file(self.path, b"new")
        self.assertEqual(self.path.read_bytes(), b"old")
        self.assertEqual(os.listdir(self.folder), ["settings.json"])

    def test_the_mode_is_kept(self):
        for mode in (0o600, 0o640):
            replace_file(self.path, b"old")
            self.path.chmod(mode)
            replace_file(self.path, b"new")
            self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), mode)

    def test_a_link_stays_a_link(self):
        real = self.folder / "dotfiles.json"
        real.write_bytes(b"old")
        self.path.symlink_to("dotfiles.json")
        replace_file(self.path, b"new")
        self.assertTrue(self.path.is_symlink())
        self.assertEqual(real.read_bytes(), b"new")

    def test_a_reader_keeps_what_it_opened(self):
        replace_file(self.path, b"old")
        with open(self.path, "rb") as file:
            replace_file(self.path, b"new")
            self.assertEqual(file.read(), b"old")


if __name__ == "__main__":
    unittest.main()
