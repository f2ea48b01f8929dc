"""Whatever is changed in the evidence is named, with file and field.

Naive changes leave everything else as it was. Re-sealed ones come from somebody who knows the format: ids, names,
digests of attachments and references are computed again, so that only what does not follow from the runs is left to
find. What follows from forged runs cannot be told from the truth by its content: git's history tells, in
`test_verify_history.py`.
"""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sigilgen.errors import RecordError
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import ConditionCounts, PlanRecord, ProveRecord, Setting, Subject
from sigilgen.model.run import Run
from sigilgen.policy.redact import redact
from sigilgen.store.canonical import canonical_bytes, digest_of
from sigilgen.store.codec import decode_record, seal
from sigilgen.store.evidence import load_experiments, publish_plan, publish_result
from sigilgen.store.layout import RECORD, RUNS, TRANSCRIPTS, plan_path, result_folder
from sigilgen.store.transcripts import TranscriptLine, pack_transcripts
from sigilgen.store.verify import verify_store

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]
Change = Callable[[Any], object]

OTHER = "sha256:" + "5" * 64
RECORDS = Path(__file__).parent / "records"


@dataclass(frozen=True)
class Files:
    """The four files of the result on `acme/tidy-code`."""

    root: Path
    plan: Path
    home: Path

    @property
    def record(self) -> Path:
        return self.home / RECORD

    @property
    def runs(self) -> Path:
        return self.home / RUNS

    @property
    def transcripts(self) -> Path:
        return self.home / TRANSCRIPTS


@pytest.fixture
def files(loose: Path) -> Files:
    folder = loose / "evidence/skills/acme/tidy-code"
    return Files(loose, next(folder.glob("*/plan-*.json")), next(folder.glob("*/prove-*")))


def found(root: Path) -> str:
    """Everything that verifying finds, one line each."""
    return "\n".join(map(str, verify_store(root, since=None).disagreements))


def put(path: str, value: Any) -> Change:
    """A change that sets the field at a dotted path; numbers count in lists. A function makes new from old."""

    def change(tree: Any) -> None:
        *parents, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in parents:
            tree = tree[step]
        tree[last] = value(tree[last]) if callable(value) else value

    return change


def more(value: Any) -> Any:
    """Another value, of the same kind where there is one."""
    if isinstance(value, bool | int):
        return not value if isinstance(value, bool) else value + 1
    if isinstance(value, str):
        return OTHER if value.startswith("sha256:") else f"{value}-else"
    if isinstance(value, list):
        return [*value, *value[-1:]] or ["else"]
    return "else" if value is None else {}


def naive(file: Path, change: Change) -> None:
    """Change one JSON file, in canonical form, and nothing else."""
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    change(lines if file.name == RUNS else lines[0])
    file.write_bytes(b"".join(canonical_bytes(line) + b"\n" for line in lines))


def no_change(_tree: Any) -> None:
    pass


def reseal(
    files: Files,
    *,
    plan: Change = no_change,
    record: Change = no_change,
    runs: Change = no_change,
    texts: Change = no_change,
) -> Files:
    """Change any of the files, and compute everything again that seals them."""
    plan_value, record_value = json.loads(files.plan.read_bytes()), json.loads(files.record.read_bytes())
    run_values = [json.loads(line) for line in files.runs.read_bytes().splitlines()]
    text_values = [json.loads(line) for line in gzip.decompress(files.transcripts.read_bytes()).splitlines()]
    plan(plan_value)
    runs(run_values)
    texts(text_values)
    files.plan.unlink()
    record_value["plan"] = with_id(plan_value)
    new_plan = files.plan.with_name(f"plan-{short(plan_value['id'])}.json")
    new_plan.write_bytes(canonical_bytes(plan_value) + b"\n")
    lines = b"".join(canonical_bytes(run) + b"\n" for run in run_values)
    packed = pack_transcripts(TranscriptLine(**line) for line in text_values)
    for name, file, data in (("runs", files.runs, lines), ("transcripts", files.transcripts, packed)):
        file.write_bytes(data)
        record_value[name] |= {"sha256": digest_of(data), "size_bytes": len(data)}
    record(record_value)
    with_id(record_value)
    files.record.write_bytes(canonical_bytes(record_value) + b"\n")
    home = files.home.rename(files.home.with_name(f"prove-{short(record_value['id'])}"))
    return Files(files.root, new_plan, home)


