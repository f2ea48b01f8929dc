"""What happens when a command is asked to stop: set up once, before anything else is imported.

Ctrl-C, the system's wish that a program ends and a terminal that is closed are the same for every command.
"""

import signal
import sys
from types import FrameType

MOMENT_SECONDS = 0.01
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
IMPORTING = "<frozen importlib._bootstrap>"


def interrupt_once() -> None:
    """Let the first signal to stop raise KeyboardInterrupt, and those after it change nothing.

    Signals come in pairs (`timeout` sends one to its child and one to the group) and impatience sends more: a second
    one would end the clean-up that the first began. Signals that our parent has us ignore stay ignored.
    """
    interrupted = False

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        if interrupted:
            return
        if _is_importing(frame):
            _ask_again_soon()
            return
        interrupted = True
        raise KeyboardInterrupt

    def take_back(dropped: "sys.UnraisableHookArgs") -> None:
        """Python drops what is raised while an object is finalised, an interrupt too."""
        nonlocal interrupted
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(dropped)
            return
        interrupted = False
        _ask_again_soon()

    sys.unraisablehook = take_back
    for number in (*STOPPING, signal.SIGALRM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def ignore_interrupts() -> None:
    """For when a command has ended: its exit status stands, and nothing may disturb Python's own end."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def _ask_again_soon() -> None:
    """Have the system send SIGALRM, which interrupts like the others."""
    signal.setitimer(signal.ITIMER_REAL, MOMENT_SECONDS)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported: then some libraries print an interrupt, or take it for a fault of theirs."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False
