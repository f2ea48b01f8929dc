"""The catalogue is read strictly, entry by entry, and all its faults are told at once."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import InputError, RequestError
from sigilgen.model.capability import Kind, Permissions, Source
from sigilgen.store.catalogue import find_entry, load_catalogue, permissions_digest

SKILL = "---\nname: {slug}\ndescription: What it does and when to use it.\n---\n\n# Do it well\n"
DECLARED = """\
schema: 1
kind: {kind}
title: A title
summary: What it changes.
license: MIT
maintainers: [someone]
permissions:
  hosts: [b.example, a.example]
  commands: [git]
  env: [HOME]
agents: [scripted]
suites: [a-suite]
limitations: [It knows only English.]
"""
SOURCE = """\
source:
  repository: https://host.example/owner/name
  commit: 0123456789abcdef0123456789abcdef01234567
  path: skills/that-one
"""
NO_SLUG = "must be lower-case letters, digits and single hyphens, at most 64 of them"
NO_HOST = "must be a host such as api.example.com, *.example.com or localhost:8080, not an address"
NO_COMMIT = "must be a full commit, 40 lower-case hexadecimal digits; branches, tags and short commits can move"
NO_PATH = "must be a relative path with / between its parts, without '.' and '..'"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "tasks/a-suite").mkdir(parents=True)
    (tmp_path / "tasks/a-suite/suite.yaml").write_text("")
    (tmp_path / "catalog").mkdir()
    return tmp_path


def add_skill(repository: Path, name: str, declared: str = DECLARED, skill: str | None = SKILL) -> Path:
    folder = repository / "catalog/skills" / name
    folder.mkdir(parents=True)
    (folder / "sigil.yaml").write_text(declared.replace("{kind}", "skill"))
    if skill is not None:
        (folder / "SKILL.md").write_text(skill.format(slug=folder.name))
    return folder


def add_instructions(repository: Path, name: str, file: str = "AGENTS.md") -> Path:
    folder = repository / "catalog/instructions" / name
    folder.mkdir(parents=True)
    (folder / "sigil.yaml").write_text(DECLARED.replace("{kind}", "instructions"))
    (folder / file).write_text("Be careful.\n")
    return folder


def faults_of(repository: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_catalogue(repository)
    return [f"{fault.file}:{fault.line}: {fault.what}" for fault in caught.value.faults]


def test_an_empty_catalogue_has_no_entries(repository: Path) -> None:
    assert load_catalogue(repository) == ()


def test_entries_come_in_the_order_of_their_names(repository: Path) -> None:
    add_skill(repository, "b/two")
    add_skill(repository, "a/three", DECLARED + SOURCE, skill=None)
    add_instructions(repository, "a/four")
    (repository / "catalog/skills/README.md").write_text("loose files are nobody's entry")
    entries = load_catalogue(repository)
    assert [entry.capability.name for entry in entries] == ["a/four", "a/three", "b/two"]
    assert [entry.capability.kind for entry in entries] == [Kind.INSTRUCTIONS, Kind.SKILL, Kind.SKILL]


def test_an_entry_says_what_its_file_says(repository: Path) -> None:
    folder = add_skill(repository, "a/one", DECLARED + SOURCE, skill=None)
    entry = find_entry(repository, "a/one")
    assert entry.folder == folder
    assert entry.capability.permissions == Permissions(
        hosts=("b.example", "a.example"), commands=("git",), env=("HOME",)
    )
    assert entry.capability.suites == ("a-suite",)
    assert entry.capability.source == Source(
        repository="https://host.example/owner/name",
        commit="0123456789abcdef0123456789abcdef01234567",
        path="skills/that-one",
    )


def test_what_may_be_left_out_is_empty(repository: Path) -> None:
    short = DECLARED.partition("permissions:")[0] + "permissions: {}\n"
    add_skill(repository, "a/one", short)
    capability = find_entry(repository, "a/one").capability
    assert capability.permissions == Permissions()
    assert (capability.agents, capability.suites, capability.limitations, capability.source) == ((), (), (), None)


def test_the_digest_of_permissions_depends_on_what_is_declared_and_not_on_its_order(repository: Path) -> None:
    first = find_entry(repository, add_skill(repository, "a/one").relative_to(repository).as_posix())
    again = DECLARED.replace("[b.example, a.example]", "[a.example, b.example]").replace("A title", "Another title")
    add_skill(repository, "a/two", again)
    add_skill(repository, "a/three", DECLARED.replace("[git]", "[git, curl]"))
    assert find_entry(repository, "a/two").permissions_digest == first.permissions_digest
    assert find_entry(repository, "a/three").permissions_digest != first.permissions_digest
    canonical = b'{"commands":["git"],"env":["HOME"],"hosts":["a.example","b.example"]}'
    assert first.permissions_digest == f"sha256:{hashlib.sha256(canonical).hexdigest()}"
    assert first.permissions_digest == permissions_digest(first.capability.permissions)


SPOILED: dict[str, tuple[Callable[[str], str], list[str]]] = {
    "the wrong kind": (
        lambda text: text.replace("kind: skill", "kind: instructions"),
        ["sigil.yaml:2: kind must be skill, as its folder says, found 'instructions'"],
    ),
    "a newer schema": (
        lambda text: text.replace("schema: 1", "schema: 2"),
        ["sigil.yaml:1: schema must be a whole number from 1 to 1, found '2'"],
    ),
    "a suite that is not there": (
        lambda text: text.replace("[a-suite]", "[a-suit]"),
        ["sigil.yaml:12: suites[0] names 'a-suit', which is no suite in tasks/. Did you mean a-suite?"],
    ),
    "nobody who answers for it": (
        lambda text: text.replace("[someone]", "[]"),
        ["sigil.yaml:6: maintainers must have at least 1 entry"],
    ),
    "an address for a host": (
        lambda text: text.replace("[b.example, a.example]", "['https://a.example']"),
        [f"sigil.yaml:8: permissions.hosts[0] {NO_HOST}: 'https://a.example'"],
    ),
    "several things": (
        lambda text: text.replace("title", "titel").replace("license: MIT\n", "").replace("[git]", "[git, git]"),
        [
            "sigil.yaml:1: license is missing",
            "sigil.yaml:1: title is missing",
            "sigil.yaml:3: unknown key 'titel'",
            "sigil.yaml:8: permissions.commands lists 'git' twice",
        ],
    ),
}


@pytest.mark.parametrize(("spoil", "faults"), SPOILED.values(), ids=SPOILED)
def test_faults_of_a_declaration_are_told_with_their_lines(
    spoil: Callable[[str], str], faults: list[str], repository: Path
) -> None:
    add_skill(repository, "a/one", spoil(DECLARED.replace("{kind}", "skill")))
    assert faults_of(repository) == [f"catalog/skills/a/one/{fault}" for fault in faults]


SOURCES = {
    "a branch": ("0123456789abcdef0123456789abcdef01234567", "main", f"sigil.yaml:16: source.commit {NO_COMMIT}"),
    "a short commit": ("abcdef0123456789abcdef01234567", "", f"sigil.yaml:16: source.commit {NO_COMMIT}"),
    "a password": (
        "//host",
        "//me:secret@host",
        "sigil.yaml:15: source.repository must not hold a user name or password",
    ),
    "a way out": ("skills/that-one", "../that-one", f"sigil.yaml:17: source.path {NO_PATH}: '../that-one'"),
    "no path": ("  path: skills/that-one\n", "", "sigil.yaml:15: source.path is missing"),
}


@pytest.mark.parametrize(("old", "new", "fault"), SOURCES.values(), ids=SOURCES)
def test_a_source_is_pinned_public_and_inside_its_repository(old: str, new: str, fault: str, repository: Path) -> None:
    add_skill(repository, "a/one", DECLARED + SOURCE.replace(old, new), skill=None)
    assert faults_of(repository) == [f"catalog/skills/a/one/{fault}"]


def test_a_capability_with_a_source_has_no_payload_here(repository: Path) -> None:
    folder = add_skill(repository, "a/one", DECLARED + SOURCE)
    (folder / "evidence.json").write_text("{}")
    what = "stands beside a sigil.yaml with a source, whose payload lies elsewhere"
    assert faults_of(repository) == [f"catalog/skills/a/one/SKILL.md:None: {what}"]


HEADS = {
    "no front matter": ("# Title\n", ["1: must begin with front matter between two lines of ---"]),
    "an empty file": ("", ["1: must begin with front matter between two lines of ---"]),
    "front matter without an end": ("---\nname: one\n", ["1: front matter is never closed"]),
    "empty front matter": ("---\n---\n", ["2: is empty"]),
    "another name": (
        "---\nname: two\ndescription: x\n---\n",
        ["2: name must be the name of the folder, 'one'"],
    ),
    "a name in capitals": (
        "---\nname: One\ndescription: x\n---\n",
        [f"2: name {NO_SLUG}: 'One'"],
    ),
    "a key of one agent only": (
        "---\nname: one\ndescription: x\ndisable-model-invocation: true\nmodel: big\n---\n",
        ["4: unknown key 'disable-model-invocation'", "5: unknown key 'model'"],
    ),
    "a long description": (
        f"---\nname: one\ndescription: {'x' * 1025}\n---\n",
        ["3: description must have at most 1024 characters, found 1025"],
    ),
    "no description": ("---\nname: one\n---\n", ["2: description is missing"]),
    "a colon in the description": (
        "---\nname: one\ndescription: Use when: always\n---\n",
        ["3: is not valid YAML: mapping values are not allowed in this context"],
    ),
    "metadata that is no text": (
        "---\nname: one\ndescription: x\nmetadata: {version: 1.0}\n---\n",
        ["4: metadata.version must be text, found a number with a fraction ('1.0' without quotes)"],
    ),
    "tools as a list": (
        "---\nname: one\ndescription: x\nallowed-tools: [Read]\n---\n",
        ["4: allowed-tools must be text, found a list"],
    ),
}


@pytest.mark.parametrize(("text", "faults"), HEADS.values(), ids=HEADS)
def test_the_head_of_a_skill_is_held_to_the_specification(text: str, faults: list[str], repository: Path) -> None:
    folder = add_skill(repository, "a/one", skill=None)
    (folder / "SKILL.md").write_text(text)
    assert faults_of(repository) == [f"catalog/skills/a/one/SKILL.md:{fault}" for fault in faults]


def test_all_six_keys_of_the_specification_are_read_with_windows_line_ends_too(repository: Path) -> None:
    folder = add_skill(repository, "a/one", skill=None)
    head = "name: one\ndescription: >\n  Long\n  text.\nlicense: MIT\ncompatibility: Needs git.\n"
    head += 'metadata:\n  version: "1.0"\nallowed-tools: Read Bash(git:*)\n'
    (folder / "SKILL.md").write_bytes(f"---\n{head}---\nBody\n".replace("\n", "\r\n").encode())
    assert find_entry(repository, "a/one").capability.slug == "one"


def make_link(repository: Path) -> None:
    (repository / "catalog/skills/a").mkdir(parents=True)
    (repository / "catalog/skills/a/linked").symlink_to("/")


MISPLACED: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "no declaration": (
        lambda repository: (repository / "catalog/skills/a/one").mkdir(parents=True),
        ["catalog/skills/a/one/sigil.yaml:None: is missing"],
    ),
    "no SKILL.md": (
        lambda repository: add_skill(repository, "a/one", skill=None),
        ["catalog/skills/a/one/SKILL.md:None: is missing"],
    ),
    "no instructions": (
        lambda repository: add_instructions(repository, "a/one", file="README.md"),
        ["catalog/instructions/a/one:None: has neither CLAUDE.md nor AGENTS.md"],
    ),
    "a folder that is no slug": (
        lambda repository: add_skill(repository, "A_b/one"),
        [f"catalog/skills/A_b/one:None: each part of its name {NO_SLUG}: 'A_b'"],
    ),
    "a link": (make_link, ["catalog/skills/a/linked:None: is a symbolic link"]),
    "a name of both kinds": (
        lambda repository: (add_skill(repository, "a/one"), add_instructions(repository, "a/one")),
        ["catalog/instructions/a/one:None: there is a skill a/one as well"],
    ),
    "two wrong entries": (
        lambda repository: (
            add_skill(repository, "a/one", DECLARED.replace("MIT", "")),
            add_skill(repository, "b/two", skill=None),
        ),
        [
            "catalog/skills/a/one/sigil.yaml:5: license must be text, found nothing",
            "catalog/skills/b/two/SKILL.md:None: is missing",
        ],
    ),
}


@pytest.mark.parametrize(("prepare", "faults"), MISPLACED.values(), ids=MISPLACED)
def test_faults_of_a_folder_are_told(prepare: Callable[[Path], object], faults: list[str], repository: Path) -> None:
    prepare(repository)
    assert faults_of(repository) == faults


def test_an_entry_is_found_though_another_is_wrong(repository: Path) -> None:
    add_skill(repository, "a/one")
    add_skill(repository, "a/two", "nonsense")
    assert find_entry(repository, "a/one").capability.name == "a/one"
    with pytest.raises(InputError, match="must be a mapping"):
        find_entry(repository, "a/two")


def test_an_entry_is_found_by_name_and_by_path(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = add_skill(repository, "a/one")
    monkeypatch.chdir(repository / "catalog")
    for wanted in ("a/one", "a/one/", "catalog/skills/a/one", "skills/a/one", "./skills/../skills/a/one", str(folder)):
        assert find_entry(repository, wanted).folder == folder
    monkeypatch.chdir(folder)
    assert find_entry(repository, ".").folder == folder


NOT_FOUND = {
    "a near name": ("a/onne", "Did you mean a/one?"),
    "a near path": ("catalog/skills/a/onne", "Did you mean a/one?"),
    "something far": ("zzz", "There are: a/one."),
    "a namespace": ("a", "There are: a/one."),
    "a folder outside": ("/etc", "There are: a/one."),
    "a way out": ("../../../../etc", "There are: a/one."),
    "a long name": ("x" * 5000, "There are: a/one."),
    "nothing": ("", "There are: a/one."),
}


@pytest.mark.parametrize(("wanted", "hint"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_what_is_not_there_is_told_with_what_is_near(wanted: str, hint: str, repository: Path) -> None:
    add_skill(repository, "a/one")
    with pytest.raises(RequestError) as caught:
        find_entry(repository, wanted)
    assert caught.value.hint == hint


def test_an_empty_catalogue_says_so(repository: Path) -> None:
    with pytest.raises(RequestError) as caught:
        find_entry(repository, "a/one")
    assert caught.value.hint == "There are none yet."
