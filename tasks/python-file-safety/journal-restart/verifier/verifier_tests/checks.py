"""Hidden checks: each runs the workspace's code in a child process and judges what that left behind.

The exit status is the verdict. This process itself imports nothing from the workspace.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, NamedTuple

# ---- machinery, the same in every task of this suite ----

WORKSPACE = Path(__file__).resolve().parent.parent

CHILD = r"""
import errno, json, os, resource, signal, stat, sys

sys.path.append(sys.argv[1])  # last, so that nothing in the workspace can stand in for the standard library
GIVEN = json.load(sys.stdin)
EVENTS = []


def report(value):
    print("\nRESULT " + json.dumps(value), flush=True)


def attempt(action, *arguments):
    '''The name of the exception that the call raises, or None.'''
    try:
        action(*arguments)
    except Exception as error:
        return type(error).__name__
    return None


def with_full_disk(size, action, *arguments):
    '''`attempt` while no file can grow beyond `size` bytes.'''
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        return attempt(action, *arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def in_fork(action, *arguments):
    '''Call `action` in a process of its own and wait for the end of it.'''
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        try:
            action(*arguments)
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.waitpid(process, 0)


def dying_at_byte(size, action, *arguments):
    '''Call `action` in a process that the kernel ends as soon as a file would grow beyond `size` bytes.'''
    def call():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        action(*arguments)
    in_fork(call)


def dying_at_rename(when, action, *arguments):
    '''Call `action` in a process that ends `when` ("before" or "after") it gives a file its name.'''
    def wrap(name):
        original = getattr(os, name)
        def dying(*paths, **more):
            if when == "after":
                original(*paths, **more)
            os._exit(0)
        setattr(os, name, dying)
    def call():
        for name in ("rename", "replace", "link"):
            wrap(name)
        action(*arguments)
    in_fork(call)


def snapshot(folder):
    '''Everything below `folder`: path to mode and content (links and folders: where they lead, nothing).'''
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            status = os.lstat(path)
            content = os.readlink(path) if stat.S_ISLNK(status.st_mode) else ""
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    content = file.read().decode("latin-1")
            found[os.path.relpath(path, folder)] = [stat.filemode(status.st_mode), content]
    return found


def watch():
    '''Note every sync (with the size, or the names in a folder), rename and link from now on.

    The temporary directory counts as another volume.
    '''
    def is_temporary(path):
        return os.path.realpath(os.fsdecode(path)).startswith(GIVEN["tmp"] + os.sep)

    def wrap_sync(name):
        original = getattr(os, name)
        def call(fd):
            original(fd)
            fd = fd if isinstance(fd, int) else fd.fileno()
            status = os.fstat(fd)
            content = sorted(os.listdir(fd)) if stat.S_ISDIR(status.st_mode) else status.st_size
            EVENTS.append(["sync", status.st_ino, content])
        setattr(os, name, call)

    def wrap_publish(name):
        original = getattr(os, name)
        def call(src, dst, *, dst_dir_fd=None, **more):
            if is_temporary(src) != is_temporary(dst):
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), src, None, dst)
            original(src, dst, dst_dir_fd=dst_dir_fd, **more)
            EVENTS.append(["publish", os.stat(dst, dir_fd=dst_dir_fd, follow_symlinks=False).st_ino])
        setattr(os, name, call)

    def wrap_open(original):
        def call(path, flags, *arguments, **more):
            descriptor = original(path, flags, *arguments, **more)
            if flags & os.O_DSYNC:
                EVENTS.append(["always synced", os.fstat(descriptor).st_ino])
            return descriptor
        return call

    def wrap_sync_all(original):
        def call():
            original()
            EVENTS.append(["sync all"])
        return call

    for name in ("fsync", "fdatasync"):
        wrap_sync(name)
    for name in ("rename", "replace", "link"):
        wrap_publish(name)
    os.open = wrap_open(os.open)
    os.sync = wrap_sync_all(os.sync)
