"""Verifies what was derived in one experiment, and its transcripts, against the runs."""

from collections.abc import Container

from sigilgen.errors import RecordError
from sigilgen.model.record import PlanRecord
from sigilgen.store.gather import Gathered, Read, attachment_faults
from sigilgen.store.layout import RECORD, TRANSCRIPTS
from sigilgen.store.limits import TRANSCRIPTS_MAX_BYTES
from sigilgen.store.report import Disagreement, about, in_file
from sigilgen.store.succession import KeptResult
from sigilgen.store.verify_result import derived_flaws
from sigilgen.store.verify_transcripts import transcript_flaws


def experiment_faults(gathered: Gathered, files: Container[str], read: Read) -> list[Disagreement]:
    """Everything in the results of a plan and in their transcripts that does not follow from the runs.

    `files` are the paths that there are; `read` gives the bytes of those that are needed.
    """
    faults: list[Disagreement] = []
    for result in gathered.results:
        faults += _result_faults(result, gathered.plan) + _transcript_faults(result, files, read)
    return faults


def _result_faults(result: KeptResult, plan: PlanRecord) -> list[Disagreement]:
    if not result.complete:
        return []
    return in_file(f"{result.folder}/{RECORD}", derived_flaws(result.record, plan, result.runs))


def _transcript_faults(result: KeptResult, files: Container[str], read: Read) -> list[Disagreement]:
    file = f"{result.folder}/{TRANSCRIPTS}"
    if not result.record.transcripts.kept:
        return [about(file, "is there, but the record says that transcripts were not kept")] if file in files else []
    try:
        data = read(file, TRANSCRIPTS_MAX_BYTES)
    except RecordError as error:
        return [about(file, error.message)]
    faults = attachment_faults(file, data, result.record.transcripts, "transcripts")
    return faults + (in_file(file, transcript_flaws(data, result.runs)) if result.complete else [])
