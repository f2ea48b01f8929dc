"""Digest against the documented shell pipeline: both seal the same 5,000 small files in one run, side by side.

    python benchmarks/digest_speed.py [--files N] [--tool sha256sum|shasum] [--repeats N]

The pipeline of the method page starts `shasum`, a Perl program, for each file. By default it is given `sha256sum`
instead where that exists, which is several times as fast: the ratio printed is the less flattering one.
"""

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sigilgen.store.payload import read_payload

PIPELINE = r"""
find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
  | sed 's|^\./||' | LC_ALL=C sort \
  | while IFS= read -r f; do TOOL "$f"; done \
  | TOOL
"""
TOOLS = {"sha256sum": "sha256sum", "shasum": "shasum -a 256"}
FLOOR = 10


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _make_files(folder, options.files)
        command = PIPELINE.replace("TOOL", TOOLS[options.tool])
        read_payload(folder)  # warms the file cache for both
        ours, theirs = [], []
        for _ in range(options.repeats):
            ours.append(_time_ours(folder))
            theirs.append(_time_pipeline(folder, command))
    digests = {digest for _, digest in ours + theirs}
    assert len(digests) == 1, f"the two disagree: {digests}"
    ours_seconds = statistics.median(seconds for seconds, _ in ours)
    pipeline_seconds = statistics.median(seconds for seconds, _ in theirs)
    ratio = pipeline_seconds / ours_seconds
    print(f"{options.files:,} files, median of {options.repeats}")
    for name, seconds in (("sigil digest", ours_seconds), (f"pipeline with {options.tool}", pipeline_seconds)):
        print(f"  {name:<24}{seconds:9.3f} s {options.files / seconds:10,.0f} files/s")
    print(f"  {'ratio':<24}{ratio:9.1f}   (floor {FLOOR})")
    return 0 if ratio >= FLOOR else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    present = [tool for tool in TOOLS if shutil.which(tool)]
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--tool", choices=present, default=present[0])
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args()


def _make_files(folder: Path, count: int) -> None:
    """Small files of random bytes, 50 to a folder, sized like those of real skills."""
    draw = random.Random(1)  # noqa: S311  (content of test files)
    for number in range(count):
        place = folder / f"part-{number // 50:04d}" / f"file-{number:05d}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(draw.randbytes(draw.randrange(200, 8_000)))


def _time_ours(folder: Path) -> tuple[float, str]:
    start = time.perf_counter()
    digest = read_payload(folder).digest
    return time.perf_counter() - start, digest.removeprefix("sha256:")


def _time_pipeline(folder: Path, command: str) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=True)
    return time.perf_counter() - start, done.stdout.split()[0]


if __name__ == "__main__":
    sys.exit(main())