"""


class Result(NamedTuple):
    """How a child process ended, everything it reported, and what it wrote to standard error."""

    status: int
    reports: list[Any]
    errors: str


class Check(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        box = tempfile.TemporaryDirectory()
        self.addCleanup(box.cleanup)
        self.box = Path(box.name).resolve()
        self.home = self.box / "home"
        self.tmp = self.box / "tmp"
        self.home.mkdir()
        self.tmp.mkdir()

    def start_child(self, code):
        """Start `code` in a new interpreter that may import from the workspace. It waits for its values."""
        place = {"HOME": str(self.home), "TMPDIR": str(self.tmp), "LC_ALL": "C.UTF-8"}
        return subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", CHILD + code, str(WORKSPACE)],
            env={"PATH": os.environ.get("PATH", os.defpath), **place},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def finish_child(self, child, **given):
        """Give a child its values and wait for its end."""
        values = json.dumps({"home": str(self.home), "tmp": str(self.tmp), **given}).encode()
        with child:
            try:
                output, errors = child.communicate(values, timeout=60)
            except subprocess.TimeoutExpired:
                child.kill()
                raise
        return result_of(child.returncode, output, errors)

    def run_child(self, code, **given):
        return self.finish_child(self.start_child(code), **given)

    def ask(self, code, **given):
        """Run `code` and return its last report; there has to be one."""
        result = self.run_child(code, **given)
        self.assertTrue(result.reports, f"the child ended with status {result.status}:\n{result.errors[-3000:]}")
        return result.reports[-1]

    def ask_all(self, code, **given):
        """Run `code` and return everything that it reported."""
        result = self.run_child(code, **given)
        self.assertEqual(result.status, 0, result.errors[-3000:])
        return result.reports

    def check_visible_tests(self, *files, count):
        """The repository's own tests, from their original files, still pass."""
        ran, passed = self.ask(VISIBLE_TESTS, files=[str(WORKSPACE / file) for file in files])
        self.assertTrue(passed, "the repository's own tests fail")
        self.assertGreaterEqual(ran, count)


VISIBLE_TESTS = """
import importlib.util, unittest

suite = unittest.TestSuite()
for number, file in enumerate(GIVEN["files"]):
    spec = importlib.util.spec_from_file_location(f"visible_{number}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
outcome = unittest.TextTestRunner().run(suite)
report([outcome.testsRun, outcome.wasSuccessful()])
"""


def result_of(status, output, errors):
    lines = output.decode(errors="replace").split("\n")
    reports = [json.loads(line.removeprefix("RESULT ")) for line in lines if line.startswith("RESULT ")]
    return Result(status, reports, errors.decode(errors="replace"))


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


def main(count):
    """Run all checks of the calling file; exit status 0 only if all of them ran and passed."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    outcome = unittest.TextTestRunner().run(suite)
    complete = outcome.testsRun == count and not outcome.skipped
    sys.exit(0 if outcome.wasSuccessful() and complete else 1)


# ---- end of the machinery ----


PLACE = r"""
path = os.path.join(GIVEN["home"], "queue.journal")


def customers():
    '''Open the journal as a new start does, and say whose jobs are there.'''
    from printfarm import Service

    service = Service(path)
    found = [job.customer for job in service.jobs()]
    service.close()
    return found


def submit(*names):
    from printfarm import Service

    service = Service(path)
    for name in names:
        service.submit(name, "gear.stl")
    service.close()


def content():
    with open(path, "rb") as file:
        return file.read()


def put(data):
    with open(path, "wb") as file:
        file.write(data)
"""

CUT_OFF = """
submit(*GIVEN["customers"])
whole = content()
last = whole.rindex(b"\\n", 0, -1) + 1 if len(GIVEN["customers"]) > 1 else 0
umlaut = whole.index("ü".encode(), last)

cuts = sorted({*range(last, len(whole), 9), umlaut + 1, len(whole) - 2, len(whole) - 1})

def start_again(cut):
    put(whole[:cut])
    before = customers()
    submit("next")
    submit("next but one")
    report({"only the line break is missing": cut == len(whole) - 1, "before": before, "after": [customers(), customers()]})

for cut in cuts:
    in_fork(start_again, cut)
report(len(cuts))
"""

DAMAGED = """
import base64

from printfarm import JournalError, Service

put(base64.b64decode(GIVEN["content"]))
try:
    Service(path)
except Exception as error:
    report([isinstance(error, JournalError), str(error)])
"""

RECORDED = """
watch()

from printfarm import Service

service = Service(path)
first = service.submit("Müller", "gear.stl")
EVENTS.append(["returned", os.path.getsize(path)])
for action in (lambda: service.start(first, "mk4-07"), lambda: service.finish(first), lambda: service.submit("B", "b")):
    action()
    EVENTS.append(["returned", os.path.getsize(path)])
service.fail(service.submit("C", "c"), "no filament")
EVENTS.append(["returned", os.path.getsize(path)])
report({"events": EVENTS, "file": os.stat(path).st_ino, "folder": os.stat(GIVEN["home"]).st_ino})
"""

FULL_DISK = """
from printfarm import Service

