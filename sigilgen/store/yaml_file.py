"""YAML as people write it here: one document of plain mappings, lists and scalars, every fault with its line.

Anchors, aliases and tags are refused, so that a file means what it says and stays as small as it looks.
"""

import re
from collections.abc import Callable
from pathlib import Path

import yaml

from sigilgen.errors import Fault
from sigilgen.store.text_file import read_text

LIMIT_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_NODES = 50_000
FAULTS_KEPT = 100
SHOWN_LENGTH = 60

Report = Callable[[yaml.Node, str, str], None]
"""Adds a fault at a node: what is wrong, and what to do."""

Reader = Callable[[yaml.Node, str, Report], object]
"""Turns a node, known by its dotted name, into a value. What is wrong is reported, and None returned."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNFIT = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DIRECTIVE = re.compile("(?:^|[\n\r\x85\u2028\u2029])%")
_ADVICE = {
    "mapping values are not allowed": "Put text that contains ': ' in quotes.",
    "cannot start any token": "Indent with spaces, and put text that begins with @, ` or % in quotes.",
    "could not find expected ':'": "A key needs ': ' after it; longer text goes on with more indentation.",
    "did not find expected key": "Entries of one mapping begin in the same column.",
    "did not find expected '-' indicator": "Entries of one list begin with '- ' in the same column.",
    "unexpected end of stream": "A quote was opened and never closed.",
}


def read_yaml(path: Path, label: str, reader: Reader, *, faults: list[Fault]) -> object:
    """The file at `path` as `reader` understands it, or None with everything wrong with it added to `faults`."""
    text = read_text(path, label, limit_bytes=LIMIT_BYTES, faults=faults)
    return None if text is None else parse_yaml(text, label, reader, faults=faults)


def parse_yaml(text: str, label: str, reader: Reader, *, faults: list[Fault], lines_above: int = 0) -> object:
    """`text` as `reader` understands it. `lines_above` is the number of lines before it in its file."""
    found: list[Fault] = []

    def report_line(line: int, what: str, fix: str) -> None:
        found.append(Fault(label, lines_above + line, what, fix))

    def report(node: yaml.Node, what: str, fix: str) -> None:
        report_line(_line(node.start_mark), what, fix)

    node = _compose(text, report_line)
    value = None if node is None else reader(node, "", report)
    faults += found[:FAULTS_KEPT]
    if len(found) > FAULTS_KEPT:
        faults.append(Fault(label, None, f"has {len(found) - FAULTS_KEPT} more faults"))
    return None if found else value


def _compose(text: str, report_line: Callable[[int, str, str], None]) -> yaml.Node | None:
    if match := _UNFIT.search(text):
        line = text.count("\n", 0, match.start()) + 1
        report_line(line, f"holds the control character U+{ord(match[0]):04X}", "Remove it.")
        return None
    if match := _DIRECTIVE.search(text):  # the parser's time for them grows with their square
        report_line(text.count("\n", 0, match.end()) + 1, "uses a % directive", "Remove it; put text in quotes.")
        return None
    try:
        constructs = _refused_constructs(text)
        for line, what, fix in constructs:
            report_line(line, what, fix)
        if constructs:
            return None
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        report_line(*_explain(error))
        return None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        report_line(1, f"is not valid YAML: {error}", "")  # the parser gives no place for a bad escape
        return None
    if node is None:
        report_line(1, "is empty", "")
    return node


def _refused_constructs(text: str) -> list[tuple[int, str, str]]:
    """Everything that is YAML and not wanted here: found on the flat list of events, before anything is built."""
    found: list[tuple[int, str, str]] = []
    depth = documents = 0
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        line = _line(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            found.append((line, f"uses the alias *{shortened(str(event.anchor))}", "Write the value out."))
        elif isinstance(event, yaml.NodeEvent) and event.anchor:
            found.append((line, f"uses the anchor &{shortened(event.anchor)}", "Write the value where it is needed."))
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
            found.append((line, f"uses the tag {shortened(event.tag)}", "Remove it; put text in quotes."))
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if documents > 1:
            return [*found, (line, "begins a second document", "Keep one document in a file.")]
        if depth > MAX_DEPTH:
            return [*found, (line, f"is nested deeper than {MAX_DEPTH} levels", "")]
        if count > MAX_NODES:
            return [*found, (line, f"holds more than {MAX_NODES:,} values", "")]
    return found


def _explain(error: yaml.MarkedYAMLError) -> tuple[int, str, str]:
    problem = error.problem or error.context or "cannot be read"
    advice = next((advice for words, advice in _ADVICE.items() if words in problem), "")
    return _line(error.problem_mark or error.context_mark), f"is not valid YAML: {problem}", advice


def shortened(text: str) -> str:
    """`text` as far as a message about it needs it."""
    return text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}…"


def _line(mark: object) -> int:
    """Line of a mark, from 1. The parsers in C and in Python have unrelated classes of marks; some have none."""
    return int(getattr(mark, "line", 0)) + 1
