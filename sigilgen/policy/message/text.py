"""From Markdown to sentences: what an agent says in its own voice, without code, quotations and decoration.

Everything here takes time linear in the length of the message: no pattern can retry over unbounded text, and a
sentence that never ends is cut after `LONGEST_SENTENCE` words.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

CODE = "`"
"""Stands for a piece of code, a quotation, a path or an address: something is named there, but nothing is said."""
BREAK = ","
"""Stands for every mark that separates within a sentence: comma, colon, dash, bracket."""
TICK, CROSS, OPEN_BOX = "✅", "❌", "☐"
LONGEST_SENTENCE = 120
LONGEST_WORD = 80

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_ITEM = re.compile(r"(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s+")
_TABLE_RULE = re.compile(r"[|:\s-]*")
_BOX = re.compile(r"\[([ xX])\](?=\s|$)")

_MARKUP = re.compile(r"<!--[^<>]*-->|</?[a-zA-Z][^<>]{0,200}>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_NAMED = re.compile(
    r"`[^`]+`"
    r"|https?://[^\s<>]+"
    r'|"[^"]{1,300}"'
    r"|[“„][^“”„]{1,300}[”“]"
    r"|«[^«»]{1,300}»"
    r"|~~[^~]{1,300}~~"
)
_SAME = {"✔": TICK, "✓": TICK, "☑": TICK, "✗": CROSS, "✘": CROSS, "✖": CROSS, "\u2019": "'", "*": ""}
_WHOLE = re.compile(r"\b100 ?%")
_CONTRACTION = re.compile(r"(?:n't|'(?:ll|ve|m|re|s|d))\b")
_SPELLED_OUT = {
    "n't": " not",
    "'ll": " will",
    "'ve": " have",
    "'m": " am",
    "'re": " are",
    "'s": " is",
    "'d": " had",
    "ca": "can",
    "cannot": "can not",
    "cant": "can not",
    "couldnt": "could not",
    "didnt": "did not",
    "doesnt": "does not",
    "dont": "do not",
    "havent": "have not",
    "isnt": "is not",
    "wasnt": "was not",
}

_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)*(?!\w)"  # a number
    r"|\w+(?:[./\\]\w+)*"  # a word, or a path
    r"|[.!?…;]+(?=[\s)_\"']|$)"  # an end
    r"|(?<!\w)[-+](?!\w)|[¿,:()\[\]\u2013\u2014/`✅❌☐]"
)
_ENDS = frozenset(".!?…;")
_SPOKEN_MARKS = frozenset({CODE, TICK, CROSS, OPEN_BOX})


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as lower-case words, with `BREAK`, `CODE`, `TICK`, `CROSS` and `OPEN_BOX` among them."""

    words: tuple[str, ...]
    question: bool


def sentences(message: str) -> list[Sentence]:
    """Split `message` into what its author says, in order. List items, headings and table cells are sentences too."""
    return [sentence for block in _blocks(message) for sentence in _sentences(block)]


def _blocks(message: str) -> Iterator[str]:
    """Yield each paragraph, list item, heading and table cell as one line."""
    paragraph: list[str] = []
    for line in _own_lines(message):
        item = _ITEM.match(line)
        table = line.startswith("|")
        if paragraph and (item or table or not line):
            yield " ".join(paragraph)
            paragraph = []
        if table:
            yield from _cells(line)
        elif line:
            paragraph.append(line[item.end() :] if item else line)
    yield " ".join(paragraph)


def _cells(row: str) -> list[str]:
    """What a row says of its subject: all cells but the first, which only names it."""
    return [] if _TABLE_RULE.fullmatch(row) else row.split("|")[2:]


def _own_lines(message: str) -> Iterator[str]:
    """Yield stripped lines outside fenced code and block quotes. A fence that never closes hides the rest."""
    fence = ""
    for raw in message.splitlines():
        line = raw.strip()
        marker = _FENCE.fullmatch(line)
        if fence:
            if marker and marker[1].startswith(fence) and not marker[2]:
                fence = ""
        elif marker:
            fence = marker[1]
            yield ""
        else:
            yield "" if line.startswith(">") else line


def _sentences(block: str) -> Iterator[Sentence]:
    words: list[str] = []
    for token in _fractions(_TOKEN.findall(_plain(block))):
        ended = token[0] in _ENDS
        if not ended:
            words.extend(_words(token))
        if words and (ended or len(words) >= LONGEST_SENTENCE):
            yield Sentence(tuple(words), question=ended and "?" in token)
            words = []
    if words:
        yield Sentence(tuple(words), question=False)


def _plain(block: str) -> str:
    text = block if block.isascii() else _composed(block)
    for mark, meaning in _SAME.items():
        text = text.replace(mark, meaning)
    text = _WHOLE.sub("all", text)
    text = _BOX.sub(lambda box: OPEN_BOX if box[1] == " " else TICK, text)
    text = _NAMED.sub(f" {CODE} ", _LINK.sub(r"\1", _MARKUP.sub(" ", text)))
    return _CONTRACTION.sub(lambda short: _SPELLED_OUT[short[0]], text.lower())


def _composed(text: str) -> str:
    """Letters and their accents as one character each. Composing a long run of accents takes quadratic time."""
    words = (word if len(word) > LONGEST_WORD else unicodedata.normalize("NFC", word) for word in text.split())
    return " ".join(words)


def _words(token: str) -> list[str]:
    if token.isalpha():
        return _SPELLED_OUT[token].split(" ") if token in _SPELLED_OUT else [token]
    word = token.strip("_")
    if word in _SPOKEN_MARKS or word.isalnum():
        return [word]
    if not word or not word[0].isalnum():
        return [BREAK]
    return [word] if word[0].isdigit() else [CODE]


def _fractions(tokens: list[str]) -> Iterator[str]:
    """Read "12 of 12" and "12/12" as "all", and "9 of 12" as "some"."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.isdigit() and position + 2 < len(tokens):
            joint, total = tokens[position + 1 : position + 3]
            if joint in {"of", "/"} and total.isdigit():
                token = "all" if token == total else "some"
                position += 2
        yield token
        position += 1
