import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from inkwell.cli import main
from inkwell.settings import Settings, SettingsError
from inkwell.store import SettingsStore


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "config", "settings.json")
        self.store = SettingsStore(self.path)

    def test_starts_with_defaults(self):
        self.assertEqual(self.store.load(), Settings())

    def test_loads_what_was_saved(self):
        settings = Settings(theme="dark", language="日本語", plugins={"tasks": {"show": True}})
        self.store.save(settings)
        self.assertEqual(self.store.load(), settings)

    def test_the_file_is_made_for_reading(self):
        self.store.save(Settings(language="français"))
        text = self.path.read_text(encoding="utf-8")
        self.assertIn('\n  "language": "français",\n', text)
        self.assertTrue(text.endswith("}\n"))

    def test_wrong_settings_are_not_saved(self):
        self.store.save(Settings(theme="dark"))
        with self.assertRaises(SettingsError):
            self.store.save(Settings(theme="pink"))
        self.assertEqual(self.store.load().theme, "dark")

    def test_a_damaged_file_means_defaults(self):
        self.path.parent.mkdir()
        self.path.write_text('{"theme": "da', encoding="utf-8")
        with self.assertLogs("inkwell.store", "WARNING"):
            self.assertEqual(self.store.load(), Settings())


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name, "settings.json"))

    def inkwell(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = main(["--file", self.path, *arguments])
        return status, output.getvalue()

    def test_set_and_get(self):
        self.assertEqual(self.inkwell("set", "font_size", "15"), (0, ""))
        self.assertEqual(self.inkwell("get", "font_size"), (0, "15\n"))

    def test_the_token_is_not_shown_and_survives_a_reset(self):
        self.inkwell("set", "sync_token", "s3cret")
        self.assertEqual(self.inkwell("get", "sync_token"), (0, "***\n"))
        self.inkwell("reset")
        self.assertEqual(json.loads(Path(self.path).read_text(encoding="utf-8"))["sync_token"], "s3cret")

    def test_mistakes_are_reported(self):
        status, output = self.inkwell("set", "theme", "pink")
        self.assertEqual(status, 1)
        self.assertIn("theme must be one of", output)


if __name__ == "__main__":
    unittest.main()
