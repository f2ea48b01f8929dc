"""How many results `sigil verify` checks in a second: 2,000 of them, of 36 runs each, in a git repository.

Every result comes with its plan, runs of some 2.5 kB and transcripts of some 2 kB a run. Limit: 200 results a second on
one core, git's history included.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sigilgen.model.run import Run
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.verify import verify_store
from tests.conftest import build_experiment

RESULTS = 2_000
LIMIT_PER_SECOND = 200
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
        identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.com"]
        subprocess.run(["git", *identity, *command], cwd=repository, check=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        build(repository, RESULTS)
        size = sum(file.stat().st_size for file in repository.glob("evidence/**/*") if file.is_file())
        start, cpu_start = time.perf_counter(), time.process_time()
        report = verify_store(repository, since=None)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    assert not report.disagreements, report.disagreements[:5]
    assert report.records == 2 * RESULTS
    rate = RESULTS / seconds
    print(
        f"{RESULTS} results, {report.runs} runs, {size / 1e6:.0f} MB: {seconds:.1f} s, of which {cpu:.1f} s on one core"
    )
    print(f"{rate:.0f} results/s")
    if rate < LIMIT_PER_SECOND:
        sys.exit(f"fewer than {LIMIT_PER_SECOND} results a second")


if __name__ == "__main__":
    main()
