"""Accepts jobs and hands them to printers. Every change is in the journal before it is in memory."""

import os

from printfarm.jobs import Job, JobTable
from printfarm.journal import Journal


class Service:
    def __init__(self, journal: str | os.PathLike[str]) -> None:
        self.table = JobTable()
        self.journal = Journal(journal)
        for record in self.journal.records:
            self.table.apply(record["event"], record["job"], record["data"])

    def submit(self, customer: str, model: str, copies: int = 1) -> str:
        """Accept a job and return its id."""
        if copies < 1:
            raise ValueError("at least one copy has to be printed")
        data = {"customer": customer, "model": model, "copies": copies}
        return self._record("submitted", self.table.next_id(), data).id

    def start(self, job_id: str, printer: str) -> None:
        self._record("started", job_id, {"printer": printer})

    def finish(self, job_id: str) -> None:
        self._record("finished", job_id, {})

    def fail(self, job_id: str, reason: str) -> None:
        self._record("failed", job_id, {"reason": reason})

    def jobs(self) -> list[Job]:
        return list(self.table.jobs.values())

    def close(self) -> None:
        self.journal.close()

    def _record(self, event: str, job_id: str, data: dict) -> Job:
        self.table.check(event, job_id)
        self.journal.append(event, job_id, data)
        return self.table.apply(event, job_id, data)
