"""`sigil` and `python -m sigilgen`, and what happens when either is asked to stop."""

import sys

INTERRUPTED = 130
MOMENT_SECONDS = 0.01
STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")
"""Ctrl-C, the system's wish that a program ends, and a terminal that is closed: for every command they are the same."""


def main() -> None:
    """Run the command line and end with its exit status."""
    try:
        _interrupt_once()
        from sigilgen.cli import run  # noqa: PLC0415  (late, so that importing this module costs nothing)

        status = run(sys.argv[1:])
        _ignore_stopping()
    except KeyboardInterrupt:  # outside of any command: nothing is there to be cleaned up
        sys.stderr.write("interrupted\n")
        status = INTERRUPTED
    sys.exit(status)


def _interrupt_once() -> None:
    """Let the first signal to stop raise KeyboardInterrupt, and those after it change nothing.

    Signals come in pairs (`timeout` sends one to its child and one to the group) and impatience sends more: a second
    one would end the clean-up that the first began, which is short. Signals that our parent ignores stay ignored.
    """
    import signal  # noqa: PLC0415  (here an interrupt that comes this early is caught)
    from types import FrameType  # noqa: PLC0415

    interrupted = False

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            return
        if _is_importing(frame):
            signal.setitimer(signal.ITIMER_REAL, MOMENT_SECONDS)
            return
        interrupted = True
        raise KeyboardInterrupt

    def interrupt_again(dropped: "sys.UnraisableHookArgs") -> None:
        """Python drops whatever is raised while an object is finalised."""
        nonlocal interrupted
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            interrupted = False
            signal.setitimer(signal.ITIMER_REAL, MOMENT_SECONDS)
        else:
            sys.__unraisablehook__(dropped)

    sys.unraisablehook = interrupt_again
    for name in (*STOPPING, "SIGALRM"):
        number = getattr(signal, name)
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def _is_importing(frame: object) -> bool:
    """Whether a module is being imported. An interrupt waits for that: some libraries print it, or take it for theirs."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _ignore_stopping() -> None:
    """The command has ended: its status stands, and nothing may disturb Python's own end."""
    import signal  # noqa: PLC0415

    for name in STOPPING:
        signal.signal(getattr(signal, name), signal.SIG_IGN)


if __name__ == "__main__":
    main()
