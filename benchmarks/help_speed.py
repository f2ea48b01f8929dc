"""How long `sigil --help` takes, beside an interpreter that does nothing, in turns on the same machine.

Limit: 0.25 s at the median. The ratio tells whether the machine or Sigil is slow.
"""

import statistics
import subprocess
import sys
import time

ROUNDS = 20
LIMIT_SECONDS = 0.25
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "sigil --help": [sys.executable, "-m", "sigilgen", "--help"],
    "sigil prove --help": [sys.executable, "-m", "sigilgen", "prove", "--help"],
}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    for command in COMMANDS.values():
        seconds(command)  # the first start compiles and fills the caches
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    medians = {name: statistics.median(values) for name, values in times.items()}
    nothing = medians["python -c pass"]
    for name, median in medians.items():
        print(f"{name:20} {median * 1000:6.0f} ms   {median / nothing:5.1f} x")
    if medians["sigil --help"] > LIMIT_SECONDS:
        sys.exit(f"sigil --help took more than {LIMIT_SECONDS} s")


if __name__ == "__main__":
    main()
