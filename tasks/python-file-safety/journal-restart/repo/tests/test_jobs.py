import unittest

from printfarm.jobs import DONE, FAILED, PRINTING, WAITING, JobError, JobTable
from printfarm.report import copies_by_customer, failures

SUBMITTED = {"customer": "Müller", "model": "gear.stl", "copies": 2}


class JobTableTest(unittest.TestCase):
    def setUp(self):
        self.table = JobTable()
        self.table.apply("submitted", "J-000001", SUBMITTED)

    def state(self):
        return self.table.jobs["J-000001"].state

    def test_the_life_of_a_job(self):
        self.assertEqual(self.state(), WAITING)
        self.table.apply("started", "J-000001", {"printer": "mk4-07"})
        self.assertEqual(self.state(), PRINTING)
        self.table.apply("finished", "J-000001", {})
        self.assertEqual(self.state(), DONE)
        self.assertEqual(copies_by_customer(self.table.jobs.values()), {"Müller": 2})

    def test_a_job_can_fail(self):
        self.table.apply("failed", "J-000001", {"reason": "out of filament"})
        self.assertEqual(self.state(), FAILED)
        self.assertEqual(failures(self.table.jobs.values()), ["J-000001 Müller: out of filament"])

    def test_what_cannot_happen_is_refused(self):
        for event, job in (("finished", "J-000001"), ("started", "J-000009"), ("melted", "J-000001")):
            with self.subTest(event), self.assertRaises(JobError):
                self.table.check(event, job)

    def test_ids_are_counted(self):
        self.assertEqual(self.table.next_id(), "J-000002")


if __name__ == "__main__":
    unittest.main()
