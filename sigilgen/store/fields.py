"""Small readers that are put together into a table for each kind of file: what a key may hold, and how it is said."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import yaml

from sigilgen.store.yaml_file import Reader, Report, shortened

Check = Callable[[str], str | None]
"""What is wrong with a text, as words that follow its name; None when nothing is."""

LONGEST_LIST = 100
"""Entries of a list, where nothing else is said: each may cost a look at every file or name there is."""

_TAG = "tag:yaml.org,2002:"
_FOUND = {
    "bool": "true or false",
    "int": "a number",
    "float": "a number with a fraction",
    "null": "nothing",
    "timestamp": "a date",
    "merge": "a merge key",
    "value": "a lone '='",
    "seq": "a list",
    "map": "a mapping",
    "str": "text",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a mapping."""

    name: str
    read: Reader
    required: bool = True


def mapping(*fields: Field) -> Reader:
    """A mapping with these keys and no others, as a dictionary of what was there."""
    known = {field.name: field for field in fields}

    def read(node: yaml.Node, name: str, report: Report) -> object:
        pairs = _pairs(node, name, report)
        if pairs is None:
            return None
        for key, (key_node, _) in pairs.items():
            if key not in known:
                report(key_node, f"unknown key {_shown(key)}", suggestion(key, known) or f"Known: {', '.join(known)}.")
        for missing in (field.name for field in fields if field.required and field.name not in pairs):
            report(node, f"{_dotted(name, missing)} is missing", "")
        return {
            key: known[key].read(value, _dotted(name, key), report) for key, (_, value) in pairs.items() if key in known
        }

    return read


def string_map(limit: int) -> Reader:
    """A mapping from any text to text."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        pairs = _pairs(node, name, report)
        if pairs is None:
            return None
        return {key: line(limit)(value, _dotted(name, key), report) for key, (_, value) in pairs.items()}

    return read


def sequence(item: Reader, *, least: int = 0, most: int = LONGEST_LIST, unique: bool = False) -> Reader:
    """A list, as a tuple of what `item` makes of each entry. With `unique`, scalars that stand twice are reported."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        if not isinstance(node, yaml.SequenceNode):
            report(
                node, f"{name} must be a list, found {_found(node)}", "Write it as [a, b], or with '- ' on each line."
            )
            return None
        if len(node.value) < least:
            report(node, f"{name} must have at least {least} {'entry' if least == 1 else 'entries'}", "")
        if len(node.value) > most:
            report(node, f"{name} must have at most {most} entries, found {len(node.value)}", "")
            return None
        values = tuple(item(child, f"{name}[{index}]", report) for index, child in enumerate(node.value))
        if unique:
            _report_repeats(node, values, name, report)
        return values

    return read


def one_of(readers: Mapping[str, Reader]) -> Reader:
    """A mapping with exactly one of these keys, as the pair of key and value."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        pairs = _pairs(node, name, report)
        if pairs is None:
            return None
        if len(pairs) != 1:
            report(node, f"{name} must have exactly one key, found {len(pairs)}", f"One of {', '.join(readers)}.")
            return None
        ((key, (key_node, value)),) = pairs.items()
        if key not in readers:
            fix = suggestion(key, readers) or f"One of {', '.join(readers)}."
            report(key_node, f"unknown key {_shown(key)}", fix)
            return None
        return key, readers[key](value, _dotted(name, key), report)

    return read


def line(limit: int, check: Check | None = None) -> Reader:
    """Text on one line, of 1 to `limit` printable characters, without space around it."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        text = _text(node, name, report)
        if text is None:
            return None
        text = text.strip()
        fault = _line_fault(text, limit) or (check(text) if check else None)
        if fault:
            report(node, f"{name} {fault}", "")
            return None
        return text

    return read


