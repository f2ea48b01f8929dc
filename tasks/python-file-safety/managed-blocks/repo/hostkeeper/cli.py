"""`python3 -m hostkeeper PLAN`: run by cron every night."""

import argparse
import sys

from hostkeeper.apply import apply_plan
from hostkeeper.blocks import BlockError
from hostkeeper.plan import PlanError, load_plan


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="hostkeeper", description="Make files match a plan.")
    parser.add_argument("plan")
    parser.add_argument("--quiet", action="store_true", help="list only files that were written")
    options = parser.parse_args(arguments)
    try:
        changes = apply_plan(load_plan(options.plan))
    except (PlanError, BlockError, OSError) as error:
        print(f"hostkeeper: {error}", file=sys.stderr)
        return 1
    for change in changes:
        if change.status != "unchanged" or not options.quiet:
            print(f"{change.status:<10} {change.path}")
    return 0
