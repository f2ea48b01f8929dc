"""Making a new folder in the repository: all of it, or nothing."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sigilgen.errors import RequestError, StoreError


def create_folder(target: Path, files: Mapping[str, str]) -> None:
    """Make `target` with these files in it, by path. RequestError when something is there already."""
    if os.path.lexists(target):
        raise RequestError(f"{target} exists already", hint="Nothing was changed. Choose another name, or remove it.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            _fill(draft, files)
            draft.rename(target)
        except BaseException:
            shutil.rmtree(draft)
            raise
    except OSError as error:
        raise StoreError(f"cannot make {target}: {error}") from error


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    folder.chmod(0o755)  # a temporary folder is its owner's alone
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
