"""Seal a payload."""

from dataclasses import dataclass
from pathlib import Path

from sigilgen.model.capability import PayloadFile
from sigilgen.store.payload import read_payload


@dataclass(frozen=True, slots=True)
class Sealed:
    digest: str
    file_count: int
    size_bytes: int
    files: tuple[PayloadFile, ...] | None


def digest(folder: Path, *, files: bool) -> Sealed:
    """Seal the payload in `folder`; with `files`, keep the list of sealed files in the result."""
    payload = read_payload(folder)
    return Sealed(
        digest=payload.digest,
        file_count=len(payload.files),
        size_bytes=sum(file.size_bytes for file in payload.files),
        files=payload.files if files else None,
    )


def render(sealed: Sealed) -> str:
    lines = [f"{file.sha256}  {file.path}" for file in sealed.files or ()]
    return "\n".join([*lines, sealed.digest])
