"""What verifying the store came to."""

from collections.abc import Iterable
from dataclasses import dataclass

from sigilgen.store.strict_json import Flaw


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One place where the store contradicts itself: the file, the line and field where there are such, and how."""

    file: str
    line: int | None
    field: str | None
    what: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.what}" if self.field in {None, "$"} else f"{place}: {self.field}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`records` and `runs` were read; `notes` say what could not be checked here, and why."""

    records: int
    runs: int
    disagreements: tuple[Disagreement, ...]
    notes: tuple[str, ...]


def in_file(file: str, flaws: Iterable[Flaw]) -> list[Disagreement]:
    """Flaws of one file as disagreements."""
    return [Disagreement(file, flaw.line, flaw.field, flaw.what) for flaw in flaws]


def about(file: str, what: str) -> Disagreement:
    """A disagreement about a whole file."""
    return Disagreement(file, None, None, what)
