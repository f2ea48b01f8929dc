"""Write the schemas and reference pages again, or say which of them no longer match the program."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sigilgen.commands.reference_errors import errors_page
from sigilgen.commands.reference_formats import formats_page, schemas

SCHEMAS = "schemas"
PAGES = "site_src/reference"
GENERATED = ("schemas/*.json", "site_src/reference/*.md")
"""Everything that this command owns: a file here that it would not write is stale."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Paths relative to the repository. With `--check`, `changed` are the stale ones and nothing was written."""

    checked_only: bool
    files: tuple[str, ...]
    changed: tuple[str, ...]


def reference(repository: Path, *, commands_page: str, check: bool) -> Reference:
    """Compare every generated file with what it should be; without `check`, make it so."""
    wanted = _wanted(commands_page)
    surplus = {path for path in _present(repository) if path not in wanted}
    changed = {path for path, text in wanted.items() if _read(repository / path) != text} | surplus
    if not check:
        for path in changed - surplus:
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_bytes(wanted[path])
        for path in surplus:
            (repository / path).unlink()
    return Reference(check, tuple(sorted(wanted)), tuple(sorted(changed)))


def render(result: Reference) -> str:
    if not result.changed:
        return f"{len(result.files)} generated files are current."
    names = "\n".join(f"  {path}" for path in result.changed)
    if result.checked_only:
        return f"Stale; `sigil reference` writes them again:\n{names}"
    return f"Written:\n{names}"


def _wanted(commands_page: str) -> Mapping[str, bytes]:
    pages = {"cli": commands_page, "formats": formats_page(), "errors": errors_page()}
    return {
        **{f"{SCHEMAS}/{name}.json": text.encode() for name, text in schemas().items()},
        **{f"{PAGES}/{name}.md": text.encode() for name, text in pages.items()},
    }


def _present(repository: Path) -> list[str]:
    return [path.relative_to(repository).as_posix() for pattern in GENERATED for path in repository.glob(pattern)]


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
