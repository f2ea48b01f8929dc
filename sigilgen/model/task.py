"""Suites and tasks as their authors declare them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What one run may use."""

    cpus: int = 1
    memory_mb: int = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a task came from when it was not written for this repository."""

    repository: str
    commit: str
    path: str
    license: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One `task.yaml` with its `prompt.md`. Everything else of a task stays on disk until a run needs it."""

    id: str
    title: str
    prompt: str
    timeout_seconds: int
    verify_timeout_seconds: int
    protected: tuple[str, ...]
    resources: Resources = Resources()
    setup: tuple[str, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """One `suite.yaml` with its tasks in the order of their ids, and the digest over the whole folder."""

    id: str
    title: str
    summary: str
    license: str
    maintainers: tuple[str, ...]
    languages: tuple[str, ...]
    tasks: tuple[Task, ...]
    digest: str
