"""How long the page generator takes for each capability: `python benchmarks/build_speed.py [capabilities]`.

Makes a repository of made-up capabilities, each with one result of 36 runs, in a temporary folder, and generates its
pages twice. The builder (MkDocs) is not measured. Times are those of the processor, so that a busy machine changes them
little. The numbers of one run are to be compared with each other: reading against writing, and the first build against
the second.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sigilgen.lab.record import make_result
from sigilgen.model.capability import Kind
from sigilgen.model.record import METHOD_VERSION, PlanRecord, Setting, Subject
from sigilgen.model.run import Condition, Outcome, Run, Usage
from sigilgen.pages.measured import derive
from sigilgen.pages.site import read_contents, site_pages
from sigilgen.pages.tree import write_pages
from sigilgen.policy.order import planned_cells
from sigilgen.store.canonical import digest_of
from sigilgen.store.codec import seal
from sigilgen.store.evidence import publish_plan, publish_result
from sigilgen.store.payload import read_payload
from sigilgen.store.suites import load_suites

T = TypeVar("T")

TASKS = ("parse-dates", "read-config", "sort-names")
REPEATS = 6
ALLOWED_MILLISECONDS = 20.0

MANIFEST = """schema: 1
kind: skill
title: Made up
summary: Made up for a benchmark.
license: Apache-2.0
maintainers: [nobody]
permissions: {}
suites: [made-up]
"""
SKILL = "---\nname: NAME\ndescription: Made up for a benchmark, to be read by nobody.\n---\n\nDo nothing.\n"
TASK = "schema: 1\ntitle: Made up\ntimeout_seconds: 60\nverify_timeout_seconds: 10\nprotected: []\n"
SUITE = (
    "schema: 1\ntitle: Made up\nsummary: Made up.\nlicense: Apache-2.0\nmaintainers: [nobody]\nlanguages: [python]\n"
)


def main() -> None:
    """Measure, print, and end with 1 if the generator took longer than it may."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        _make_repository(repository, count)
        contents, reading = _timed(lambda: read_contents(repository))
        pages, first = _timed(lambda: site_pages(contents))
        changes, writing = _timed(lambda: write_pages(repository / "site_src", pages))
        again, second = _timed(lambda: site_pages(contents))
        _, rewriting = _timed(lambda: write_pages(repository / "site_src", again))
    assert pages == again, "two builds differ"
    _, judging = _timed(lambda: [derive(experiment) for experiment in contents.experiments])
    total = 1_000 * (reading + first + writing) / count
    print(f"{count} capabilities, {len(contents.experiments)} results, {changes.written} files")
    for what, seconds in {
        "read the repository": reading,
        "make the pages": first,
        "  of which: judge the experiments": judging,
        "write the files": writing,
        "make the pages again": second,
        "write nothing, all is there": rewriting,
    }.items():
        print(f"{what:42} {1_000 * seconds / count:8.2f} ms each")
    print(f"first to second build                      {(first + writing) / (second + rewriting):8.2f}")
    print(f"generator, read to written                 {total:8.2f} ms each (allowed: {ALLOWED_MILLISECONDS:.0f})")
    raise SystemExit(total > ALLOWED_MILLISECONDS)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def _make_repository(repository: Path, count: int) -> None:
    suite = repository / "tasks" / "made-up"
    for task in TASKS:
        for path, text in {
            "task.yaml": TASK,
            "prompt.md": "Mend it.\n",
            "repo/app.py": "pass\n",
            "verifier/verify.sh": "exit 1\n",
            "solution/app.py": "print()\n",
        }.items():
            _write(suite / task / path, text)
    _write(suite / "suite.yaml", SUITE)
    digest = load_suites(repository)[0].suite.digest
    for number in range(count):
        name = f"made-up/skill-{number}"
        folder = repository / "catalog" / "skills" / name
        _write(folder / "sigil.yaml", MANIFEST)
        _write(folder / "SKILL.md", SKILL.replace("NAME", f"skill-{number}"))
        _measure(repository, name, read_payload(folder).digest, digest, seed=number)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _measure(repository: Path, name: str, payload: str, suite: str, *, seed: int) -> None:
    """Publish one experiment with random outcomes."""
    plan = seal(
        PlanRecord(
            schema=1,
            id="",
            created_at="2026-01-01T00:00:00.000Z",
            subject=Subject(
                capability=name,
                capability_kind=Kind.SKILL,
                payload_digest=payload,
                permissions_digest=payload,
                suite="made-up",
                suite_digest=suite,
            ),
            setting=Setting(
                agent="made-up-agent",
                agent_version="1",
                model="made-up-model",
                sandbox="host",
                image_digest=None,
                network="host",
                verifier_network="host",
                platform="linux",
                sigil_version="0",
                method_version=METHOD_VERSION,
            ),
            rehearsal=False,
            seed=seed,
            repeats=REPEATS,
            timeouts_seconds=dict.fromkeys(TASKS, 60),
            cells=planned_cells(TASKS, repeats=REPEATS, seed=seed),
        )
    )
    publish_plan(repository, plan, commit=False)
    chance = random.Random(seed)  # noqa: S311  (made-up outcomes)
    runs = [_run(plan, position, chance) for position in range(len(plan.cells))]
    result = make_result(plan, runs, [], finished_at="2026-01-01T01:00:00.000Z", keep_transcripts=False)
    publish_result(
        repository,
        result.record,
        runs=result.runs,
        transcripts=result.transcripts,
        keep_transcripts=False,
        commit=False,
    )


def _run(plan: PlanRecord, position: int, chance: random.Random) -> Run:
    cell = plan.cells[position]
    passed = chance.random() < (0.8 if cell.condition is Condition.TREATMENT else 0.4)
    return Run(
        position=position,
        attempt=1,
        task=cell.task,
        condition=cell.condition,
        repeat=cell.repeat,
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        infra=None,
        started_at="2026-01-01T00:10:00.000Z",
        agent_milliseconds=chance.randrange(10_000, 90_000),
        agent_exit=0,
        timed_out=False,
        verifier_milliseconds=500,
        verifier_exit=0 if passed else 1,
        verifier_timed_out=False,
        verifier_output="....F\n" * 40,
        model_requested="made-up-model",
        models_served=("made-up-model",),
        agent_version="1",
        final_message="I changed the parser and all tests pass now.\n" * 10,
        usage=Usage(input_tokens=chance.randrange(5_000, 90_000), output_tokens=chance.randrange(500, 9_000)),
        cost_micro_usd=chance.randrange(10_000, 900_000),
        turns=9,
        capability_listed=True,
        capability_used=True,
        protected=(),
        patch="@@ -1 +1 @@\n-old = {}\n+new = [1]\n" * 60,
        patch_truncated=False,
        transcript_bytes=0,
        transcript_sha256=digest_of(b""),
    )


if __name__ == "__main__":
    main()
