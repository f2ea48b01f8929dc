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
import dataclasses
import secrets

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


VISIBLE = sources("tests/test_apply.py", "tests/test_blocks.py")  # read before the work has run and could change them

LONG_AGO = 10**18


def apply(paths, lines, ensure="present"):
    """Make a plan of one block for each file, carry them out, and say what became of the files."""
    from hostkeeper import Item, apply_plan

    items = [Item(path=path, block="dns", lines=tuple(lines), ensure=ensure) for path in paths]
    return [change.status for change in apply_plan(items)]


def apply_watched(paths, tmp, lines):
    watch(tmp)
    return apply(paths, lines)


def apply_with_umask(umask, paths, lines):
    os.umask(umask)
    return apply(paths, lines)


CONTENTS = {
    "unix": b"a\nb\n",
    "windows": b"a\r\nb\r\n",
    "no line break at the end": b"a\nb",
    "one word": b"a",
    "windows, no line break at the end": b"a\r\nb",
    "empty": b"",
    "one blank line": b"\n",
    "blank lines": b"a\n\n\n",
    "windows blank lines": b"a\r\n\r\n\r\n",
    "latin-1": b"Name = M\xfcller\nPlace = K\xf6ln\n",
    "latin-1, windows": b"Name = M\xfcller\r\nPlace = K\xf6ln\r\n",
    "utf-8": "Grüße aus Łódź\n".encode(),
    "byte order mark": b"\xef\xbb\xbfa = 1\n",
    "page breaks": b"one\n\x0ctwo\x0cthree\n",
    "vertical tabs and separators": b"one\x0btwo\x1cthree\x1dfour\x1efive\n",
    "from a word processor": "one\u2028two\u2029three\x85four\n".encode(),
    "next line in latin-1": b"one\x85two\n",
    "progress bar": b"10%\r20%\r100%\nnext\n",
    "zeros": b"one\0two\n",
    "trailing spaces": b"one  \n\ttwo\t\n   ",
    "mixed": b"one\r\ntwo\nthree\r\nfour\r\n",
}


def block_of(*lines):
    return "\n".join(["# BEGIN hostkeeper: dns", *lines, "# END hostkeeper: dns"]).encode()