def block(limit: int, *, blank: bool = False) -> Reader:
    """Text of any number of lines, kept as it is; with `blank`, it may be empty."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        text = _text(node, name, report)
        if text is None:
            return None
        if not blank and not text.strip():
            report(node, f"{name} must not be empty", "")
            return None
        if len(text) > limit:
            report(node, f"{name} must have at most {limit} characters, found {len(text)}", "")
            return None
        if any("\ud800" <= character <= "\udfff" for character in text):
            report(node, f"{name} holds half of a surrogate pair, which is not text", "")
            return None
        return text

    return read


def integer(low: int, high: int) -> Reader:
    """A whole number from `low` to `high`, in plain decimal digits."""

    def read(node: yaml.Node, name: str, report: Report) -> object:
        if not isinstance(node, yaml.ScalarNode) or node.tag != f"{_TAG}int":
            report(node, f"{name} must be a whole number, found {_found(node)}", "")
            return None
        if not re.fullmatch(r"0|-?[1-9][0-9]{0,15}", node.value) or not low <= int(node.value) <= high:
            fix = "Write plain decimal digits: YAML reads a leading 0, _ and : in numbers in its own way."
            what = f"{name} must be a whole number from {low} to {high}, found {_shown(node.value)}"
            report(node, what, "" if re.fullmatch(r"0|-?[1-9][0-9]*", node.value) else fix)
            return None
        return int(node.value)

    return read


def suggestion(word: str, known: Mapping[str, object]) -> str:
    """The question whether the nearest known word was meant; empty when none is near."""
    close = get_close_matches(shortened(word), known, n=1)
    return f"Did you mean {close[0]}?" if close else ""


def _report_repeats(node: yaml.SequenceNode, values: Sequence[object], name: str, report: Report) -> None:
    seen: set[object] = set()
    for child, value in zip(node.value, values, strict=True):
        if value is not None and value in seen:
            report(child, f"{name} lists {_shown(str(value))} twice", "")
        seen.add(value)


def _pairs(node: yaml.Node, name: str, report: Report) -> dict[str, tuple[yaml.Node, yaml.Node]] | None:
    """Key and value nodes by key; keys that are not text or stand twice are reported."""
    if not isinstance(node, yaml.MappingNode):
        what = f"{name} must" if name else "must"
        report(node, f"{what} be a mapping, found {_found(node)}", "Write one 'key: value' on each line.")
        return None
    pairs: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            report(key, "a key must be a word", "")
        elif key.value in pairs:
            report(key, f"{_dotted(name, key.value)} stands twice", "Keep one of the two.")
        else:
            pairs[key.value] = (key, value)
    return pairs


def _text(node: yaml.Node, name: str, report: Report) -> str | None:
    if isinstance(node, yaml.ScalarNode) and node.tag == f"{_TAG}str":
        return str(node.value)
    fix = ""
    if isinstance(node, yaml.ScalarNode) and node.value:
        fix = f'If text is meant, put it in quotes: "{shortened(node.value)}"'
    report(node, f"{name} must be text, found {_found(node)}", fix)
    return None


def _line_fault(text: str, limit: int) -> str | None:
    if not text:
        return "must not be empty"
    if len(text) > limit:
        return f"must have at most {limit} characters, found {len(text)}"
    unfit = next((character for character in text if not character.isprintable()), None)
    if unfit is not None:
        what = "a line break" if unfit in "\r\n" else f"the invisible character U+{ord(unfit):04X}"
        return f"must be one line of visible text, found {what}"
    return None


def _found(node: yaml.Node) -> str:
    """What YAML takes a node for, in the words of people."""
    kind = _FOUND.get(node.tag.removeprefix(_TAG), "something else")
    if isinstance(node, yaml.ScalarNode) and node.value and kind != "text":
        return f"{kind} ({_shown(node.value)} without quotes)"
    return kind


def _shown(text: str) -> str:
    return repr(shortened(text))


def _dotted(name: str, key: str) -> str:
    return f"{name}.{shortened(key)}" if name else shortened(key)
