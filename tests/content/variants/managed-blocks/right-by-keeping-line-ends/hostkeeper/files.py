"""Reads and writes files."""

import os
import shutil
import tempfile
from pathlib import Path


def read_file(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_file(path, text):
    path = Path(path).resolve()
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with open(fd, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, name)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.rename(name, path)
    except BaseException:
        os.unlink(name)
        raise
