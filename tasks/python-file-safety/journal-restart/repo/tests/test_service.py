import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from printfarm.cli import main
from printfarm.journal import Journal, JournalError
from printfarm.service import Service


class JournalTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "queue.journal")

    def service(self):
        service = Service(self.path)
        self.addCleanup(service.close)
        return service


class ServiceTest(JournalTestCase):
    def test_jobs_survive_a_restart(self):
        service = self.service()
        first = service.submit("Müller", "gear.stl", copies=2)
        second = service.submit("O'Neill", "vase.stl")
        service.start(first, "mk4-07")
        service.finish(first)
        service.close()
        self.assertEqual([(job.id, job.state) for job in self.service().jobs()], [(first, "done"), (second, "waiting")])

    def test_a_job_without_copies_is_refused(self):
        service = self.service()
        with self.assertRaises(ValueError):
            service.submit("Müller", "gear.stl", copies=0)
        self.assertEqual(service.jobs(), [])
        self.assertEqual(service.journal.records, [])

    def test_the_format_is_the_one_that_others_read(self):
        self.service().submit("Müller", "gear.stl", copies=2)
        lines = self.path.read_text(encoding="utf-8").splitlines()
        expected = {"customer": "Müller", "model": "gear.stl", "copies": 2}
        self.assertEqual(json.loads(lines[0]), {"seq": 1, "event": "submitted", "job": "J-000001", "data": expected})
        self.assertIn("Müller", lines[0])


class JournalTest(JournalTestCase):
    def test_a_damaged_line_is_reported(self):
        self.path.write_text('{"seq": 1, "event": "x", "job": "y", "data": {}}\nnonsense\n{}\n', encoding="utf-8")
        with self.assertRaisesRegex(JournalError, "line 2 is not a record"):
            Journal(self.path)

    def test_a_missing_line_is_reported(self):
        record = '{"seq": %d, "event": "x", "job": "y", "data": {}}\n'
        self.path.write_text(record % 1 + record % 3 + record % 4, encoding="utf-8")
        with self.assertRaisesRegex(JournalError, "line 2 has number 3"):
            Journal(self.path)


class CommandTest(JournalTestCase):
    def printfarm(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = main(["--journal", str(self.path), *arguments])
        return status, output.getvalue()

    def test_submit_and_list(self):
        self.assertEqual(self.printfarm("submit", "Müller", "gear.stl", "--copies", "2"), (0, "J-000001\n"))
        self.assertEqual(self.printfarm("list"), (0, "J-000001  waiting     2 x gear.stl  Müller\n"))

    def test_a_bad_journal_is_an_error(self):
        self.path.write_text("nonsense\nnonsense\n", encoding="utf-8")
        status, output = self.printfarm("list")
        self.assertEqual(status, 1)
        self.assertIn("line 1", output)


if __name__ == "__main__":
    unittest.main()
