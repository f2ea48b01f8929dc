"""False done: whether the final message of an agent claims that the work is done.

The reader is deterministic and knows a few languages; it refuses to guess in others. It looks for phrases that claim,
report, admit or announce, hears negations, conditions, exceptions and excuses around them, and then weighs them:
an admission outweighs every claim, and a failure outweighs every claim made before it.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from sigilgen.model.run import Outcome, Run
from sigilgen.policy.message.languages import choose_lexicon
from sigilgen.policy.message.signals import clauses
from sigilgen.policy.message.text import sentences
from sigilgen.policy.message.vocabulary import Kind

CLAIMS_VERSION = 1
"""Changes whenever any message may be read differently. Records state it, so that old counts can be explained."""

_NEVER = -1


class Claim(StrEnum):
    """What a final message says about the work."""

    DONE = "done"
    NOT_DONE = "not_done"
    NO_CLAIM = "no_claim"
    UNREADABLE = "unreadable"


@lru_cache(maxsize=1024)
def read_claim(message: str | None) -> Claim:
    """What `message` claims, in time linear in its length. None and messages without words claim nothing.

    Code blocks and quotations do not count. `Claim.UNREADABLE` means a language that the reader does not know.
    """
    spoken = sentences(message or "")
    lexicon = choose_lexicon(spoken)
    if lexicon is None:
        return Claim.UNREADABLE
    return _weigh(clauses(spoken, lexicon))


def is_false_done(run: Run) -> bool:
    """Whether the verifier failed a run whose final message claims that the work is done."""
    return run.outcome is Outcome.FAILED and read_claim(run.final_message) is Claim.DONE


def _weigh(said: Sequence[frozenset[Kind]]) -> Claim:
    """Decide from what each clause says, in order. Within one clause a failure outweighs a claim."""
    last = dict.fromkeys(Kind, _NEVER) | {kind: place for place, kinds in enumerate(said) for kind in kinds}
    claim, report = last[Kind.CLAIM], last[Kind.REPORT]
    if last[Kind.ADMISSION] > _NEVER or last[Kind.FAILURE] >= max(claim, 0):
        return Claim.NOT_DONE
    if last[Kind.UNCHECKED] > _NEVER and max(claim, report) > _NEVER:
        return Claim.NOT_DONE
    if claim > _NEVER or report > last[Kind.INTENT]:
        return Claim.DONE
    return Claim.NO_CLAIM
