"""Records to bytes and back. A stored record is its canonical JSON and a line feed; its id is the digest without it.

Ids are taken from the decoded object as it came, never from a record that was written again: a field that a later
Sigil added is kept and counts.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from sigilgen.errors import RecordError
from sigilgen.model.record import PlanRecord, ProveRecord, Record
from sigilgen.model.run import Run
from sigilgen.store.canonical import INTEGER_MAX, canonical_bytes, digest_of
from sigilgen.store.limits import FLAWS_MAX, RECORD_MAX_BYTES, RUN_MAX_BYTES, RUNS_MAX_BYTES
from sigilgen.store.strict_json import Flaw, read_object

R = TypeVar("R", PlanRecord, ProveRecord)

_READERS: dict[str, dict[int, msgspec.json.Decoder[Record]]] = {
    "plan": {1: msgspec.json.Decoder(PlanRecord)},
    "prove": {1: msgspec.json.Decoder(ProveRecord)},
}
"""How each kind and schema version that was ever written is read. Versions are added, never taken away."""

_read_run = msgspec.json.Decoder(Run).decode
_write = msgspec.json.Encoder(order="sorted").encode


def seal(record: R) -> R:
    """The same record with its id filled in, whatever stood there before."""
    return msgspec.structs.replace(record, id=_id_of(msgspec.to_builtins(record)))


def encode_record(record: Record) -> bytes:
    """The bytes of a record's file."""
    return canonical_bytes(msgspec.to_builtins(record)) + b"\n"


def decode_record(data: bytes, file: str) -> Record:
    """The record that `data` holds. RecordError names `file`, the field and the flaw, for every flaw found."""
    record, flaws = examine_record(data)
    if record is None or flaws:
        raise RecordError("\n  ".join(f"{file}: {flaw.field}: {flaw.what}" for flaw in flaws))
    return record


def encode_runs(runs: Iterable[Run]) -> bytes:
    """The bytes of `runs.jsonl`: the canonical JSON of each run on a line of its own."""
    return b"".join(canonical_bytes(msgspec.to_builtins(run)) + b"\n" for run in runs)


def examine_record(data: bytes) -> tuple[Record | None, tuple[Flaw, ...]]:
    """The record and every flaw. The record is None if it cannot be understood, and there if only its form is wrong."""
    if len(data) > RECORD_MAX_BYTES:
        return None, (Flaw("$", f"{len(data)} bytes; a record has at most {RECORD_MAX_BYTES}"),)
    value, flaws = read_object(data)
    if value is None:
        return None, flaws
    reader = _reader(value)
    if isinstance(reader, Flaw):
        return None, (*flaws, reader)
    try:
        record = reader.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        return None, (*flaws, _invalid(error))
    identity = _id_of(value) if flaws else _id_within(data, value)
    if record.id != identity:
        flaws = (*flaws, Flaw("$.id", f"says {record.id}, but the rest of the record has {identity}"))
    return record, flaws


def examine_runs(data: bytes) -> tuple[tuple[Run, ...], tuple[Flaw, ...]]:
    """The runs that can be understood and every flaw, with the number of its line.

    Reading ends at the line whose flaws make more than anybody would want to see: a faulty line takes its time.
    """
    if len(data) > RUNS_MAX_BYTES:
        return (), (Flaw("$", f"{len(data)} bytes; at most {RUNS_MAX_BYTES} are read"),)
    runs: list[Run] = []
    flaws: list[Flaw] = []
    for number, line in enumerate(_lines(data), start=1):
        run, found = _examine_run(line)
        flaws += [Flaw(flaw.field, flaw.what, number) for flaw in found]
        if run is not None:
            runs.append(run)
        if len(flaws) > FLAWS_MAX:
            break
    return tuple(runs), tuple(flaws)


def _examine_run(line: bytes) -> tuple[Run | None, tuple[Flaw, ...]]:
    if len(line) > RUN_MAX_BYTES:
        return None, (Flaw("$", f"{len(line)} bytes; a run has at most {RUN_MAX_BYTES}"),)
    try:
        run = _read_run(line)
        # Nearly every line: the very bytes that are written for the run. All of its keys are ASCII.
        if _write(run) + b"\n" == line and _has_small_statuses(run):
            return run, ()
    except (msgspec.DecodeError, RecursionError):
        pass  # what is wrong is found more slowly below
    value, flaws = read_object(line)
    if value is None:
        return None, flaws
    try:
        return _read_run(line), flaws
    except (msgspec.DecodeError, RecursionError) as error:
        return None, (*flaws, _invalid(error))


def _has_small_statuses(run: Run) -> bool:
    """Whether the only integers of a run that have no limit of their own are such as canonical JSON can hold."""
    return abs(run.agent_exit or 0) <= INTEGER_MAX and abs(run.verifier_exit or 0) <= INTEGER_MAX


def _lines(data: bytes) -> Iterator[bytes]:
    """Lines with their line feeds: a carriage return is no line end here, and the last line may lack its own."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


def _reader(value: dict[str, Any]) -> msgspec.json.Decoder[Record] | Flaw:
    kind, schema = value.get("kind"), value.get("schema")
    versions = _READERS.get(kind) if isinstance(kind, str) else None
    if versions is None:
        return Flaw("$.kind", f"{kind!r} is no kind of record that this Sigil knows; a newer one may")
    if type(schema) is int and schema > max(versions):
        return Flaw("$.schema", f"written by a newer Sigil: version {schema}, and this one reads up to {max(versions)}")
    if type(schema) is not int or schema not in versions:
        return Flaw("$.schema", f"{schema!r} is no version of a {kind} record")
    return versions[schema]


def _id_of(value: dict[str, Any]) -> str:
    return digest_of(canonical_bytes({key: inner for key, inner in value.items() if key != "id"}))


def _id_within(data: bytes, value: dict[str, Any]) -> str:
    """What `_id_of` gives for the record in `data`, which must be canonical: cutting its `id` out is enough then.

    A quotation mark inside a text is escaped, so the member is found nowhere else but in a field of a later Sigil.
    """
    member = b'"id":%b,' % canonical_bytes(value["id"])
    return digest_of(data.replace(member, b"").removesuffix(b"\n")) if data.count(member) == 1 else _id_of(value)


def _invalid(error: Exception) -> Flaw:
    """Turn "Expected `int`, got `str` - at `$.seed`" into a flaw at `$.seed`."""
    what, _, place = str(error).rpartition(" - at `")
    return Flaw(place.rstrip("`"), what) if what else Flaw("$", str(error))
