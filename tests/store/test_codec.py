import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigilgen.errors import RecordError
from sigilgen.model.experiment import Experiment
from sigilgen.model.record import PlanRecord, ProveRecord
from sigilgen.model.run import Run
from sigilgen.store.canonical import INTEGER_MAX, canonical_bytes, digest_of
from sigilgen.store.codec import decode_record, encode_record, encode_runs, examine_runs, seal
from sigilgen.store.limits import RECORD_MAX_BYTES, RUN_MAX_BYTES, RUNS_MAX_BYTES

RECORDS = Path(__file__).parent / "records"
FILE = "evidence/some/record.json"

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]


@pytest.fixture(scope="module")
def made(make_experiment: MakeExperiment) -> tuple[Experiment, bytes, bytes]:
    return make_experiment(lost=[2])


@pytest.fixture(scope="module")
def plan(made: tuple[Experiment, bytes, bytes]) -> PlanRecord:
    return made[0].plan


@pytest.fixture(scope="module")
def result(made: tuple[Experiment, bytes, bytes]) -> ProveRecord:
    assert made[0].result is not None
    return made[0].result


def with_id(value: dict[str, Any]) -> bytes:
    """The file of a record whose id is right, whatever else it holds."""
    bare = {key: inner for key, inner in value.items() if key != "id"}
    return canonical_bytes({**bare, "id": digest_of(canonical_bytes(bare))}) + b"\n"


