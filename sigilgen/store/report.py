"""What verifying the store came to."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from sigilgen.store.limits import FLAWS_MAX, WORDS_MAX
from sigilgen.store.strict_json import Flaw


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One place where the store contradicts itself: the file, the line and field where there are such, and how."""

    file: str
    line: int | None
    field: str | None
    what: str

    def __str__(self) -> str:
        """One line, whatever stands in the names and texts that it quotes."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        text = f"{place}: {self.what}" if self.field in {None, "$"} else f"{place}: {self.field}: {self.what}"
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`plans`, `results` and `runs` were read; `notes` say what could not be checked here, and why."""

    plans: int
    results: int
    runs: int
    disagreements: tuple[Disagreement, ...]
    notes: tuple[str, ...]


def in_file(file: str, flaws: Iterable[Flaw]) -> list[Disagreement]:
    """Flaws of one file as disagreements, the first of very many. Those that are left out are not even looked for."""
    found = [Disagreement(file, flaw.line, _cut(flaw.field), _cut(flaw.what)) for flaw in islice(flaws, FLAWS_MAX + 1)]
    if len(found) > FLAWS_MAX:
        found[FLAWS_MAX:] = [about(file, f"has more flaws than the {FLAWS_MAX} that are listed")]
    return found


def about(file: str, what: str) -> Disagreement:
    """A disagreement about a whole file."""
    return Disagreement(file, None, None, _cut(what))


def _cut(text: str) -> str:
    return text if len(text) <= WORDS_MAX else f"{text[:WORDS_MAX]}…"