def with_id(value: dict[str, Any]) -> str:
    """Put the right id into a record, and return it."""
    value["id"] = digest_of(canonical_bytes({key: inner for key, inner in value.items() if key != "id"}))
    return str(value["id"])


def test_the_prepared_store_verifies(files: Files) -> None:
    report = verify_store(files.root, since=None)
    assert (report.plans, report.results, report.runs, report.disagreements) == (3, 2, 65, ())


def test_sealing_again_without_a_change_is_no_change(files: Files) -> None:
    assert reseal(files) == files
    assert found(files.root) == ""


@pytest.mark.parametrize("field", Run.__struct_fields__)
def test_any_changed_field_of_a_run_breaks_the_seal_of_the_runs(files: Files, field: str) -> None:
    naive(files.runs, put(f"7.{field}", more))
    assert "/record.json: $.runs.sha256: sha256:" in found(files.root)


@pytest.mark.parametrize("field", sorted({*ProveRecord.__struct_fields__} - {"id"}))
def test_any_changed_field_of_a_result_breaks_its_seal(files: Files, field: str) -> None:
    naive(files.record, put(field, more) if field != "supersedes" else lambda value: value.update(supersedes=OTHER))
    assert "/record.json: $" in found(files.root)


RESULT_FIELDS: dict[str, tuple[Change, str]] = {
    "verdict": (put("stated.verdict", "harmful"), '$.stated.verdict: "harmful"; the runs come to "proven"'),
    "difference": (put("stated.difference", "0.900000"), '$.stated.difference: "0.900000"; the runs come to "0.6875'),
    "lower bound": (put("stated.lower", "0.600000"), '$.stated.lower: "0.600000"; the runs come to "0.'),
    "upper bound": (put("stated.upper", "0.600000"), '$.stated.upper: "0.600000"; the runs come to "0.'),
    "no interval": (put("stated.lower", None), "$.stated.lower: null; the runs come to"),
    "models": (put("models_served", ["model-2"]), "$.models_served: ['model-2']; the runs have ['model-1-20260101']"),
    "missing condition": (lambda value: value["counts"].pop("baseline"), "$.counts.baseline: is missing"),
    "start before the plan": (
        put("started_at", "2026-01-04T00:00:00Z"),
        "$.started_at: 2026-01-04T00:00:00Z is before the plan was made",
    ),
    "end before the start": (put("finished_at", "2026-01-05T09:00:01Z"), "$.finished_at: 2026-01-05T09:00:01Z is be"),
    "no such day": (put("finished_at", "2026-02-30T09:00:00Z"), "$.finished_at: 2026-02-30T09:00:00Z is no time"),
    "digits of another script": (put("finished_at", "٢٠٢٦-01-30T09:00:00Z"), "$.finished_at: "),
    "rehearsal": (put("rehearsal", True), "$.rehearsal: true; the plan says false"),
    "claims of the future": (put("claims_version", 2), "$.claims_version: 2; this Sigil knows 1 to 1"),
    "another plan": (put("plan", OTHER), f"$.plan: no readable plan in this folder has the id {OTHER}"),
    "digest of the runs": (put("runs.sha256", OTHER), f"$.runs.sha256: {OTHER}; the file has sha256:"),
    "size of the runs": (put("runs.size_bytes", 1), "$.runs.size_bytes: 1; the file has"),
    "runs not kept": (put("runs.kept", False), "$.runs.kept: is false; runs are always kept"),
    "digest of the transcripts": (put("transcripts.sha256", OTHER), f"$.transcripts.sha256: {OTHER}; the file"),
    "size of the transcripts": (put("transcripts.size_bytes", 1), "$.transcripts.size_bytes: 1; the file has"),
    "canary that never was": (put("canary.state", "clean"), "$.canary.state: Invalid enum value 'clean'"),
    "supersedes nothing": (lambda value: value.update(supersedes=OTHER), "$.supersedes: no readable result"),
    "newer schema": (put("schema", 2), "$.schema: written by a newer Sigil: version 2"),
    "schema zero": (put("schema", 0), "$.schema: 0 is no version of a prove record"),
    "unknown kind": (put("kind", "horoscope"), "$.kind: 'horoscope' is no kind of record"),
    "kind of a plan": (put("kind", "plan"), "Object missing required field"),
    "missing field": (lambda value: value.pop("stated"), "Object missing required field `stated`"),
    **{
        f"{condition} {field}": (put(f"counts.{condition}.{field}", more), f"$.counts.{condition}.{field}: ")
        for condition in ("baseline", "treatment")
        for field in ConditionCounts.__struct_fields__
    },
    **{
        f"setting {field}": (put(f"setting.{field}", value), f"$.setting.{field}: ")
        for field, value in {
            **dict.fromkeys(Setting.__struct_fields__, more),
            "network": "host",
            "sandbox": "host",
            "verifier_network": "host",
        }.items()
    },
    **{
        f"subject {field}": (put(f"subject.{field}", value), f"$.subject.{field}: ")
        for field, value in {
            **dict.fromkeys(Subject.__struct_fields__, more),
            "capability_kind": "instructions",
        }.items()
    },
}


