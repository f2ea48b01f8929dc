import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.build import MARKER, Built, build
from sigilgen.errors import InputError, RequestError, SigilError
from sigilgen.pages.tree import GENERATED

CHECKOUT = Path(__file__).parents[2]

FILES = {
    "catalog/skills/acme/tidy-code/sigil.yaml": """schema: 1
kind: skill
title: Tidy code
summary: Keeps code tidy.
license: Apache-2.0
maintainers: [A. Maintainer]
permissions: {hosts: [], commands: [git], env: []}
agents: [claude-code]
suites: [basics]
limitations: [Small repositories only.]
""",
    "catalog/skills/acme/tidy-code/SKILL.md": "---\nname: tidy-code\ndescription: Keeps code tidy.\n---\nBe tidy.\n",
    "tasks/basics/suite.yaml": """schema: 1
title: Basics
summary: One task.
license: Apache-2.0
maintainers: [A. Maintainer]
languages: [python]
""",
    "tasks/basics/greet/task.yaml": """schema: 1
title: Greet
timeout_seconds: 60
verify_timeout_seconds: 10
protected: [test_app.py]
""",
    "tasks/basics/greet/prompt.md": "Greet whoever is named.\n",
    "tasks/basics/greet/repo/app.py": "",
    "tasks/basics/greet/repo/test_app.py": "",
    "tasks/basics/greet/verifier/verify.sh": "exit 1\n",
    "tasks/basics/greet/solution/app.py": "print('hello')\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one capability, one suite, the real hand-written pages, and no evidence at all."""
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    folder = tmp_path / "checkout"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    shutil.copy(CHECKOUT / "mkdocs.yml", folder)
    shutil.copytree(CHECKOUT / "site_src", folder / "site_src", ignore=shutil.ignore_patterns(*GENERATED))
    return folder


def make(repository: Path, **options: object) -> Built:
    chosen = {"output": None, "builder": "mkdocs", "pages_only": False, "say": lambda _text: None, **options}
    return build(repository, **chosen)  # type: ignore[arg-type]


def tree_hash(folder: Path) -> str:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder)}" for file in files]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_a_checkout_without_evidence_becomes_a_site_that_says_so(repository: Path) -> None:
    built = make(repository)
    site = repository / "build" / "site"
    assert built.output == str(site)
    page = (site / "catalogue" / "skills" / "acme" / "tidy-code" / "index.html").read_text(encoding="utf-8")
    assert "not measured" in page
    assert "nobody has looked yet" in page
    assert (site / "suites" / "basics" / "index.html").is_file()
    assert (site / "catalogue" / "catalogue.json").is_file()


def test_pages_alone_need_no_builder(repository: Path) -> None:
    built = make(repository, pages_only=True)
    assert (built.builder, built.output, built.written, built.removed) == (None, None, built.files, 0)
    assert (repository / "site_src" / "catalogue" / "index.md").is_file()
    assert not (repository / "build").exists()


def test_the_same_evidence_gives_the_same_pages(repository: Path) -> None:
    make(repository, pages_only=True)
    first = tree_hash(repository / "site_src")
    assert make(repository, pages_only=True).written == 0
    for folder in ("catalogue", "suites"):
        shutil.rmtree(repository / "site_src" / folder)
    make(repository, pages_only=True)
    assert tree_hash(repository / "site_src") == first


def test_the_same_evidence_gives_the_same_site(repository: Path) -> None:
    make(repository)
    first = tree_hash(repository / "build")
    make(repository)
    assert tree_hash(repository / "build") == first


def test_stale_pages_go_and_pages_written_by_hand_stay(repository: Path) -> None:
    make(repository, pages_only=True)
    by_hand = repository / "site_src" / "about.md"
    by_hand.write_text("# About\n", encoding="utf-8")
    shutil.rmtree(repository / "catalog" / "skills" / "acme")
    built = make(repository, pages_only=True)
    assert built.removed == 2
    assert not (repository / "site_src" / "catalogue" / "skills").exists()
    assert by_hand.read_text(encoding="utf-8") == "# About\n"


