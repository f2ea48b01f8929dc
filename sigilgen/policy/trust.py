"""The trust level of one exact content, derived from the three security layers and never stored."""

from dataclasses import dataclass
from enum import StrEnum


class LayerState(StrEnum):
    """What one security layer said about the current digest and permissions."""

    NOT_RUN = "not run"
    PASS = "pass"  # noqa: S105  (a state, not a password)
    WARNING = "warning"
    FAIL = "fail"


class TrustLevel(StrEnum):
    """How far the security checks of a content got: flagged, listed, scanned, sandboxed, verified, in rising order."""

    FLAGGED = "flagged"
    LISTED = "listed"
    SCANNED = "scanned"
    SANDBOXED = "sandboxed"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """The states of the static scan, the canary sandbox and the human review. What is missing was not run."""

    static: LayerState = LayerState.NOT_RUN
    canary: LayerState = LayerState.NOT_RUN
    review: LayerState = LayerState.NOT_RUN


def trust_level(layers: Layers) -> TrustLevel:
    """Derive the level: one failure flags, and every step up needs a pass of its own layer and of those before it.

    Only a pass is a pass. A warning or an incomplete scan (given as a warning) stops the climb; a warning that a named
    review has accepted is given as a pass by whoever reads that review. Taking away evidence other than a failure
    never raises the level, and failures cannot be taken away: the store only grows.

    Args:
        layers: States that hold for the current digest and permissions. Contributed records must be left out.

    Source: method 1.0, "Security checks".
    """
    if LayerState.FAIL in {layers.static, layers.canary, layers.review}:
        return TrustLevel.FLAGGED
    if layers.static is not LayerState.PASS:
        return TrustLevel.LISTED
    if layers.canary is not LayerState.PASS:
        return TrustLevel.SCANNED
    if layers.review is not LayerState.PASS:
        return TrustLevel.SANDBOXED
    return TrustLevel.VERIFIED
