"""What transcripts must be to belong to the runs beside them."""

from collections.abc import Iterator, Sequence

from sigilgen.errors import RecordError
from sigilgen.model.run import Run
from sigilgen.policy.redact import MARK
from sigilgen.store.canonical import digest_of
from sigilgen.store.limits import TRANSCRIPT_TEXT_MAX_BYTES
from sigilgen.store.strict_json import Flaw
from sigilgen.store.transcripts import unpack_transcripts

REPLACED = "\ufffd"


def transcript_flaws(data: bytes, runs: Sequence[Run]) -> Iterator[Flaw]:
    """Everything in the packed transcripts that contradicts the runs."""
    waiting = {(run.position, run.attempt): run for run in runs}
    try:
        for line, transcript in enumerate(unpack_transcripts(data), start=1):
            run = waiting.pop((transcript.position, transcript.attempt), None)
            if run is None:
                which = f"position {transcript.position}, attempt {transcript.attempt}"
                yield Flaw("$.position", f"{which} is no run, or has had its transcript", line)
            elif what := _text_fault(transcript.text, run):
                yield Flaw("$.text", what, line)
    except RecordError as error:
        yield Flaw("$", error.message)
        return
    for run in waiting.values():
        if run.transcript_bytes:
            yield Flaw("$", f"no transcript of position {run.position}, attempt {run.attempt}")


def _text_fault(text: str, run: Run) -> str | None:
    data = text.encode()
    if len(data) > TRANSCRIPT_TEXT_MAX_BYTES:
        return f"{len(data)} bytes; at most {TRANSCRIPT_TEXT_MAX_BYTES} are kept"
    if run.transcript_sha256 is None or digest_of(data) == run.transcript_sha256 or _may_differ(text, run):
        return None
    return "is not what the run's transcript_sha256 seals"


def _may_differ(text: str, run: Run) -> bool:
    """Whether the text may differ from what was printed: it was cut to size, a secret was cut out, a byte was none."""
    return run.transcript_bytes > TRANSCRIPT_TEXT_MAX_BYTES or MARK in text or REPLACED in text
