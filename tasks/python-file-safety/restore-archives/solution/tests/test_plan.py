import unittest

from coldstore.errors import RestoreError
from coldstore.limits import Limits
from coldstore.plan import clean, leads_inside, plan
from coldstore.readers import Entry

LIMITS = Limits(max_bytes=100, max_files=10)


def entry(name, kind="file", target="", size=1):
    return Entry(name, kind, size, 0o644, None, target, None)


class NameTest(unittest.TestCase):
    def test_unusual_names_are_fine(self):
        for name in ("..notes", "a..b/c", "./x", "x//y", "..."):
            clean(name)

    def test_names_that_lead_outside_are_refused(self):
        for name in ("..", "../x", "a/../../x", "/x", "a/.."):
            with self.subTest(name), self.assertRaises(RestoreError):
                clean(name)


class LinkTest(unittest.TestCase):
    CASES = {
        "down": ({"a": "b/c"}, True),
        "up and down": ({"d/a": "../b"}, True),
        "to the top": ({"d/a": ".."}, True),
        "above the top": ({"d/a": "../.."}, False),
        "absolute": ({"a": "/etc"}, False),
        "through a link to the top": ({"a": "here/..", "here": "."}, False),
        "through a deep link": ({"a": "deep/../x", "deep": "b/c/d"}, True),
        "a circle": ({"a": "b", "b": "a"}, False),
    }

    def test_where_links_lead(self):
        for name, (links, inside) in self.CASES.items():
            with self.subTest(name):
                self.assertEqual(leads_inside(next(iter(links)), links), inside)


class PlanTest(unittest.TestCase):
    def test_links_come_last(self):
        entries = [entry("l", "link", "f"), entry("h", "hard link", "f"), entry("f"), entry("d", "folder")]
        self.assertEqual([e.name for e in plan(entries, LIMITS)], ["d", "f", "h", "l"])

    def test_what_must_not_be_restored_is_refused(self):
        cases = {
            "a pipe": [entry("p", "other")],
            "a file behind a link": [entry("a", "link", "b"), entry("a/x")],
            "a hard link to nothing": [entry("a", "hard link", "b")],
            "a hard link to a link": [entry("a", "hard link", "b"), entry("b", "link", "c"), entry("c")],
            "too many bytes": [entry("a", size=60), entry("b", size=60)],
            "too many entries": [entry(str(number)) for number in range(11)],
        }
        for name, entries in cases.items():
            with self.subTest(name), self.assertRaises(RestoreError):
                plan(entries, LIMITS)


if __name__ == "__main__":
    unittest.main()
