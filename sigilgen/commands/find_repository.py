"""Find the checkout that a command works in."""

from pathlib import Path

FOLDERS = ("catalog", "tasks")
"""What tells a Sigil repository from any other folder."""


def find_repository(start: Path) -> Path | None:
    """The nearest Sigil repository at or above `start`, or None."""
    around = (start, *start.parents)
    return next((folder for folder in around if all((folder / name).is_dir() for name in FOLDERS)), None)
