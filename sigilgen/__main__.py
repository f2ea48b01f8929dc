"""`sigil` and `python -m sigilgen`."""

import sys


def main() -> None:
    """Run the command line and end with its exit status."""
    try:
        from sigilgen.interrupts import ignore_interrupts, interrupt_once  # noqa: PLC0415  (inside, to catch Ctrl-C)

        interrupt_once()
        from sigilgen.cli import run  # noqa: PLC0415  (late, so that importing this module costs nothing)

        status = run(sys.argv[1:])
        ignore_interrupts()
    except KeyboardInterrupt:  # before or after the command: there is nothing to clean up
        sys.stderr.write("interrupted\n")
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
