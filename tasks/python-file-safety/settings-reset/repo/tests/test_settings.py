import unittest

from inkwell.settings import Settings, SettingsError
from inkwell.shortcuts import ShortcutError, conflicts, normalise


class ShortcutTest(unittest.TestCase):
    def test_modifiers_come_in_menu_order(self):
        self.assertEqual(normalise("shift+ctrl+n"), "Ctrl+Shift+N")
        self.assertEqual(normalise("alt + enter"), "Alt+Enter")
        self.assertEqual(normalise("f9"), "F9")

    def test_nonsense_is_refused(self):
        for text in ("", "Ctrl+", "Hyper+X", "Ctrl+Foo", "F99"):
            with self.subTest(text), self.assertRaises(ShortcutError):
                normalise(text)

    def test_conflicts_are_found(self):
        self.assertEqual(conflicts({"a": "F1", "b": "F2", "c": "F1"}), [("a", "c")])


class SettingsTest(unittest.TestCase):
    def test_defaults_are_valid(self):
        Settings().check()

    def test_bad_values_are_refused(self):
        for data in ({"theme": "pink"}, {"font_size": 2}, {"recent_limit": -1}, {"shortcuts": {"a": "F1", "b": "f1"}}):
            with self.subTest(data), self.assertRaises(SettingsError):
                Settings.from_data(data)

    def test_unknown_keys_are_kept(self):
        settings = Settings.from_data({"theme": "dark", "from_the_future": [1, 2]})
        self.assertEqual(settings.to_data()["from_the_future"], [1, 2])


if __name__ == "__main__":
    unittest.main()
