"""What a scripted agent does: the steps of a play, and the plays that a task offers for each condition."""

from typing import Annotated

import msgspec


class Write(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="write", forbid_unknown_fields=True):
    """Create or replace a whole file below the workspace."""

    path: str
    text: str


class Patch(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="patch", forbid_unknown_fields=True):
    """Replace `find`, which must occur exactly once in the file, by `replace`."""

    path: str
    find: str
    replace: str


class Execute(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="run", forbid_unknown_fields=True):
    """Run a shell command in the workspace. Its exit status is shown, and does not end the play."""

    command: str


class Say(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="say", forbid_unknown_fields=True):
    """Print a message. The last one is the agent's final message."""

    text: str


class Wait(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="wait", forbid_unknown_fields=True):
    """Do nothing for a while."""

    milliseconds: Annotated[int, msgspec.Meta(ge=0, le=3_600_000)]


class Exit(msgspec.Struct, frozen=True, kw_only=True, tag_field="step", tag="exit", forbid_unknown_fields=True):
    """End at once with this status; 128 + n ends by signal n, as a crash does."""

    status: Annotated[int, msgspec.Meta(ge=0, le=255)]


Step = Write | Patch | Execute | Say | Wait | Exit


class Play(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One transcript to replay, from the first step to the last."""

    name: str
    steps: tuple[Step, ...]


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of `rehearsal.yaml`: at least one play for each condition; the run's seed chooses among them."""

    baseline: tuple[Play, ...]
    treatment: tuple[Play, ...]
