"""Reads and writes files that belong to other people."""

import contextlib
import os
import secrets
import stat
from pathlib import Path


def read_file(path: Path) -> str | None:
    """The text of a file, or None if there is none.

    Bytes that are not UTF-8 become lone surrogates, which `write_file` turns back into the same bytes. Line ends
    are left as they are.
    """
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def write_file(path: Path, text: str) -> None:
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
