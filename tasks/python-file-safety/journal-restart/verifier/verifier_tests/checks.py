"""Hidden checks: the work runs in forks of this process, and this process judges what they leave behind.

The exit status is the verdict. This process itself imports nothing from the workspace.
"""

import contextlib
import errno
import json
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import traceback
import types
import unittest
from pathlib import Path
from typing import Any, NamedTuple

# For the work: what is loaded before a fork need not be loaded after it.
import argparse
import collections
import dataclasses

# ---- machinery, the same in every task of this suite ----
# One file, because a second one would have to be imported from a folder that the work under test could write to.

WORKSPACE = Path(__file__).resolve().parent.parent
ANSWER_BYTES = 1 << 20

# Taken out of their modules now: the work may replace what modules hold, though only in the process that it runs in.
end_process = os._exit
encode = json.JSONEncoder().encode


class Ended(NamedTuple):
    """How a process ended: its exit status (negative: the signal that ended it), and what its action returned.

    `answers` is empty when the action did not return, whatever the status says.
    """

    status: int
    answers: list[Any]


def apart(place, action, *arguments):
    """Call `action` in a process of its own, which may import from the workspace, and wait for its end.

    A fork costs milliseconds where a new interpreter costs a tenth of a second. What the action returns has to be JSON.
    The process ends as if it were killed: nothing that was registered for a normal end is called.
    """
    with tempfile.TemporaryFile() as answer:
        process = os.fork()
        if process == 0:
            status = 1
            try:
                enter(place)
                answer.write(encode(action(*arguments)).encode())
                answer.flush()
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                end_process(status)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)  # what it left running could mend later what a crash has broken
        answer.seek(0)
        data = answer.read(ANSWER_BYTES) if status == 0 else b""
    return Ended(status, [json.loads(data)] if data else [])


def enter(place):
    """Make this process a stranger to the one that it was forked from."""
    os.setsid()
    signal.alarm(60)
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("FAKETIME")}
    os.environ.clear()
    os.environ.update(kept, HOME=str(place / "home"), TMPDIR=str(place / "tmp"), LC_ALL="C.UTF-8")
    tempfile.tempdir = None
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.path.append(str(WORKSPACE))  # last, so that nothing there can stand in for the standard library
    os.fsync = os.fdatasync = do_not_wait_for_the_disk


def do_not_wait_for_the_disk(file):
    """Stand in for a sync: what a process has written outlives it, and there is no power cut here but a pretended one."""
    os.fstat(file if isinstance(file, int) else file.fileno())


def attempt(action, *arguments):
    """The name of the exception that the call raises, or None."""
    try:
        action(*arguments)
    except Exception as error:
        return type(error).__name__
    return None


