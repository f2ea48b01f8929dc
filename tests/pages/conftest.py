"""A made-up repository in memory: one capability for every state that a page can show, and one full of hostile text."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sigilgen.model.capability import Capability, Kind, Payload, PayloadFile, Permissions, Source
from sigilgen.model.experiment import Experiment
from sigilgen.model.fairness import Check, CheckedTask, FairnessProof, Status
from sigilgen.model.run import Run
from sigilgen.model.task import Origin, Suite, Task
from sigilgen.pages.address import Address
from sigilgen.pages.site import Contents, site_pages
from sigilgen.pages.tree import GENERATED, write_pages
from sigilgen.store.canonical import digest_of
from sigilgen.store.catalogue import Entry
from sigilgen.store.suites import SuiteEntry

CHECKOUT = Path(__file__).parents[2]
REPOSITORY = Path("/repository")
TASKS = ("parse-dates", "read-config", "sort-names", "write-report")

PROVEN = dict.fromkeys(TASKS, (2, 8))
HARMFUL = dict.fromkeys(TASKS, (8, 2))
NO_EFFECT = dict.fromkeys(TASKS, (10, 10))
INCONCLUSIVE = dict(zip(TASKS, ((4, 5), (4, 4), (3, 5), (5, 5)), strict=True))

HOSTILE = (
    "</pre></code></div></svg></title></textarea><script>window.pwned = 1</script>"
    '<img src=x onerror=\'window.pwned = 1\'>"\' onmouseover="window.pwned = 1" x="'
    "](javascript:window.pwned=1) [link](javascript:window.pwned=1) ![i](x) <javascript:window.pwned=1> "
    '{{ 7*7 }} {% raw %} ${7*7} {: onclick="window.pwned = 1" .x #y } :smile: &lt;b&gt; &#60;i&#62; '
    "`code` **bold** _it_ ~~~ ``` --- *** \n\n# Not a heading\n\n    indented\n\n- item\n\n"
    '--8<-- "/etc/hostname"\n\n::: module\n\n[TOC]\n\n*[HTML]: x\n\n[^1]: note\n\n<!-- -->\n'
    "right\u202eleft zero\u200bwidth \u2066 \x1b[31m \x02wzxhzdk:0\x03 \x00 tag\U000e0041 tab\there"
)
HOSTILE_LINE = " ".join(HOSTILE.split())


def entry(name: str, **changes: Any) -> Entry:
    """A capability of the made-up catalogue."""
    values: dict[str, Any] = {
        "name": name,
        "kind": Kind.SKILL,
        "title": name.partition("/")[2].replace("-", " ").capitalize(),
        "summary": "Tells the agent how to do one thing well, and when to leave it alone.",
        "license": "Apache-2.0",
        "maintainers": ("A. Maintainer",),
        "permissions": Permissions(hosts=("api.example.org",), commands=("git", "python"), env=("EXAMPLE_TOKEN",)),
        "agents": ("claude-code",),
        "suites": ("python-basics",),
        "limitations": ("Written for Python projects with a test suite.",),
    }
    capability = Capability(**{**values, **changes})
    section = "skills" if capability.kind is Kind.SKILL else "instructions"
    return Entry(capability, REPOSITORY / "catalog" / section / name, digest_of(b"{}"))


def payload(text: str) -> Payload:
    """The payload that `make_experiment` measures when it is told the same text."""
    return Payload((PayloadFile("SKILL.md", 1_234, "0" * 64),), digest_of(text.encode()))


def suite(name: str = "python-basics", *, text: str | None = None, **changes: Any) -> SuiteEntry:
    """The suite that `make_experiment` measures on; `text` takes the place of everything that people write."""
    tasks = tuple(
        Task(
            id=task,
            title=text or task.replace("-", " ").capitalize(),
            prompt=text or f"Please {task.replace('-', ' ')} as the README says.\n\nKeep the tests as they are.\n",
            timeout_seconds=600,
            verify_timeout_seconds=60,
            protected=("tests/**", "pyproject.toml"),
            setup=(text,) if text else (),
            origin=Origin(repository=text, commit="f" * 40, path=text, license=text) if text else None,
        )
        for task in TASKS
    )
    values: dict[str, Any] = {
        "id": name,
        "title": text or "Python basics",
        "summary": text or "Four small repositories with one request each.",
        "license": text or "Apache-2.0",
        "maintainers": (text or "A. Maintainer",),
        "languages": ("python",),
        "tasks": tasks,
        "digest": digest_of(name.encode()),
    }
    return SuiteEntry(Suite(**{**values, **changes}), REPOSITORY / "tasks" / name)


def proof(name: str, *, text: str = "exit status 1") -> FairnessProof:
    """A proof that found one failure in the second task, and could not check one thing in any."""
    return FairnessProof(
        schema=1,
        suite=name,
        suite_digest=digest_of(name.encode()),
        checked_at="2026-01-04T08:00:00.000Z",
        sigil_version="0.1.0",
        platform="linux/amd64",
        tasks=tuple(
            CheckedTask(
                task,
                (
                    Check("untouched repo fails", Status.PASS, text),
                    Check("idle agent fails, 5 times", Status.FAIL if number == 1 else Status.PASS, text, "Mend it."),
                    Check("needs no network", Status.NOT_CHECKED, "this machine cannot tell", "Use another."),
                ),
            )
            for number, task in enumerate(TASKS)
        ),
    )


def hostile(run: Run) -> Run:
    """The same run with hostile text wherever an agent or a verifier writes."""
    return msgspec.structs.replace(
        run,
        final_message=HOSTILE + "x" * 1_000_000 if run.position == 0 else HOSTILE,
        verifier_output=HOSTILE,
        patch=HOSTILE,
        agent_version=HOSTILE,
        models_served=(HOSTILE_LINE,),
    )


@pytest.fixture(scope="session")
def experiments(make_experiment: Any) -> Mapping[str, Experiment]:
    """Experiments by a word that says what they are for."""
    made = {
        "proven": make_experiment(passes=PROVEN, repeats=9),
        "older payload": make_experiment(payload="older payload", passes=INCONCLUSIVE, repeats=8),
        "mixed, proven": make_experiment(capability="acme/fast-review", passes=PROVEN, repeats=9, seed=8),
        "mixed, harmful": make_experiment(
            capability="acme/fast-review", passes=HARMFUL, repeats=9, agent="codex", model="model-2", seed=9
        ),
        "no effect": make_experiment(
            capability="acme/house-rules", kind=Kind.INSTRUCTIONS, passes=NO_EFFECT, repeats=10
        ),
        "inconclusive": make_experiment(
            capability="acme/a-rather-long-name-for-a-capability-that-must-wrap",
            passes=INCONCLUSIVE,
            repeats=8,
            lost=(3,),
        ),
        "rehearsal": make_experiment(
            capability="acme/only-rehearsed", rehearsal=True, agent="scripted", model=None, passes=PROVEN, repeats=9
        ),
        "abandoned": make_experiment(capability="acme/abandoned", finished=False),
        "older suite": make_experiment(capability="acme/older-suite", suite="an-older-suite", passes=PROVEN, repeats=9),
        "gone": make_experiment(capability="acme/gone", passes=PROVEN, repeats=9),
        "hostile": make_experiment(
            capability="evil/hostile", model=HOSTILE_LINE, change=hostile, passes=INCONCLUSIVE, repeats=8
        ),
    }
    return {word: experiment for word, (experiment, _runs, _transcripts) in made.items()}


@pytest.fixture(scope="session")
def contents(experiments: Mapping[str, Experiment]) -> Contents:
    """The whole made-up repository."""
    entries = (
        entry("acme/a-rather-long-name-for-a-capability-that-must-wrap"),
        entry("acme/abandoned"),
        entry("acme/fast-review"),
        entry("acme/house-rules", kind=Kind.INSTRUCTIONS),
        entry("acme/older-suite"),
        entry("acme/only-rehearsed"),
        entry("acme/tidy-code"),
        entry("acme/untested", suites=(), limitations=(), permissions=Permissions()),
        entry("elsewhere/third-party", source=Source(repository="https://example.org/r", commit="a" * 40, path="s")),
        entry(
            "evil/hostile",
            title=HOSTILE_LINE,
            summary=HOSTILE_LINE,
            license=HOSTILE_LINE,
            maintainers=(HOSTILE_LINE,),
            limitations=(HOSTILE_LINE,),
            permissions=Permissions(hosts=(HOSTILE_LINE,), commands=(HOSTILE_LINE,), env=(HOSTILE_LINE,)),
            suites=("hostile-suite",),
        ),
    )
    own = [one.capability.name for one in entries if one.capability.source is None]
    return Contents(
        repository=REPOSITORY,
        entries=entries,
        payloads={name: payload("untested payload" if name == "acme/untested" else "first payload") for name in own},
        suites=(suite("hostile-suite", text=HOSTILE), suite()),
        proofs={"python-basics": proof("python-basics"), "hostile-suite": proof("hostile-suite", text=HOSTILE)},
        experiments=tuple(experiments.values()),
        address=Address("https://github.com/example/sigil-catalogue", github=True),
    )


@pytest.fixture(scope="session")
def sources(contents: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `mkdocs.yml`, the hand-written pages, and pages generated from the made-up repository."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(CHECKOUT / "mkdocs.yml", folder)
    shutil.copytree(CHECKOUT / "site_src", folder / "site_src", ignore=shutil.ignore_patterns(*GENERATED))
    write_pages(folder / "site_src", site_pages(contents))
    return folder


@pytest.fixture(scope="session")
def built_site(sources: Path) -> Path:
    """The made-up repository as MkDocs builds it."""
    return build_with("mkdocs", sources)


@pytest.fixture(scope="session")
def zensical_site(sources: Path) -> Path:
    """The same as Zensical builds it."""
    return build_with("zensical", sources)


def build_with(builder: str, sources: Path) -> Path:
    output = sources / f"built-with-{builder}"
    finished = subprocess.run(
        [sys.executable, "-P", "-m", builder, "build", "--strict"],
        cwd=sources,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "SIGIL_SITE_DIR": str(output)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return output
