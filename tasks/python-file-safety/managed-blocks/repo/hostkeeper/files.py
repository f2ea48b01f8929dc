"""Reads and writes files."""

from pathlib import Path


def read_file(path: Path) -> str | None:
    """The text of a file, or None if there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def write_file(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
