"""Which language a message is written in, as far as the reader knows it.

A message is read only when its words are mostly words of one known language. Languages that look like a known one
are listed with common words of their own, so that they are recognised and refused instead of misread.
"""

import re
from collections import Counter
from collections.abc import Iterable

from sigilgen.policy.message.english import ENGLISH
from sigilgen.policy.message.french import FRENCH
from sigilgen.policy.message.german import GERMAN
from sigilgen.policy.message.italian import ITALIAN
from sigilgen.policy.message.portuguese import PORTUGUESE
from sigilgen.policy.message.spanish import SPANISH
from sigilgen.policy.message.text import Sentence
from sigilgen.policy.message.vocabulary import Lexicon, build_lexicon

LEXICONS = {
    vocabulary.language: build_lexicon(vocabulary)
    for vocabulary in (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN)
}
"""Languages that are read; the first one wins a draw."""

LEAST_SHARE = 0.25
"""A message is read when at least this share of its words is known in one language."""
MOST_FOREIGN_LETTERS = 0.25
"""A message is refused when more than this share of its letters is not Latin."""

REFUSED = {
    language: frozenset(words.split())
    for language, words in {
        "ca": "aquest aquesta amb ara les els una per què més també està són fer canvis proves totes dins",
        "cs": "a se je na to že v s jsem byla bylo aby jako pro ale není jsou všechny test chyba soubor jsou",
        "da": "jeg er har og det at en af ikke nu alle til på med som den der blev kan men ved fejl",
        "fi": "ja on ei se että oli kaikki nyt mutta kun myös ovat olen virhe testit",
        "hu": "a az és hogy nem van egy minden most már meg volt ez is hiba",
        "id": "saya sudah dan yang semua tidak untuk ini dengan di telah adalah itu dari akan berhasil",
        "la": "et in ut sed est non ad qui cum ex dolor sit amet ipsum lorem do",
        "nl": "ik heb de het een en niet nu alle is zijn van dat deze voor met om te er nog maar wordt naar bij ook",
        "no": "jeg er har og det at en av ikke nå alle til på med som den ble kan men feil",
        "pl": "i w z na nie się jest został wszystkie teraz ale że do to jak już po przez oraz błąd testy",
        "ro": "am și a nu este toate acum în pentru cu din care mai dar să fost eroarea teste",
        "sv": "jag har och det att en av inte nu alla till på med som den är ett men kan felet tester",
        "tr": "ve bir bu tüm için ile da de değil olarak çok ama şimdi var testler",
        "vi": "tôi đã và tất cả các không là có cho được trong này của lỗi đều",
    }.items()
}

_FOREIGN_LETTER = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff]")


def _speakers() -> dict[str, list[str]]:
    """From each listed word to the languages that it belongs to."""
    speakers: dict[str, list[str]] = {}
    for language, words in ({code: lexicon.known for code, lexicon in LEXICONS.items()} | REFUSED).items():
        for word in words:
            speakers.setdefault(word, []).append(language)
    return speakers


_SPEAKERS = _speakers()


def choose_lexicon(sentences: Iterable[Sentence]) -> Lexicon | None:
    """The lexicon to read `sentences` with, or None when no known language fits. Without words, any will do."""
    words = [word for sentence in sentences for word in sentence.words if word[0].isalpha()]
    heard = Counter(language for word in words for language in _SPEAKERS.get(word, ()))
    best = max(LEXICONS, key=lambda language: heard[language])
    refused = max(heard[language] for language in REFUSED)
    if heard[best] < max(LEAST_SHARE * len(words), refused) or _is_foreign("".join(words)):
        return None
    return LEXICONS[best]


def _is_foreign(letters: str) -> bool:
    return not letters.isascii() and len(_FOREIGN_LETTER.findall(letters)) > MOST_FOREIGN_LETTERS * len(letters)
