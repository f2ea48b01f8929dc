import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from hostkeeper import BlockError, Item, PlanError, apply_plan, load_plan
from hostkeeper.cli import main

BLOCK = "# BEGIN hostkeeper: dns\nnameserver 10.0.0.53\n# END hostkeeper: dns\n"


class FolderTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "resolv.conf"

    def item(self, **fields):
        return Item(**{"path": self.path, "block": "dns", "lines": ("nameserver 10.0.0.53",), **fields})

    def status(self, item):
        (change,) = apply_plan([item])
        self.assertEqual(change.path, self.path)
        return change.status


class ApplyTest(FolderTestCase):
    def test_a_missing_file_is_created(self):
        self.assertEqual(self.status(self.item()), "created")
        self.assertEqual(self.path.read_text(encoding="utf-8"), BLOCK)

    def test_a_file_is_changed_once(self):
        self.path.write_text("search example.org\n", encoding="utf-8")
        self.assertEqual(self.status(self.item()), "changed")
        self.assertEqual(self.path.read_text(encoding="utf-8"), "search example.org\n" + BLOCK)
        self.assertEqual(self.status(self.item()), "unchanged")

    def test_a_block_is_removed(self):
        self.path.write_text("search example.org\n" + BLOCK, encoding="utf-8")
        self.assertEqual(self.status(self.item(ensure="absent")), "changed")
        self.assertEqual(self.path.read_text(encoding="utf-8"), "search example.org\n")

    def test_nothing_is_removed_from_a_missing_file(self):
        self.assertEqual(self.status(self.item(ensure="absent")), "unchanged")
        self.assertFalse(self.path.exists())

    def test_a_file_with_broken_markers_stays_as_it_is(self):
        text = "# BEGIN hostkeeper: dns\n"
        self.path.write_text(text, encoding="utf-8")
        with self.assertRaises(BlockError):
            apply_plan([self.item()])
        self.assertEqual(self.path.read_text(encoding="utf-8"), text)


class PlanTest(FolderTestCase):
    def test_plans_are_checked(self):
        plan = self.folder / "plan.json"
        for data in ({}, [{"path": "x"}], [{"path": "x", "block": "y", "nonsense": 1}], [{"path": "x", "block": "y", "ensure": "?"}]):
            plan.write_text(json.dumps(data), encoding="utf-8")
            with self.subTest(data), self.assertRaises(PlanError):
                load_plan(plan)

    def test_a_line_is_one_line(self):
        with self.assertRaises(PlanError):
            self.item(lines=("one\ntwo",))

    def test_the_command_applies_a_plan(self):
        plan = self.folder / "plan.json"
        plan.write_text(json.dumps([{"path": str(self.path), "block": "dns", "lines": ["x"]}]), encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(main([str(plan)]), 0)
            self.assertEqual(main([str(plan), "--quiet"]), 0)
        self.assertEqual(output.getvalue(), f"created    {self.path}\n")


if __name__ == "__main__":
    unittest.main()
