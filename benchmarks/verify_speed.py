"""How many results `sigil verify` checks in a second: `python benchmarks/verify_speed.py [results]`.

2,000 results of 36 runs each, in a git repository. Every result comes with its plan, runs of some 2.5 kB and
transcripts of some 2 kB a run. Limit: 200 results for each second of processor time, git's included. Beside it, in
turns, stands what nobody could do without: reading every file, hashing it and decoding its JSON. The ratio tells
whether the machine or Sigil is slow.
"""

import gzip
import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sigilgen.model.run import Run
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.verify import verify_store
from tests.conftest import build_experiment

LIMIT_PER_SECOND = 200
ROUNDS = 3
NO_HOUSEKEEPING = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
"""Git would go on packing in the background, while things are measured and while the folder is removed."""

PASSES = {"parse-dates": (2, 5), "read-config": (3, 6), "write-report": (1, 4)}
PATCH = "".join(
    f"@@ -{line} +{line} @@\n-    value = read({line})\n+    value = read({line} + 1)\n" for line in range(25)
)
TALK = "".join(f'{{"type":"assistant","text":"step {step}: read the file, then change it"}}\n' for step in range(30))


def with_patch(run: Run) -> Run:
    return msgspec.structs.replace(run, patch=PATCH)


def build(repository: Path, results: int) -> None:
    for number in range(results):
        experiment, runs, transcripts = build_experiment(
            capability=f"acme/skill-{number // 4}",
            payload=f"payload {number // 2}",
            passes=PASSES,
            repeats=6,
            seed=number,
            change=with_patch,
            talk=TALK,
        )
        assert experiment.result is not None
        publish_plan(repository, experiment.plan, commit=False)
        publish_result(
            repository, experiment.result, runs=runs, transcripts=transcripts, keep_transcripts=True, commit=False
        )
    for command in (["init", "--quiet"], ["add", "evidence"], ["commit", "--quiet", "--message", "Evidence"]):
        settings = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com", *NO_HOUSEKEEPING]
        subprocess.run(["git", *settings, *command], cwd=repository, check=True)


def read_all(repository: Path) -> None:
    """Read, hash and decode every file, and nothing more."""
    for file in sorted(repository.glob("evidence/**/*")):
        if not file.is_file():
            continue
        data = file.read_bytes()
        hashlib.sha256(data).digest()
        for line in (gzip.decompress(data) if file.suffix == ".gz" else data).splitlines():
            msgspec.json.decode(line)


def verify_all(repository: Path) -> None:
    report = verify_store(repository, since=None)
    assert report.runs > 0
    assert not report.disagreements, report.disagreements[:5]


def seconds(work: Callable[[Path], None], repository: Path) -> tuple[float, float]:
    """Seconds on the clock, and of the processor with those of the programs that were started."""
    clock, before = time.perf_counter(), os.times()
    work(repository)
    after = os.times()
    return time.perf_counter() - clock, sum(after[:4]) - sum(before[:4])


def main() -> None:
    results = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    verifying, reading = [], []
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        build(repository, results)
        size = sum(file.stat().st_size for file in repository.glob("evidence/**/*") if file.is_file())
        for _ in range(ROUNDS):
            reading.append(seconds(read_all, repository))
            verifying.append(seconds(verify_all, repository))
    clock, cpu = (statistics.median(times) for times in zip(*verifying, strict=True))
    _, bare = (statistics.median(times) for times in zip(*reading, strict=True))
    print(f"{results} results, {36 * results} runs, {size / 1e6:.0f} MB, median of {ROUNDS}")
    print(f"read, hash, decode  {bare:6.1f} s of the processor")
    print(f"sigil verify        {cpu:6.1f} s of the processor, {clock:.1f} s on the clock")
    print(f"ratio               {cpu / bare:6.1f}")
    print(f"results             {results / cpu:6.0f} for each second of the processor (limit: {LIMIT_PER_SECOND})")
    if results / cpu < LIMIT_PER_SECOND:
        sys.exit(f"fewer than {LIMIT_PER_SECOND} results a second")


if __name__ == "__main__":
    main()
