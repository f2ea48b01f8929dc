import json
import re
from pathlib import Path
from typing import Any

import pytest

from sigilgen import errors
from sigilgen.commands.reference import reference
from sigilgen.commands.reference_errors import errors_page
from sigilgen.commands.reference_formats import PUBLISHED, STORED, formats_page, schemas
from sigilgen.commands.reference_written import CAPABILITY, REHEARSAL, SUITE, TASK, WrittenFile
from sigilgen.errors import InputError
from sigilgen.store.catalogue import load_catalogue
from sigilgen.store.suites import load_suites


def write(repository: Path) -> tuple[str, ...]:
    return reference(repository, commands_page="# Commands\n", check=False).changed


def test_everything_is_written_once_and_then_current(tmp_path: Path) -> None:
    assert write(tmp_path) == (
        "schemas/catalogue.json",
        "schemas/evidence.json",
        "schemas/plan.json",
        "schemas/prove.json",
        "schemas/run.json",
        "site_src/reference/cli.md",
        "site_src/reference/errors.md",
        "site_src/reference/formats.md",
    )
    assert write(tmp_path) == ()


def edited(repository: Path) -> str:
    (repository / "schemas/plan.json").write_text("{}\n")
    return "schemas/plan.json"


def removed(repository: Path) -> str:
    (repository / "site_src/reference/errors.md").unlink()
    return "site_src/reference/errors.md"


def surplus(repository: Path) -> str:
    (repository / "schemas/gone.json").touch()
    return "schemas/gone.json"


@pytest.mark.parametrize("change", [edited, removed, surplus])
def test_a_check_names_what_is_stale_and_changes_nothing(tmp_path: Path, change: Any) -> None:
    write(tmp_path)
    path = change(tmp_path)
    for _ in range(2):
        assert reference(tmp_path, commands_page="# Commands\n", check=True).changed == (path,)
    assert write(tmp_path) == (path,)
    assert reference(tmp_path, commands_page="# Commands\n", check=True).changed == ()


@pytest.mark.parametrize("name", [*STORED, *PUBLISHED])
def test_a_schema_says_its_dialect_and_describes_every_definition(name: str) -> None:
    schema = json.loads(schemas()[name])
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert all(definition["description"] for definition in schema["$defs"].values())


@pytest.mark.parametrize("name", [*STORED, *PUBLISHED])
def test_the_page_on_formats_lists_every_field_of_every_kind(name: str) -> None:
    page = formats_page()
    for title, definition in json.loads(schemas()[name])["$defs"].items():
        section = page.partition(f"#### {title}\n")[2].partition("\n#")[0]
        assert [field for field in definition.get("properties", ()) if f"| `{field}` |" not in section] == []


def test_every_link_within_the_page_on_formats_leads_somewhere() -> None:
    page = formats_page()
    headings = {line.lstrip("#").strip().lower() for line in page.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\(#([\w-]+)\)", page)) <= headings


def test_the_page_on_errors_has_every_class_with_its_exit_status() -> None:
    page = errors_page()
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.SigilError):
            assert f"## {name}\n\nExit status {value.exit_status}." in page


# What the readers accept is asked of the readers: a mapping with one strange key makes them name all keys that they
# know and all that they miss.
STRANGE = "strange: 1"
PLACES = {
    "sigil.yaml": (CAPABILITY, "", "catalog/skills/a/b/sigil.yaml", STRANGE),
    "permissions": (CAPABILITY, "permissions", "catalog/skills/a/b/sigil.yaml", f"permissions: {{{STRANGE}}}"),
    "source": (CAPABILITY, "source", "catalog/skills/a/b/sigil.yaml", f"source: {{{STRANGE}}}"),
    "suite.yaml": (SUITE, "", "tasks/s/suite.yaml", STRANGE),
    "task.yaml": (TASK, "", "tasks/s/t/task.yaml", STRANGE),
    "resources": (TASK, "resources", "tasks/s/t/task.yaml", f"resources: {{{STRANGE}}}"),
    "origin": (TASK, "origin", "tasks/s/t/task.yaml", f"origin: {{{STRANGE}}}"),
    "play": (REHEARSAL, "baseline[]", "tasks/s/t/rehearsal.yaml", f"baseline: [{{{STRANGE}}}]"),
    "step": (REHEARSAL, "step", "tasks/s/t/rehearsal.yaml", f"baseline: [{{name: a, steps: [{{{STRANGE}}}]}}]"),
}


@pytest.mark.parametrize(("file", "inside", "path", "text"), PLACES.values(), ids=PLACES)
def test_the_reference_names_the_keys_that_the_readers_know(
    tmp_path: Path, file: WrittenFile, inside: str, path: str, text: str
) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text + "\n")
    known, missing = asked_of_the_readers(tmp_path, path)
    listed = {key.name.removeprefix(f"{inside}."): key.required for key in file.keys if is_inside(key.name, inside)}
    assert set(listed) == known
    if inside != "step":
        assert {name for name, required in listed.items() if required} == {
            name.rpartition(".")[2] for name in missing if is_inside(name.replace("[0]", "[]"), inside)
        }


STEPS = {"say", "write", "patch", "run", "wait", "exit"}


def is_inside(name: str, inside: str) -> bool:
    """Whether `name` is a key directly in the mapping `inside`; the steps of a play are told by their names."""
    if inside == "step" or name in STEPS:
        return inside == "step" and name in STEPS
    return name.rpartition(".")[0] == inside


def asked_of_the_readers(repository: Path, path: str) -> tuple[set[str], set[str]]:
    with pytest.raises(InputError) as refused:
        load_catalogue(repository) if path.startswith("catalog") else load_suites(repository, rehearsals=True)
    faults = [fault for fault in refused.value.faults if fault.file == path]
    (fix,) = (fault.fix for fault in faults if fault.what.startswith("unknown key 'strange'"))
    missing = {fault.what.removesuffix(" is missing") for fault in faults if fault.what.endswith(" is missing")}
    return set(re.findall(r"\w+", fix.removeprefix("Known: ").removeprefix("One of "))), missing
