"""`python3 -m coldstore ARCHIVE FOLDER`: for people in support."""

import argparse
import sys

from coldstore.limits import Limits, parse_size
from coldstore.restore import RestoreError, restore


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="coldstore", description="Restore an archive into a folder.")
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--max-bytes", type=parse_size, default=Limits.max_bytes, metavar="SIZE")
    parser.add_argument("--max-files", type=int, default=Limits.max_files, metavar="N")
    options = parser.parse_args(arguments)
    try:
        report = restore(options.archive, options.folder, Limits(options.max_bytes, options.max_files))
    except (RestoreError, OSError) as error:
        print(f"coldstore: {error}", file=sys.stderr)
        return 1
    print(report)
    return 0