@pytest.mark.parametrize("change", [change for change, _ in RESULT_FIELDS.values()], ids=RESULT_FIELDS)
def test_a_changed_result_has_not_its_id(files: Files, change: Change) -> None:
    naive(files.record, change)
    assert "/record.json: " in found(files.root)


@pytest.mark.parametrize(("change", "words"), RESULT_FIELDS.values(), ids=RESULT_FIELDS)
def test_a_forged_result_contradicts_its_plan_or_its_runs(files: Files, change: Change, words: str) -> None:
    reseal(files, record=change)
    lines = [line for line in found(files.root).splitlines() if "/record.json: " in line]
    assert any(words in line for line in lines), lines


@pytest.mark.parametrize("field", ["payload_digest", "capability", "capability_kind"])
def test_a_record_for_another_content_stands_in_the_wrong_folder(files: Files, field: str) -> None:
    value = "instructions" if field == "capability_kind" else more
    reseal(files, record=put(f"subject.{field}", value), plan=put(f"subject.{field}", value))
    assert found(files.root).count("holds a record that belongs into evidence/") == 2


def test_a_digest_that_only_begins_like_the_one_of_the_folder_is_another_one(
    loose: Path, make_experiment: MakeExperiment
) -> None:
    plan = make_experiment(finished=False, seed=8)[0].plan
    forged = plan.subject.payload_digest[:-1] + ("0" if plan.subject.payload_digest[-1] != "0" else "1")
    subject = msgspec.structs.replace(plan.subject, payload_digest=forged)
    publish_plan(loose, seal(msgspec.structs.replace(plan, subject=subject)), commit=False)
    assert "$.subject.payload_digest: sha256:" in found(loose)


