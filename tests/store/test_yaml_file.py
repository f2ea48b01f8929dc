"""What people write is read strictly, and everything wrong with it is told at once with its line."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sigilgen.errors import Fault
from sigilgen.store import yaml_file
from sigilgen.store.checks import (
    command_fault,
    commit_fault,
    folder_fault,
    host_fault,
    path_fault,
    repository_fault,
    slug_fault,
    variable_fault,
)
from sigilgen.store.fields import Check, Field, block, integer, line, mapping, one_of, sequence, string_map
from sigilgen.store.yaml_file import parse_yaml, read_yaml

TABLE = mapping(
    Field("title", line(20)),
    Field("count", integer(1, 100)),
    Field("names", sequence(line(20), least=1, unique=True), required=False),
    Field("text", block(50), required=False),
    Field("inner", mapping(Field("deep", line(20))), required=False),
    Field("steps", sequence(one_of({"say": block(20, blank=True), "wait": integer(0, 9)})), required=False),
    Field("extra", string_map(20), required=False),
)
RIGHT = "title: a\ncount: 1\n"


def told(text: str, *, lines_above: int = 0) -> list[str]:
    faults: list[Fault] = []
    value = parse_yaml(text, "f", TABLE, faults=faults, lines_above=lines_above)
    assert (value is None) == bool(faults)
    return [f"{fault.line}: {fault.what}" for fault in sorted(faults, key=lambda fault: (fault.line or 0, fault.what))]


def test_a_right_file_becomes_plain_values() -> None:
    text = """
title: " some text "
count: 7
names: [b, a]
text: |
  two
  lines
inner: {deep: "yes"}
steps:
  - say: ''
  - wait: 0
