"""Verifies the whole store offline: everything that can be computed again is, and every disagreement is named."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from sigilgen.errors import RequestError
from sigilgen.store.gather import by_payload, gather
from sigilgen.store.history import History, blob_id, changes_since, read_history
from sigilgen.store.reading import Listing, list_evidence, read_file
from sigilgen.store.report import Disagreement, Report, about
from sigilgen.store.verify_experiment import experiment_faults

REGULAR = "100644"


def verify_store(repository: Path, *, since: str | None) -> Report:
    """Check every file below `evidence/` against every other and against git's history.

    With `since`, also that nothing but additions happened there since HEAD parted from that commit.
    Raises RequestError if `since` cannot be looked up.
    """
    history = read_history(repository)
    if since is not None and isinstance(history, str):
        raise RequestError(f"--since {since} needs git history", hint=history)
    listing = list_evidence(repository)
    blobs: dict[str, str] = {}

    def read(file: str, limit: int) -> bytes:
        data = read_file(repository / file, limit=limit)
        if isinstance(history, History) and file in history.tree:
            blobs[file] = blob_id(data, like=history.tree[file][1])
        return data

    plans = results = runs = 0
    disagreements = [about(file, what) for file, what in listing.strange]
    for folder, files in by_payload(listing.files).items():
        gathering = gather(folder, files, read)
        plans += gathering.plans
        results += gathering.results
        runs += sum(len(result.runs) for gathered in gathering.experiments for result in gathered.results)
        disagreements += gathering.disagreements
        for gathered in gathering.experiments:
            disagreements += experiment_faults(gathered, files, read)
    notes = [history] if isinstance(history, str) else [*_history_notes(history, listing)]
    if isinstance(history, History):
        disagreements += _history_faults(history, listing, blobs)
    if since is not None:
        disagreements += _faults_since(repository, since)
    found = tuple(sorted(set(disagreements), key=_order))
    return Report(plans=plans, results=results, runs=runs, disagreements=found, notes=tuple(notes))


def _history_faults(history: History, listing: Listing, blobs: Mapping[str, str]) -> Iterator[Disagreement]:
    """How the work tree differs from HEAD, and HEAD from what was committed before it.

    Names bind content (ids in names, digests in records), so of several versions of a file only the first can be
    right; a file that was changed and then restored is as good as new.
    """
    there = {*listing.files, *(path for path, _ in listing.strange)}
    for path, (mode, blob) in history.tree.items():
        if mode != REGULAR:
            yield about(path, f"has the mode {mode} in git; evidence has {REGULAR}")
        if path not in there:
            yield about(path, f"is committed and missing here; restore it with: {_restoring(path)}")
        elif blobs.get(path, blob) != blob:
            yield about(path, f"is not as it was committed; restore it with: {_restoring(path)}")
    latest = {change.path: change for change in reversed(history.changes)}
    first = {change.path: change for change in history.changes}
    for path, change in first.items():
        if path not in history.tree:
            yield about(path, f"was removed by commit {latest[path].commit[:12]}; evidence is never removed")
        elif history.tree[path][1] != change.blob:
            yield about(path, f"was changed by commit {change.commit[:12]}; evidence is never changed")


def _faults_since(repository: Path, ref: str) -> Iterator[Disagreement]:
    for change in changes_since(repository, ref):
        yield about(change.path, f"was changed or removed since {ref}; evidence is only added")


def _restoring(path: str) -> str:
    """A command to copy. The path may be anything that git can hold."""
    return f"git checkout HEAD -- {shlex.quote(path)}"


def _history_notes(history: History, listing: Listing) -> Iterator[str]:
    if history.note is not None:
        yield history.note
    loose = sum(file not in history.tree for file in listing.files)
    if loose:
        yield f"{loose} {'file is' if loose == 1 else 'files are'} not committed yet"


def _order(disagreement: Disagreement) -> tuple[str, int, str, str]:
    return disagreement.file, disagreement.line or 0, disagreement.field or "", disagreement.what