@pytest.mark.parametrize("kept", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_every_schema_version_ever_written_stays_readable(kept: Path) -> None:
    kind, _, version = kept.stem.rpartition("-")
    record = decode_record(kept.read_bytes(), kept.name)
    assert (msgspec.to_builtins(record)["kind"], record.schema) == (kind, int(version))


@pytest.mark.parametrize("kept", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_runs_ever_written_stay_readable(kept: Path) -> None:
    runs, flaws = examine_runs(kept.read_bytes())
    assert len(runs) == len(kept.read_bytes().splitlines()) > 0
    assert flaws == ()


def test_one_record_of_each_kind_and_version_is_kept() -> None:
    kept = {path.name for path in RECORDS.iterdir()}
    assert kept == {"plan-1.json", "prove-1.json", "runs-1.jsonl", "transcripts-1.jsonl.gz"}


def test_records_come_back_as_they_were(plan: PlanRecord, result: ProveRecord) -> None:
    for record in (plan, result):
        assert decode_record(encode_record(record), FILE) == record


def test_a_file_is_canonical_json_and_a_line_feed(plan: PlanRecord) -> None:
    data = encode_record(plan)
    assert data == canonical_bytes(json.loads(data)) + b"\n"


def test_the_id_is_the_digest_of_the_record_without_it(plan: PlanRecord) -> None:
    value = json.loads(encode_record(plan))
    del value["id"]
    assert plan.id == digest_of(canonical_bytes(value))


def test_sealing_again_changes_nothing(result: ProveRecord) -> None:
    assert seal(msgspec.structs.replace(result, id="whatever")) == result


def test_a_field_that_was_added_later_is_accepted_and_counts_for_the_id(plan: PlanRecord) -> None:
    later = {**json.loads(encode_record(plan)), "weather": {"sky": ["blue"]}}
    assert decode_record(with_id(later), FILE).id != plan.id
    with pytest.raises(RecordError, match=r"\$\.id: says .*, but the rest of the record has"):
        decode_record(canonical_bytes(later) + b"\n", FILE)


@pytest.mark.parametrize("field", ["a", "weather"])
def test_an_id_that_stands_in_another_field_as_well_is_not_taken_for_the_id(plan: PlanRecord, field: str) -> None:
    """The id is found in the bytes of the file, and a later Sigil may quote ids anywhere."""
    value = json.loads(encode_record(plan))
    quoting = {**value, field: [{"id": value["id"], "kind": "plan"}]}
    assert decode_record(with_id(quoting), FILE).id != plan.id
    forged = canonical_bytes(quoting) + b"\n"
    with pytest.raises(RecordError, match=r"\$\.id: says .*, but the rest of the record has"):
        decode_record(forged, FILE)


def pretty(data: bytes) -> bytes:
    return json.dumps(json.loads(data), indent=2).encode()


def changed(**fields: Any) -> Callable[[bytes], bytes]:
    return lambda data: with_id({**json.loads(data), **fields})


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "$: is not JSON: Expecting value at line 1, column 1"),
    "cut": (lambda data: data[:100], "$: is not JSON: "),
    "trailing garbage": (lambda data: data + b"{}", "$: is not JSON: Extra data at line 2, column 1"),
    "byte order mark": (lambda data: b"\xef\xbb\xbf" + data, "$: starts with a byte order mark"),
    "not UTF-8": (lambda data: data.replace(b"claude", b"cl\xffude"), "$: is not UTF-8: byte 0xff at offset"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), "$: is not UTF-8"),
    "no object": (lambda _: b"[]\n", "$: is not an object"),
    "null": (lambda _: b"null\n", "$: is not an object"),
    "duplicate key": (lambda data: data.replace(b'"seed":7', b'"seed":7,"seed":8'), "$.seed: the key appears twice"),
    "duplicate key, the same value": (
        lambda data: data.replace(b'"suite":', b'"suite":"python-basics","suite":'),
        "$.subject.suite: the key appears twice",
    ),
    "NaN": (lambda data: data.replace(b'"seed":7', b'"seed":NaN'), "$.seed: NaN is not an integer"),
    "infinity": (lambda data: data.replace(b'"seed":7', b'"seed":-Infinity'), "$.seed: -Infinity is not an integer"),
    "float": (lambda data: data.replace(b'"seed":7', b'"seed":7.0'), "$.seed: 7.0 is not an integer"),
    "exponent": (lambda data: data.replace(b'"seed":7', b'"seed":7e0'), "$.seed: 7e0 is not an integer"),
    "large integer": (
        lambda data: data.replace(b'"seed":7', b'"seed":9007199254740992'),
        "$.seed: an integer beyond 9007199254740991",
    ),
    "integer of 5,000 digits": (
        lambda data: data.replace(b'"seed":7', b'"seed":' + b"7" * 5000),
        "$.seed: 7777777777777777777777777777777777777777 is not an integer",
    ),
    "half a surrogate pair": (
        lambda data: data.replace(b'"linux/amd64"', b'"\\ud800"'),
        "$.setting.platform: text with half of a surrogate pair",
    ),
    "10,000 deep": (lambda _: b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"\n", "$: nested more than 32 deep"),
    "10,000 lists deep in a field": (
        lambda data: data.replace(b'"seed":7', b'"seed":7,"x":' + b"[" * 10_000 + b"]" * 10_000),
        "$: nested more than 32 deep",
    ),
    "33 deep": (
        lambda data: changed(x=json.loads("[" * 10 + "]" * 10))(data).replace(b"[]", b"[" * 30 + b"]" * 30),
        "nested more than 32 deep",
    ),
    "wrong id": (lambda data: data.replace(b'"seed":7', b'"seed":8'), "$.id: says sha256:"),
    "not canonical": (pretty, "$: bytes are not canonical JSON (RFC 8785) and a line feed: offset 1 has b'\\n "),
    "no line feed": (lambda data: data[:-1], "$: bytes are not canonical JSON (RFC 8785) and a line feed: offset"),
    "two line feeds": (lambda data: data + b"\n", "$: bytes are not canonical JSON"),
    "needless escape": (lambda data: data.replace(b"claude", b"\\u0063laude"), "$: bytes are not canonical JSON"),
    "unknown kind": (changed(kind="horoscope"), "$.kind: 'horoscope' is no kind of record that this Sigil knows"),
    "kind that is no text": (changed(kind=["plan"]), "$.kind: ['plan'] is no kind of record"),
    "newer schema": (changed(schema=2), "$.schema: written by a newer Sigil: version 2, and this one reads up to 1"),
    "schema zero": (changed(schema=0), "$.schema: 0 is no version of a plan record"),
    "schema as text": (changed(schema="1"), "$.schema: '1' is no version of a plan record"),
    "schema true": (changed(schema=True), "$.schema: True is no version of a plan record"),
    "missing field": (lambda data: with_id({k: v for k, v in json.loads(data).items() if k != "repeats"}), "`repeats`"),
    "wrong type": (changed(seed="7"), "$.seed: Expected `int`, got `str`"),
    "wrong type deep inside": (changed(cells=[{"task": 1}]), "$.cells[0]."),
    "number below zero": (changed(repeats=-1), "$.repeats: Expected `int` >= 0"),
    "name with a line feed": (changed(created_at="2026-01-05T09:00:00Z\n"), "$.created_at: Expected `str` matching"),
    "digest in capitals": (lambda data: with_id(json.loads(data.replace(b"sha256:", b"SHA256:"))), "matching regex"),
}


