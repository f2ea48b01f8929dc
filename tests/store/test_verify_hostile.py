"""Bytes that somebody made to mislead, hang, crash or fill the memory: each is named, in bounded time and memory."""

import gzip
import json
import resource
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.store.layout import RECORD, RUNS, TRANSCRIPTS
from sigilgen.store.limits import (
    FLAWS_MAX,
    MIB,
    RECORD_MAX_BYTES,
    RUNS_MAX_BYTES,
    TRANSCRIPTS_UNPACKED_MAX_BYTES,
    WORDS_MAX,
)
from sigilgen.store.verify import verify_store

PLAN = "plan"
PEAK_BYTES = 400 * MIB
"""What a whole interpreter that verifies may take: some 80 MiB for itself, and the rest for the worst of files."""


def path_of(root: Path, name: str) -> Path:
    folder = next((root / "evidence/skills/acme/tidy-code").iterdir())
    return next(folder.glob("plan-*.json")) if name == PLAN else next(folder.glob("prove-*")) / name


def found(root: Path) -> str:
    return "\n".join(map(str, verify_store(root, since=None).disagreements))


def after_first_key(inserted: bytes) -> Callable[[bytes], bytes]:
    """Insert something before the key `id` or, in a run, `outcome`."""

    def change(data: bytes) -> bytes:
        key = b'"id":' if b'"id":' in data else b'"outcome":'
        assert key in data
        return data.replace(key, inserted + key, 1)

    return change


BYTES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", ""),
    "only a line feed": (lambda _: b"\n", "is not JSON"),
    "half": (lambda data: data[: len(data) // 2], ""),
    "byte order mark": (lambda data: b"\xef\xbb\xbf" + data, "starts with a byte order mark"),
    "not UTF-8": (lambda data: data.replace(b"sha256", b"sha\xff56", 1), "is not UTF-8: byte 0xff"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), "is not UTF-8"),
    "carriage returns": (lambda data: data.replace(b"\n", b"\r\n"), "bytes are not canonical JSON (RFC 8785)"),
    "spaces": (lambda data: data.replace(b":", b": "), "bytes are not canonical JSON (RFC 8785)"),
    "key twice": (after_first_key(b'"id":"x","outcome":"x",'), "the key appears twice"),
    "NaN": (after_first_key(b'"x":NaN,'), "$.x: NaN is not an integer"),
    "infinity": (after_first_key(b'"x":-Infinity,'), "$.x: -Infinity is not an integer"),
    "float": (after_first_key(b'"x":1.0,'), "$.x: 1.0 is not an integer"),
    "exponent": (after_first_key(b'"x":1e400,'), "$.x: 1e400 is not an integer"),
    "huge integer": (after_first_key(b'"x":9007199254740992,'), "$.x: an integer beyond 9007199254740991"),
    "integer of 100,000 digits": (after_first_key(b'"x":' + b"9" * 100_000 + b","), "$.x: 99999"),
    "lone surrogate": (after_first_key(b'"x":"\\ud800",'), "$.x: text with half of a surrogate pair"),
    "10,000 deep": (after_first_key(b'"x":' + b"[" * 10_000 + b"]" * 10_000 + b","), "nested more than 32 deep"),
    "10,000 unclosed": (lambda _: b"[" * 10_000, "nested more than 32 deep"),
    "another kind of value": (lambda _: b"[]\n", "is not an object"),
    "zeros": (lambda data: bytes(len(data)), "is not JSON"),
}


@pytest.mark.parametrize("name", [PLAN, RECORD, RUNS])
@pytest.mark.parametrize(("change", "words"), BYTES.values(), ids=BYTES)
def test_bytes_that_are_no_canonical_json_are_named(
    loose: Path, name: str, change: Callable[[bytes], bytes], words: str
) -> None:
    file = path_of(loose, name)
    file.write_bytes(change(file.read_bytes()))
    lines = found(loose).splitlines()
    assert any(words in line and str(file.relative_to(loose)) in line for line in lines) or not words, lines
    assert lines


LINE = b'{"attempt":1,"position":0,"text":""}\n'

