import contextlib
import io
import os
import stat
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from coldstore import Limits, RestoreError, restore
from coldstore.cli import main


class RestoreTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.destination = self.folder / "restored"

    def pack_tar(self, name="backup.tar.gz", mode="w:gz"):
        source = self.folder / "source"
        (source / "docs" / "empty").mkdir(parents=True)
        (source / "docs" / "letter.txt").write_text("Dear Ms Müller", encoding="utf-8")
        (source / "run.sh").write_text("#!/bin/sh\n", encoding="utf-8")
        (source / "run.sh").chmod(0o755)
        (source / "newest").symlink_to("docs/letter.txt")
        path = self.folder / name
        with tarfile.open(path, mode) as tar:
            for entry in sorted(source.iterdir()):
                tar.add(entry, arcname=entry.name)
        return path

    def pack_zip(self):
        path = self.folder / "backup.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("docs/empty/", b"")
            archive.writestr("docs/letter.txt", "Dear Ms Müller")
            for name, mode, content in (
                ("run.sh", stat.S_IFREG | 0o755, "#!/bin/sh\n"),
                ("newest", stat.S_IFLNK | 0o777, "docs/letter.txt"),
            ):
                info = zipfile.ZipInfo(name)
                info.create_system = 3
                info.external_attr = mode << 16
                archive.writestr(info, content)
        return path

    def assert_restored(self):
        self.assertEqual((self.destination / "docs" / "letter.txt").read_text(encoding="utf-8"), "Dear Ms Müller")
        self.assertTrue((self.destination / "docs" / "empty").is_dir())
        self.assertTrue(os.access(self.destination / "run.sh", os.X_OK))
        self.assertEqual((self.destination / "newest").readlink(), Path("docs/letter.txt"))


class RestoreTest(RestoreTestCase):
    def test_a_tar_is_restored(self):
        report = restore(self.pack_tar(), self.destination)
        self.assert_restored()
        self.assertEqual(str(report), "restored 2 files, 2 folders, 1 links, 25 bytes")

    def test_a_zip_is_restored(self):
        restore(self.pack_zip(), self.destination)
        self.assert_restored()

    def test_other_files_are_left_alone(self):
        self.destination.mkdir()
        (self.destination / "run.sh").write_text("old", encoding="utf-8")
        (self.destination / "diary.txt").write_text("mine", encoding="utf-8")
        restore(self.pack_tar("backup.tar", "w"), self.destination)
        self.assert_restored()
        self.assertEqual((self.destination / "run.sh").read_text(encoding="utf-8"), "#!/bin/sh\n")
        self.assertEqual((self.destination / "diary.txt").read_text(encoding="utf-8"), "mine")

    def test_something_else_is_refused(self):
        path = self.folder / "photo.jpg"
        path.write_bytes(b"\xff\xd8\xff\xe0" * 100)
        with self.assertRaisesRegex(RestoreError, "photo.jpg is not an archive"):
            restore(path, self.destination)

    def test_a_large_upload_is_refused(self):
        with self.assertRaises(RestoreError):
            restore(self.pack_tar(), self.destination, Limits(max_bytes=10))


class CommandTest(RestoreTestCase):
    def test_it_says_what_it_did(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = main([str(self.pack_zip()), str(self.destination)])
        self.assertEqual((status, output.getvalue()[:17]), (0, "restored 2 files,"))

    def test_it_says_what_is_wrong(self):
        output = io.StringIO()
        with contextlib.redirect_stderr(output):
            status = main([str(self.pack_tar()), str(self.destination), "--max-bytes", "10"])
        self.assertEqual(status, 1)
        self.assertIn("coldstore: ", output.getvalue())


if __name__ == "__main__":
    unittest.main()
