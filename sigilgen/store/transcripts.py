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
CHUNK_BYTES = 256 << 10
GZIP = 16 + zlib.MAX_WBITS


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
    number = 0
    rest = b""
    for chunk in _chunks(data):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            yield _line(line + b"\n", number)
        if len(rest) > LINE_MAX_BYTES:
            raise RecordError(f"line {number + 1}: more than {LINE_MAX_BYTES} bytes")
    if rest:
        raise RecordError(f"line {number + 1}: has no line feed at its end")


def _chunks(data: bytes) -> Iterator[bytes]:
    """What one gzip member unpacks to, in pieces. Nothing may follow it: that would be a place to hide things."""
    unpacker = zlib.decompressobj(GZIP)
    source = io.BytesIO(data)
    total = 0
    while not unpacker.eof:
        packed = unpacker.unconsumed_tail or source.read(CHUNK_BYTES)
        try:
            chunk = unpacker.decompress(packed, CHUNK_BYTES)
        except zlib.error as error:
            raise RecordError(f"is not sound gzip data: {error}") from None
        if not chunk and not packed:
            raise RecordError("is not sound gzip data: it ends too early")
        total += len(chunk)
        if total > TRANSCRIPTS_UNPACKED_MAX_BYTES:
            raise RecordError(f"more than {TRANSCRIPTS_UNPACKED_MAX_BYTES} bytes when unpacked")
        yield chunk
    if unpacker.unused_data or source.read(1):
        raise RecordError("is not sound gzip data: something stands after its end")


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