@pytest.mark.parametrize(("breaking", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_said_with_file_and_field(
    plan: PlanRecord, breaking: Callable[[bytes], bytes], message: str
) -> None:
    with pytest.raises(RecordError) as refusal:
        decode_record(breaking(encode_record(plan)), FILE)
    assert refusal.value.message.startswith(f"{FILE}: $")
    assert message in refusal.value.message


def test_several_flaws_are_named_together(plan: PlanRecord) -> None:
    data = encode_record(plan).replace(b'"seed":7', b'"seed":7.5').replace(b'"repeats":4', b'"repeats":4,"repeats":NaN')
    with pytest.raises(RecordError) as refusal:
        decode_record(data, FILE)
    assert "$.seed: 7.5" in refusal.value.message
    assert "$.repeats: the key appears twice" in refusal.value.message


def test_a_record_of_a_million_flaws_names_the_first_few() -> None:
    with pytest.raises(RecordError) as refusal:
        decode_record(b'{"a":[' + b"1.5," * 1_000_000 + b"1]}\n", FILE)
    assert len(refusal.value.message.splitlines()) == 20


def test_a_record_beyond_the_limit_is_not_parsed() -> None:
    with pytest.raises(RecordError, match=f"a record has at most {RECORD_MAX_BYTES}"):
        decode_record(b"[" * (RECORD_MAX_BYTES + 1), FILE)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_either_a_record_or_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        decode_record(data, FILE)


@given(st.data())
def test_a_record_with_a_byte_changed_is_never_taken_for_it(plan: PlanRecord, data: st.DataObject) -> None:
    original = encode_record(plan)
    place = data.draw(st.integers(0, len(original) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != original[place]))
    with pytest.raises(RecordError):
        decode_record(original[:place] + bytes([byte]) + original[place + 1 :], FILE)


def test_runs_come_back_as_they_were(made: tuple[Experiment, bytes, bytes]) -> None:
    experiment, lines, _ = made
    assert examine_runs(lines) == (experiment.runs, ())
    assert encode_runs(experiment.runs) == lines


def test_no_runs_are_no_lines() -> None:
    assert encode_runs(()) == b""
    assert examine_runs(b"") == ((), ())


def test_a_run_with_a_field_that_was_added_later_is_read(made: tuple[Experiment, bytes, bytes]) -> None:
    experiment, lines, _ = made
    later = canonical_bytes({**json.loads(lines.splitlines()[0]), "é": {"\U0001f600": 1, "\ue000": 2}}) + b"\n"
    assert examine_runs(later) == (experiment.runs[:1], ())


BROKEN_RUNS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "duplicate key": (
        lambda line: line.replace(b'"turns":9', b'"turns":9,"turns":9'),
        "$.turns: the key appears twice",
    ),
    "float": (lambda line: line.replace(b'"turns":9', b'"turns":9.0'), "$.turns: 9.0 is not an integer"),
    "NaN": (lambda line: line.replace(b'"turns":9', b'"turns":NaN'), "$.turns: NaN is not an integer"),
    "large status": (
        lambda line: line.replace(b'"agent_exit":0', b'"agent_exit":9007199254740992'),
        "$.agent_exit: an integer beyond",
    ),
    "not UTF-8": (lambda line: line.replace(b"patch", b"p\xfftch"), "$: is not UTF-8"),
    "blank line": (lambda _: b"\n", "$: is not JSON"),
    "carriage return": (lambda line: line[:-1] + b"\r\n", "$: bytes are not canonical JSON"),
    "not canonical": (lambda line: line.replace(b'"turns":9', b'"turns": 9'), "$: bytes are not canonical JSON"),
    "unknown outcome": (
        lambda line: line.replace(b'"passed"', b'"maybe"').replace(b'"failed"', b'"maybe"'),
        "$.outcome",
    ),
    "10,000 deep": (lambda _: b"[" * 10_000 + b"\n", "$: nested more than 32 deep"),
    "too long": (lambda line: line.replace(b'"patch":"', b'"patch":"' + b"x" * RUN_MAX_BYTES), "a run has at most"),
}


@pytest.mark.parametrize(("breaking", "message"), BROKEN_RUNS.values(), ids=BROKEN_RUNS)
def test_what_is_wrong_with_a_run_is_said_with_its_line(
    made: tuple[Experiment, bytes, bytes], breaking: Callable[[bytes], bytes], message: str
) -> None:
    lines = made[1].splitlines(keepends=True)
    lines[4] = breaking(lines[4])
    _, flaws = examine_runs(b"".join(lines))
    assert {flaw.line for flaw in flaws} == {5}
    assert any(message in f"{flaw.field}: {flaw.what}" for flaw in flaws), flaws


def test_a_last_line_without_its_end_is_a_flaw(made: tuple[Experiment, bytes, bytes]) -> None:
    runs, (flaw,) = examine_runs(made[1][:-1])
    assert runs == made[0].runs
    assert (flaw.line, flaw.field) == (len(runs), "$")
    assert flaw.what.startswith("bytes are not canonical")


def test_runs_beyond_the_limit_are_not_parsed() -> None:
    runs, (flaw,) = examine_runs(b"\n" * (RUNS_MAX_BYTES + 1))
    assert runs == ()
    assert f"at most {RUNS_MAX_BYTES} are read" in flaw.what


def test_only_exit_statuses_are_integers_without_a_limit_of_their_own() -> None:
    """The quick way of reading a run relies on it."""

    def unlimited(kind: msgspec.inspect.Type, path: str) -> list[str]:
        match kind:
            case msgspec.inspect.IntType(le=None) | msgspec.inspect.FloatType() | msgspec.inspect.AnyType():
                return [path]
            case msgspec.inspect.StructType(fields=fields):
                return [name for field in fields for name in unlimited(field.type, f"{path}.{field.encode_name}")]
            case msgspec.inspect.UnionType(types=types):
                return [name for inner in types for name in unlimited(inner, path)]
            case msgspec.inspect.VarTupleType(item_type=item):
                return unlimited(item, f"{path}[]")
            case _:
                return []

    assert unlimited(msgspec.inspect.type_info(Run), "$") == ["$.agent_exit", "$.verifier_exit"]


@given(st.integers(-INTEGER_MAX, INTEGER_MAX), st.text(st.characters(exclude_categories=["Cs"])))
def test_runs_are_written_in_canonical_form(made: tuple[Experiment, bytes, bytes], status: int, text: str) -> None:
    run = msgspec.structs.replace(made[0].runs[0], agent_exit=status, patch=text, final_message=text)
    line = encode_runs([run])
    assert line == canonical_bytes(json.loads(line)) + b"\n"
    assert examine_runs(line) == ((run,), ())
