"""Phrases as data: a small notation for sequences of words, and the matcher that finds them.

    done|finished     one of these words
    tests ~ pass      at most two other words between
    tests ... pass    at most five other words between
    # failed          a number other than zero, in digits or words
    ^ done $          at the start and at the end of a clause

A phrase has few words and bounded gaps, so looking for it at one place takes bounded time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = "#"
_GAPS = {"~": 2, "...": 5}


@dataclass(frozen=True, slots=True)
class Slot:
    """One word of a phrase: the words that fit, and how many others may stand before it."""

    words: frozenset[str]
    gap: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sequence of slots, possibly tied to the start or the end of a clause."""

    slots: tuple[Slot, ...]
    starts_clause: bool
    ends_clause: bool

    def reach(self, slot: int) -> int:
        """How far before its word for `slot` the phrase can begin."""
        return sum(1 + later.gap for later in self.slots[1 : slot + 1])


@dataclass(frozen=True, slots=True)
class Match:
    """Where a phrase was found: `start` and `end` as in a slice, and the positions that its gaps stepped over."""

    start: int
    end: int
    skipped: tuple[int, ...]


def parse_phrase(notation: str) -> Phrase:
    """Parse the notation of this module. Raises ValueError for a phrase that does not begin and end with a word."""
    parts = notation.split()
    starts, ends = parts[:1] == ["^"], parts[-1:] == ["$"]
    slots: list[Slot] = []
    gap = 0
    for part in parts[starts : len(parts) - ends]:
        if part in _GAPS:
            gap = _GAPS[part]
        else:
            slots.append(Slot(frozenset(part.split("|")), gap))
            gap = 0
    if not slots or gap or slots[0].gap:
        raise ValueError(f"a phrase begins and ends with a word: {notation!r}")
    return Phrase(tuple(slots), starts, ends)


def match_at(
    phrase: Phrase, words: Sequence[str], start: int, *, edges: frozenset[str], walls: frozenset[str]
) -> Match | None:
    """Match `phrase` with its first word at `start`; each later slot takes the first word that fits.

    `words` hold `NUMBER` where the text has a number. `edges` are words that part one clause from the next; over a
    word of `walls` no gap may step.
    """
    if words[start] not in phrase.slots[0].words:
        return None
    if phrase.starts_clause and start > 0 and words[start - 1] not in edges:
        return None
    position = start
    skipped: list[int] = []
    for slot in phrase.slots:
        reach = min(position + slot.gap + 1, len(words))
        found = next((i for i in range(position, reach) if words[i] in slot.words), None)
        if found is None or not walls.isdisjoint(words[position:found]):
            return None
        skipped.extend(range(position, found))
        position = found + 1
    if phrase.ends_clause and position < len(words) and words[position] not in edges:
        return None
    return Match(start, position, tuple(skipped))
