"""Verifies one experiment: its plan by itself, its results against plan and runs, their transcripts against runs."""

from collections.abc import Container

from sigilgen.errors import RecordError
from sigilgen.model.record import PlanRecord
from sigilgen.store.gather import Gathered, Read, attachment_faults
from sigilgen.store.layout import RECORD, TRANSCRIPTS, plan_path
from sigilgen.store.limits import TRANSCRIPTS_MAX_BYTES
from sigilgen.store.report import Disagreement, about, in_file
from sigilgen.store.succession import KeptResult
from sigilgen.store.verify_plan import plan_flaws, setting_flaws
from sigilgen.store.verify_result import binding_flaws, derived_flaws
from sigilgen.store.verify_transcripts import transcript_flaws


def experiment_faults(gathered: Gathered, files: Container[str], read: Read) -> list[Disagreement]:
    """Everything in a plan, its results and their transcripts that does not follow from the runs.

    `files` are the paths that there are; `read` gives the bytes of those that are needed.
    """
    faults = in_file(plan_path(gathered.plan), plan_flaws(gathered.plan))
    for result in gathered.results:
        faults += _result_faults(result, gathered.plan) + _transcript_faults(result, files, read)
    return faults


def _result_faults(result: KeptResult, plan: PlanRecord) -> list[Disagreement]:
    record = result.record
    flaws = [*setting_flaws(record.setting, rehearsal=record.rehearsal), *binding_flaws(record, plan)]
    if result.complete:
        flaws += derived_flaws(record, plan, result.runs)
    return in_file(f"{result.folder}/{RECORD}", flaws)


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