PLAN_FIELDS: dict[str, tuple[Change, str]] = {
    "made after its result": (put("created_at", "2026-02-01T00:00:00Z"), "before the plan was made, at 2026-02-01"),
    "no such hour": (put("created_at", "2026-01-05T25:00:00Z"), "$.created_at: 2026-01-05T25:00:00Z is no time"),
    "another seed": (put("seed", 8), "$.cells[0]: not the order that follows from seed 8"),
    "cells in another order": (lambda plan: plan["cells"].reverse(), "$.cells[0]: not the order that follows from"),
    "two cells swapped": (lambda plan: plan["cells"].insert(20, plan["cells"].pop(24)), "$.cells[20]: not the order"),
    "fewer cells": (lambda plan: plan["cells"].pop(), "$.cells: 31 cells; 4 tasks x 2 conditions x 4 repeats are 32"),
    "a cell twice": (
        put("cells.0", lambda _: {"task": "sort-names", "condition": "baseline", "repeat": 1}),
        "$.cells: ",
    ),
    "no cells": (put("cells", []), "$.cells: 0 cells"),
    "other repeats": (put("repeats", 5), "$.cells: 32 cells; 4 tasks x 2 conditions x 5 repeats are 40"),
    "huge repeats": (put("repeats", 2**53 - 1), "$.cells: 32 cells"),
    "time-out of no task": (put("timeouts_seconds", {"x": 1}), "$.timeouts_seconds: has not exactly the tasks"),
    "rehearsing agent": (put("setting.agent", "scripted"), "$.rehearsal: is false, but the agent scripted only ever"),
    "another method": (put("setting.method_version", "9"), "$.setting.method_version: '9'; this Sigil knows 1.0"),
    "container without an image": (put("setting.image_digest", None), "$.setting.image_digest: is null, but a contain"),
    "host with an image": (put("setting.sandbox", "host"), "the host sandbox has no image"),
    "host without a network": (put("setting.sandbox", "host"), "$.setting.network: gateway; the host sandbox keeps no"),
    "another suite": (put("subject.suite_digest", OTHER), f'; the plan says "{OTHER}"'),
    "rehearsal": (put("rehearsal", True), "$.rehearsal: false; the plan says true"),
    "newer schema": (put("schema", 2), "$.schema: written by a newer Sigil: version 2"),
    "another model": (put("setting.model", "model-2"), "runs.jsonl:1: $.model_requested: 'model-1'; the plan says"),
}


@pytest.mark.parametrize("change", [change for change, _ in PLAN_FIELDS.values()], ids=PLAN_FIELDS)
def test_a_changed_plan_has_not_its_id(files: Files, change: Change) -> None:
    naive(files.plan, change)
    assert f"{files.plan.name}: $" in found(files.root)


@pytest.mark.parametrize(("change", "words"), PLAN_FIELDS.values(), ids=PLAN_FIELDS)
def test_a_forged_plan_contradicts_itself_or_its_result(files: Files, change: Change, words: str) -> None:
    reseal(files, plan=change)
    assert words in found(files.root)


REFUSED_BY_ALL: dict[str, tuple[dict[str, Change], str]] = {
    "a time that there is not": (
        {"plan": put("created_at", "2026-13-05T09:00:00Z")},
        "$.created_at: 2026-13-05T09:00:00Z is no time",
    ),
    "a rehearsal that is said to be none": (
        {"plan": put("setting.agent", "scripted"), "record": put("setting.agent", "scripted")},
        "$.rehearsal: is false, but the agent scripted only ever rehearses",
    ),
    "a result for another suite": ({"record": put("subject.suite_digest", OTHER)}, "$.subject.suite_digest: "),
    "another order": ({"plan": put("seed", 8)}, "not the order that follows from seed 8"),
    "an unknown method": (
        {"plan": put("setting.method_version", "9"), "record": put("setting.method_version", "9")},
        "$.setting.method_version: '9'; this Sigil knows 1.0 only",
    ),
}


@pytest.mark.parametrize(("changes", "words"), REFUSED_BY_ALL.values(), ids=REFUSED_BY_ALL)
def test_what_would_make_any_number_false_is_refused_by_every_reader(
    files: Files, changes: dict[str, Change], words: str
) -> None:
    reseal(files, **changes)
    with pytest.raises(RecordError) as refusal:
        load_experiments(files.root)
    assert words in refusal.value.message


@pytest.mark.parametrize("field", ["agent_version", "model"])
def test_what_a_plan_leaves_open_no_result_may_fill_in(files: Files, field: str) -> None:
    """A result would else name a model that no run was asked to use."""
    reseal(
        files,
        plan=put(f"setting.{field}", None),
        runs=lambda runs: [run.update(model_requested=None) for run in runs] if field == "model" else None,
    )
    assert f'/record.json: $.setting.{field}: "' in found(files.root)


