"""Finding what a command names: by its name, or by the path to its folder."""

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

IGNORED = frozenset({".DS_Store", ".gitkeep"})


def locate(repository: Path, wanted: str, homes: Sequence[str], *, depth: int) -> tuple[str, Path] | None:
    """The home (relative to the repository) and the folder `depth` levels below it that `wanted` names, or None.

    A name below a home comes first, then a path from the current folder, then one from the repository. Links above
    a home are followed; the folder itself must not be one, and its reader says so.
    """
    bases = [*(repository / home for home in homes), Path.cwd(), repository]
    for candidate in (base / wanted for base in bases):
        if not os.path.isdir(candidate):  # noqa: PTH112  (false, not an error, for names too long to exist)
            continue
        plain = Path(os.path.abspath(candidate))  # noqa: PTH100  (resolve() would follow the folder itself)
        for home in homes:
            parts = _parts_below(plain.parent.resolve() / plain.name, (repository / home).resolve())
            if len(parts) == depth:
                return home, repository.joinpath(home, *parts)
    return None


def _parts_below(folder: Path, home: Path) -> tuple[str, ...]:
    return folder.relative_to(home).parts if folder.is_relative_to(home) else ()


def folders_in(folder: Path) -> list[Path]:
    """The entries of `folder` in the order of their names, without loose files at its top; none if it is missing."""
    if not folder.is_dir():
        return []
    return sorted(entry for entry in folder.iterdir() if entry.is_dir() or entry.is_symlink())


def nearest(wanted: str, names: Iterable[str]) -> str:
    """What to say when `wanted`, a name or a path, is none of `names`: the nearest of them, else a few."""
    known = sorted(names)
    if not known:
        return "There are none yet."
    name = "/".join(wanted.strip("/").split("/")[-1 - known[0].count("/") :])
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"There are: {', '.join(known[:10])}{', …' if len(known) > 10 else ''}."
