"""Text that strangers wrote, made safe to stand in a page.

Records, skills, prompts and transcripts are hostile until they have gone through `neutral`. Its result holds no
character that HTML, an attribute, an SVG, Markdown or a template language could take for its own, and no invisible one.
"""

import re
from urllib.parse import urlsplit

from markupsafe import Markup

SCHEMES = frozenset({"http", "https", "mailto"})

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, except tab and line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # characters without ink, and the Arabic letter mark
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"  # zero width, direction, separators
    "\ud800-\udfff"  # half characters, which cannot be written as UTF-8
    "\ufe00-\ufe0e\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # selectors and tags, which can hide whole messages
    "\u2800\U0001bca0-\U0001bca3\U0001d159"  # an empty Braille cell, controls of shorthand, a note without a head
    "]"
    "|(?<=[\ufe00-\ufe0f])\ufe0f"  # one emoji selector is usual, a row of them is a hiding place
)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Those among them that plain ASCII text can hold, which is quicker to search."""

_MEANT = (
    ("&", "&amp;"),  # first, because the others bring new ones
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&#39;"),
    ("`", "&#96;"),
    ("{", "&#123;"),
    ("}", "&#125;"),
    ("[", "&#91;"),
    ("]", "&#93;"),
    ("\t", "&#9;"),  # Markdown would turn it into spaces
)
_HARMLESS = re.compile(r"[\w ,.:/()=+%·-]*", re.ASCII)


def visible(text: str) -> str:
    """`text` with every invisible, direction-changing or unwritable character spelled out as ⟨U+202E⟩."""
    if text.isascii() and not _CONTROL.search(text):
        return text
    return _UNSEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text.replace("\r\n", "\n"))


def neutral(text: str) -> Markup:
    """`text` for the inside of an element or of a quoted attribute, with nothing left that could act."""
    if _HARMLESS.fullmatch(text):  # most of what pages print, and the check costs a fraction of what follows
        return Markup(text)  # noqa: S704  (only letters, digits and marks without a meaning)
    shown = visible(text)
    for sign, entity in _MEANT:
        shown = shown.replace(sign, entity)
    return Markup(shown)  # noqa: S704  (escaped by the lines above)


def output(value: object) -> str:
    """What a template may print: markup of our own, numbers, and text, which is made neutral unless it is harmless.

    Raises:
        TypeError: For None and everything else, because a missing value must be worded, not printed.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return value if _HARMLESS.fullmatch(value) else neutral(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"a template may not print {value!r}")


def safe_link(address: str) -> str | None:
    """`address` if a reader may follow it: an absolute link of a known scheme without user or password, else None."""
    if address != visible(address) or re.search(r"\s", address):
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme.lower() not in SCHEMES or "\\" in address:
        return None
    if parts.scheme.lower() == "mailto":
        return address
    return address if parts.hostname and not parts.username else None


def head(text: str, limit: int) -> str:
    """The first `limit` characters of `text`; what was left out is said by whoever shows it."""
    return text if len(text) <= limit else text[:limit]


def tail(text: str, limit: int) -> str:
    """The last `limit` characters of `text`."""
    return text if len(text) <= limit else text[-limit:]
