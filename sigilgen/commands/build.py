"""Turn the evidence into pages, and the pages into a site."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from sigilgen.commands.find_repository import find_repository
from sigilgen.commands.serve import SITE
from sigilgen.errors import RequestError, SigilError
from sigilgen.model.experiment import Experiment
from sigilgen.pages.amounts import counted
from sigilgen.pages.site import read_contents, site_pages
from sigilgen.pages.tree import Changes, write_pages

Builder = Literal["mkdocs", "zensical"]

MARKER = ".sigil-site"
"""Lies in every folder that a site was built into: only such a folder may be emptied."""

LOG_SHOWN = 40
WITHOUT_EVIDENCE = 315_532_800
"""1 January 1980: a date that is plainly none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """`output` and `builder` are None when only the page sources were written; `then` is the command to go on with."""

    files: int
    written: int
    removed: int
    builder: Builder | None
    output: str | None
    then: str


def build(
    repository: Path, *, output: Path | None, builder: Builder, pages_only: bool, say: Callable[[str], None]
) -> Built:
    """Write the page sources of `repository`, then build the site into `output` (by default `build/site`)."""
    sources = repository / "site_src"
    _require(repository)
    say("reading catalogue, suites and evidence")
    contents = read_contents(repository)
    pages = site_pages(contents)
    say(f"writing {len(pages)} files below {sources}")
    changes = write_pages(sources, pages)
    if pages_only:
        return _built(len(pages), changes, builder=None, output=None, then=f"sigil build{_named(repository)}")
    target = (output or repository / SITE).absolute()
    if builder == "zensical" and repository not in target.parents:
        raise RequestError(f"zensical builds below {repository} only", hint="Choose another --output, or mkdocs.")
    _empty(target, repository)
    say(f"building with {builder} into {target}")
    _run(builder, repository, target, date=_date(contents.experiments))
    (target / MARKER).touch()
    _assert_complete(sources, target, pages)
    is_usual = target == (repository / SITE).absolute()
    then = f"sigil serve{_named(repository)}" if is_usual else f"sigil serve --site {shlex.quote(str(target))}"
    return _built(len(pages), changes, builder=builder, output=str(target), then=then)


def _built(files: int, changes: Changes, *, builder: Builder | None, output: str | None, then: str) -> Built:
    return Built(
        files=files, written=changes.written, removed=changes.removed, builder=builder, output=output, then=then
    )


def _named(repository: Path) -> str:
    """The option that names `repository`, where the current folder does not."""
    return "" if find_repository(Path.cwd()) == repository else f" --repository {shlex.quote(str(repository))}"


def render(built: Built) -> str:
    """What was done, and what to do next."""
    pages = f"{built.files} generated files: {built.written} written, {built.removed} stale ones removed"
    if built.output is None:
        return f"{pages}\nNext: {built.then}"
    return f"{pages}\n{built.output}\nNext: {built.then}"


def _require(repository: Path) -> None:
    missing = [name for name in ("mkdocs.yml", "site_src/index.md") if not (repository / name).is_file()]
    if missing:
        raise SigilError(
            f"{repository} has no {' and no '.join(missing)}", hint="They are tracked: restore them with git checkout."
        )


def _empty(target: Path, repository: Path) -> None:
    """Make `target` an empty folder of ours. A folder that holds anything else is refused, never emptied."""
    default = repository / SITE
    if target == repository or target in repository.parents or (repository / "site_src") in (target, *target.parents):
        raise RequestError(f"{target} holds this repository or its pages", hint="Choose another --output.")
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise RequestError(f"{target} is not a folder", hint="Choose another --output.")
    try:
        if target != default and target.exists() and any(target.iterdir()) and not (target / MARKER).exists():
            raise RequestError(
                f"{target} holds files that `sigil build` did not write",
                hint="It would be emptied. Choose another --output, or remove it yourself.",
            )
        if target.exists():
            shutil.rmtree(target)
        target.mkdir(parents=True)
        (target / MARKER).touch()
    except OSError as error:
        raise SigilError(f"cannot prepare {target}: {error.strerror or error}") from error


def _date(experiments: Sequence[Experiment]) -> int:
    """The date that builders write into the site, in seconds: that of the newest evidence, never that of the build."""
    times = [experiment.result.finished_at for experiment in experiments if experiment.result is not None]
    return int(datetime.fromisoformat(max(times)).timestamp()) if times else WITHOUT_EVIDENCE


def _run(builder: Builder, repository: Path, target: Path, *, date: int) -> None:
    """Run the builder as a child. `-P` keeps modules of the repository from taking the place of real ones."""
    command = [sys.executable, "-P", "-m", builder, "build", "--strict", "--config-file", "mkdocs.yml"]
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "SIGIL_SITE_DIR": str(target),
        "SOURCE_DATE_EPOCH": str(date),
    }
    finished = subprocess.run(
        command,
        cwd=repository,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if finished.returncode == 0:
        return
    log = finished.stdout.decode(errors="replace").strip().splitlines()
    if any(line.endswith(f"No module named {builder}") for line in log):
        raise SigilError(f"{builder} is not installed", hint=f"Install it with: pip install {builder}")
    raise SigilError(f"{builder} could not build the site:\n" + "\n".join(f"  {line}" for line in log[-LOG_SHOWN:]))


def _assert_complete(sources: Path, target: Path, pages: dict[str, bytes]) -> None:
    """Compare what was built with what should be: a builder may leave things out without a word."""
    by_hand = {file.relative_to(sources).as_posix(): file for file in sources.rglob("*.md")}
    wanted = {path: file.read_bytes() for path, file in by_hand.items() if path not in pages} | pages
    missing = [path for path, content in wanted.items() if not _is_built(target, path, content)]
    if missing:
        listed = "\n".join(f"  {path}" for path in missing[:LOG_SHOWN])
        raise SigilError(f"missing from the built site, or incomplete: {counted(len(missing), 'page')}\n{listed}")


def _is_built(target: Path, path: str, content: bytes) -> bool:
    if not path.endswith(".md"):
        copy = target / path
        return copy.is_file() and copy.read_bytes() == content
    stem = path.removesuffix(".md")
    page = target / f"{stem}.html" if stem.rpartition("/")[2] == "index" else target / stem / "index.html"
    if not page.is_file():
        return False
    built = page.read_bytes()
    mark = f'data-page="{path.removesuffix("/index.md")}"'.encode()
    return b"</html>" in built and (mark not in content or mark in built)
