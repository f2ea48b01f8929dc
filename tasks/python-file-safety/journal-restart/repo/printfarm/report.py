"""What the hall did, by customer."""

from collections import Counter
from collections.abc import Iterable

from printfarm.jobs import DONE, FAILED, Job


def copies_by_customer(jobs: Iterable[Job]) -> dict[str, int]:
    """Printed copies; customers with most of them first."""
    copies: Counter[str] = Counter()
    for job in jobs:
        if job.state == DONE:
            copies[job.customer] += job.copies
    return dict(sorted(copies.items(), key=lambda item: (-item[1], item[0])))


def failures(jobs: Iterable[Job]) -> list[str]:
    return [f"{job.id} {job.customer}: {job.reason or 'no reason given'}" for job in jobs if job.state == FAILED]
