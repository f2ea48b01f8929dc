"""`sigil` and `python -m sigilgen`."""

import sys


def main() -> None:
    """Run the command line and end with its exit status."""
    from sigilgen.cli import run  # noqa: PLC0415  (late, so that importing this module costs nothing)

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