def passed_at(runs: list[dict[str, Any]], outcome: str = "passed") -> int:
    return next(index for index, run in enumerate(runs) if run["outcome"] == outcome)


def flip_outcome(runs: list[dict[str, Any]]) -> None:
    runs[passed_at(runs, "failed")]["outcome"] = "passed"


def flip_outcome_and_exit(runs: list[dict[str, Any]]) -> None:
    runs[passed_at(runs, "failed")] |= {"outcome": "passed", "verifier_exit": 0}


def claim_nothing(runs: list[dict[str, Any]]) -> None:
    for run in runs:
        run["final_message"] = "I could not finish this."


def copy_last(runs: list[dict[str, Any]]) -> None:
    runs.append({**runs[-1], "attempt": 2})


RUNS_CHANGES: dict[str, tuple[Change, str]] = {
    "outcome": (flip_outcome, "$.outcome: passed; it is failed, because the verifier exited 1"),
    "outcome and exit status": (flip_outcome_and_exit, "/record.json: $.counts.baseline.passed: 4; the runs come to 5"),
    "a lost run made a failed one": (put("2.outcome", "failed"), "runs.jsonl:3: $.outcome: failed; it is infra"),
    "no word about the infra failure": (put("2.infra", None), "runs.jsonl:3: $.verifier_exit: is null, and no infra"),
    "claims": (claim_nothing, "$.counts.baseline.false_done: "),
    "protected file": (lambda runs: [run.update(protected=[]) for run in runs], "$.counts.baseline.tampered: "),
    "timed-out verifier": (
        lambda runs: put(f"{passed_at(runs)}.verifier_timed_out", True)(runs),
        "$.outcome: passed; it is failed, because the verifier timed out",
    ),
    "model": (put("9.models_served", ["model-2"]), "/record.json: $.models_served: "),
    "requested model": (put("9.model_requested", None), "runs.jsonl:10: $.model_requested: None; the plan says"),
    "start before the experiment": (put("9.started_at", "2026-01-05T08:59:59Z"), "runs.jsonl:10: $.started_at: 2026"),
    "start after the experiment": (put("9.started_at", "2027-01-05T09:00:00Z"), "is outside the experiment"),
    "no such time": (put("9.started_at", "2026-01-05T09:99:00Z"), "runs.jsonl:10: $.started_at: 2026-01-05T09:99"),
    "position": (put("9.position", 99), "runs.jsonl:10: $.position: 99; the plan has positions 0 to 31"),
    "task": (put("9.task", "easier-task"), "runs.jsonl:10: $.task: easier-task; position 8 of the plan has"),
    "condition": (
        put("9.condition", lambda old: "baseline" if old == "treatment" else "treatment"),
        "runs.jsonl:10: $.condition: ",
    ),
    "repeat": (put("9.repeat", more), "runs.jsonl:10: $.repeat: "),
    "attempt": (put("9.attempt", 2), "runs.jsonl:10: $.attempt: 2; attempt 1 at position 8 is missing"),
    "attempt zero": (put("9.attempt", 0), "runs.jsonl:10: $.attempt: 0; attempt 1"),
    "transcript digest": (put("9.transcript_sha256", OTHER), "transcripts.jsonl.gz:10: $.text: is not what"),
    "no transcript digest": (put("9.transcript_sha256", None), "runs.jsonl:10: $.transcript_sha256: is null"),
    "removed line": (lambda runs: runs.pop(9), "/record.json: $.counts."),
    "removed first attempt": (lambda runs: runs.pop(2), "runs.jsonl:3: $.attempt: 2; attempt 1 at position 2 is miss"),
    "removed second attempt": (lambda runs: runs.pop(3), "/record.json: $.counts."),
    "all lines removed": (lambda runs: runs.clear(), "/record.json: $.counts.baseline.passed: 4; the runs come to 0"),
    "line twice": (lambda runs: runs.insert(9, runs[9]), "runs.jsonl:11: $.position: position 8, attempt 1 after"),
    "judged run tried again": (copy_last, "runs.jsonl:34: $.attempt: the attempt before was judged; only infra is"),
    "two lines swapped": (lambda runs: runs.insert(9, runs.pop(10)), "runs.jsonl:11: $.position: position 8"),
    "all lines reversed": (lambda runs: runs.reverse(), "runs.jsonl:2: $.position: "),
}