def with_full_disk(size, action, *arguments):
    """`attempt` while no file can grow beyond `size` bytes."""
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        return attempt(action, *arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def dying_at_byte(size, action, *arguments):
    """Call `action` in a process that the kernel ends as soon as a file would grow beyond `size` bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    action(*arguments)


def dying_at_rename(when, action, *arguments):
    """Call `action` in a process that ends `when` ("before" or "after") it gives a file its name."""

    def wrap(name):
        original = getattr(os, name)

        def dying(*paths, **more):
            if when == "after":
                original(*paths, **more)
            end_process(0)

        setattr(os, name, dying)

    for name in ("rename", "replace", "link"):
        wrap(name)
    action(*arguments)


def watch(tmp):
    """From now on note every sync (with the size, or the names in a folder), rename and link; the list is returned.

    The temporary directory `tmp` counts as another volume.
    """
    events = []

    def is_temporary(path):
        return os.path.realpath(os.fsdecode(path)).startswith(f"{tmp}{os.sep}")

    def wrap_sync(name):
        original = getattr(os, name)

        def call(fd):
            original(fd)
            fd = fd if isinstance(fd, int) else fd.fileno()
            status = os.fstat(fd)
            content = sorted(os.listdir(fd)) if stat.S_ISDIR(status.st_mode) else status.st_size
            events.append(["sync", status.st_ino, content])

        setattr(os, name, call)

    def wrap_publish(name):
        original = getattr(os, name)

        def call(src, dst, *, dst_dir_fd=None, **more):
            if is_temporary(src) != is_temporary(dst):
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), src, None, dst)
            original(src, dst, dst_dir_fd=dst_dir_fd, **more)
            events.append(["publish", os.stat(dst, dir_fd=dst_dir_fd, follow_symlinks=False).st_ino])

        setattr(os, name, call)

    def wrap_open(original):
        def call(path, flags, *arguments, **more):
            descriptor = original(path, flags, *arguments, **more)
            if flags & os.O_DSYNC:
                events.append(["always synced", os.fstat(descriptor).st_ino])
            return descriptor

        return call

    def wrap_sync_all(original):
        def call():
            original()
            events.append(["sync all"])

        return call

    for name in ("fsync", "fdatasync"):
        wrap_sync(name)
    for name in ("rename", "replace", "link"):
        wrap_publish(name)
    os.open = wrap_open(os.open)
    os.sync = wrap_sync_all(os.sync)
    return events


def snapshot(folder):
    """Everything below `folder`: path to mode and content (of links where they lead, of folders nothing)."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = Path(place, name)
            status = path.lstat()
            content = os.fsencode(os.readlink(path)) if stat.S_ISLNK(status.st_mode) else b""
            if stat.S_ISREG(status.st_mode):
                content = path.read_bytes()
            found[str(path.relative_to(folder))] = stat.filemode(status.st_mode), content
    return found


def was_synced_before_publication(events, path):
    """Whether the file that is now at `path` had been synced in full before it got its name."""
    status = os.stat(path)
    safe = False
    for event in events:
        if event == ["sync", status.st_ino, status.st_size] or event in (["sync all"], ["always synced", status.st_ino]):
            safe = True
        if event[:2] == ["publish", status.st_ino]:
            return safe
    return False


FRAMEWORK = (unittest.TestCase, unittest.TestSuite, unittest.TestResult, unittest.TextTestResult, unittest.TextTestRunner)


def run_tests(tests):
    """Run the tests in these sources; return how many ran, and whether they passed."""
    untouched = [dict(vars(kind)) for kind in FRAMEWORK]
    suite = unittest.TestSuite()
    for path, source in tests.items():
        module = types.ModuleType(path)
        exec(compile(source, path, "exec"), module.__dict__)
        suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
    outcome = unittest.TextTestRunner().run(suite)
    if [dict(vars(kind)) for kind in FRAMEWORK] != untouched:
        raise AssertionError("the work changes how tests are run")
    return [outcome.testsRun, outcome.wasSuccessful()]


def sources(*files):
    """The text of files of the workspace, by path."""
    return {file: (WORKSPACE / file).read_text(encoding="utf-8") for file in files}


class Check(unittest.TestCase):
    """A check with a folder of its own: `home` and `tmp` are those of every process that it starts."""

    maxDiff = 2000

    def setUp(self):
        self.box = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.box, ignore_errors=True)
        self.home = self.box / "home"
        self.tmp = self.box / "tmp"
        self.home.mkdir()
        self.tmp.mkdir()

    def apart(self, action, *arguments):
        return apart(self.box, action, *arguments)

    def ask(self, action, *arguments):
        """What `action` returns in a process of its own; it has to return."""
        ended = self.apart(action, *arguments)
        self.assertTrue(ended.answers, f"{action.__name__} ended with status {ended.status} and without an answer")
        return ended.answers[0]

    def crash_at_byte(self, size, action, *arguments):
        ended = self.apart(dying_at_byte, size, action, *arguments)
        self.assertEqual(ended.status, -signal.SIGXFSZ, "the kernel was to end the process while it was writing")

    def check_visible_tests(self, tests, *, count):
        """The repository's own tests, from their original files, still pass."""
        ran, passed = self.ask(run_tests, tests)
        self.assertTrue(passed, "the repository's own tests fail")
        self.assertGreaterEqual(ran, count)


