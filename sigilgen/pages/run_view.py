"""One attempt as a reader sees it. What is long is shown in part, and the part says how much it is of what."""

from dataclasses import dataclass

from sigilgen.model.run import ProtectedFile, Run
from sigilgen.pages.amounts import DASH, counted, duration, grouped, moment, money
from sigilgen.pages.measured import tokens
from sigilgen.pages.text import head, tail
from sigilgen.policy.claims import Claim, is_false_done, read_claim
from sigilgen.policy.tampering import is_tampered

MESSAGE_SHOWN = 6_000
OUTPUT_SHOWN = 4_000
PATCH_SHOWN = 12_000

CLAIMS = {
    Claim.DONE: "claims that the work is done",
    Claim.NOT_DONE: "says that the work is not done",
    Claim.NO_CLAIM: "claims nothing either way",
    Claim.UNREADABLE: "cannot be read for a claim, and counts as none",
}


@dataclass(frozen=True, slots=True)
class Extract:
    """A long text, or the part of it that is shown; `note` then says which part."""

    text: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """An attempt in words. `number` counts the repeats from 1; `facts` are pairs of name and value.

    Texts are None where there is nothing to show.
    """

    anchor: str
    task: str
    condition: str
    number: int
    attempt: int
    outcome: str
    superseded: bool
    flags: tuple[str, ...]
    time: str
    facts: tuple[tuple[str, str], ...]
    message: Extract | None
    claim: str
    protected: tuple[str, ...]
    patch: Extract | None
    output: Extract | None


def run_view(run: Run, *, superseded: bool) -> RunView:
    """Word one attempt; `superseded` says that a later attempt at the same cell counts instead."""
    return RunView(
        anchor=f"run-{run.position}-{run.attempt}",
        task=run.task,
        condition=run.condition.value,
        number=run.repeat + 1,
        attempt=run.attempt,
        outcome=run.outcome.value,
        superseded=superseded,
        flags=_flags(run),
        time=DASH if run.agent_milliseconds is None else duration(run.agent_milliseconds),
        facts=tuple((name, value) for name, value in _facts(run) if value is not None),
        message=None if run.final_message is None else _end(run.final_message, MESSAGE_SHOWN),
        claim=CLAIMS[read_claim(run.final_message)],
        protected=tuple(map(_protected, run.protected)),
        patch=_beginning(run.patch, PATCH_SHOWN, cut=run.patch_truncated) if run.patch else None,
        output=_end(run.verifier_output, OUTPUT_SHOWN) if run.verifier_output else None,
    )


def _flags(run: Run) -> tuple[str, ...]:
    marks = (
        (is_tampered(run), "tampered"),
        (is_false_done(run), "false done"),
        (run.timed_out, "timed out"),
        (run.verifier_timed_out, "verifier timed out"),
    )
    return tuple(word for is_so, word in marks if is_so)


def _facts(run: Run) -> tuple[tuple[str, str | None], ...]:
    infra, used, turns = run.infra, tokens(run), run.turns
    return (
        ("infra", None if infra is None else f"{infra.phase.value}: {infra.reason}"),
        ("verifier exit", "did not run" if run.verifier_exit is None else str(run.verifier_exit)),
        ("verifier time", None if run.verifier_milliseconds is None else duration(run.verifier_milliseconds)),
        ("agent exit", "none: it was stopped" if run.agent_exit is None else str(run.agent_exit)),
        ("started", moment(run.started_at)),
        ("in runs.jsonl", f"position {run.position}, repeat {run.repeat}, attempt {run.attempt}"),
        ("agent version", run.agent_version or "not reported"),
        ("model", _model(run)),
        ("tokens", "not reported" if used is None else grouped(used)),
        ("cost", "not reported" if run.cost_micro_usd is None else money(run.cost_micro_usd)),
        ("turns", None if turns is None else str(turns)),
        ("capability", _activation(run)),
        ("transcript", _transcript(run)),
    )


def _model(run: Run) -> str:
    served = ", ".join(run.models_served)
    if served:
        return served
    return f"{run.model_requested} asked for, none reported" if run.model_requested else "none"


def _activation(run: Run) -> str | None:
    match run.capability_used, run.capability_listed:
        case True, _:
            return "used"
        case False, True:
            return "listed, not used"
        case False, _:
            return "not used"
        case None, True:
            return "listed; the agent does not say whether it was used"
        case _:
            return None


def _transcript(run: Run) -> str | None:
    if run.transcript_sha256 is None:
        return None
    return f"{counted(run.transcript_bytes, 'byte')}, {run.transcript_sha256}"


def _protected(file: ProtectedFile) -> str:
    if file.final is None:
        return f"{file.path}: deleted"
    if file.lost_lines == 0:
        return f"{file.path}: only lines added"
    return f"{file.path}: {counted(file.lost_lines, 'original line')} changed or removed"


def _beginning(text: str, limit: int, *, cut: bool = False) -> Extract:
    shown = head(text, limit)
    if len(shown) < len(text):
        return Extract(shown, f"the first {grouped(limit)} of {grouped(len(text))} characters")
    return Extract(shown, "cut off when it was recorded" if cut else "")


def _end(text: str, limit: int) -> Extract:
    shown = tail(text, limit)
    note = f"the last {grouped(limit)} of {grouped(len(text))} characters" if len(shown) < len(text) else ""
    return Extract(shown, note)
