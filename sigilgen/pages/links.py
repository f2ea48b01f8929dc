"""Links into the repository. Where its address is not known, the same words stand without one."""

from dataclasses import dataclass

from sigilgen.model.capability import Source
from sigilgen.model.record import ProveRecord
from sigilgen.pages.address import Address
from sigilgen.pages.text import safe_link


@dataclass(frozen=True, slots=True)
class Link:
    """Words, and the address that they lead to if there is one."""

    text: str
    address: str | None


def file_link(address: Address | None, path: str) -> Link:
    """A file or folder of the repository."""
    return Link(path, address.file(path) if address else None)


def source_links(source: Source) -> tuple[Link, ...]:
    """Where a third-party payload lives. Only a web address becomes a link."""
    web = safe_link(source.repository)
    return (Link(source.repository, web), Link(f"commit {source.commit}", None), Link(f"path {source.path}", None))


def rerun_link(address: Address | None, *, capability: str, digest: str | None) -> Link:
    """Ask for another run of a capability."""
    fields = {"capability": capability, "digest": digest or ""}
    return Link("Ask for a new run", address.issue("request-rerun.yml", **fields) if address else None)


def contest_link(address: Address | None, result: ProveRecord) -> Link:
    """Contest a result, or add context to it."""
    fields = {"record": result.id}
    return Link(
        "Contest this result or add context", address.issue("contest-or-context.yml", **fields) if address else None
    )


def challenge_link(address: Address | None, *, suite: str, digest: str, task: str | None = None) -> Link:
    """Say that a task, or a whole suite, is unfair."""
    fields = {"suite": suite, "digest": digest} | ({"task": task} if task else {})
    words = "Challenge this task" if task else "Challenge a task of this suite"
    return Link(words, address.issue("challenge-task.yml", **fields) if address else None)