service = Service(path)
service.submit("early", "gear.stl")
for room in GIVEN["rooms"]:
    limit = os.path.getsize(path) + room
    for _ in range(GIVEN["attempts"]):
        error = with_full_disk(limit, service.submit, f"refused {room}", "vase.stl", 2)
        report([error, [job.customer for job in service.jobs()]])
    service.submit(f"accepted {room}", "gear.stl")
if GIVEN["end"] == "close":
    service.close()
else:
    os._exit(0)
"""

CUSTOMERS = """
report(customers())
"""

EVENTS_OF_A_LIFE = """
from printfarm import Service

service = Service(path)
for name in GIVEN["customers"]:
    service.submit(name, "gear.stl")
service.start("J-000001", "mk4-07")
service.close()
service = Service(path)
report([[job.id, job.customer, job.state] for job in service.jobs()])
service.close()
report(content().decode())
"""


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


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests("tests/test_jobs.py", "tests/test_service.py", count=11)


class TestFormat(Check):
    def test_names_with_unusual_characters_and_the_format_stay(self):
        names = ["Zoë\u2028Ltd", "Müller\x85", "tab\tand\nline", "\x0b\x0c\x1c", "日本"]
        jobs, content = self.ask_all(PLACE + EVENTS_OF_A_LIFE, customers=names)
        states = ["printing", *["waiting"] * 4]
        self.assertEqual(jobs, [[f"J-{n:06}", *both] for n, both in enumerate(zip(names, states, strict=True), start=1)])
        self.assertEqual(content.encode().split(b"\n")[:5], [line(n, name, "").rstrip() for n, name in enumerate(names, 1)])


class TestCutOff(Check):
    def check_cuts(self, complete, last):
        *starts, count = self.ask_all(PLACE + CUT_OFF, customers=[*complete, last])
        self.assertEqual(len(starts), count, "some journals that were cut off cannot be opened")
        for start in starts:
            if start["before"] != [*complete, last] or not start["only the line break is missing"]:
                self.assertEqual(start["before"], complete)
            expected = [*start["before"], "next", "next but one"]
            self.assertEqual(start["after"], [expected, expected], "something appended after the crash is lost")

    def test_the_last_record_may_be_cut_off_anywhere(self):
        self.check_cuts(["A", "Zoë", "C"], "Müller & Söhne")

    def test_it_may_be_the_only_record(self):
        self.check_cuts([], "Müller & Söhne")


class TestDamage(Check):
    def test_damage_elsewhere_is_reported_and_nothing_is_touched(self):
        for name, (content, number) in DAMAGES.items():
            with self.subTest(name):
                told, message = self.ask(PLACE + DAMAGED, content=base64.b64encode(content).decode())
                self.assertTrue(told, f"not a JournalError: {message}")
                self.assertIn("queue.journal", message)
                self.assertRegex(message, rf"\b{number}\b")
                self.assertEqual((self.home / "queue.journal").read_bytes(), content)


class TestPowerCut(Check):
    def check_recorded(self):
        facts = self.ask(PLACE + RECORDED)
        events, file, folder = facts["events"], facts["file"], facts["folder"]
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
        (self.home / "queue.journal").write_bytes(FIVE[0].replace(b"J-000001", b"J-000009") + FIVE[1][:20])
        events, file, folder = self.check_recorded()
        if ["publish", file] in events:  # the journal was written anew
            later = events[events.index(["publish", file]) :]
            self.assertTrue(["sync all"] in later or any(event[:2] == ["sync", folder] for event in later))


class TestFullDisk(Check):
    def check_full_disk(self, end, attempts):
        rooms = [0, 1, 40, 90]
        reports = self.ask_all(PLACE + FULL_DISK, rooms=rooms, attempts=attempts, end=end)
        self.assertEqual(len(reports), attempts * len(rooms), "the service did not go on")
        for error, running in reports:
            self.assertIsNotNone(error, "there was no space and nothing was raised")
            self.assertFalse([name for name in running if name.startswith("refused")])
        (after,) = self.ask_all(PLACE + CUSTOMERS)
        self.assertEqual(after, ["early", *(f"accepted {room}" for room in rooms)])

    def test_a_refused_job_does_not_exist(self):
        self.check_full_disk("close", 1)

    def test_neither_after_several_attempts(self):
        self.check_full_disk("close", 3)

    def test_neither_after_a_crash(self):
        self.check_full_disk("crash", 1)


if __name__ == "__main__":
    main(count=11)
