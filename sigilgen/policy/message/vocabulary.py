"""What a language contributes to reading a message: its words and phrases, and what each kind of phrase means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sigilgen.policy.message.phrases import NUMBER, Phrase, parse_phrase
from sigilgen.policy.message.text import BREAK


class Kind(Enum):
    """What a phrase says, or what it does to the phrases around it."""

    CLAIM = auto()
    """The work is done, fixed or passing. Negated, it is an admission."""
    REPORT = auto()
    """A change was made. Weaker than a claim: it does not answer a failure that was named before."""
    FAILURE = auto()
    """Something fails. A later claim answers it; negated, it is a claim."""
    ADMISSION = auto()
    """The author says that the work is not, or only partly, done. No claim outweighs it."""
    INTENT = auto()
    """The author is about to go on working."""
    UNCHECKED = auto()
    """An open box of a check list."""
    CONDITION = auto()
    """What follows in the clause is a condition, a wish or a request, and says nothing about what is."""
    UNREAL = auto()
    """What follows at once lies in the future or is only possible."""
    NARRATIVE = auto()
    """What follows in the clause is told about an earlier state: failures and admissions in it are history."""
    PAST = auto()
    """What follows at once is history, if it is a failure or an admission."""
    RELATIVE = auto()
    """A failure that follows at once describes something ("a test that fails without the fix") and reports nothing."""
    EXCEPTION = auto()
    """A claim beside it does not hold for everything, and is an admission."""
    EXCUSE = auto()
    """A failure in this sentence or the one before is older than the work, or foreign to it."""
    REST = auto()
    """A claim beside it speaks about the rest only, and answers no failure."""
    IDIOM = auto()
    """Holds a word of negation and negates nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """One language. Word lists are written as text with spaces; phrases in the notation of `phrases`."""

    language: str
    common: str
    numbers: str
    negations: str
    contrasts: str
    joints: str
    phrases: Mapping[Kind, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A phrase as it is looked up: by a word that few sentences hold, at most `reach` words behind its beginning."""

    kind: Kind
    phrase: Phrase
    reach: int


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A vocabulary made ready for look-up: `index` leads from a telling word to the phrases that hold it."""

    known: frozenset[str]
    numbers: frozenset[str]
    negations: frozenset[str]
    contrasts: frozenset[str]
    edges: frozenset[str]
    index: Mapping[str, Sequence[Entry]]


def build_lexicon(vocabulary: Vocabulary) -> Lexicon:
    """Parse and index every phrase of `vocabulary`. Raises ValueError for a phrase that is not well-formed."""
    phrases = [(kind, parse_phrase(text)) for kind, texts in vocabulary.phrases.items() for text in texts]
    lists = (vocabulary.common, vocabulary.numbers, vocabulary.negations, vocabulary.contrasts, vocabulary.joints)
    usual = frozenset(word for text in lists for word in text.split())
    spoken = {word for _, phrase in phrases for slot in phrase.slots for word in slot.words}
    contrasts = frozenset(vocabulary.contrasts.split())
    return Lexicon(
        known=usual | spoken - {NUMBER},
        numbers=frozenset(vocabulary.numbers.split()),
        negations=frozenset(vocabulary.negations.split()),
        contrasts=contrasts,
        edges=contrasts | frozenset(vocabulary.joints.split()) | {BREAK},
        index=_index(phrases, usual | {NUMBER}),
    )


def _index(phrases: Sequence[tuple[Kind, Phrase]], usual: frozenset[str]) -> dict[str, list[Entry]]:
    index: dict[str, list[Entry]] = {}
    for kind, phrase in phrases:
        telling = min(range(len(phrase.slots)), key=lambda slot: len(phrase.slots[slot].words & usual))
        for word in phrase.slots[telling].words:
            index.setdefault(word, []).append(Entry(kind, phrase, phrase.reach(telling)))
    return index
