import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from sigilgen.pages.text import head, neutral, output, safe_link, tail, visible

SEEN = {
    "plain text stays": ("Grüße, 你好, שלום", "Grüße, 你好, שלום"),
    "line feeds and tabs stay": ("a\n\tb", "a\n\tb"),
    "Windows line ends become line feeds": ("a\r\nb", "a\nb"),
    "a lone carriage return is shown": ("a\rb", "a⟨U+000D⟩b"),
    "an override of the direction": ("abc\u202edef", "abc⟨U+202E⟩def"),
    "a zero-width space": ("a\u200bb", "a⟨U+200B⟩b"),
    "an escape sequence": ("\x1b[31mred", "⟨U+001B⟩[31mred"),
    "signs without ink": ("a\u2800\U0001bca0\U0001d159", "a⟨U+2800⟩⟨U+1BCA0⟩⟨U+1D159⟩"),
    "a hidden tag": ("x\U000e0041", "x⟨U+E0041⟩"),
    "half a character": ("x\ud800", "x⟨U+D800⟩"),
    "an emoji keeps its selector": ("\u2714\ufe0f", "\u2714\ufe0f"),
    "a row of selectors hides something": ("a\ufe0f\ufe0f", "a\ufe0f⟨U+FE0F⟩"),
    "placeholders of Markdown": ("\x02wzxhzdk:0\x03", "⟨U+0002⟩wzxhzdk:0⟨U+0003⟩"),
}


@pytest.mark.parametrize(("text", "shown"), SEEN.values(), ids=SEEN)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_neutral_text_holds_nothing_that_could_act(text: str) -> None:
    assert not set(neutral(text)) & set("<>\"'`{}[]\t")
    assert str(neutral(text)).replace("&amp;", "").count("&") == sum(text.count(sign) for sign in "<>\"'`{}[]\t")


@given(st.text())
def test_neutral_text_reads_as_what_is_visible(text: str) -> None:
    assert html.unescape(neutral(text)) == visible(text)


@given(st.text(st.characters()))
def test_neutral_text_can_be_written_even_with_half_characters(text: str) -> None:
    assert neutral(text).encode().decode() == neutral(text)


PRINTED = {
    "markup of our own": (Markup("<b>x</b>"), "<b>x</b>"),
    "text": ("<b>", "&lt;b&gt;"),
    "harmless text": ("n = 3/4", "n = 3/4"),
    "a number": (12, "12"),
}


@pytest.mark.parametrize(("value", "printed"), PRINTED.values(), ids=PRINTED)
def test_templates_print_markup_text_and_whole_numbers(value: object, printed: str) -> None:
    assert output(value) == printed


@pytest.mark.parametrize("value", [None, True, 0.5, b"x", ["a"]])
def test_templates_refuse_to_print_what_has_no_words(value: object) -> None:
    with pytest.raises(TypeError, match="may not print"):
        output(value)


LINKS = {
    "https": ("https://example.org/a?b=c#d", True),
    "http": ("http://example.org/", True),
    "mail": ("mailto:someone@example.org", True),
    "script": ("javascript:alert(1)", False),
    "script in capitals": ("JaVaScRiPt:alert(1)", False),
    "script behind a tab": ("java\tscript:alert(1)", False),
    "script behind a space": (" javascript:alert(1)", False),
    "data": ("data:text/html,x", False),
    "file": ("file:///etc/passwd", False),
    "relative": ("../x", False),
    "without a scheme": ("//example.org/", False),
    "with a password": ("https://user:secret@example.org/", False),
    "with a back-slash": ("https://example.org\\@evil.example/", False),
    "without a host": ("https:///x", False),
    "with a hidden character": ("https://example.org/\u202e", False),
    "broken": ("https://[", False),
    "empty": ("", False),
}


@pytest.mark.parametrize(("address", "safe"), LINKS.values(), ids=LINKS)
def test_only_links_of_known_schemes_are_followed(address: str, safe: bool) -> None:
    assert safe_link(address) == (address if safe else None)


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_extracts_are_the_two_ends_of_a_text(text: str, limit: int) -> None:
    assert text.startswith(head(text, limit))
    assert text.endswith(tail(text, limit))
    assert len(head(text, limit)) == len(tail(text, limit)) == min(len(text), limit)
