import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.cli.output import as_json, emit


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    count: int | None
    rate: float = 0.5


def test_text_is_what_the_renderer_makes_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    emit(Result("one", 1), "text", lambda result: f"{result.name}: {result.count}")
    assert capsys.readouterr().out == "one: 1\n"


def test_json_holds_the_fields_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    emit(Result("naïve", None), "json", lambda _: "not this")
    out = capsys.readouterr().out
    assert json.loads(out) == {"name": "naïve", "count": None, "rate": 0.5}
    assert "naïve" in out


def test_control_characters_in_text_are_made_visible(capsys: pytest.CaptureFixture[str]) -> None:
    emit(Result("\x1b[2J", 1), "text", lambda result: result.name)
    assert capsys.readouterr().out == "\\x1b[2J\n"


@given(st.text(st.characters(exclude_categories=[])))
def test_json_can_be_read_again_and_cannot_drive_a_terminal(text: str) -> None:
    written = as_json({"text": text, text: 1})
    assert all(character == "\n" or character.isprintable() for character in written)
    assert json.loads(written) == {"text": text, text: 1}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_have_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"rate": value})