def test_a_folder_with_other_files_is_never_emptied(repository: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    with pytest.raises(RequestError, match="did not write"):
        make(repository, output=precious)
    assert (precious / "thesis.txt").read_text() == "years of work"


def test_a_folder_built_into_before_is_built_into_again(repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    make(repository, output=output)
    (output / "stale.html").write_text("old")
    make(repository, output=output)
    assert not (output / "stale.html").exists()
    assert (output / MARKER).exists()


@pytest.mark.parametrize("output", [".", "..", "site_src", "site_src/site"])
def test_the_checkout_itself_is_no_output(repository: Path, output: str) -> None:
    before = tree_hash(repository / "catalog")
    with pytest.raises(RequestError, match="holds this repository"):
        make(repository, output=Path(os.path.normpath(repository / output)))
    assert tree_hash(repository / "catalog") == before


def test_a_builder_that_fails_is_quoted(repository: Path) -> None:
    (repository / "site_src" / "index.md").write_text("[nowhere](missing.md)\n", encoding="utf-8")
    with pytest.raises(SigilError, match=r"could not build the site(.|\n)*missing\.md"):
        make(repository)


@pytest.mark.parametrize("left_out", ["suites/basics/index.md", "about/numbers.md"], ids=["generated", "by hand"])
def test_pages_that_a_builder_leaves_out_are_missed(repository: Path, left_out: str) -> None:
    (repository / "site_src" / "about").mkdir()
    (repository / "site_src" / "about" / "numbers.md").write_text("# Numbers\n", encoding="utf-8")
    configuration = repository / "mkdocs.yml"
    text = configuration.read_text(encoding="utf-8").replace("not_in_nav: |", "not_in_nav: |\n  /about/")
    configuration.write_text(f"{text}\nexclude_docs: |\n  /{left_out}\n", encoding="utf-8")
    with pytest.raises(SigilError, match=rf"missing from the built site, or incomplete: 1 page\n  {left_out}"):
        make(repository)


def test_modules_of_the_checkout_do_not_run(repository: Path) -> None:
    (repository / "mkdocs.py").write_text("raise SystemExit('taken over')\n", encoding="utf-8")
    make(repository)


@pytest.mark.parametrize("missing", ["mkdocs.yml", "site_src/index.md"])
def test_a_checkout_without_pages_is_told_what_is_missing(repository: Path, missing: str) -> None:
    (repository / missing).unlink()
    with pytest.raises(SigilError, match=f"has no {missing}"):
        make(repository)


def test_faults_in_the_catalogue_stop_the_build(repository: Path) -> None:
    (repository / "catalog/skills/acme/tidy-code/sigil.yaml").write_text("schema: 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"sigil\.yaml"):
        make(repository)


NEXT = {
    "in the checkout": (True, (), "sigil serve"),
    "from elsewhere": (False, (), "sigil serve --repository {checkout}"),
    "into a folder": (True, ("--output", "{other}"), "sigil serve --site '{other}'"),
    "into a folder, from elsewhere": (False, ("--output", "{other}"), "sigil serve --site '{other}'"),
    "pages only": (True, ("--pages-only",), "sigil build"),
    "pages only, from elsewhere": (False, ("--pages-only",), "sigil build --repository {checkout}"),
}


@pytest.mark.parametrize(("inside", "options", "then"), NEXT.values(), ids=NEXT)
def test_the_next_command_shows_what_was_built(
    repository: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    inside: bool,
    options: tuple[str, ...],
    then: str,
) -> None:
    names = {"checkout": repository, "other": tmp_path / "my site"}
    monkeypatch.chdir(repository / "tasks" if inside else tmp_path)
    arguments = [option.format(**names) for option in options]
    assert run(["build", *arguments, *(() if inside else ("--repository", str(repository)))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"Next: {then.format(**names)}"


def test_the_command_prints_json_on_standard_output_only(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "--pages-only", "--repository", str(repository), "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["builder"] is None
    assert "reading" in printed.err


def test_zensical_is_refused_an_output_that_it_would_refuse(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="zensical builds below"):
        make(repository, builder="zensical", output=tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


def test_zensical_builds_the_same_tree(repository: Path) -> None:
    assert make(repository, builder="zensical").builder == "zensical"
    assert (repository / "build" / "site" / "method" / "index.html").is_file()
