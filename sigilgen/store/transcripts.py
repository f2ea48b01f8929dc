"""`transcripts.jsonl.gz`: what the agents wrote, packed beside the runs.

One canonical JSON line for each attempt that left a transcript, in any order:

    {"attempt": 1, "position": 0, "text": "…"}

`text` is what the agent printed, read as UTF-8 with secrets cut out, and at most 64 KiB of it: of a longer one the
first and last half of that. `transcript_bytes` and `transcript_sha256` of the run describe the bytes as they were
printed. So a text that is whole, without a cut secret and without a replaced byte, has exactly that size and digest;
of any other nothing can be checked but its limit.
"""

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator

import msgspec

from sigilgen.errors import RecordError
from sigilgen.model.names import Count
from sigilgen.store.limits import TRANSCRIPT_TEXT_MAX_BYTES, TRANSCRIPTS_UNPACKED_MAX_BYTES
from sigilgen.store.strict_json import read_object

LINE_MAX_BYTES = 6 * TRANSCRIPT_TEXT_MAX_BYTES + 256  # every character may be written as \\u00xx


class TranscriptLine(msgspec.Struct, frozen=True, kw_only=True):
    """The transcript of one attempt, cut to 64 KiB."""

    position: Count
    attempt: Count
    text: str


_read = msgspec.json.Decoder(TranscriptLine).decode
_write = msgspec.json.Encoder(order="sorted").encode


def pack_transcripts(lines: Iterable[TranscriptLine]) -> bytes:
    """The bytes of `transcripts.jsonl.gz`, the same for the same lines."""
    return gzip.compress(b"".join(_write(line) + b"\n" for line in lines), mtime=0)


def unpack_transcripts(data: bytes) -> Iterator[TranscriptLine]:
    """The lines in `data`, one after the other, so that hostile bytes never fill the memory.

    RecordError says what is wrong, without the file.
    """
    total = number = 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
        while line := _next_line(unpacked):
            number += 1
            total += len(line)
            if len(line) > LINE_MAX_BYTES:
                raise RecordError(f"line {number}: more than {LINE_MAX_BYTES} bytes")
            if total > TRANSCRIPTS_UNPACKED_MAX_BYTES:
                raise RecordError(f"more than {TRANSCRIPTS_UNPACKED_MAX_BYTES} bytes when unpacked")
            yield _line(line, number)


def _next_line(unpacked: gzip.GzipFile) -> bytes:
    try:
        return unpacked.readline(LINE_MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError(f"is not sound gzip data: {error}") from None


def _line(data: bytes, number: int) -> TranscriptLine:
    try:
        line = _read(data)
    except msgspec.DecodeError:
        line = None
    if line is None or _write(line) + b"\n" != data:
        _, flaws = read_object(data)
        what = f"{flaws[0].field}: {flaws[0].what}" if flaws else "is no transcript of an attempt"
        raise RecordError(f"line {number}: {what}")
    return line