@pytest.mark.parametrize("change", [change for change, _ in RUNS_CHANGES.values()], ids=RUNS_CHANGES)
def test_changed_runs_are_not_the_ones_that_were_sealed(files: Files, change: Change) -> None:
    naive(files.runs, change)
    assert "/record.json: $.runs.sha256: sha256:" in found(files.root)


@pytest.mark.parametrize(("change", "words"), RUNS_CHANGES.values(), ids=RUNS_CHANGES)
def test_forged_runs_contradict_plan_result_or_each_other(files: Files, change: Change, words: str) -> None:
    reseal(files, runs=change)
    assert words in found(files.root)


TEXT_CHANGES: dict[str, tuple[Change, str]] = {
    "text of the same length": (put("4.text", lambda old: old[::-1]), ":5: $.text: is not what the run's transcript"),
    "shorter text": (put("4.text", "fine"), ":5: $.text: is not what the run's transcript_sha256 seals"),
    "longer text": (put("4.text", "fine " * 1000), ":5: $.text: is not what the run's transcript_sha256 seals"),
    "too long text": (put("4.text", "x" * 65_537), ":5: $.text: 65537 bytes; at most 65536 are kept"),
    "removed line": (lambda texts: texts.pop(4), "no transcript of position 3, attempt 1"),
    "line twice": (
        lambda texts: texts.append(texts[4]),
        ":34: $.position: position 3, attempt 1 is no run, or has",
    ),
    "line of no run": (put("4.attempt", 9), ":5: $.position: position 3, attempt 9 is no run"),
}


@pytest.mark.parametrize(("change", "words"), TEXT_CHANGES.values(), ids=TEXT_CHANGES)
def test_forged_transcripts_contradict_the_runs(files: Files, change: Change, words: str) -> None:
    reseal(files, texts=change)
    lines = [line for line in found(files.root).splitlines() if "/transcripts.jsonl.gz" in line]
    assert any(words in line for line in lines), lines


def test_a_secret_as_long_as_what_stands_in_its_place_leaves_the_evidence_sound(files: Files) -> None:
    """The text has then the size of what was printed, and not its digest."""
    printed = "the token is 0123456789abcdef"
    kept = redact(printed, ["0123456789abcdef"])
    assert len(kept) == len(printed) != 0
    assert kept != printed

    def print_it(runs: list[dict[str, Any]]) -> None:
        runs[4] |= {"transcript_bytes": len(printed), "transcript_sha256": digest_of(printed.encode())}

    reseal(files, runs=print_it, texts=put("4.text", kept))
    assert found(files.root) == ""


@pytest.mark.parametrize("sign", ["[redacted:known]", "\ufffd"])
def test_a_text_that_shows_why_it_differs_from_what_was_printed_is_accepted(files: Files, sign: str) -> None:
    reseal(files, texts=put("4.text", f"token {sign}"))
    assert found(files.root) == ""


def remove_the_plan(files: Files) -> None:
    files.plan.unlink()


def rename_the_plan(files: Files) -> None:
    files.plan.rename(files.plan.with_name(f"plan-{'0' * 16}.json"))


def rename_the_result(files: Files) -> None:
    files.home.rename(files.home.with_name(f"prove-{'0' * 16}"))


def elsewhere(files: Files) -> Path:
    """The folder of the evidence on the other capability."""
    return next((files.root / "evidence/skills/acme/other").iterdir())


def move_everything(files: Files) -> None:
    for entry in list(files.home.parent.iterdir()):
        entry.rename(elsewhere(files) / entry.name)


