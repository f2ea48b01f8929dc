"""Keeps plans and results, and reads them back. Nothing is kept that `sigil verify` would refuse."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sigilgen.errors import RecordError, StoreError
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.store.codec import decode_record, encode_record
from sigilgen.store.gather import attachment_faults, by_payload, gather
from sigilgen.store.git import commit_files
from sigilgen.store.layout import RECORD, RUNS, TRANSCRIPTS, evidence_folder, plan_path, result_folder
from sigilgen.store.limits import FLAWS_SHOWN, RECORD_MAX_BYTES, RUNS_MAX_BYTES, TRANSCRIPTS_MAX_BYTES
from sigilgen.store.reading import list_evidence, read_file
from sigilgen.store.report import Disagreement, about
from sigilgen.store.verify_experiment import experiment_faults
from sigilgen.store.worktree import write_files

__all__ = ["evidence_folder", "load_experiments", "publish_plan", "publish_result"]

RESULT_FILES = {RECORD: RECORD_MAX_BYTES, RUNS: RUNS_MAX_BYTES, TRANSCRIPTS: TRANSCRIPTS_MAX_BYTES}
"""Files of a result with their limits."""


def publish_plan(repository: Path, plan: PlanRecord, *, commit: bool) -> str:
    """Keep `plan`, and return its path. With `commit` it is in git before this returns, else in the work tree only.

    Raises RecordError if the plan contradicts itself, and StoreError if it cannot be kept.
    """
    path = plan_path(plan)
    files = {path: encode_record(plan)}
    _refuse_faults(evidence_folder(plan.subject), files, [])
    message = f"Plan {_title(plan)}\n\n{len(plan.cells)} runs, planned before the first of them."
    _keep(repository, files, message, commit=commit)
    return path


def publish_result(
    repository: Path,
    result: ProveRecord,
    *,
    runs: bytes,
    transcripts: bytes,
    keep_transcripts: bool,
    commit: bool,
) -> str:
    """Keep `result` with its runs, and its transcripts if they are to be kept, and return the path of its record.

    The plan must have been published. With `commit` all of it is in one commit before this returns, together with
    the plan if that was in the work tree only.
    Raises RecordError if anything contradicts anything else, and StoreError if it cannot be kept.
    """
    home = result_folder(result)
    record = f"{home}/{RECORD}"
    plan = f"{evidence_folder(result.subject)}/plan-{short(result.plan)}.json"
    files = {
        plan: _published_plan(repository, plan),
        record: encode_record(result),
        f"{home}/{RUNS}": runs,
    }
    packed = f"{home}/{TRANSCRIPTS}"
    faults = attachment_faults(packed, transcripts, result.transcripts, "transcripts")
    if result.transcripts.kept is not keep_transcripts:
        faults.append(about(record, f"says that transcripts are{'' if result.transcripts.kept else ' not'} kept"))
    if keep_transcripts:
        files[packed] = transcripts
    folder = evidence_folder(result.subject)
    # Other results of the plan go along: they may be in the work tree only, and committing twice changes nothing.
    files = {**_other_results(repository, folder, result), **files}
    _refuse_faults(folder, files, faults)
    message = f"Result {_title(result)}\n\nplan {result.plan}\nverdict as stated: {result.stated.verdict}"
    _keep(repository, files, message, commit=commit)
    return record


def load_experiments(repository: Path) -> tuple[Experiment, ...]:
    """Every experiment in the work tree's store, by payload, then by the time of its plan.

    Names, ids, digests and the fit of results and runs to plans have been checked; numbers that are derived have not.
    Raises RecordError with everything that cannot be read or does not belong there.
    """
    listing = list_evidence(repository)

    def read(file: str, limit: int) -> bytes:
        return read_file(repository / file, limit=limit)

    experiments: list[Experiment] = []
    faults = [about(file, what) for file, what in listing.strange]
    for folder, files in by_payload(listing.files).items():
        gathering = gather(folder, files, read)
        experiments += [gathered.experiment for gathered in gathering.experiments]
        faults += gathering.disagreements
    if faults:
        raise _unusable("the store cannot be read", faults)
    return tuple(sorted(experiments, key=lambda each: (each.folder, each.plan.created_at, each.plan.id)))


def _published_plan(repository: Path, path: str) -> bytes:
    try:
        return read_file(repository / path, limit=RECORD_MAX_BYTES)
    except RecordError as error:
        raise StoreError(
            f"{path}: the plan of this result {error.message}", hint="A plan is published first."
        ) from None


def _other_results(repository: Path, folder: str, result: ProveRecord) -> dict[str, bytes]:
    """The files of results of the same plan that are there already."""
    files: dict[str, bytes] = {}
    for record in sorted((repository / folder).glob(f"prove-*/{RECORD}")):
        other = decode_record(read_file(record, limit=RECORD_MAX_BYTES), f"{folder}/{record.parent.name}/{RECORD}")
        if isinstance(other, ProveRecord) and other.plan == result.plan and other.id != result.id:
            for name, limit in RESULT_FILES.items():
                if (record.parent / name).exists():
                    files[f"{folder}/{record.parent.name}/{name}"] = read_file(record.parent / name, limit=limit)
    return files


def _refuse_faults(folder: str, files: Mapping[str, bytes], faults: Sequence[Disagreement]) -> None:
    """Verify the files as they are to be, before any of them is written."""

    def read(file: str, limit: int) -> bytes:
        if file not in files:
            raise RecordError("is missing")
        if len(files[file]) > limit:
            raise RecordError(f"has {len(files[file])} bytes; at most {limit} are read")
        return files[file]

    gathering = gather(folder, sorted(files), read)
    found = [*faults, *gathering.disagreements]
    for gathered in gathering.experiments:
        found += experiment_faults(gathered, files, read)
    if found:
        raise _unusable("this evidence contradicts itself and was not kept", found)


def _keep(repository: Path, files: Mapping[str, bytes], message: str, *, commit: bool) -> None:
    if commit:
        commit_files(repository, files, message)
    else:
        write_files(repository, files)
    for path, data in files.items():
        try:
            same = read_file(repository / path, limit=len(data)) == data
        except RecordError as error:
            raise StoreError(f"{path} {error.message} just after it was written") from None
        if not same:
            raise StoreError(f"{path} reads back otherwise than it was written")


def _title(record: PlanRecord | ProveRecord) -> str:
    subject, agent = record.subject, record.setting.agent
    rehearsal = " (rehearsal)" if record.rehearsal else ""
    return f"{short(record.id)}: {subject.capability} on {subject.suite} with {agent}{rehearsal}"


def _unusable(what: str, faults: Sequence[Disagreement]) -> RecordError:
    lines = [f"\n  {fault}" for fault in faults[:FLAWS_SHOWN]]
    if len(faults) > FLAWS_SHOWN:
        lines.append(f"\n  and {len(faults) - FLAWS_SHOWN} more")
    return RecordError(f"{what}:" + "".join(lines), hint="`sigil verify` lists everything.")