extra: {key: "1"}
"""
    faults: list[Fault] = []
    assert parse_yaml(text, "f", TABLE, faults=faults) == {
        "title": "some text",
        "count": 7,
        "names": ("b", "a"),
        "text": "two\nlines\n",
        "inner": {"deep": "yes"},
        "steps": (("say", ""), ("wait", 0)),
        "extra": {"key": "1"},
    }
    assert not faults


WRONG: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", ["1: is empty"]),
    "only a comment": ("# nothing\n", ["1: is empty"]),
    "a list": ("- a\n", ["1: must be a mapping, found a list"]),
    "text": ("hello\n", ["1: must be a mapping, found text"]),
    "an unknown key": (RIGHT + "titel: b\n", ["3: unknown key 'titel'"]),
    "missing keys": ("names: [a]\n", ["1: count is missing", "1: title is missing"]),
    "a missing key deep down": (RIGHT + "inner:\n  {}\n", ["4: inner.deep is missing"]),
    "a key that stands twice": (RIGHT + "\n\ntitle: b\n", ["5: title stands twice"]),
    "a key that is a list": (RIGHT + "? [a]\n: b\n", ["3: a key must be a word"]),
    "a boolean": ("title: no\ncount: 1\n", ["1: title must be text, found true or false ('no' without quotes)"]),
    "a switch": ("title: On\ncount: 1\n", ["1: title must be text, found true or false ('On' without quotes)"]),
    "nothing at a key": (RIGHT + "text:\nnames: [a]", ["3: text must be text, found nothing"]),
    "null": ("title: ~\ncount: 1\n", ["1: title must be text, found nothing ('~' without quotes)"]),
    "a date": ("title: 2024-01-01\ncount: 1\n", ["1: title must be text, found a date ('2024-01-01' without quotes)"]),
    "a version": (
        "title: 1.0\ncount: 1\n",
        ["1: title must be text, found a number with a fraction ('1.0' without quotes)"],
    ),
    "an octal number": ("title: a\ncount: 010\n", ["2: count must be a whole number from 1 to 100, found '010'"]),
    "a hexadecimal number": (
        "title: a\ncount: 0x1f\n",
        ["2: count must be a whole number from 1 to 100, found '0x1f'"],
    ),
    "minutes": ("title: a\ncount: 1:30\n", ["2: count must be a whole number from 1 to 100, found '1:30'"]),
    "a huge number": (
        f"title: a\ncount: {'9' * 5000}\n",
        [f"2: count must be a whole number from 1 to 100, found '{'9' * 60}…'"],
    ),
    "a negative number": ("title: a\ncount: -1\n", ["2: count must be a whole number from 1 to 100, found '-1'"]),
    "a number in quotes": ("title: a\ncount: '1'\n", ["2: count must be a whole number, found text"]),
    "a fraction": (
        "title: a\ncount: 1.5\n",
        ["2: count must be a whole number, found a number with a fraction ('1.5' without quotes)"],
    ),
    "a long line": ("title: " + "x" * 21 + "\ncount: 1\n", ["1: title must have at most 20 characters, found 21"]),
    "blank text": ("title: '  '\ncount: 1\ntext: ' '\n", ["1: title must not be empty", "3: text must not be empty"]),
    "several lines": (
        "title: |\n  a\n  b\ncount: 1\n",
        ["1: title must be one line of visible text, found a line break"],
    ),
    "hidden text": (
        'title: "a\\u202Eb"\ncount: 1\n',
        ["1: title must be one line of visible text, found the invisible character U+202E"],
    ),
    "a list for text": ("title: [a]\ncount: 1\n", ["1: title must be text, found a list"]),
    "text for a list": (RIGHT + "names: a\n", ["3: names must be a list, found text"]),
    "a list that is too short": (RIGHT + "names: []\n", ["3: names must have at least 1 entry"]),
    "an entry given twice": (RIGHT + "names:\n  - a\n  - b\n  - a\n", ["6: names lists 'a' twice"]),
    "a wrong entry": (
        RIGHT + "names:\n  - a\n  - yes\n",
        ["5: names[1] must be text, found true or false ('yes' without quotes)"],
    ),
    "two steps in one": (
        RIGHT + "steps:\n  - say: a\n    wait: 1\n",
        ["4: steps[0] must have exactly one key, found 2"],
    ),
    "an unknown step": (RIGHT + "steps:\n  - sya: a\n", ["4: unknown key 'sya'"]),
    "a number for text in a map": (
        RIGHT + "extra: {a: 1}\n",
        ["3: extra.a must be text, found a number ('1' without quotes)"],
    ),
    "an anchor and its alias": (RIGHT + "text: &x a\nnames: [*x]\n", ["3: uses the anchor &x", "4: uses the alias *x"]),
    "a merge key": (RIGHT + "<<: {text: a}\n", ["3: unknown key '<<'"]),
    "a tag": (
        RIGHT + "text: !!python/object:os.system a\n",
        ["3: uses the tag tag:yaml.org,2002:python/object:os.system"],
    ),
    "a harmless tag": (RIGHT + "text: !!str a\n", ["3: uses the tag tag:yaml.org,2002:str"]),
    "two documents": (RIGHT + "---\n" + RIGHT, ["3: begins a second document"]),
    "an escape character": (RIGHT + "text: a\x1b[2Jb\n", ["3: holds the control character U+001B"]),
    "a NUL": (RIGHT + "text: a\0\n", ["3: holds the control character U+0000"]),
    "everything at once": (
        "titel: b\ncount: no\nnames: [a, a]\ninner: {}\n",
        [
            "1: title is missing",
            "1: unknown key 'titel'",
            "2: count must be a whole number, found true or false ('no' without quotes)",
            "3: names lists 'a' twice",
            "4: inner.deep is missing",
        ],
    ),
}


@pytest.mark.parametrize("loader", [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)])
@pytest.mark.parametrize(("text", "faults"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_in_words_with_its_line(
    text: str, faults: list[str], loader: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_file, "_LOADER", loader)
    assert told(text) == faults


BROKEN = {
    "a tab": ("title: a\n\tcount: 1\n", 2),
    "a colon in text": ("title: a: b\ncount: 1\n", 1),
    "an open quote": ("title: 'a\ncount: 1\n", 3),
    "an open list": ("title: [a\ncount: 1\n", 2),
    "uneven columns": ("title: a\n count: 1\n", 2),
    "a back-quote": ("title: `a`\n", 1),
    "an impossible character": ('title: "\\U7fffffff"\n', 1),
}


@pytest.mark.parametrize(("text", "line_number"), BROKEN.values(), ids=BROKEN)
def test_what_is_not_yaml_is_told_with_its_line(text: str, line_number: int) -> None:
    (fault,) = told(text)
    assert fault.startswith(f"{line_number}: is not valid YAML: ")


def test_advice_goes_with_the_commonest_mistakes() -> None:
    faults: list[Fault] = []
    parse_yaml("title: a: b\n", "f", TABLE, faults=faults)
    parse_yaml("titel: b\ncount: 1\n", "f", TABLE, faults=faults)
    parse_yaml("title: no\ncount: 1\n", "f", TABLE, faults=faults)
    assert [fault.fix for fault in faults] == [
        "Put text that contains ': ' in quotes.",
        "Did you mean title?",
        "",
        'If text is meant, put it in quotes: "no"',
    ]


def test_lines_above_are_counted() -> None:
    assert told("title: no\ncount: x\n", lines_above=10) == [
        "11: title must be text, found true or false ('no' without quotes)",
        "12: count must be a whole number, found text",
    ]


BOMBS = {
    "deep lists": "[" * 100_000,
    "deep mappings": "{a: " * 10_000,
    "deep blocks": "".join(f"{' ' * depth}a:\n" for depth in range(200)),
    "many entries": "names:\n" + "- a\n" * 200_000,
    "many keys": "".join(f"k{number}: 1\n" for number in range(100_000)),
    "aliases of aliases": "k0: &k0 [x]\n" + "".join(f"k{n + 1}: &k{n + 1} [*k{n}, *k{n}]\n" for n in range(30)),
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
@pytest.mark.timeout(20)
def test_bombs_end_in_few_faults(text: str) -> None:
    assert 0 < len(told(text)) <= yaml_file.FAULTS_KEPT + 1


def test_a_flood_of_faults_is_cut_short_with_its_number() -> None:
    faults = told("".join(f"key-{number}: 1\n" for number in range(500)))
    assert len(faults) == yaml_file.FAULTS_KEPT + 1
    assert any("has 402 more faults" in fault for fault in faults)


def make_large(place: Path) -> None:
    place.write_text(f"title: a\ncount: 1\n#{'x' * yaml_file.LIMIT_BYTES}\n")


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (Path.absolute, "None: is missing"),
    "a folder": (lambda place: place.mkdir(), "None: cannot be read: not a regular file"),
    "a link": (lambda place: place.symlink_to("/etc/hostname"), "None: is a symbolic link"),
    "a pipe": (os.mkfifo, "None: cannot be read: not a regular file"),
    "too large": (make_large, "None: is larger than 1024 KiB"),
    "a byte-order mark": (
        lambda place: place.write_bytes(b"\xef\xbb\xbftitle: a\n"),
        "1: begins with a byte-order mark",
    ),
    "Latin-1": (lambda place: place.write_bytes(b"title: a\ncount: \xe9\n"), "2: is not UTF-8: byte 0xe9"),
    "UTF-16": (lambda place: place.write_bytes("title: a".encode("utf-16")), "1: is not UTF-8: byte 0xff"),
    "binary": (lambda place: place.write_bytes(b"\0\1\2"), "1: holds the control character U+0000"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_files_that_cannot_be_read_as_text_are_faults(case: str, tmp_path: Path) -> None:
    prepare, reason = UNREADABLE[case]
    prepare(tmp_path / "f.yaml")
    faults: list[Fault] = []
    assert read_yaml(tmp_path / "f.yaml", "f", TABLE, faults=faults) is None
    assert [f"{fault.line}: {fault.what}" for fault in faults] == [reason]


def test_a_file_with_windows_line_ends_is_read_alike(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_bytes(b"title: a\r\ncount: 1\r\n")
    faults: list[Fault] = []
    assert read_yaml(tmp_path / "f.yaml", "f", TABLE, faults=faults) == {"title": "a", "count": 1}


LARGE = "x" * 900_000
COSTLY = {
    "directives without end": "".join(f"%TAG !{number:x}! x\n" for number in range(70_000)) + "--- a\n",
    "directives behind other line ends": "a\r" + "%X a\r" * 100_000,
    "entries without end": RIGHT + "names:\n" + "- 'n'\n" * 40_000,
    "a long anchor": f"title: &{LARGE} a",
    "a long alias": f"title: *{LARGE}",
    "a long tag": f"title: !{LARGE} a",
    "a long number": f"title: {'9' * 900_000}\ncount: {'9' * 900_000}",
    "a long key": f"? {LARGE}\n: 1\n? {LARGE}\n: 1\n",
    "a long text": f"title: {LARGE}",
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
def test_faults_are_found_and_told_without_much_ado(text: str) -> None:
    found = told(text[: yaml_file.LIMIT_BYTES])
    assert found
    assert max(map(len, found)) < 300


def test_a_list_has_an_end() -> None:
    assert told(RIGHT + "names:\n" + "".join(f"- n{i}\n" for i in range(101))) == [
        "4: names must have at most 100 entries, found 101"
    ]


PIECES = st.sampled_from(
    [
        *"[]{}|>'\"#?,~:\n\té\\",
        "title",
        "count",
        "names",
        ": ",
        "- ",
        "&a ",
        "*a",
        "!!int ",
        "---",
        "...",
        "%YAML 1.2",
        "<<",
        "no",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join)))
def test_no_text_ends_in_anything_but_a_value_or_faults(text: str) -> None:
    for fault in told(text):
        assert re.match(r"(\d+|None): ", fault)


@pytest.mark.long
@settings(max_examples=30_000, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=80).map("".join)))
def test_a_great_deal_of_text_ends_in_values_or_faults(text: str) -> None:
    told(text)


CHECKS: dict[str, tuple[Check, list[str], list[str]]] = {
    "slugs": (slug_fault, ["a", "a-b", "9"], ["", "A", "a--b", "-a", "a_b", "é", "x" * 65]),
    "hosts": (
        host_fault,
        ["api.example.com", "*.example.com", "localhost:8080", "127.0.0.1"],
        ["https://a.b", "a.b/c", "A.b", "a..b", "*", "user@a.b", "a b", "-a.b"],
    ),
    "commands": (command_fault, ["git", "python3", "g++", "7z"], ["", "/bin/sh", "rm -rf", "$(id)", "../x", ";"]),
    "variables": (variable_fault, ["HOME", "_x", "A1"], ["1A", "A-B", "A B", "$A", ""]),
    "commits": (commit_fault, ["0" * 40], ["0" * 39, "0" * 41, "A" * 40, "main", "v1.0", ""]),
    "repositories": (
        repository_fault,
        ["https://github.com/a/b", "https://host:8443/a.git"],
        [
            "http://github.com/a/b",
            "git@github.com:a/b",
            "https://token@github.com/a/b",
            "https://u:p@github.com/a",
            "https://github.com",
            "https:///a",
            "https://h/a?token=x",
            "https://h/a#x",
            "https://[x/a",
            "ssh://h/a",
            "file:///etc",
            "",
        ],
    ),
    "paths": (path_fault, ["a", "a/b.c", "..."], ["", "/a", "../a", "a/../b", "./a", "a//b", "a/", "a\\b", "."]),
    "folders": (folder_fault, ["a", "."], ["", "/a", ".."]),
}


@pytest.mark.parametrize(("check", "right", "wrong"), CHECKS.values(), ids=CHECKS)
def test_single_texts_are_held_to_their_form(check: Check, right: list[str], wrong: list[str]) -> None:
    assert [text for text in right if check(text) is not None] == []
    assert [text for text in wrong if check(text) is None] == []
