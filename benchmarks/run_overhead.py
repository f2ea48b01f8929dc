"""What a host run costs besides the agent and the verifier, against starting the two by hand.

Usage: python benchmarks/run_overhead.py [RUNS]
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sigilgen.agents import scripted
from sigilgen.lab.attempt import Ticket, attempt
from sigilgen.lab.bench import Bench
from sigilgen.lab.clock import now
from sigilgen.lab.experiment import prepare_kits
from sigilgen.lab.kit import Kit
from sigilgen.lab.workspace import Installable
from sigilgen.model.record import Cell
from sigilgen.model.run import Condition
from sigilgen.sandbox.host import HostSandbox
from sigilgen.sandbox.process import Stopper
from sigilgen.store.catalogue import find_entry
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import find_suite

REPOSITORY = Path(__file__).resolve().parents[1]
CAPABILITY = "sigil/durable-files"
SUITE = "python-file-safety"
LIMIT_MILLISECONDS = 150


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        kits = list(prepare_kits(find_suite(REPOSITORY, SUITE), scratch / "kits").values())
        bench = make_bench(scratch)
        overheads, bare = [], []
        for number in range(runs):
            kit = kits[number % len(kits)]
            overheads.append(overhead(bench, kit, number))
            bare.append(by_hand(kit, scratch))
    print(f"{runs} treatment runs of {SUITE} with {CAPABILITY}, one at a time")
    print(f"overhead of a run      median {statistics.median(overheads):6.1f} ms, max {max(overheads):6.1f} ms")
    print(f"two bare processes     median {statistics.median(bare):6.1f} ms, max {max(bare):6.1f} ms")
    print(f"ratio of the medians   {statistics.median(overheads) / statistics.median(bare):.1f}")
    if statistics.median(overheads) > LIMIT_MILLISECONDS:
        sys.exit(f"more than {LIMIT_MILLISECONDS} ms")


def make_bench(scratch: Path) -> Bench:
    entry = find_entry(REPOSITORY, CAPABILITY)
    (scratch / "staging").mkdir()
    return Bench(
        agent=scripted,
        model=None,
        sandbox=HostSandbox(scratch / "boxes"),
        scratch=scratch / "staging",
        clock=now,
        installable=Installable(
            slug=entry.capability.slug,
            kind=entry.capability.kind,
            payload=read_payload(entry.folder),
            folder=entry.folder,
        ),
    )


def overhead(bench: Bench, kit: Kit, number: int) -> float:
    """Milliseconds of one attempt that neither the agent nor the verifier spent."""
    cell = Cell(task=kit.task.id, condition=Condition.TREATMENT, repeat=number)
    ticket = Ticket(position=number, attempt=1, cell=cell, seed=number)
    started = time.perf_counter()
    run = attempt(bench, kit, ticket, Stopper(), agent_done=lambda: None).run
    whole = (time.perf_counter() - started) * 1000
    assert run.agent_milliseconds is not None, run.infra
    assert run.verifier_milliseconds is not None, run.infra
    return whole - run.agent_milliseconds - run.verifier_milliseconds


def by_hand(kit: Kit, scratch: Path) -> float:
    """Milliseconds of what nobody could do without: copying the workspace and starting two interpreters."""
    started = time.perf_counter()
    subprocess.run(["cp", "-R", str(kit.start), str(scratch / "copy")], check=True)
    for _ in range(2):
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
    whole = (time.perf_counter() - started) * 1000
    subprocess.run(["rm", "-rf", str(scratch / "copy")], check=True)
    return whole


if __name__ == "__main__":
    main()