def main(count):
    """Run all checks of this file; exit status 0 only if all of them ran and passed."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    outcome = unittest.TextTestRunner().run(suite)
    complete = outcome.testsRun == count and not outcome.skipped
    sys.exit(0 if outcome.wasSuccessful() and complete else 1)


# ---- end of the machinery ----


VISIBLE = sources("tests/test_jobs.py", "tests/test_service.py")  # read before the work has run and could change them


def customers(path):
    """Open the journal as a new start does, and say whose jobs are there."""
    from printfarm import Service

    service = Service(str(path))
    found = [job.customer for job in service.jobs()]
    service.close()
    return found


def submit(path, *names):
    from printfarm import Service

    service = Service(str(path))
    for name in names:
        service.submit(name, "gear.stl")
    service.close()


def start_again(path):
    """What is there after a crash, and after something was appended: once, and once more."""
    before = customers(path)
    submit(path, "next")
    submit(path, "next but one")
    return [before, customers(path), customers(path)]


def open_damaged(path):
    """Whether the error is the one that was promised, and its text."""
    from printfarm import JournalError, Service

    try:
        Service(str(path))
    except Exception as error:
        return [isinstance(error, JournalError), str(error)]
    return [False, "the journal was opened"]


def record_watched(path, tmp):
    """Every sync, rename and return of a call, and the numbers of file and folder."""
    events = watch(tmp)

    from printfarm import Service

    service = Service(str(path))

    def call(action, *arguments):
        value = action(*arguments)
        events.append(["returned", path.stat().st_size])
        return value

    first = call(service.submit, "Müller", "gear.stl")
    call(service.start, first, "mk4-07")
    call(service.finish, first)
    second = call(service.submit, "B", "b")
    call(service.fail, second, "no filament")
    return [events, path.stat().st_ino, path.parent.stat().st_ino]


def submit_on_a_full_disk(path, rooms, attempts, close):
    """For each attempt the error and the jobs that the service then knows."""
    from printfarm import Service

    service = Service(str(path))
    service.submit("early", "gear.stl")
    seen = []
    for room in rooms:
        limit = path.stat().st_size + room
        for _ in range(attempts):
            error = with_full_disk(limit, service.submit, f"refused {room}", "vase.stl", 2)
            seen.append([error, [job.customer for job in service.jobs()]])
        service.submit(f"accepted {room}", "gear.stl")
    if close:
        service.close()
    return seen


def live(path, names):
    """The jobs after a restart."""
    from printfarm import Service

    submit(path, *names)
    service = Service(str(path))
    service.start("J-000001", "mk4-07")
    service.close()
    service = Service(str(path))
    jobs = [[job.id, job.customer, job.state] for job in service.jobs()]
    service.close()
    return jobs


def line(number, customer="A", end="\n"):
    data = {"customer": customer, "model": "gear.stl", "copies": 1}
    record = {"seq": number, "event": "submitted", "job": f"J-{number:06}", "data": data}
    return (json.dumps(record, ensure_ascii=False) + end).encode()


FIVE = [line(number, customer) for number, customer in enumerate("ABCDE", start=1)]

# name: (content, line to be named)
DAMAGES = {
    "nonsense": (b"".join([*FIVE[:2], b"nonsense\n", *FIVE[3:]]), 3),
    "bytes that are no text": (b"".join([*FIVE[:2], FIVE[2].replace(b"gear", b"g\xff\xfer"), *FIVE[3:]]), 3),
    "half a record": (b"".join([*FIVE[:2], FIVE[2][:30] + b"\n", *FIVE[3:]]), 3),
    "glued records": (b"".join([*FIVE[:2], FIVE[2][:30], *FIVE[3:]]), 3),
    "a missing record": (b"".join([*FIVE[:2], *FIVE[3:]]), 3),
    "an empty line": (b"".join([*FIVE[:3], b"\n", *FIVE[3:]]), 4),
    "zeros": (b"".join([FIVE[0], b"\0" * len(FIVE[1][:-1]) + b"\n", *FIVE[2:]]), 2),
    "nonsense, and the last record cut off": (b"".join([*FIVE[:2], b"nonsense\n", FIVE[3], FIVE[4][:-9]]), 3),
    "no text, and the last record cut off": (b"".join([FIVE[0], b"\xff\xfe\xfd\n", *FIVE[2:4], FIVE[4][:20]]), 2),
}

class JournalCheck(Check):
    def setUp(self):
        super().setUp()
        self.path = self.home / "queue.journal"


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests(VISIBLE, count=11)


class TestFormat(JournalCheck):
    def test_names_with_unusual_characters_and_the_format_stay(self):
        names = ["Zoë\u2028Ltd", "Müller\x85", "tab\tand\nline", "\x0b\x0c\x1c", "日本"]
        jobs = self.ask(live, self.path, names)
        states = ["printing", *["waiting"] * 4]
        self.assertEqual(jobs, [[f"J-{n:06}", *both] for n, both in enumerate(zip(names, states, strict=True), start=1)])
        lines = self.path.read_bytes().split(b"\n")
        self.assertEqual(lines[:5], [line(n, name, "") for n, name in enumerate(names, start=1)])


class TestCutOff(JournalCheck):
    def check_cuts(self, complete, last):
        self.apart(submit, self.path, *complete, last)
        whole = self.path.read_bytes()
        start = whole.rindex(b"\n", 0, -1) + 1 if complete else 0
        umlaut = whole.index("ü".encode(), start)
        for cut in sorted({*range(start, len(whole), 9), umlaut + 1, len(whole) - 2, len(whole) - 1}):
            self.path.write_bytes(whole[:cut])
            before, *after = self.ask(start_again, self.path)
            if cut < len(whole) - 1 or before != [*complete, last]:  # without its line break alone, it may count
                self.assertEqual(before, complete)
            expected = [*before, "next", "next but one"]
            self.assertEqual(after, [expected, expected], "something appended after the crash is lost")

    def test_the_last_record_may_be_cut_off_anywhere(self):
        self.check_cuts(["A", "Zoë", "C"], "Müller & Söhne")

    def test_it_may_be_the_only_record(self):
        self.check_cuts([], "Müller & Söhne")


class TestDamage(JournalCheck):
    def test_damage_elsewhere_is_reported_and_nothing_is_touched(self):
        for name, (content, number) in DAMAGES.items():
            with self.subTest(name):
                self.path.write_bytes(content)
                told, message = self.ask(open_damaged, self.path)
                self.assertTrue(told, f"not a JournalError: {message}")
                self.assertIn("queue.journal", message)
                self.assertRegex(message, rf"\b{number}\b")
                self.assertEqual(self.path.read_bytes(), content)


class TestPowerCut(JournalCheck):
    def check_recorded(self):
        events, file, folder = self.ask(record_watched, self.path, self.tmp)
        returns = [position for position, event in enumerate(events) if event[0] == "returned"]
        self.assertEqual(len(returns), 5)
        always = ["always synced", file] in events[: returns[0]]
        for start, end in zip([0, *returns], returns, strict=False):
            segment = events[start:end]
            synced = always or ["sync all"] in segment or ["sync", file, events[end][1]] in segment
            self.assertTrue(synced, "a call returned before its record was on disk")
        return events[: returns[0]], file, folder

    def test_what_was_recorded_is_on_disk(self):
        self.check_recorded()

    def test_a_new_journal_is_on_disk_with_its_name(self):
        events, _, folder = self.check_recorded()
        named = [event for event in events if event[:2] == ["sync", folder] and "queue.journal" in event[2]]
        self.assertTrue(named or ["sync all"] in events, "after a power cut a new journal could be missing")

    def test_it_also_holds_for_a_journal_that_was_cut_off(self):
        self.path.write_bytes(FIVE[0].replace(b"J-000001", b"J-000009") + FIVE[1][:20])
        events, file, folder = self.check_recorded()
        if ["publish", file] in events:  # the journal was written anew
            later = events[events.index(["publish", file]) :]
            self.assertTrue(["sync all"] in later or any(event[:2] == ["sync", folder] for event in later))


class TestFullDisk(JournalCheck):
    def check_full_disk(self, *, attempts, close):
        rooms = [0, 1, 40, 90]
        ended = self.ask(submit_on_a_full_disk, self.path, rooms, attempts, close)
        for error, running in ended:
            self.assertIsNotNone(error, "there was no space and nothing was raised")
            self.assertFalse([name for name in running if name.startswith("refused")])
        self.assertEqual(self.ask(customers, self.path), ["early", *(f"accepted {room}" for room in rooms)])

    def test_a_refused_job_does_not_exist(self):
        self.check_full_disk(attempts=1, close=True)

    def test_neither_after_several_attempts(self):
        self.check_full_disk(attempts=3, close=True)

    def test_neither_after_a_crash(self):
        self.check_full_disk(attempts=1, close=False)


if __name__ == "__main__":
    main(count=11)