def move_the_result(files: Files) -> None:
    files.home.rename(elsewhere(files) / files.home.name)


def copy_the_result(files: Files) -> None:
    shutil.copytree(files.home, elsewhere(files) / files.home.name)


def move_to_another_digest(files: Files) -> None:
    files.home.parent.rename(files.home.parent.with_name("0" * 16))


def link_the_runs(files: Files) -> None:
    files.runs.rename(files.root / "outside")
    files.runs.symlink_to(files.root / "outside")


def link_a_folder(files: Files) -> None:
    capability = files.home.parent.parent
    capability.rename(files.root / "outside")
    capability.symlink_to(files.root / "outside")


def folder_for_a_record(files: Files) -> None:
    files.record.unlink()
    files.record.mkdir()


def pipe_for_the_runs(files: Files) -> None:
    files.runs.unlink()
    os.mkfifo(files.runs)


def pipe_for_the_plan(files: Files) -> None:
    files.plan.unlink()
    os.mkfifo(files.plan)


def without_keeping_transcripts(files: Files) -> None:
    reseal(files, record=put("transcripts.kept", False))


def exchange_the_attachments(files: Files) -> None:
    files.runs.write_bytes((next(elsewhere(files).glob("prove-*")) / RUNS).read_bytes())


FILES: dict[str, tuple[Callable[[Files], object], str]] = {
    "removed plan": (remove_the_plan, "/record.json: $.plan: no readable plan in this folder has the id sha256:"),
    "removed record": (lambda files: files.record.unlink(), "/record.json: is missing"),
    "removed runs": (lambda files: files.runs.unlink(), "/runs.jsonl: is missing"),
    "removed transcripts": (lambda files: files.transcripts.unlink(), "/transcripts.jsonl.gz: is missing"),
    "renamed plan": (rename_the_plan, "plan-0000000000000000.json: holds a record that belongs into evidence/"),
    "renamed result": (rename_the_result, "prove-0000000000000000/record.json: holds a record that belongs into"),
    "everything under another capability": (move_everything, "holds a record that belongs into evidence/skills/acme"),
    "result under another capability": (move_the_result, "/record.json: $.plan: no readable plan in this folder"),
    "result copied": (copy_the_result, "holds a record that belongs into evidence/skills/acme/tidy-code"),
    "everything under another digest": (move_to_another_digest, "/0000000000000000/plan-"),
    "runs of another result": (exchange_the_attachments, "/record.json: $.runs.sha256"),
    "link for a file": (link_the_runs, "/runs.jsonl: is a symbolic link; evidence is regular files only"),
    "link for a folder": (link_a_folder, "evidence/skills/acme/tidy-code: is a symbolic link"),
    "folder for a file": (folder_for_a_record, "/record.json: is a folder that does not belong here"),
    "pipe for a file": (pipe_for_the_runs, "/runs.jsonl: is neither a file nor a folder"),
    "pipe for a plan": (pipe_for_the_plan, ".json: is neither a file nor a folder"),
    "transcripts that were not kept": (without_keeping_transcripts, "is there, but the record says that transcripts"),
    "executable": (lambda files: files.plan.chmod(0o755), ".json: is executable; evidence never runs"),
    "stray file at the top": (
        lambda files: (files.root / "evidence/README.md").write_text("hello"),
        "evidence/README.md: is a file that does not belong here",
    ),
    "stray file beside a result": (
        lambda files: (files.home / "notes.txt").write_text("hello"),
        "/notes.txt: is a file that does not belong here",
    ),
    "copy of an editor": (
        lambda files: shutil.copy(files.runs, f"{files.runs}~"),
        "/runs.jsonl~: is a file that does not belong here",
    ),
    "stray folder": (
        lambda files: (files.root / "evidence/drafts").mkdir(),
        "evidence/drafts: is a folder that does not belong here",
    ),
    "name in capitals": (
        lambda files: files.plan.rename(files.plan.with_name(files.plan.name.upper())),
        ".JSON: is a file that does not belong here",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("tamper", "words"), FILES.values(), ids=FILES)
def test_a_file_that_is_not_where_and_what_it_should_be_is_named(
    files: Files, tamper: Callable[[Files], object], words: str
) -> None:
    tamper(files)
    assert words in found(files.root)


@pytest.mark.parametrize("tamper", [tamper for tamper, _ in FILES.values()], ids=FILES)
def test_a_fault_in_one_result_leaves_the_other_one_counted(files: Files, tamper: Callable[[Files], object]) -> None:
    tamper(files)
    report = verify_store(files.root, since=None)
    assert report.runs >= 32
    assert report.plans + report.results >= 3


def test_an_unreadable_pipe_folder_and_link_do_not_keep_the_rest_from_being_read(files: Files) -> None:
    """Several faults at once are named at once."""
    pipe_for_the_runs(files)
    link_a_folder(files)
    (files.root / "evidence/x").write_text("?")
    assert len(found(files.root).splitlines()) == 2


def test_a_second_result_of_a_plan_must_say_which_one_it_supersedes(files: Files) -> None:
    kept = shutil.copytree(files.home, files.root / "kept")
    later = reseal(files, record=put("finished_at", "2026-01-06T00:00:00Z"))
    shutil.move(kept, files.home)
    assert "$.supersedes: is null, but the plan has another result" in found(files.root)
    first = json.loads(files.record.read_bytes())["id"]
    reseal(later, record=lambda value: value.update(supersedes=first))
    assert found(files.root) == ""


def test_a_plan_without_a_result_is_not_a_fault(loose: Path, make_experiment: MakeExperiment) -> None:
    publish_plan(loose, make_experiment(finished=False, seed=99)[0].plan, commit=False)
    assert found(loose) == ""


def test_a_rehearsal_is_stated_as_one(loose: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment(agent="scripted", model=None, rehearsal=True, payload="x")
    assert experiment.result is not None
    publish_plan(loose, experiment.plan, commit=False)
    path = publish_result(
        loose, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
    )
    home = (loose / path).parent
    plan = next(home.parent.glob("plan-*.json"))
    reseal(Files(loose, plan, home), record=put("stated.verdict", "proven"))
    assert '$.stated.verdict: "proven"; the runs come to "rehearsal"' in found(loose)


def test_a_field_of_a_later_sigil_is_kept_and_counted_for_the_id(files: Files) -> None:
    naive(files.record, lambda value: value.update(weather="fair"))
    assert "/record.json: $.id: says sha256:" in found(files.root)


def test_a_field_of_a_later_sigil_that_was_sealed_is_no_fault(files: Files) -> None:
    reseal(
        files,
        plan=lambda value: value.update(weather="fair"),
        record=lambda value: value.update(weather={"sky": ["blue"]}),
        runs=lambda runs: [run.update(weather=None) for run in runs],
    )
    assert found(files.root) == ""


@pytest.mark.parametrize("version", sorted({path.name.split("-")[1][:1] for path in RECORDS.iterdir()}))
def test_every_schema_version_ever_written_still_verifies(tmp_path: Path, version: str) -> None:
    """One experiment of each version is kept as it was written."""
    plan, record, runs, transcripts = (
        (RECORDS / name).read_bytes()
        for name in (
            f"plan-{version}.json",
            f"prove-{version}.json",
            f"runs-{version}.jsonl",
            f"transcripts-{version}.jsonl.gz",
        )
    )
    planned, result = decode_record(plan, "plan"), decode_record(record, "record")
    assert isinstance(planned, PlanRecord)
    assert isinstance(result, ProveRecord)
    home = tmp_path / result_folder(result)
    home.mkdir(parents=True)
    (tmp_path / plan_path(planned)).write_bytes(plan)
    for name, data in ((RECORD, record), (RUNS, runs), (TRANSCRIPTS, transcripts)):
        (home / name).write_bytes(data)
    report = verify_store(tmp_path, since=None)
    assert (report.plans, report.results, report.disagreements) == (1, 1, ())
    assert report.runs > 0
