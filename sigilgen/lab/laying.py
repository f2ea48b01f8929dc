"""Laying the desk of a new experiment, all at once or not at all, and taking it away again."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from sigilgen.errors import StoreError
from sigilgen.lab.desk import Desk, damaged, desk_of, experiments_folder, refuse_links
from sigilgen.model.record import PlanRecord
from sigilgen.sandbox.trees import copy_tree, remove
from sigilgen.store.catalogue import Entry
from sigilgen.store.codec import encode_record
from sigilgen.store.payload import install_payload, read_payload
from sigilgen.store.suites import SuiteEntry, find_suite

HALF_LAID = "new-"
HALF_CLEARED = "old-"
"""How the names of folders begin that a crash leaves when it comes while a desk is laid or cleared."""


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """What the command asked for besides the plan; kept on the desk so that a resumed experiment does the same."""

    commit: bool
    keep_transcripts: bool


def begin(repository: Path, plan: PlanRecord, entry: Entry, suite: SuiteEntry, orders: Orders) -> Desk:
    """Lay the desk for `plan`: copies of the payload and the suite, so that later edits cannot reach the runs."""
    desk = desk_of(repository, plan.id)
    folder = experiments_folder(repository)
    refuse_links(repository, desk)
    folder.mkdir(parents=True, exist_ok=True)
    (folder.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    with _one_at_a_time(folder):
        _clear_leftovers(folder)
        _lay(Desk(Path(tempfile.mkdtemp(prefix=HALF_LAID, dir=folder))), desk, plan, entry, suite, orders)
    return desk


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep others from taking a desk that is being laid or cleared for one that a crash left like that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _clear_leftovers(folder: Path) -> None:
    for path in (*folder.glob(f"{HALF_LAID}*"), *folder.glob(f"{HALF_CLEARED}*")):
        remove(path)


def _lay(fresh: Desk, desk: Desk, plan: PlanRecord, entry: Entry, suite: SuiteEntry, orders: Orders) -> None:
    try:
        (fresh.inputs / "tasks").mkdir(parents=True)
        install_payload(entry.folder, read_payload(entry.folder), fresh.payload)
        copy_tree(suite.folder, fresh.inputs / "tasks" / suite.suite.id)
        check_inputs(fresh, plan)
        fresh.plan.write_bytes(encode_record(plan))
        fresh.order.write_bytes(msgspec.json.encode(orders))
        fresh.root.rename(desk.root)
    except BaseException:
        remove(fresh.root)
        raise


def check_inputs(desk: Desk, plan: PlanRecord) -> SuiteEntry:
    """Refuse to go on with inputs that are not the ones of the plan."""
    suite = find_suite(desk.inputs, plan.subject.suite)
    payload = read_payload(desk.payload)
    for what, found, wanted in (
        ("payload", payload.digest, plan.subject.payload_digest),
        ("suite", suite.suite.digest, plan.subject.suite_digest),
    ):
        if found != wanted:
            raise StoreError(
                f"the {what} in {desk.inputs} is {found}, planned was {wanted}",
                hint="It changed after the plan was made. Start a new experiment.",
            )
    return suite


def load_orders(desk: Desk) -> Orders:
    try:
        return msgspec.json.decode(desk.order.read_bytes(), type=Orders)
    except (OSError, msgspec.MsgspecError) as error:
        raise damaged(desk.order, error) from error


def clear(desk: Desk) -> None:
    """Take the desk away at once, before its things: half a desk would look like an experiment to be gone on with."""
    with _one_at_a_time(desk.root.parent):
        cleared = desk.root.with_name(f"{HALF_CLEARED}{desk.root.name}")
        remove(cleared)
        remove(desk.root.rename(cleared))


def desks(repository: Path) -> list[Desk]:
    """Every experiment under way in this checkout, the newest first."""
    folder = experiments_folder(repository)
    found = [
        desk
        for desk in map(Desk, folder.glob("*"))
        if desk.plan.is_file() and not desk.root.name.startswith((HALF_LAID, HALF_CLEARED))
    ]
    return sorted(found, key=lambda desk: desk.plan.stat().st_mtime, reverse=True)
