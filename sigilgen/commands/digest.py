"""Seal a payload."""

from dataclasses import dataclass

from sigilgen.commands.find_payload import find_payload, seal_payload
from sigilgen.errors import RequestError
from sigilgen.model.capability import PayloadFile


@dataclass(frozen=True, slots=True)
class Sealed:
    digest: str
    file_count: int
    size_bytes: int
    files: tuple[PayloadFile, ...] | None


def digest(wanted: str, *, files: bool) -> Sealed:
    """Seal the payload in the folder `wanted`, or of the capability of that name.

    With `files`, the list of sealed files is kept in the result.
    """
    folder = find_payload(wanted)
    if folder is None:
        raise RequestError(
            f"{wanted!r} is neither a folder nor the name of a capability here",
            hint="A name is <namespace>/<slug>, and is looked up in the checkout around the current folder.",
        )
    payload = seal_payload(folder)
    return Sealed(
        digest=payload.digest,
        file_count=len(payload.files),
        size_bytes=sum(file.size_bytes for file in payload.files),
        files=payload.files if files else None,
    )


def render(sealed: Sealed) -> str:
    lines = [f"{file.sha256}  {file.path}" for file in sealed.files or ()]
    return "\n".join([*lines, sealed.digest])
