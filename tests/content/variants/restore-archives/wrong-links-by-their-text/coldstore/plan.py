"""Decides what of an archive is restored, from the list of its entries alone: nothing is written here."""

import posixpath
from collections.abc import Iterable
from dataclasses import replace

from coldstore.errors import RestoreError
from coldstore.limits import Limits
from coldstore.readers import Entry

MOST_HOPS = 40  # as many links as Linux follows


def plan(entries: Iterable[Entry], limits: Limits) -> list[Entry]:
    """The entries with clean names, in the order in which they can be made: folders, files, hard links, links.

    Raises `RestoreError` for the first thing that must not be restored. If a name occurs twice the last one counts,
    as tar has it.
    """
    chosen: dict[str, Entry] = {}
    size = 0
    for number, entry in enumerate(entries, start=1):
        size += entry.size
        if number > limits.max_files:
            raise RestoreError(f"more than {limits.max_files} entries")
        if size > limits.max_bytes:
            raise RestoreError(f"{entry.name!r}: more than {limits.max_bytes} bytes in all")
        if entry.kind == "other":
            raise RestoreError(f"{entry.name!r} is not a file, folder or link")
        name = clean(entry.name)
        if name:  # "." is the restored folder itself
            chosen.pop(name, None)
            chosen[name] = replace(entry, name=name)
    _check_links(chosen)
    order = ("folder", "file", "hard link", "link")
    return sorted(chosen.values(), key=lambda entry: order.index(entry.kind))


def clean(name: str) -> str:
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts:
        raise RestoreError(f"{name!r} leads outside the folder")
    return "/".join(parts)


def _check_links(chosen: dict[str, Entry]) -> None:
    links = {name: entry.target for name, entry in chosen.items() if entry.kind == "link"}
    for name, entry in chosen.items():
        if entry.kind == "link" and not leads_inside(name, entry.target):
            raise RestoreError(f"{name!r} leads outside the folder, to {entry.target!r}")
        if entry.kind == "hard link":
            target = chosen.get(clean(entry.target))
            if target is None or target.kind != "file":
                raise RestoreError(f"{name!r} is linked to {entry.target!r}, which is not a file of this archive")


def _parents(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def leads_inside(name: str, target: str) -> bool:
    where = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    return not target.startswith("/") and where != ".." and not where.startswith("../")
