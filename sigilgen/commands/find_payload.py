"""Find and seal the payload that a command names."""

import os
from pathlib import Path

from sigilgen.commands.find_repository import find_repository
from sigilgen.errors import PayloadError
from sigilgen.model.capability import Payload
from sigilgen.model.names import is_slug
from sigilgen.store.catalogue import find_entry
from sigilgen.store.payload import read_payload

MARKS = ("sigil.yaml", "SKILL.md", "CLAUDE.md", "AGENTS.md")
"""One of these stands at the top of every capability folder."""

ADVICE = "Name one, such as catalog/skills/<namespace>/<slug>, or <namespace>/<slug> alone."


def find_payload(wanted: str) -> Path | None:
    """The folder that `wanted` is, or that it names in the catalogue of the repository around the current folder.

    None when it can be neither. Raises RequestError when it is written like a name and there is no such capability.
    """
    if os.path.isdir(wanted):  # noqa: PTH112  (false, not an error, for names too long to exist)
        return Path(wanted)
    repository = find_repository(Path.cwd())
    if repository is not None and all(is_slug(part) for part in wanted.split("/", 1)):
        return find_entry(repository, wanted).folder
    return None


def seal_payload(folder: Path) -> Payload:
    """Seal the payload in `folder`. PayloadError lists everything that stands against it."""
    try:
        return read_payload(folder)
    except PayloadError as error:
        if (whole := _whole(folder)) is not None:
            raise PayloadError(f"{folder} is not a capability folder, but {whole}", hint=ADVICE) from None
        if not any(os.path.lexists(folder / mark) for mark in MARKS):
            what = f"This is not a capability folder: it has no {', '.join(MARKS[:-1])} or {MARKS[-1]}."
            raise PayloadError(error.message, hint=f"{what} {ADVICE}") from None
        raise


def _whole(folder: Path) -> str | None:
    if find_repository(folder.resolve()) == folder.resolve():
        return "a whole Sigil repository"
    return "a whole git checkout" if os.path.lexists(folder / ".git") else None
