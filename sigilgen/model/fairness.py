"""What checking the tasks of a suite showed: every check of every task, bound to the exact content of the suite."""

from enum import StrEnum

import msgspec


class Status(StrEnum):
    """`not checked` is not a pass: something on the machine is missing, and the check says what."""

    PASS = "pass"  # noqa: S105  (a status, not a password)
    FAIL = "fail"
    NOT_CHECKED = "not checked"


class Check(msgspec.Struct, frozen=True):
    """One check of one task: what came of it, what was seen, and what to change."""

    name: str
    status: Status
    seen: str
    fix: str = ""


class CheckedTask(msgspec.Struct, frozen=True):
    """All checks of one task, in the order of the formats reference."""

    task: str
    checks: tuple[Check, ...]


class FairnessProof(msgspec.Struct, frozen=True, kw_only=True):
    """One `sigil task check` of a suite. Times are RFC 3339 in UTC; `platform` is that of the machine."""

    schema: int
    suite: str
    suite_digest: str
    checked_at: str
    sigil_version: str
    platform: str
    tasks: tuple[CheckedTask, ...]

    def has(self, status: Status) -> bool:
        """Whether any check of any task came to this."""
        return any(check.status is status for task in self.tasks for check in task.checks)
