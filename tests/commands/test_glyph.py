import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.new import About, new_skill
from sigilgen.pages.glyph import NOTE, glyph_svg, glyph_text
from sigilgen.store.payload import read_payload

HEX = "0123456789abcdef" * 4
DIGEST = f"sha256:{HEX}"
SVG = glyph_svg(DIGEST) + "\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which is in no repository."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(here: Path) -> Path:
    (here / "catalog").mkdir()
    (here / "tasks").mkdir()
    new_skill(here, "acme/polite", about=About(), suites=[])
    return here


@pytest.mark.parametrize("written", [DIGEST, HEX, DIGEST.upper(), HEX.upper(), f"SHA256:{HEX}"])
def test_a_digest_is_drawn_however_it_is_written(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", written]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [*glyph_text(DIGEST), "", DIGEST, NOTE]
    assert captured.err == ""


def test_a_folder_is_drawn_from_its_digest(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "payload").mkdir()
    (here / "payload/SKILL.md").write_text("one\n")
    assert run(["glyph", "payload"]) == 0
    assert read_payload(here / "payload").digest in capsys.readouterr().out


@pytest.mark.parametrize("wanted", ["acme/polite", "catalog/skills/acme/polite"])
def test_a_capability_is_found_by_name_or_path(
    repository: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["glyph", wanted]) == 0
    assert read_payload(repository / "catalog/skills/acme/polite").digest in capsys.readouterr().out


def test_a_name_works_anywhere_in_the_repository(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "catalog/skills")
    assert run(["glyph", "acme/polite"]) == 0
    assert "sha256:" in capsys.readouterr().out


def test_json_holds_the_picture_and_the_digest_it_must_be_shown_with(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", HEX, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"version": "sigil-glyph/1", "digest": DIGEST, "svg": SVG.rstrip(), "note": NOTE}


def test_svg_on_standard_output_is_the_file_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", DIGEST, "--format", "svg"]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == (SVG, "")
    assert ET.fromstring(captured.out).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  (our own text)


@pytest.mark.parametrize("form", ["text", "svg", "json"])
def test_the_svg_is_written_whatever_is_printed(here: Path, form: str) -> None:
    assert run(["glyph", DIGEST, "--format", form, "--output", "sigil.svg"]) == 0
    assert (here / "sigil.svg").read_text(encoding="utf-8") == SVG


def test_a_file_is_never_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "kept.svg").write_text("kept")
    (here / "link.svg").symlink_to("elsewhere.svg")
    for name in ("kept.svg", "link.svg"):
        assert run(["glyph", DIGEST, "--output", name]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert f"{name} is there already" in captured.err
    assert (here / "kept.svg").read_text() == "kept"
    assert not (here / "elsewhere.svg").exists()


@pytest.mark.parametrize("output", ["sigil.svg", "assets/sigil.svg", "../payload/sigil.svg"])
def test_a_picture_in_its_own_payload_would_change_the_digest(
    here: Path, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "payload/assets").mkdir(parents=True)
    (here / "payload/SKILL.md").write_text("one\n")
    monkeypatch.chdir(here / "payload")
    before = read_payload(Path()).digest
    assert run(["glyph", ".", "--output", output]) == 2
    assert "would lie in the payload" in capsys.readouterr().err
    assert read_payload(Path()).digest == before


def test_a_file_that_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", DIGEST, "--output", "no-such-folder/sigil.svg"]) == 3
    assert "cannot write no-such-folder/sigil.svg: No such file or directory" in capsys.readouterr().err


WRONG = {
    "nothing": "",
    "too short": DIGEST[:-1],
    "too long": DIGEST + "0",
    "no hexadecimal": f"sha256:{'g' * 64}",
    "another algorithm": f"sha512:{HEX}",
    "a line feed": DIGEST + "\n",
    "no folder": "no/such/folder",
    "a name without a repository": "acme/polite",
    "control characters": "\x1b[2J",
    "longer than any path": "a" * 100_000,
}


@pytest.mark.parametrize("wanted", WRONG.values(), ids=WRONG)
def test_what_is_nothing_of_the_kind_is_refused(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", wanted]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "is neither a digest nor a folder" in captured.err
    assert "`sigil digest FOLDER` prints one" in captured.err
    assert "\x1b" not in captured.err


def test_a_file_is_no_payload(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "SKILL.md").touch()
    assert run(["glyph", "SKILL.md"]) == 2
    assert "'SKILL.md' is neither a digest nor a folder" in capsys.readouterr().err


def test_a_name_that_is_nearly_right_gets_the_right_one(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", "acme/polit"]) == 2
    assert "Did you mean acme/polite?" in capsys.readouterr().err


def test_a_folder_that_cannot_be_sealed_has_no_glyph(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "payload").mkdir()
    assert run(["glyph", "payload"]) == 3
    assert "payload holds no payload" in capsys.readouterr().err
    (here / "payload/link").symlink_to("elsewhere")
    assert run(["glyph", "payload"]) == 3
    assert "payload cannot be sealed" in capsys.readouterr().err


def test_an_unknown_format_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["glyph", DIGEST, "--format", "png"]) == 2
    assert "'png' is not one of 'text', 'svg', 'json'" in capsys.readouterr().err
