"""Puts the files of one payload's evidence together: which runs and which result belong to which plan.

Whatever must hold before a number can be derived is checked here, so that no reader works with evidence that is not
what it says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sigilgen.errors import RecordError
from sigilgen.model.experiment import Experiment
from sigilgen.model.record import Attachment, PlanRecord, ProveRecord, Record
from sigilgen.model.run import Run
from sigilgen.store.canonical import digest_of
from sigilgen.store.codec import examine_record, examine_runs
from sigilgen.store.layout import PLAN_PATH, RECORD, RUNS, plan_path, result_folder
from sigilgen.store.limits import RECORD_MAX_BYTES, RUNS_MAX_BYTES
from sigilgen.store.report import Disagreement, about, in_file
from sigilgen.store.succession import KeptResult, latest, succession_faults
from sigilgen.store.verify_plan import plan_flaws
from sigilgen.store.verify_result import binding_flaws
from sigilgen.store.verify_runs import run_flaws

Read = Callable[[str, int], bytes]
"""Gives the bytes of a file of the store, `read(path, limit)`, or raises RecordError without the path."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A plan and all its results, in the order of their folders."""

    folder: str
    plan: PlanRecord
    results: tuple[KeptResult, ...]

    @property
    def experiment(self) -> Experiment:
        """The plan with its latest result."""
        result = latest(self.results)
        if result is None:
            return Experiment(self.folder, self.plan, None, ())
        return Experiment(self.folder, self.plan, result.record, result.runs)


@dataclass(frozen=True, slots=True)
class Gathering:
    """The experiments of one payload, how many plans and results were looked at, and everything that is wrong."""

    experiments: tuple[Gathered, ...]
    plans: int
    results: int
    disagreements: tuple[Disagreement, ...]


def by_payload(files: Iterable[str]) -> dict[str, list[str]]:
    """Files of the store by the folder of the payload that they are about."""
    folders: dict[str, list[str]] = {}
    for file in files:
        folders.setdefault("/".join(file.split("/")[:5]), []).append(file)
    return folders


def gather(folder: str, files: Sequence[str], read: Read) -> Gathering:
    """Read the plans, results and runs among `files`, which are all below `folder`."""
    disagreements: list[Disagreement] = []
    plan_files = [file for file in files if PLAN_PATH.fullmatch(file)]
    plans: dict[str, PlanRecord] = {}
    for file in plan_files:
        plan, found = _read_record(file, read)
        disagreements += found
        if isinstance(plan, PlanRecord):
            disagreements += in_file(file, plan_flaws(plan))
            plans[plan.id] = plan
    disagreements += _foreign_payloads([*plans.values()])
    homes = sorted({file.rpartition("/")[0] for file in files} - {folder})
    results: dict[str, list[KeptResult]] = {identity: [] for identity in plans}
    for home in homes:
        result, found = _read_result(home, plans, read)
        disagreements += found
        if result is not None:
            results[result.record.plan].append(result)
    for kept in results.values():
        disagreements += succession_faults(kept)
    experiments = tuple(Gathered(folder, plan, tuple(results[identity])) for identity, plan in plans.items())
    return Gathering(experiments, len(plan_files), len(homes), tuple(disagreements))


def _foreign_payloads(plans: Sequence[PlanRecord]) -> Iterator[Disagreement]:
    """The folder has only the start of the digest in its name: evidence on another payload could be made to fit."""
    for plan in plans[1:]:
        wanted, found = plans[0].subject.payload_digest, plan.subject.payload_digest
        if found != wanted:
            what = f"{found}; {plan_path(plans[0])}, in the same folder, has {wanted}"
            yield Disagreement(plan_path(plan), None, "$.subject.payload_digest", what)


def _read_record(file: str, read: Read) -> tuple[Record | None, list[Disagreement]]:
    """The record in `file`, which must stand where its content belongs, and everything that is wrong with it."""
    try:
        data = read(file, RECORD_MAX_BYTES)
    except RecordError as error:
        return None, [about(file, error.message)]
    record, flaws = examine_record(data)
    disagreements = in_file(file, flaws)
    if record is None:
        return None, disagreements
    place = plan_path(record) if isinstance(record, PlanRecord) else f"{result_folder(record)}/{RECORD}"
    if file != place:
        disagreements.append(about(file, f"holds a record that belongs into {place}"))
    return record, disagreements


def attachment_faults(file: str, data: bytes, attachment: Attachment, field: str) -> list[Disagreement]:
    """How the bytes of `file` differ from what the record beside it says at `field`."""
    record = f"{file.rpartition('/')[0]}/{RECORD}"
    faults = []
    if len(data) != attachment.size_bytes:
        what = f"{attachment.size_bytes}; the file has {len(data)}"
        faults.append(Disagreement(record, None, f"$.{field}.size_bytes", what))
    if (digest := digest_of(data)) != attachment.sha256:
        faults.append(Disagreement(record, None, f"$.{field}.sha256", f"{attachment.sha256}; the file has {digest}"))
    return faults


def _read_result(
    home: str, plans: Mapping[str, PlanRecord], read: Read
) -> tuple[KeptResult | None, list[Disagreement]]:
    file = f"{home}/{RECORD}"
    record, disagreements = _read_record(file, read)
    if not isinstance(record, ProveRecord):
        return None, disagreements
    plan = plans.get(record.plan)
    if plan is None:
        what = f"no readable plan in this folder has the id {record.plan}"
        return None, [*disagreements, Disagreement(file, None, "$.plan", what)]
    disagreements += in_file(file, binding_flaws(record, plan))
    runs, complete, found = _read_runs(home, plan, record, read)
    return KeptResult(record, home, runs, complete), disagreements + found


def _read_runs(
    home: str, plan: PlanRecord, result: ProveRecord, read: Read
) -> tuple[tuple[Run, ...], bool, list[Disagreement]]:
    file = f"{home}/{RUNS}"
    try:
        data = read(file, RUNS_MAX_BYTES)
    except RecordError as error:
        return (), False, [about(file, error.message)]
    runs, flaws = examine_runs(data)
    disagreements = attachment_faults(file, data, result.runs, "runs") + in_file(file, flaws)
    if flaws:
        return runs, False, disagreements
    return runs, True, disagreements + in_file(file, run_flaws(runs, plan, result))