def age(path):
    """What changes when a file is written."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests(VISIBLE, count=13)


class BlocksCheck(Check):
    def put(self, contents):
        """Write each content to a file of its own, with a time stamp of long ago; return their paths."""
        paths = [self.home / f"{number}.conf" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
            os.utime(path, ns=(LONG_AGO, LONG_AGO))
        return paths


class RoundTrip(NamedTuple):
    """A content, and what became of it with a block, with another one, and without."""

    name: str
    content: bytes
    first: bytes
    second: bytes
    last: bytes
    statuses: list[str]
    untouched: bool


class TestBytes(BlocksCheck):
    def round_trip(self):
        paths = self.put(CONTENTS.values())
        states, statuses = [], []
        for lines, ensure in ((["one"], "present"), (["one", "zwei für drei"], "present"), ([], "absent")):
            statuses.append(self.ask(apply, paths, lines, ensure))
            states.append([path.read_bytes() for path in paths])
            if len(states) == 1:
                ages = [age(path) for path in paths]
                statuses.append(self.ask(apply, paths, lines))
                untouched = [age(path) == before for path, before in zip(paths, ages, strict=True)]
        rows = zip(CONTENTS, CONTENTS.values(), *states, map(list, zip(*statuses, strict=True)), untouched, strict=True)
        return [RoundTrip(*row) for row in rows]

    def test_what_was_there_stays_there(self):
        for trip in self.round_trip():
            with self.subTest(trip.name):
                for text, lines in ((trip.first, ["one"]), (trip.second, ["one", "zwei für drei"])):
                    self.assertTrue(text.startswith(trip.content), text)
                    added = text[len(trip.content) :].replace(b"\r\n", b"\n")
                    self.assertEqual(added.strip(b"\n"), block_of(*lines))
                    self.assertEqual(added.startswith(b"\n"), trip.content[-1:] not in (b"", b"\n"))

    def test_the_block_ends_its_lines_like_the_file(self):
        for trip in self.round_trip():
            breaks = trip.content.count(b"\n"), trip.content.count(b"\r\n")
            if 0 in breaks or breaks[0] == breaks[1]:  # not mixed
                with self.subTest(trip.name):
                    for text in (trip.first, trip.second):
                        added = text[len(trip.content) :]
                        rest = added.replace(b"\r\n", b"") if breaks[1] else added
                        self.assertNotIn(b"\r", rest)
                        self.assertEqual(b"\n" in rest, not breaks[1])

    def test_without_the_block_it_is_the_file_of_before(self):
        for trip in self.round_trip():
            with self.subTest(trip.name):
                self.assertEqual(trip.last, trip.content)
                self.assertEqual(trip.statuses, ["changed", "unchanged", "changed", "changed"])

    def test_a_file_that_is_right_is_not_written(self):
        for trip in self.round_trip():
            with self.subTest(trip.name):
                self.assertTrue(trip.untouched)

    def test_a_block_in_the_middle_is_replaced_there(self):
        pieces = [
            (b"a\n", b"b\n"),
            (b"", b"b\n"),
            (b"a\n\n", b"\nb"),
            (b"a\r\n", b"b\r\n"),
            (b"M\xfcller\x0c\n", b"\x85\x0bK\xf6ln"),
        ]

        def around(before, after, *lines):
            block = block_of(*lines) + b"\n"
            return before + (block.replace(b"\n", b"\r\n") if b"\r\n" in before else block) + after

        paths = self.put([around(*piece, "old") for piece in pieces])
        self.ask(apply, paths, ["new", "newer"])
        changed = [path.read_bytes() for path in paths]
        self.ask(apply, paths, [], "absent")
        for (before, after), text, path in zip(pieces, changed, paths, strict=True):
            with self.subTest(before=before, after=after):
                self.assertEqual(text, around(before, after, "new", "newer"))
                self.assertEqual(path.read_bytes(), before + after)


class TestNothingToDo(BlocksCheck):
    def test_a_file_without_the_block_is_not_written(self):
        paths = self.put(CONTENTS.values())
        ages = [age(path) for path in paths]
        self.assertEqual(self.ask(apply, paths, [], "absent"), ["unchanged"] * len(CONTENTS))
        for (name, content), before, path in zip(CONTENTS.items(), ages, paths, strict=True):
            with self.subTest(name):
                self.assertEqual((age(path), path.read_bytes()), (before, content))

    def test_no_file_stops_the_others(self):
        paths = self.put([b"a\n", b"M\xfcller\n", b"c"])
        self.assertEqual(self.ask(apply, paths, ["one"]), ["changed"] * 3)
        self.assertEqual(paths[2].read_bytes(), b"c\n" + block_of("one"))


CONFIG = b"".join(b"local-data: 'host%05d. IN A 10.0.%d.%d' # M\xfcller\n" % (n, n // 256, n % 256) for n in range(1500))
LINES = ["include: /etc/unbound/zones"] * 400
NEW_CONFIG = CONFIG + block_of(*LINES) + b"\n"
LIMITS = [0, 1, len(CONFIG) // 2, len(CONFIG), len(NEW_CONFIG) - 1]


class TestComplete(BlocksCheck):
    def test_a_full_disk_changes_nothing(self):
        paths = self.put([CONFIG])
        before = snapshot(self.home)
        for limit in LIMITS:
            error = self.ask(with_full_disk, limit, apply, paths, LINES)
            self.assertIsNotNone(error, "there was no space and nothing was raised")
            self.assertEqual(snapshot(self.home), before)
        self.ask(apply, paths, LINES)
        self.assertEqual(paths[0].read_bytes(), NEW_CONFIG)

    def crashes(self, paths):
        """Change the file and die meanwhile, at a different moment each time."""
        for limit in LIMITS:
            self.crash_at_byte(limit, apply, paths, LINES)
            yield
        for when in ("before", "after"):
            self.apart(dying_at_rename, when, apply, paths, LINES)
            yield

    def test_a_crash_leaves_the_old_file_or_the_new_one(self):
        paths = self.put([CONFIG])
        for _ in self.crashes(paths):
            left = snapshot(self.home)
            self.assertIn(left["0.conf"][1], (CONFIG, NEW_CONFIG))
            self.assertEqual([name for name in left if not name.startswith(".")], ["0.conf"])
            self.ask(apply, paths, LINES)
            self.assertEqual(paths[0].read_bytes(), NEW_CONFIG)
            self.put([CONFIG])

    def test_a_daemon_that_is_reading_gets_all_of_it(self):
        paths = self.put([CONFIG])
        for action, *arguments in ((apply, paths, [*LINES, "one"]), (apply_watched, paths, self.tmp, [*LINES, "two"])):
            before = paths[0].read_bytes()
            with open(paths[0], "rb") as file:
                self.assertEqual(self.ask(action, *arguments), ["changed"])
                self.assertEqual(file.read(), before)
            self.assertTrue(paths[0].read_bytes().startswith(CONFIG))


class TestPeople(BlocksCheck):
    def test_permissions_stay(self):
        for mode, shown in ((0o640, "-rw-r-----"), (0o600, "-rw-------"), (0o775, "-rwxrwxr-x")):
            paths = self.put([b"a\n"])
            paths[0].chmod(mode)
            self.assertEqual(self.ask(apply, paths, ["one"]), ["changed"])
            files = snapshot(self.home)
            self.assertEqual((list(files), files["0.conf"][0]), (["0.conf"], shown))

    def test_links_stay_and_their_target_is_changed(self):
        (self.home / "real").mkdir()
        (self.home / "real" / "main.conf").write_bytes(b"a\n")
        (self.home / "middle.conf").symlink_to("real/main.conf")
        (self.home / "unbound.conf").symlink_to("middle.conf")
        self.ask(apply, [self.home / "unbound.conf"], ["one"])
        files = snapshot(self.home)
        self.assertEqual(sorted(files), ["middle.conf", "real", "real/main.conf", "unbound.conf"])
        self.assertEqual((files["unbound.conf"][1], files["middle.conf"][1]), (b"middle.conf", b"real/main.conf"))
        self.assertEqual(files["real/main.conf"][1], b"a\n" + block_of("one") + b"\n")

    def test_a_new_file_is_like_any_other(self):
        for umask, shown in ((0o022, "-rw-r--r--"), (0o027, "-rw-r-----")):
            name = f"new-{umask}.conf"
            self.assertEqual(self.ask(apply_with_umask, umask, [self.home / name], ["one"]), ["created"])
            self.assertEqual(snapshot(self.home)[name], (shown, block_of("one") + b"\n"))


if __name__ == "__main__":
    main(count=14)