PACKED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "is not sound gzip data: it ends too early"),
    "no gzip": (gzip.decompress, "is not sound gzip data: "),
    "half": (lambda data: data[: len(data) // 2], "is not sound gzip data: "),
    "wrong checksum": (lambda data: data[:-8] + bytes(8), "is not sound gzip data: "),
    "something behind it": (lambda data: data + b"secret", "something stands after its end"),
    "a second member": (lambda data: data + gzip.compress(b""), "something stands after its end"),
    "a million members": (lambda _: gzip.compress(b"") * 1_000_000, "something stands after its end"),
    "zeros behind it": (lambda data: data + bytes(16 * MIB), "something stands after its end"),
    "no line end": (lambda _: gzip.compress(LINE[:-1]), "line 1: has no line feed at its end"),
    "endless line": (lambda _: gzip.compress(b"x" * 16 * MIB), "line 1: more than 393472 bytes"),
    "unknown key": (lambda _: gzip.compress(LINE[:-2] + b',"x":1}\n'), "line 1: is no transcript of an attempt"),
    "key twice": (lambda _: gzip.compress(LINE.replace(b"{", b'{"attempt":1,')), "line 1: $.attempt: the key appears"),
    "not UTF-8": (lambda _: gzip.compress(LINE.replace(b'""', b'"\xff"')), "line 1: $: is not UTF-8"),
    "10,000 deep": (lambda _: gzip.compress(b"[" * 10_000 + b"\n"), "line 1: $: nested more than 32 deep"),
    "blank lines": (lambda _: gzip.compress(b"\n" * MIB), "line 1: $: is not JSON"),
    "a million foreign lines": (lambda _: gzip.compress(LINE * MIB, 1), f"more flaws than the {FLAWS_MAX} that are"),
}


@pytest.mark.parametrize(("change", "words"), PACKED.values(), ids=PACKED)
def test_transcripts_that_are_not_sound_are_named(loose: Path, change: Callable[[bytes], bytes], words: str) -> None:
    file = path_of(loose, TRANSCRIPTS)
    file.write_bytes(change(file.read_bytes()))
    lines = found(loose).splitlines()
    assert any("/record.json: $.transcripts.sha256: sha256:" in line for line in lines)
    assert any(str(file.relative_to(loose)) in line and words in line for line in lines), lines


def sparse(file: Path, size: int) -> None:
    with file.open("wb") as hole:
        hole.truncate(size)


def filled(unit: bytes, size: int) -> Callable[[Path], object]:
    """A record of that size with a list of very many values."""
    return lambda file: file.write_bytes(b'{"a":[' + unit * ((size - 12) // len(unit)) + b"0]}\n")


def many_lines(file: Path) -> None:
    line = file.read_bytes().splitlines(keepends=True)[0].replace(b'"agent_exit":0', b'"agent_exit":7')
    file.write_bytes(line * (RUNS_MAX_BYTES // len(line)))


def bomb(file: Path) -> None:
    with gzip.open(file, "wb", compresslevel=1) as packed:
        line = LINE.replace(b'""', b'"' + b"x" * 60_000 + b'"')
        for _ in range(TRANSCRIPTS_UNPACKED_MAX_BYTES // len(line) + 1):
            packed.write(line)


LARGE: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "200 MB in place of a record": (
        RECORD,
        lambda file: file.write_bytes(b'{"a":[' + b"1," * (100 * 10**6) + b"1]}\n"),
        f"has 200000010 bytes; at most {RECORD_MAX_BYTES} are read",
    ),
    "a terabyte of nothing": (PLAN, lambda file: sparse(file, 10**12), "has 1000000000000 bytes; at most"),
    "a terabyte of runs": (RUNS, lambda file: sparse(file, 10**12), "has 1000000000000 bytes; at most"),
    "a terabyte of transcripts": (TRANSCRIPTS, lambda file: sparse(file, 10**12), "has 1000000000000 bytes; at most"),
    "zeros for runs": (RUNS, lambda file: sparse(file, RUNS_MAX_BYTES), "bytes; a run has at most"),
    "empty lines for runs": (
        RUNS,
        lambda file: file.write_bytes(b"\n" * RUNS_MAX_BYTES),
        f"more flaws than the {FLAWS_MAX} that are listed",
    ),
    "one run again and again": (RUNS, many_lines, f"more flaws than the {FLAWS_MAX} that are listed"),
    "a record of objects": (RECORD, filled(b"{},", RECORD_MAX_BYTES), "$.kind: None is no kind"),
    "a record of floats": (RECORD, filled(b"1.5,", RECORD_MAX_BYTES), "$.a[0]: 1.5 is not an integer"),
    "a record of other forms": (PLAN, filled(b'{"a": 1},', RECORD_MAX_BYTES), "bytes are not canonical JSON"),
    "a record of long keys": (PLAN, filled('{"é":1},'.encode(), RECORD_MAX_BYTES), "$.kind: None is no kind"),
    "a bomb for transcripts": (TRANSCRIPTS, bomb, "more flaws than the"),
}

MEASURED = textwrap.dedent("""\
    import resource, sys
    from pathlib import Path
    from sigilgen.store.verify import verify_store

    report = verify_store(Path(sys.argv[1]), since=None)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    print(*report.disagreements, sep="\\n")
""")


@pytest.mark.parametrize(("name", "fill", "words"), LARGE.values(), ids=LARGE)
def test_a_hostile_file_fills_neither_time_nor_memory(
    loose: Path, name: str, fill: Callable[[Path], object], words: str
) -> None:
    file = path_of(loose, name)
    fill(file)
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(loose)],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)),
    )
    peak, *lines = done.stdout.splitlines()
    assert any(words in line and str(file.relative_to(loose)) in line for line in lines), lines[:5]
    assert int(peak) < PEAK_BYTES
    assert len(lines) < 3 * FLAWS_MAX


def test_what_is_quoted_of_a_hostile_text_is_cut_and_stays_on_its_line(loose: Path) -> None:
    file = path_of(loose, RUNS)
    lines = file.read_bytes().splitlines(keepends=True)
    run = json.loads(lines[4])
    run["model_requested"] = "\x1b[2J\n5 records: everything agrees\u202e" + "x" * 500_000
    lines[4] = json.dumps(run, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n"
    file.write_bytes(b"".join(lines))
    (line,) = [line for line in found(loose).splitlines() if "$.model_requested" in line]
    assert "\\x1b[2J\\n5 records" in line
    assert line.isprintable()
    assert len(line) < WORDS_MAX + 300


def test_a_key_of_many_megabytes_is_cut(loose: Path) -> None:
    path_of(loose, RECORD).write_bytes(b'{"' + b"k" * (RECORD_MAX_BYTES - 20) + b'":1.5}\n')
    assert max(map(len, found(loose).splitlines())) < 2 * WORDS_MAX + 300
