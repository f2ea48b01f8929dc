import tempfile
import unittest
from pathlib import Path
from unittest import mock

from printfarm.journal import Journal, JournalError
from printfarm.service import Service


class CrashTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "queue.journal")

    def customers(self):
        service = Service(self.path)
        self.addCleanup(service.close)
        return [job.customer for job in service.jobs()]

    def submit(self, *customers):
        service = Service(self.path)
        for customer in customers:
            service.submit(customer, "gear.stl")
        service.close()

    def test_a_record_cut_off_at_any_byte_is_dropped(self):
        self.submit("A", "Müller")
        whole = self.path.read_bytes()
        for cut in range(whole.index(b"\n") + 1, len(whole)):
            with self.subTest(cut=cut):
                self.path.write_bytes(whole[:cut])
                self.assertEqual(self.customers(), ["A"])
                self.submit("B")
                self.assertEqual(self.customers(), ["A", "B"])

    def test_a_damaged_journal_is_not_touched(self):
        self.submit("A", "B")
        damaged = b"\xff" + self.path.read_bytes() + b'{"seq": 3'
        self.path.write_bytes(damaged)
        with self.assertRaisesRegex(JournalError, "line 1"):
            Journal(self.path)
        self.assertEqual(self.path.read_bytes(), damaged)

    def test_a_job_whose_record_cannot_be_written_does_not_exist(self):
        service = Service(self.path)
        service.submit("A", "gear.stl")
        with mock.patch("os.fsync", side_effect=[OSError("no space"), None]), self.assertRaises(OSError):
            service.submit("refused", "gear.stl")
        service.submit("B", "gear.stl")
        service.close()
        self.assertEqual(self.customers(), ["A", "B"])


if __name__ == "__main__":
    unittest.main()
