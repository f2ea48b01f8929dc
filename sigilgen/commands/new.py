"""Start a skill, a suite or a task from a template: small, complete, and right as it stands."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as package_files
from importlib.resources.abc import Traversable
from pathlib import Path

from sigilgen.errors import RequestError
from sigilgen.model.names import is_slug
from sigilgen.store.folders import create_folder
from sigilgen.store.suites import find_suite

FIRST_TASK = "combined-durations"
SUFFIX = ".txt"
"""Ends the name of every file in a template, so that no tool takes one for a part of this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the author says; None where a default will do until it is edited."""

    title: str | None = None
    summary: str | None = None
    license: str = "Apache-2.0"
    maintainer: str = "your name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """What was made, what to edit in it, and the commands to run then."""

    folder: str
    files: tuple[str, ...]
    edit: dict[str, str]
    commands: tuple[str, ...]


def new_skill(repository: Path, name: str, *, about: About, suites: Sequence[str]) -> Created:
    """Start the skill `namespace/slug` in the catalogue. `suites` must exist."""
    namespace, slug = _two_slugs(name, "a skill", "namespace/slug")
    known = [find_suite(repository, suite).suite.id for suite in suites]
    values = _values(about, slug, summary="One sentence that says what it changes, and for whom.")
    values["suites_yaml"] = json.dumps(known)
    folder = f"catalog/skills/{namespace}/{slug}"
    return _create(
        repository,
        folder,
        _render("skill", values),
        edit={
            "SKILL.md": "what the agent reads; its description decides when the agent takes it up",
            "sigil.yaml": "what people read: title, summary, maintainers, permissions, suites, limitations",
        },
        commands=(
            f"sigil digest {folder}",
            _commit(folder, f"Start the skill {namespace}/{slug}"),
            f"sigil prove {folder} --suite {known[0] if known else 'SUITE'} --agent scripted",
        ),
    )


def new_suite(repository: Path, name: str, *, about: About, task: str = FIRST_TASK) -> Created:
    """Start the suite `name` with a first task."""
    suite, first = _slug(name, "a suite"), _slug(task, "a task")
    values = _values(about, suite, summary="One sentence that says what these tasks have in common.")
    parts = _render("suite", values)
    parts |= {f"{first}/{path}": text for path, text in _render("task", _values(About(), first)).items()}
    edit = {"suite.yaml": "what people read: title, summary, maintainers"}
    edit |= {f"{first}/{path}": why for path, why in _TASK_PARTS.items()}
    return _create(
        repository,
        f"tasks/{suite}",
        parts,
        edit=edit,
        commands=(
            f"sigil task check tasks/{suite}",
            f"sigil new task {suite}/NAME   # a verdict needs three tasks",
            _commit(f"tasks/{suite}", f"Start the suite {suite}"),
            f"sigil prove CAPABILITY --suite {suite} --agent scripted",
        ),
    )


def new_task(repository: Path, name: str, *, about: About) -> Created:
    """Start the task `suite/task` in a suite that exists."""
    suite, task = _two_slugs(name, "a task", "suite/task")
    if not (repository / "tasks" / suite / "suite.yaml").is_file():
        raise RequestError(f"there is no suite {suite!r} in tasks/", hint=f"Start it with `sigil new suite {suite}`.")
    return _create(
        repository,
        f"tasks/{suite}/{task}",
        _render("task", _values(about, task)),
        edit=_TASK_PARTS,
        commands=(
            f"sigil task check tasks/{suite}",
            _commit(f"tasks/{suite}/{task}", f"Add the task {suite}/{task}"),
            f"sigil prove CAPABILITY --suite {suite} --agent scripted",
        ),
    )


_TASK_PARTS = {
    "prompt.md": "the request, as a developer would write it; it names neither a capability nor this project",
    "task.yaml": "title, time limits, protected files",
    "repo": "what the agent starts from: a small project with its own tests",
    "verifier": "what decides, kept from the agent: everything the request asks for, and nothing else",
    "solution": "your own answer, which must pass",
    "rehearsal.yaml": "the plays of the scripted agent: adapt them to your task, or remove the file",
}


def _commit(folder: str, message: str) -> str:
    return f"git add {folder} && git commit -m '{message}'"


def _create(
    repository: Path, folder: str, texts: Mapping[str, str], *, edit: dict[str, str], commands: tuple[str, ...]
) -> Created:
    if (repository / folder).parent.resolve() != (repository.resolve() / folder).parent:
        raise RequestError(f"a folder above {folder} is a symbolic link", hint="Nothing is written through it.")
    create_folder(repository / folder, texts)
    return Created(folder=folder, files=tuple(sorted(texts)), edit=edit, commands=commands)


def _values(about: About, slug: str, *, summary: str = "") -> dict[str, str]:
    """What stands in a template for `{{…}}`. JSON text is YAML text, whatever characters are in it."""
    title = _one_line(about.title or slug.replace("-", " ").capitalize(), "--title", limit=100)
    texts = {
        "title": title,
        "summary": _one_line(about.summary or summary or title, "--summary", limit=300),
        "license": _one_line(about.license, "--license", limit=100),
        "maintainer": _one_line(about.maintainer, "--maintainer", limit=100),
    }
    quoted = {f"{key}_yaml": json.dumps(text, ensure_ascii=False) for key, text in texts.items()}
    return {"slug": slug, "title": title, **quoted}


def _one_line(text: str, option: str, *, limit: int) -> str:
    text = text.strip()
    if not text or len(text) > limit or not text.isprintable():
        raise RequestError(f"{option} must be one line of 1 to {limit} visible characters")
    return text


def _slug(name: str, what: str) -> str:
    if is_slug(name):
        return name
    raise RequestError(
        f"{name!r} cannot name {what}", hint="Use lower-case letters, digits and single hyphens, such as my-first-one."
    )


def _two_slugs(name: str, what: str, form: str) -> tuple[str, str]:
    first, slash, second = name.partition("/")
    if not slash:
        raise RequestError(f"{name!r} cannot name {what}", hint=f"Its name has two parts: {form}.")
    return _slug(first, what), _slug(second, what)


def _render(template: str, values: Mapping[str, str]) -> dict[str, str]:
    """The files of a template by path, with `values` put in."""
    root = package_files("sigilgen.commands") / "templates" / template
    return {path.removesuffix(SUFFIX): _fill_in(file.read_text("utf-8"), values) for path, file in _files(root)}


def _files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(SUFFIX):
            yield f"{prefix}{entry.name}", entry


def _fill_in(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], text)


def render(created: Created) -> str:
    width = max(len(path) for path in created.edit)
    lines = [f"Made {created.folder}, which works as it stands. Make it yours:"]
    lines += [f"  {path:<{width}}  {why}" for path, why in created.edit.items()]
    return "\n".join([*lines, "Then run:", *(f"  {command}" for command in created.commands)])
