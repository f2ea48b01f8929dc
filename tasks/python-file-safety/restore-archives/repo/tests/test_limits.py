import unittest

from coldstore.limits import parse_size
from coldstore.report import Report, readable


class SizeTest(unittest.TestCase):
    def test_sizes_are_understood(self):
        self.assertEqual(parse_size("500"), 500)
        self.assertEqual(parse_size("30M"), 30 * 1024 * 1024)
        self.assertEqual(parse_size("2g"), 2 * 1024**3)

    def test_nonsense_is_refused(self):
        for text in ("", "M", "-5", "5 M", "5T", "²"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_size(text)


class ReportTest(unittest.TestCase):
    def test_a_report_is_for_people(self):
        report = Report()
        self.assertEqual(str(report), "restored nothing, 0 bytes")
        report.add("file", 1536)
        report.add("folder", 0)
        self.assertEqual(str(report), "restored 1 files, 1 folders, 1.5 kB")

    def test_large_sizes(self):
        self.assertEqual(readable(5 * 1024**4), "5120.0 GB")


if __name__ == "__main__":
    unittest.main()
