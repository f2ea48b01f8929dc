"""Fairness proofs are kept whole, shown for exactly the content that was checked, and refused when they are damaged."""

from pathlib import Path

import msgspec
import pytest

from sigilgen.errors import RecordError, StoreError
from sigilgen.model.fairness import Check, CheckedTask, FairnessProof, Status
from sigilgen.store.canonical import canonical_bytes
from sigilgen.store.fairness import keep_proof, kept_proof

DIGEST = f"sha256:{'1' * 64}"
OTHER = f"sha256:{'2' * 64}"
PROOF = FairnessProof(
    schema=1,
    suite="greetings",
    suite_digest=DIGEST,
    checked_at="2026-01-04T08:00:00.000Z",
    sigil_version="0.1.0",
    platform="Linux x86_64, Python 3.11.2",
    tasks=(CheckedTask("one", (Check("needs no network", Status.NOT_CHECKED, "„no way“ to tell", "Use another."),)),),
)


def test_a_proof_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    assert keep_proof(tmp_path, PROOF) == Path(".sigil/fairness/greetings.json")
    assert kept_proof(tmp_path, "greetings", DIGEST) == PROOF


def test_a_later_proof_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    keep_proof(tmp_path, msgspec.structs.replace(PROOF, checked_at="2026-01-03T08:00:00.000Z"))
    keep_proof(tmp_path, PROOF)
    assert kept_proof(tmp_path, "greetings", DIGEST) == PROOF
    assert [path.name for path in (tmp_path / ".sigil/fairness").iterdir()] == ["greetings.json"]


def test_a_proof_counts_for_one_content_of_one_suite(tmp_path: Path) -> None:
    keep_proof(tmp_path, PROOF)
    assert kept_proof(tmp_path, "greetings", OTHER) is None
    assert kept_proof(tmp_path, "farewells", DIGEST) is None
    (tmp_path / ".sigil/fairness/greetings.json").rename(tmp_path / ".sigil/fairness/farewells.json")
    assert kept_proof(tmp_path, "farewells", DIGEST) is None


DAMAGE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", r"\$"),
    "cut off": (b'{"schema":1,"suite"', r"\$"),
    "another shape": (b'{"schema":1}\n', "missing required field"),
    "unknown status": (canonical_bytes(msgspec.to_builtins(PROOF)).replace(b"not checked", b"maybe") + b"\n", "maybe"),
    "too large": (b" " * (5 << 20), "at most"),
    "not UTF-8": (b'{"\xff":1}\n', "UTF-8"),
    "deep": (b"[" * 100_000, r"\$"),
}


@pytest.mark.parametrize(("data", "said"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_proof_is_named_with_what_to_do(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / keep_proof(tmp_path, PROOF)
    path.write_bytes(data)
    with pytest.raises(RecordError, match=said) as caught:
        kept_proof(tmp_path, "greetings", DIGEST)
    assert str(caught.value).startswith(".sigil/fairness/greetings.json cannot be used: ")
    assert str(caught.value).endswith("sigil task check greetings")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ".sigil").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot write .sigil/fairness/greetings.json"):
        keep_proof(tmp_path, PROOF)
