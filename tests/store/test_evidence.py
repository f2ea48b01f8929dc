import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sigilgen.errors import RecordError, StoreError
from sigilgen.model.capability import Kind
from sigilgen.model.experiment import Experiment
from sigilgen.model.names import short
from sigilgen.model.record import ProveRecord
from sigilgen.store.canonical import digest_of
from sigilgen.store.codec import decode_record, encode_record, seal
from sigilgen.store.evidence import evidence_folder, load_experiments, publish_plan, publish_result
from sigilgen.store.verify import verify_store

MakeExperiment = Callable[..., tuple[Experiment, bytes, bytes]]


def result_of(experiment: Experiment) -> ProveRecord:
    assert experiment.result is not None
    return experiment.result


def keep(repository: Path, made: tuple[Experiment, bytes, bytes], *, commit: bool = False) -> Path:
    """Publish all there is, and return the folder of the result (or of the plan, if there is no result)."""
    experiment, runs, transcripts = made
    path = publish_plan(repository, experiment.plan, commit=commit)
    if experiment.result is not None:
        path = publish_result(
            repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=commit
        )
    return (repository / path).parent


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "config", "user.name", "Tester")
    git(tmp_path, "config", "user.email", "tester@example.com")
    return tmp_path


def test_files_stand_where_the_layout_has_them(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment()
    result = result_of(experiment)
    folder = f"evidence/skills/acme/tidy-code/{short(experiment.plan.subject.payload_digest)}"
    assert evidence_folder(experiment.plan.subject) == folder
    plan_path = publish_plan(tmp_path, experiment.plan, commit=False)
    assert plan_path == f"{folder}/plan-{short(experiment.plan.id)}.json"
    record_path = publish_result(
        tmp_path, result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
    )
    assert record_path == f"{folder}/prove-{short(result.id)}/record.json"
    home = (tmp_path / record_path).parent
    assert (tmp_path / plan_path).read_bytes() == encode_record(experiment.plan)
    assert {file.name: file.read_bytes() for file in home.iterdir()} == {
        "record.json": encode_record(result),
        "runs.jsonl": runs,
        "transcripts.jsonl.gz": transcripts,
    }


def test_instructions_have_a_section_of_their_own(make_experiment: MakeExperiment) -> None:
    experiment, _, _ = make_experiment(kind=Kind.INSTRUCTIONS, capability="acme/house-rules")
    assert experiment.folder.startswith("evidence/instructions/acme/house-rules/")


def test_without_commit_git_is_not_even_needed(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    made = make_experiment()
    keep(tmp_path, made)
    assert load_experiments(tmp_path) == (made[0],)


def test_with_commit_a_plan_and_a_result_are_one_commit_each(checkout: Path, make_experiment: MakeExperiment) -> None:
    made = make_experiment(rehearsal=True)
    keep(checkout, made, commit=True)
    subjects = git(checkout, "log", "--format=%s").splitlines()
    assert subjects == [
        f"Result {short(result_of(made[0]).id)}: acme/tidy-code on python-basics with claude-code (rehearsal)",
        f"Plan {short(made[0].plan.id)}: acme/tidy-code on python-basics with claude-code (rehearsal)",
    ]
    assert git(checkout, "status", "--porcelain") == ""


def test_publishing_again_changes_nothing(checkout: Path, make_experiment: MakeExperiment) -> None:
    made = make_experiment()
    keep(checkout, made, commit=True)
    keep(checkout, made, commit=True)
    keep(checkout, made)
    assert git(checkout, "rev-list", "--count", "HEAD") == "2"


def test_a_committed_result_takes_along_a_plan_that_was_not(checkout: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment()
    publish_plan(checkout, experiment.plan, commit=False)
    publish_result(
        checkout, result_of(experiment), runs=runs, transcripts=transcripts, keep_transcripts=True, commit=True
    )
    assert git(checkout, "status", "--porcelain") == ""


def test_transcripts_may_stay_out_of_the_store(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment()
    result = result_of(experiment)
    attachment = msgspec.structs.replace(result.transcripts, kept=False)
    result = seal(msgspec.structs.replace(result, transcripts=attachment))
    publish_plan(tmp_path, experiment.plan, commit=False)
    path = publish_result(tmp_path, result, runs=runs, transcripts=transcripts, keep_transcripts=False, commit=False)
    assert sorted(file.name for file in (tmp_path / path).parent.iterdir()) == ["record.json", "runs.jsonl"]
    assert verify_store(tmp_path, since=None).disagreements == ()


def test_a_result_without_its_plan_is_refused(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment()
    with pytest.raises(StoreError, match="the plan of this result is missing"):
        publish_result(
            tmp_path, result_of(experiment), runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
        )


def test_nothing_is_kept_that_contradicts_itself(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    experiment, runs, transcripts = make_experiment()
    result = result_of(experiment)
    publish_plan(tmp_path, experiment.plan, commit=False)
    before = sorted(tmp_path.rglob("*"))
    for wrong, message in (
        (seal(msgspec.structs.replace(result, claims_version=9)), r"\$\.claims_version: 9"),
        (msgspec.structs.replace(result, id=digest_of(b"")), r"\$\.id: says"),
        (seal(msgspec.structs.replace(result, rehearsal=True)), r"\$\.rehearsal: true; the plan says false"),
    ):
        with pytest.raises(RecordError, match=message):
            publish_result(tmp_path, wrong, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False)
    with pytest.raises(RecordError, match=r"\$\.runs\.sha256"):
        publish_result(
            tmp_path, result, runs=runs + b"\n", transcripts=transcripts, keep_transcripts=True, commit=False
        )
    with pytest.raises(RecordError, match=r"\$\.transcripts\.sha256"):
        publish_result(tmp_path, result, runs=runs, transcripts=b"", keep_transcripts=True, commit=False)
    with pytest.raises(RecordError, match="says that transcripts are kept"):
        publish_result(tmp_path, result, runs=runs, transcripts=transcripts, keep_transcripts=False, commit=False)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_plan_that_contradicts_itself_is_refused(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    plan = make_experiment()[0].plan
    for wrong, message in (
        (seal(msgspec.structs.replace(plan, cells=plan.cells[1:])), r"\$\.cells: 31 cells; .* are 32"),
        (seal(msgspec.structs.replace(plan, seed=8)), r"not the order that follows from seed 8"),
        (seal(msgspec.structs.replace(plan, repeats=2**53 - 1)), r"\$\.cells: 32 cells"),
    ):
        with pytest.raises(RecordError, match=message):
            publish_plan(tmp_path, wrong, commit=False)
    assert not (tmp_path / "evidence").exists()


def superseding(made: tuple[Experiment, bytes, bytes], earlier: ProveRecord) -> tuple[Experiment, bytes, bytes]:
    experiment, runs, transcripts = made
    result = seal(msgspec.structs.replace(result_of(experiment), supersedes=earlier.id))
    return Experiment(experiment.folder, experiment.plan, result, experiment.runs), runs, transcripts


def test_a_later_result_supersedes_the_one_before_and_is_the_one_that_counts(
    checkout: Path, make_experiment: MakeExperiment
) -> None:
    first = make_experiment(unfinished=[5])
    second = superseding(make_experiment(), result_of(first[0]))
    keep(checkout, first)
    keep(checkout, second, commit=True)
    assert load_experiments(checkout) == (second[0],)
    assert git(checkout, "status", "--porcelain") == ""
    assert verify_store(checkout, since=None).disagreements == ()


def test_a_second_result_that_supersedes_nothing_is_refused(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    keep(tmp_path, make_experiment(unfinished=[5]))
    with pytest.raises(RecordError, match=r"\$\.supersedes: is null, but the plan has another result"):
        keep(tmp_path, make_experiment())


def test_a_result_that_drops_runs_of_the_one_before_is_refused(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    first = make_experiment()
    keep(tmp_path, first)
    second = superseding(make_experiment(unfinished=[5]), result_of(first[0]))
    with pytest.raises(RecordError, match=r"has not all the runs of .* \(position/attempt 5/1\)"):
        keep(tmp_path, second)


def test_experiments_come_in_the_order_of_payloads_and_times(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    wanted = [
        make_experiment(capability="acme/b", created_at="2026-01-01T00:00:00.000Z"),
        make_experiment(capability="acme/b", created_at="2026-02-01T00:00:00.000Z", finished=False),
        make_experiment(capability="acme/c", created_at="2026-01-01T00:00:00.000Z", seed=2**53 - 1),
    ]
    for made in reversed(wanted):
        keep(tmp_path, made)
    assert load_experiments(tmp_path) == tuple(experiment for experiment, _, _ in wanted)


def test_a_store_without_evidence_is_empty(tmp_path: Path) -> None:
    assert load_experiments(tmp_path) == ()


def test_everything_that_cannot_be_read_is_named_at_once(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    home = keep(tmp_path, make_experiment())
    other = keep(tmp_path, make_experiment(capability="acme/other"))
    outside = tmp_path / "outside"
    outside.write_text("secret\n")
    (home / "runs.jsonl").unlink()
    (home / "runs.jsonl").symlink_to(outside)
    (other / "record.json").write_bytes(b"{}\n")
    (tmp_path / "evidence" / "notes.txt").write_text("?")
    with pytest.raises(RecordError) as refusal:
        load_experiments(tmp_path)
    message = str(refusal.value)
    assert "evidence/notes.txt: is a file that does not belong here" in message
    assert "runs.jsonl: is a symbolic link" in message
    assert f"{other.relative_to(tmp_path)}/record.json: $.kind: None is no kind of record" in message
    assert "secret" not in message


def test_a_linked_evidence_folder_is_not_entered(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    keep(tmp_path / "a", make_experiment())
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "evidence").symlink_to(tmp_path / "a" / "evidence")
    with pytest.raises(RecordError, match="evidence: is a symbolic link"):
        load_experiments(tmp_path / "b")


def test_what_was_published_is_decodable_by_itself(tmp_path: Path, make_experiment: MakeExperiment) -> None:
    made = make_experiment()
    home = keep(tmp_path, made)
    assert decode_record((home / "record.json").read_bytes(), "record.json") == made[0].result
