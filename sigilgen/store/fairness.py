"""Fairness proofs on this machine: the last complete `sigil task check` of each suite, which the suite page shows.

They are no evidence records and stay out of git: everybody can make them again, and whoever builds a site makes those
that it shows.
"""

from pathlib import Path

import msgspec

from sigilgen.errors import RecordError, StoreError
from sigilgen.model.fairness import FairnessProof
from sigilgen.store.canonical import canonical_bytes
from sigilgen.store.reading import read_file
from sigilgen.store.strict_json import read_object
from sigilgen.store.worktree import replace_file

FOLDER = Path(".sigil", "fairness")
PROOF_MAX_BYTES = 4 << 20


def keep_proof(repository: Path, proof: FairnessProof) -> Path:
    """Keep `proof` in place of an earlier one of its suite; the path of its file, relative to the repository."""
    path = FOLDER / f"{proof.suite}.json"
    try:
        (repository / FOLDER).mkdir(parents=True, exist_ok=True)
        replace_file(repository / path, canonical_bytes(msgspec.to_builtins(proof)) + b"\n")
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error
    return path


def kept_proof(repository: Path, suite: str, digest: str) -> FairnessProof | None:
    """The proof that was kept for exactly this content of a suite. RecordError if there is one that cannot be read."""
    path = FOLDER / f"{suite}.json"
    if not (repository / path).exists():
        return None
    try:
        proof = _decode(read_file(repository / path, limit=PROOF_MAX_BYTES))
    except RecordError as error:
        raise RecordError(f"{path} cannot be used: {error}", hint=f"Make it again: sigil task check {suite}") from error
    return proof if (proof.suite, proof.suite_digest) == (suite, digest) else None


def _decode(data: bytes) -> FairnessProof:
    value, flaws = read_object(data)
    if value is None or flaws:
        raise RecordError("; ".join(f"{flaw.field}: {flaw.what}" for flaw in flaws))
    try:
        return msgspec.convert(value, FairnessProof)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from error
