"""Say what this machine has, what it lacks, and how to get it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sigilgen.commands.doctor_probes import Found, Probe, probes
from sigilgen.errors import SigilError


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    name: str
    state: Literal["ok", "missing"]
    needed: bool
    purpose: str
    detail: str
    remedy: str | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`ready` is whether everything needed for `sigil prove` with a built-in agent is there."""

    ready: bool
    findings: tuple[Finding, ...]


def diagnose(start: Path) -> Diagnosis:
    """Look for everything at once. Each look ends by itself within seconds; none writes outside a temporary folder."""
    with ThreadPoolExecutor(max_workers=8) as pool:
        findings = tuple(pool.map(_examine, probes(start)))
    return Diagnosis(all(finding.state == "ok" for finding in findings if finding.needed), findings)


def _examine(probe: Probe) -> Finding:
    try:
        found = probe.look()
    except SigilError as error:
        found = Found(ok=False, detail=error.message)
    except OSError as error:
        found = Found(ok=False, detail=str(error))
    return Finding(
        name=probe.name,
        state="ok" if found.ok else "missing",
        needed=probe.needed,
        purpose=probe.purpose,
        detail=found.detail,
        remedy=None if found.ok else found.remedy or probe.remedy,
    )


def render(diagnosis: Diagnosis) -> str:
    width = max(len(finding.name) for finding in diagnosis.findings)
    lines = [line for finding in diagnosis.findings for line in _lines(finding, width)]
    lacking = [finding.name for finding in diagnosis.findings if finding.needed and finding.state == "missing"]
    verdict = f"Sigil cannot work here yet: {', '.join(lacking)}." if lacking else "Sigil can work here."
    return "\n".join([*lines, "", verdict])


def _lines(finding: Finding, width: int) -> list[str]:
    start = f"{finding.state:7}  {finding.name:{width}}  "
    if finding.state == "ok":
        return [start + finding.detail]
    need = "needed" if finding.needed else "optional"
    return [f"{start}{need}, for {finding.purpose}: {finding.detail}", " " * len(start) + (finding.remedy or "")]
