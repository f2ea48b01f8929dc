"""Job service of a 3D printing hall."""

from printfarm.jobs import Job, JobError, JobTable
from printfarm.journal import Journal, JournalError
from printfarm.service import Service

__all__ = ["Job", "JobError", "JobTable", "Journal", "JournalError", "Service"]
