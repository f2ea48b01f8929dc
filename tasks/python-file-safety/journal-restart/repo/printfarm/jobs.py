"""Jobs, their states, and what an event does to them. Nothing here knows where events come from."""

from dataclasses import dataclass, field

WAITING, PRINTING, DONE, FAILED = "waiting", "printing", "done", "failed"

# event: (states in which it may happen, state that follows)
TRANSITIONS = {
    "started": ((WAITING,), PRINTING),
    "finished": ((PRINTING,), DONE),
    "failed": ((WAITING, PRINTING), FAILED),
}


class JobError(Exception):
    """Something that cannot happen to a job in its present state."""


@dataclass
class Job:
    id: str
    customer: str
    model: str
    copies: int = 1
    state: str = WAITING
    printer: str | None = None
    reason: str | None = None


@dataclass
class JobTable:
    jobs: dict[str, Job] = field(default_factory=dict)

    def next_id(self) -> str:
        return f"J-{len(self.jobs) + 1:06}"

    def check(self, event: str, job_id: str) -> None:
        """Raise `JobError` if `event` cannot happen to this job now."""
        if event == "submitted":
            if job_id in self.jobs:
                raise JobError(f"{job_id} exists already")
            return
        if event not in TRANSITIONS:
            raise JobError(f"unknown event {event!r}")
        if job_id not in self.jobs:
            raise JobError(f"there is no job {job_id}")
        allowed, _ = TRANSITIONS[event]
        if self.jobs[job_id].state not in allowed:
            raise JobError(f"{job_id} is {self.jobs[job_id].state} and cannot be {event}")

    def apply(self, event: str, job_id: str, data: dict) -> Job:
        """Let `event` happen and return the job as it is then."""
        self.check(event, job_id)
        if event == "submitted":
            self.jobs[job_id] = Job(job_id, data["customer"], data["model"], data.get("copies", 1))
            return self.jobs[job_id]
        job = self.jobs[job_id]
        _, job.state = TRANSITIONS[event]
        job.printer = data.get("printer", job.printer)
        job.reason = data.get("reason", job.reason)
        return job

    def waiting(self) -> list[Job]:
        return [job for job in self.jobs.values() if job.state == WAITING]
