import pytest

from sigilgen.policy.fairness import leaks, named_words

NAMES = ["acme/tidy-imports"]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("Please sort the imports.", ()),
        ("Use Sigil's rules.", ("sigil",)),
        ("Use tidy-imports here.", ("tidy-imports",)),
        ("use TIDY IMPORTS here", ("tidy imports",)),
        ("see acme/tidy-imports", ("acme/tidy-imports", "tidy-imports")),
        ("call tidy_imports()", ("tidy_imports",)),
        ("The sigils of the parser and the untidy-importsite.", ()),
    ],
)
def test_a_prompt_may_not_name_the_capability_or_sigil(prompt: str, found: tuple[str, ...]) -> None:
    assert named_words(prompt, NAMES) == found


LONG = b"    assert compute_total([1, 2, 3]) == expected_total_of_three\n"


@pytest.mark.parametrize(
    ("start", "hidden", "found"),
    [
        ({"a.py": b"x = 1\n"}, {"verifier/t.py": b"y = 2\n"}, []),
        ({"a.py": b"same\n"}, {"verifier/t.py": b"same\n"}, ["a.py is the same file as verifier/t.py"]),
        ({"a.py": b"one\n  " + LONG}, {"verifier/t.py": LONG}, ["a.py:2 stands word for word in verifier/t.py"]),
        ({"a.py": b"import os\nimport sys\n"}, {"verifier/t.py": b"import os\n"}, []),
        ({"a.py": b"", "b.py": b"\n"}, {"verifier/__init__.py": b""}, []),
        ({"a.py": LONG.strip() + b"\r\n"}, {"v": LONG}, ["a.py:1 stands word for word in v"]),
    ],
    ids=["unrelated", "same file", "long line", "short lines", "empty files", "other line ends"],
)
def test_the_starting_repo_may_not_give_hidden_text_away(
    start: dict[str, bytes], hidden: dict[str, bytes], found: list[str]
) -> None:
    assert list(leaks(start, hidden)) == found
