"""Restores an archive into a folder."""

import contextlib
import os
import tarfile
import zipfile
from pathlib import Path

from coldstore.limits import Limits
from coldstore.readers import open_archive
from coldstore.report import Report


class RestoreError(Exception):
    """An archive cannot be restored."""


def restore(
    archive: str | os.PathLike[str], destination: str | os.PathLike[str], limits: Limits = Limits()
) -> Report:
    """Put everything that is in `archive` into the folder `destination`, which is made if need be."""
    archive, destination = Path(archive), Path(destination)
    if archive.stat().st_size > limits.max_bytes:
        raise RestoreError(f"{archive.name} is larger than {limits.max_bytes} bytes")
    try:
        reader = open_archive(archive)
    except (tarfile.TarError, zipfile.BadZipFile) as error:
        raise RestoreError(f"{archive.name} is not an archive: {error}") from error
    report = Report()
    with contextlib.closing(reader):
        destination.mkdir(parents=True, exist_ok=True)
        for entry in reader.entries():
            where = os.path.realpath(destination / entry.name)
            if not Path(where).is_relative_to(os.path.realpath(destination)):
                raise RestoreError(f"{entry.name} leads outside")
            if report.bytes + entry.size > limits.max_bytes or sum(report.counts.values()) >= limits.max_files:
                raise RestoreError(f"{entry.name}: too much")
            reader.extract(entry, destination)
            report.add(entry.kind, entry.size)
    return report
