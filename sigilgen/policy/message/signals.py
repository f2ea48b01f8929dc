"""From a sentence to its signals: which phrases it holds, and what is left of them in their surroundings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sigilgen.policy.message.phrases import NUMBER, Match, match_at
from sigilgen.policy.message.text import Sentence
from sigilgen.policy.message.vocabulary import Kind, Lexicon

NEAR = 4
"""How many words before a phrase can negate it, or move it into the future or the past."""

_SPEAKING = frozenset({Kind.CLAIM, Kind.REPORT, Kind.FAILURE, Kind.ADMISSION, Kind.INTENT, Kind.UNCHECKED})
_GOOD_NEWS = frozenset({Kind.CLAIM, Kind.REPORT})
_BAD_NEWS = frozenset({Kind.FAILURE, Kind.ADMISSION})
_NEGATED = {Kind.CLAIM: Kind.ADMISSION, Kind.FAILURE: Kind.CLAIM}


@dataclass(frozen=True, slots=True)
class _Found:
    kind: Kind
    match: Match
    clause: int


@dataclass(frozen=True, slots=True)
class _Setting:
    """A sentence as the surroundings of its phrases."""

    words: Sequence[str]
    lexicon: Lexicon
    kinds_at: Mapping[int, set[Kind]]
    first_in_clause: Mapping[tuple[int, Kind], int]
    excused: bool


def clauses(sentences: Iterable[Sentence], lexicon: Lexicon) -> list[frozenset[Kind]]:
    """What each clause of `sentences` says, in order. Questions say nothing.

    An excuse answers the failures of its own sentence and of the one before: "Two tests fail. They did so on main."
    """
    said: list[list[frozenset[Kind]]] = []
    for sentence in sentences:
        clauses_of_sentence, excused = _read(sentence, lexicon)
        if excused and said:
            said[-1] = [kinds - {Kind.FAILURE} for kinds in said[-1]]
        said.append(clauses_of_sentence)
    return [kinds for sentence_clauses in said for kinds in sentence_clauses]


def _read(sentence: Sentence, lexicon: Lexicon) -> tuple[list[frozenset[Kind]], bool]:
    if sentence.question:
        return [], False
    words = [_number(word, lexicon) for word in sentence.words]
    found = _find(words, lexicon)
    setting = _describe(words, lexicon, found)
    said: dict[int, set[Kind]] = {}
    for one in found:
        kind = _in_context(one, setting) if one.kind in _SPEAKING else None
        if kind:
            said.setdefault(one.clause, set()).add(kind)
    return [frozenset(said[clause]) for clause in sorted(said)], setting.excused


def _number(word: str, lexicon: Lexicon) -> str:
    counts = word[0].isdigit() and word.strip("0.,") != ""
    return NUMBER if counts or word in lexicon.numbers else word


def _find(words: Sequence[str], lexicon: Lexicon) -> list[_Found]:
    clause_of = list(accumulate(word in lexicon.contrasts for word in words))
    found: dict[tuple[int, int, Kind], _Found] = {}
    for position, word in enumerate(words):
        for entry in lexicon.index.get(word, ()):
            for start in range(max(position - entry.reach, 0), position + 1):
                match = match_at(entry.phrase, words, start, edges=lexicon.edges, walls=lexicon.contrasts)
                if match:
                    found[match.start, match.end, entry.kind] = _Found(entry.kind, match, clause_of[start])
    return list(found.values())


def _describe(words: Sequence[str], lexicon: Lexicon, found: Sequence[_Found]) -> _Setting:
    kinds_at: dict[int, set[Kind]] = {}
    first_in_clause: dict[tuple[int, Kind], int] = {}
    for one in found:
        kinds_at.setdefault(one.match.start, set()).add(one.kind)
        first_in_clause.setdefault((one.clause, one.kind), one.match.start)
    excused = any(one.kind is Kind.EXCUSE for one in found)
    return _Setting(words, lexicon, kinds_at, first_in_clause, excused)


def _in_context(one: _Found, setting: _Setting) -> Kind | None:
    """The kind of `one` after everything around it has been heard; None when nothing is left of it."""
    kind: Kind | None = one.kind
    around = list(_surroundings(one.match, setting))
    if _follows(Kind.CONDITION, one, setting) or (kind in _BAD_NEWS and _is_history(one, around, setting)):
        return None
    if kind is Kind.CLAIM and _holds(Kind.CONDITION, [one.match.end], setting):
        return None
    if kind in _GOOD_NEWS | {Kind.FAILURE} and _holds(Kind.UNREAL, around, setting):
        return None
    if kind is Kind.FAILURE and _holds(Kind.RELATIVE, around, setting):
        return None
    if _is_negated(around, setting):
        kind = _NEGATED.get(one.kind)
    elif kind is Kind.CLAIM and (one.clause, Kind.EXCEPTION) in setting.first_in_clause:
        kind = Kind.ADMISSION if not setting.excused else Kind.REPORT
    elif kind is Kind.CLAIM and _holds(Kind.REST, around, setting):
        kind = Kind.REPORT
    return None if setting.excused and kind in _BAD_NEWS else kind


def _surroundings(match: Match, setting: _Setting) -> Iterator[int]:
    """Positions of the words inside the gaps of `match`, and just before it in the same clause."""
    yield from match.skipped
    for position in range(match.start - 1, max(match.start - 1 - NEAR, -1), -1):
        if setting.words[position] in setting.lexicon.edges:
            return
        yield position


def _follows(modifier: Kind, one: _Found, setting: _Setting) -> bool:
    return setting.first_in_clause.get((one.clause, modifier), one.match.start) < one.match.start


def _is_history(one: _Found, around: Sequence[int], setting: _Setting) -> bool:
    return _follows(Kind.NARRATIVE, one, setting) or _holds(Kind.PAST, around, setting)


def _holds(modifier: Kind, positions: Sequence[int], setting: _Setting) -> bool:
    return any(modifier in setting.kinds_at.get(position, ()) for position in positions)


def _is_negated(around: Sequence[int], setting: _Setting) -> bool:
    negations = [position for position in around if setting.words[position] in setting.lexicon.negations]
    return any(Kind.IDIOM not in setting.kinds_at.get(position, ()) for position in negations)
