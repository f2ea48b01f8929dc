"""Where evidence lives: the path of every file below `evidence/`, and what may stand where.

evidence/skills/<namespace>/<slug>/<16 of the payload digest>/plan-<16 of its id>.json
                                                              prove-<16 of its id>/record.json
                                                                                   runs.jsonl
                                                                                   transcripts.jsonl.gz
evidence/instructions/…                                       likewise
"""

import re

from sigilgen.model.capability import Kind
from sigilgen.model.names import short
from sigilgen.model.record import PlanRecord, ProveRecord, Subject

EVIDENCE = "evidence"
RECORD = "record.json"
RUNS = "runs.jsonl"
TRANSCRIPTS = "transcripts.jsonl.gz"

_SLUG = r"[a-z0-9]+(-[a-z0-9]+)*"
_SHORT = r"[0-9a-f]{16}"
_SUBJECT = rf"{EVIDENCE}/(skills|instructions)/{_SLUG}/{_SLUG}/{_SHORT}"

PLAN_PATH = re.compile(rf"{_SUBJECT}/plan-{_SHORT}\.json")
RESULT_FOLDER = re.compile(rf"{_SUBJECT}/prove-{_SHORT}")
FOLDER = re.compile(rf"{EVIDENCE}(/(skills|instructions)(/{_SLUG}(/{_SLUG}(/{_SHORT}(/prove-{_SHORT})?)?)?)?)?")
FILE = re.compile(rf"{PLAN_PATH.pattern}|{RESULT_FOLDER.pattern}/(record\.json|runs\.jsonl|transcripts\.jsonl\.gz)")


def evidence_folder(subject: Subject) -> str:
    """The folder, relative to the repository, of all evidence on one exact payload."""
    section = "skills" if subject.capability_kind is Kind.SKILL else "instructions"
    return f"{EVIDENCE}/{section}/{subject.capability}/{short(subject.payload_digest)}"


def plan_path(plan: PlanRecord) -> str:
    """Where the plan stands."""
    return f"{evidence_folder(plan.subject)}/plan-{short(plan.id)}.json"


def result_folder(result: ProveRecord) -> str:
    """Where the result, its runs and its transcripts stand."""
    return f"{evidence_folder(result.subject)}/prove-{short(result.id)}"
