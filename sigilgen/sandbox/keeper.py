"""Runs one command and outlives nothing: when the command ends, times out, or Sigil dies, all its processes die.

A program of its own, started by `sandbox.process` as `python keeper.py SPEC`; only the standard library, and
no import from `sigilgen`, so that it starts in milliseconds. Standard input is a pipe that Sigil keeps open: its end
means that Sigil is gone, by `kill -9` too. On Linux the keeper adopts every process that the command leaves behind
(PR_SET_CHILD_SUBREAPER), so that one that forked twice or left the session is found as well. Elsewhere only the
command's own process group is ended.

A command can be given a network of its own, and on top of that processes of its own: it is number 1 among them then,
sees no other and can signal no other, none of them can kill it, and the kernel ends them all with it.
"""

import contextlib
import json
import os
import select
import signal
import sys
import time

LIFELINE = 0
GRACE_SECONDS = 1.0
BURIAL_SECONDS = 10.0
PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_NOSUID_NODEV_NOEXEC = 2 | 4 | 8
SIOCSIFFLAGS = 0x8914
IFF_UP = 1
COULD_NOT_START = 127


def main() -> None:
    """Run the command that the file SPEC describes; report how it ended on its pipe, unless Sigil is gone."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123  (pathlib would double the start-up time)
        spec = json.load(file)
    _adopt_orphans()
    if spec["isolation"] != "none":
        _isolate(processes=spec["isolation"] == "processes")
    for descriptor in (*spec["keep"], spec["report"]):
        os.set_inheritable(descriptor, False)  # noqa: FBT003  (os takes no keywords): they are ours, not the agent's
    wake = _wake_on_child_end()
    trouble, report_trouble = os.pipe()  # closes by itself when the command starts
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        _become(spec, report_trouble)
    os.close(report_trouble)
    _report(spec["report"], {"group": child})
    ending, raw = _wait(child, wake, started + spec["timeout_seconds"])
    milliseconds = round((time.monotonic() - started) * 1000)
    if ending == "timeout":
        _signal_group(child, signal.SIGTERM)  # a moment for its last words
        _, raw = _wait(child, wake, time.monotonic() + GRACE_SECONDS)
    status = _bury(child, raw)
    if ending != "orphaned":
        result = {
            "exit": status if status is None or status >= 0 else 128 - status,
            "killed": status is not None and status < 0,
            "timed_out": ending == "timeout",
            "milliseconds": milliseconds,
            "all_dead": status is not None,
            "start_error": os.read(trouble, 4096).decode(errors="replace"),
        }
        _report(spec["report"], result)


def _report(pipe: int, facts: dict) -> None:  # type: ignore[type-arg]  # a JSON object
    """One line, far shorter than what a pipe holds: writing never waits for Sigil."""
    os.write(pipe, json.dumps(facts).encode() + b"\n")


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  (ten milliseconds that other systems need not pay)

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_on_child_end() -> int:
    """Make the end of a child readable, so that one `select` waits for it, for Sigil and for the clock."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return read_end


def _become(spec: dict, report_trouble: int) -> None:  # type: ignore[type-arg]  # a JSON object, read once
    """In the child: turn into the command, or report why that failed. Never returns."""
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if spec["isolation"] == "processes":
            _see_own_processes_only()
        stdin = os.open(spec["stdin"], os.O_RDONLY)
        os.dup2(stdin, 0)
        os.chdir(spec["cwd"])
        os.execvpe(spec["argv"][0], spec["argv"], spec["env"])  # noqa: S606  (no shell is the point)
    except OSError as error:
        os.write(report_trouble, f"could not start {spec['argv'][0]}: {error}".encode()[:4096])
    finally:
        os._exit(COULD_NOT_START)


def _isolate(*, processes: bool) -> None:
    """Move to a network that holds nothing but a loopback interface, or end when the kernel refuses.

    With `processes` the next process that is started is the first of a world of its own as well.
    """
    try:
        _leave(CLONE_NEWUSER | CLONE_NEWNET | (CLONE_NEWPID if processes else 0))
    except OSError as error:
        sys.exit(f"could not isolate the command: {error}")


def _leave(namespaces: int) -> None:
    import fcntl  # noqa: PLC0415  (only isolated commands need these)
    import socket  # noqa: PLC0415
    import struct  # noqa: PLC0415

    uid, gid = os.getuid(), os.getgid()
    _ask_kernel("unshare", namespaces)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def _see_own_processes_only() -> None:
    """In the child: a /proc that shows its own world, and shared memory that nobody else has."""
    _ask_kernel("unshare", CLONE_NEWNS)
    _ask_kernel("mount", b"proc", b"/proc", b"proc", MS_NOSUID_NODEV_NOEXEC, None)
    if os.path.isdir("/dev/shm"):  # noqa: PTH112, S108  (programs name what they keep there after process numbers)
        _ask_kernel("mount", b"tmpfs", b"/dev/shm", b"tmpfs", MS_NOSUID_NODEV_NOEXEC, None)


def _ask_kernel(call: str, *arguments: object) -> None:
    import ctypes  # noqa: PLC0415  (as above)

    if getattr(ctypes.CDLL(None, use_errno=True), call)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"the kernel refuses {call}: {os.strerror(error)}")


def _wait(child: int, wake: int, deadline: float) -> "tuple[str, int | None]":
    """Wait until the child has `ended`, the clock says `timeout`, or Sigil is gone (`orphaned`).

    The second value is what waitpid said of a child that has ended.
    """
    while True:
        pid, raw = os.waitpid(child, os.WNOHANG)
        if pid == child:
            return "ended", raw
        left = deadline - time.monotonic()
        if left <= 0:
            return "timeout", None
        readable, _, _ = select.select([LIFELINE, wake], [], [], left)
        if LIFELINE in readable and not os.read(LIFELINE, 1):
            return "orphaned", None
        if wake in readable:
            os.read(wake, 4096)


def _bury(child: int, raw: "int | None") -> "int | None":
    """Kill and reap the command and all that came from it.

    The command's exit status, negative for a signal, or None when something would not die.
    """
    deadline = time.monotonic() + BURIAL_SECONDS
    _signal_group(child, signal.SIGKILL)
    while time.monotonic() < deadline:
        try:
            pid, reaped = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == child:
            raw = reaped
        elif pid == 0:
            kill_family(os.getpid())
            time.sleep(0.001)
    else:
        return None
    return os.waitstatus_to_exitcode(raw or 0)


def kill_family(ancestor: int) -> None:
    """Stop every descendant before killing any, so that none can fork its way out between two kills."""
    family = _descendants(ancestor)
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def _descendants(ancestor: int) -> "list[int]":
    """Parents before their children, however long their line is."""
    family = [ancestor]
    for pid in family:
        family += _children(pid)
    return family[1:]


def _children(pid: int) -> "list[int]":
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (pathlib would double the start-up time)
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:  # noqa: PTH123  (likewise)
                found += map(int, file.read().split())
    except OSError:
        return found  # it has ended meanwhile
    return found


def _signal_group(leader: int, number: int) -> None:
    # It may be gone already, or not yet the leader of a group: then it is killed as a descendant.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123  (pathlib would double the start-up time)
        file.write(text)


if __name__ == "__main__":
    main()
