"""`sigil new`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sigilgen.cli.options import format_option, repository_option
from sigilgen.cli.output import emit

F = TypeVar("F", bound=Callable[..., Any])


@click.group("new")
def new_group() -> None:
    """Start a skill, a suite or a task from a template.

    Nothing is asked: what is made works as it stands, and says what to edit next. Nothing is ever overwritten.
    """


def _title_option(function: F) -> F:
    return click.option("--title", help="What people read.  [default: made from the name]")(function)


def _about_options(function: F) -> F:
    """The options that fill in what skills and suites say about themselves."""
    for option in (
        click.option("--maintainer", default="your name", show_default=True, help="Who answers for it."),
        click.option("--license", "license_", default="Apache-2.0", show_default=True, help="SPDX license expression."),
        click.option("--summary", help="One sentence.  [default: a placeholder]"),
        _title_option,
    ):
        function = option(function)
    return function


@new_group.command("skill")
@click.argument("name", metavar="NAMESPACE/SLUG")
@_about_options
@click.option("--suite", "suites", multiple=True, help="A suite in which it could matter; may be given again.")
@repository_option
@format_option
def new_skill_command(
    *,
    name: str,
    title: str | None,
    summary: str | None,
    license_: str,
    maintainer: str,
    suites: tuple[str, ...],
    repository: Path,
    form: str,
) -> None:
    """Start a skill in the catalogue.

    Makes SKILL.md, which the agent reads, and sigil.yaml, which people read, in catalog/skills/NAMESPACE/SLUG.
    """
    from sigilgen.commands.new import About, new_skill, render

    about = About(title=title, summary=summary, license=license_, maintainer=maintainer)
    emit(new_skill(repository, name, about=about, suites=suites), form, render)


@new_group.command("suite")
@click.argument("name", metavar="SLUG")
@_about_options
@click.option("--task", default="combined-durations", show_default=True, help="Name of its first task.")
@repository_option
@format_option
def new_suite_command(
    *,
    name: str,
    title: str | None,
    summary: str | None,
    license_: str,
    maintainer: str,
    task: str,
    repository: Path,
    form: str,
) -> None:
    """Start a suite with a first task.

    Makes suite.yaml and one complete task in tasks/SLUG.
    """
    from sigilgen.commands.new import About, new_suite, render

    about = About(title=title, summary=summary, license=license_, maintainer=maintainer)
    emit(new_suite(repository, name, about=about, task=task), form, render)


@new_group.command("task")
@click.argument("name", metavar="SUITE/SLUG")
@_title_option
@repository_option
@format_option
def new_task_command(name: str, title: str | None, repository: Path, form: str) -> None:
    """Start a task in a suite that exists.

    Makes the request, the repository to start from, the hidden verifier, a reference solution and plays for the
    scripted agent in tasks/SUITE/SLUG.
    """
    from sigilgen.commands.new import About, new_task, render

    emit(new_task(repository, name, about=About(title=title)), form, render)
