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
import base64

os.umask(0o022)
path = os.path.join(GIVEN["home"], GIVEN.get("name", "unbound.conf"))


def put(content):
    with open(path, "wb") as file:
        file.write(base64.b64decode(content))


def get():
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def apply(lines, ensure="present"):
    from pathlib import Path

    from hostkeeper import Item, apply_plan

    changes = apply_plan([Item(path=Path(path), block="dns", lines=tuple(lines), ensure=ensure)])
    return [change.status for change in changes]
"""

ROUND_TRIP = """
for content in GIVEN["contents"]:
    put(content)
    statuses = apply(["one"])
    first = get()
    os.utime(path, ns=(10**18, 10**18))
    before = os.stat(path)
    statuses += apply(["one"])
    after = os.stat(path)
    statuses += apply(["one", "zwei für drei"])
    second = get()
    statuses += apply([], "absent")
    untouched = [before.st_ino, before.st_mtime_ns] == [after.st_ino, after.st_mtime_ns]
    report({"first": first, "second": second, "last": get(), "untouched": untouched, "statuses": statuses})
"""

NOTHING_TO_REMOVE = """
for content in GIVEN["contents"]:
    put(content)
    os.utime(path, ns=(10**18, 10**18))
    before = os.stat(path)
    status = apply([], "absent")
    after = os.stat(path)
    report([status, [before.st_ino, before.st_mtime_ns] == [after.st_ino, after.st_mtime_ns], get()])
"""

REPLACE = """
for before, after in GIVEN["around"]:
    block = base64.b64decode(GIVEN["block"])
    before, after = base64.b64decode(before), base64.b64decode(after)
    if b"\\r\\n" in before:
        block = block.replace(b"\\n", b"\\r\\n")
    put(base64.b64encode(before + block + after))
    apply(["new", "newer"])
    changed = get()
    apply([], "absent")
    report([changed, get()])
"""

APPLY = """
report(apply(GIVEN["lines"]))
report(snapshot(GIVEN["home"]))
"""

APPLY_WITH_A_TEMPORARY_VOLUME = """
watch()
report(apply(GIVEN["lines"]))
"""

CREATE = """
os.umask(GIVEN["umask"])
report(apply(["one"]))
report(snapshot(GIVEN["home"]))
"""

SEVERAL = """
from pathlib import Path

from hostkeeper import Item, apply_plan

items = [Item(path=Path(GIVEN["home"], name), block="dns", lines=("one",)) for name in GIVEN["names"]]
report([change.status for change in apply_plan(items)])
"""

FULL_DISK = """
put(GIVEN["content"])
report(snapshot(GIVEN["home"]))
for limit in GIVEN["limits"]:
    error = with_full_disk(limit, apply, GIVEN["lines"])
    report([error, snapshot(GIVEN["home"])])
apply(GIVEN["lines"])
report(get())
"""

CRASH = """
import hostkeeper

def crashes():
    for limit in GIVEN["limits"]:
        yield lambda: dying_at_byte(limit, apply, GIVEN["lines"])
    for when in ("before", "after"):
        yield lambda: dying_at_rename(when, apply, GIVEN["lines"])

def go_on():
    apply(GIVEN["lines"])
    report(get())

for crash in crashes():
    put(GIVEN["content"])
    crash()
    report(snapshot(GIVEN["home"]))
    in_fork(go_on)
"""

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


def encoded(content):
    return base64.b64encode(content).decode()


def decoded(text):
    return base64.b64decode(text)


def block_of(*lines):
    return "\n".join(["# BEGIN hostkeeper: dns", *lines, "# END hostkeeper: dns"]).encode()


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests("tests/test_blocks.py", "tests/test_apply.py", count=13)


class BytesCheck(Check):
    def round_trip(self):
        """For each content: its name, itself, and what became of it with a block, with another, and without."""
        reports = self.ask_all(PLACE + ROUND_TRIP, contents=[encoded(content) for content in CONTENTS.values()])
        self.assertEqual(len(reports), len(CONTENTS))
        return [(name, content, each) for (name, content), each in zip(CONTENTS.items(), reports, strict=True)]


class TestBytes(BytesCheck):
    def test_what_was_there_stays_there(self):
        for name, content, each in self.round_trip():
            with self.subTest(name):
                for text, lines in ((each["first"], ["one"]), (each["second"], ["one", "zwei für drei"])):
                    self.assertTrue(decoded(text).startswith(content), decoded(text))
                    added = decoded(text)[len(content) :].replace(b"\r\n", b"\n")
                    self.assertEqual(added.strip(b"\n"), block_of(*lines))
                    self.assertEqual(added.startswith(b"\n"), content[-1:] not in (b"", b"\n"))

    def test_the_block_ends_its_lines_like_the_file(self):
        for name, content, each in self.round_trip():
            breaks = content.count(b"\n"), content.count(b"\r\n")
            if 0 in breaks or breaks[0] == breaks[1]:  # not mixed
                with self.subTest(name):
                    for text in (each["first"], each["second"]):
                        added = decoded(text)[len(content) :]
                        rest = added.replace(b"\r\n", b"") if breaks[1] else added
                        self.assertNotIn(b"\r", rest)
                        self.assertEqual(b"\n" in rest, not breaks[1])

    def test_without_the_block_it_is_the_file_of_before(self):
        for name, content, each in self.round_trip():
            with self.subTest(name):
                self.assertEqual(decoded(each["last"]), content)
                self.assertEqual(each["statuses"], ["changed", "unchanged", "changed", "changed"])

    def test_a_block_in_the_middle_is_replaced_there(self):
        pieces = [
            (b"a\n", b"b\n"),
            (b"", b"b\n"),
            (b"a\n\n", b"\nb"),
            (b"a\r\n", b"b\r\n"),
            (b"M\xfcller\x0c\n", b"\x85\x0bK\xf6ln"),
        ]
        around = [[encoded(before), encoded(after)] for before, after in pieces]
        reports = self.ask_all(PLACE + REPLACE, around=around, block=encoded(block_of("old") + b"\n"))
        for (before, after), (changed, removed) in zip(pieces, reports, strict=True):
            with self.subTest(before=before, after=after):
                block = block_of("new", "newer") + b"\n"
                if b"\r\n" in before:
                    block = block.replace(b"\n", b"\r\n")
                self.assertEqual(decoded(changed), before + block + after)
                self.assertEqual(decoded(removed), before + after)


class TestNothingToDo(BytesCheck):
    def test_a_file_that_is_right_is_not_written(self):
        for name, _, each in self.round_trip():
            with self.subTest(name):
                self.assertTrue(each["untouched"])

    def test_a_file_without_the_block_is_not_written(self):
        reports = self.ask_all(PLACE + NOTHING_TO_REMOVE, contents=[encoded(content) for content in CONTENTS.values()])
        for (name, content), (status, untouched, text) in zip(CONTENTS.items(), reports, strict=True):
            with self.subTest(name):
                self.assertEqual((status, untouched, decoded(text)), (["unchanged"], True, content))

    def test_no_file_stops_the_others(self):
        for name, content in (("a", b"a\n"), ("b", b"M\xfcller\n"), ("c", b"c")):
            (self.home / name).write_bytes(content)
        self.assertEqual(self.ask(PLACE + SEVERAL, names=["a", "b", "c"]), ["changed"] * 3)
        self.assertEqual((self.home / "c").read_bytes(), b"c\n" + block_of("one"))


CONFIG = b"".join(b"local-data: 'host%05d. IN A 10.0.%d.%d' # M\xfcller\n" % (n, n // 256, n % 256) for n in range(1500))
LINES = ["include: /etc/unbound/zones"] * 400
NEW_CONFIG = CONFIG + block_of(*LINES) + b"\n"
LIMITS = [0, 1, len(CONFIG) // 2, len(CONFIG), len(NEW_CONFIG) - 1]


class TestComplete(Check):
    def test_a_full_disk_changes_nothing(self):
        before, *failures, last = self.ask_all(PLACE + FULL_DISK, content=encoded(CONFIG), lines=LINES, limits=LIMITS)
        self.assertEqual(len(failures), len(LIMITS))
        for error, after in failures:
            self.assertIsNotNone(error, "there was no space and nothing was raised")
            self.assertEqual(after, before)
        self.assertEqual(decoded(last), NEW_CONFIG)

    def test_a_crash_leaves_the_old_file_or_the_new_one(self):
        reports = self.ask_all(PLACE + CRASH, content=encoded(CONFIG), lines=LINES, limits=LIMITS)
        self.assertEqual(len(reports), 2 * (len(LIMITS) + 2), "after a crash the next run fails")
        for left, last in zip(reports[::2], reports[1::2], strict=True):
            self.assertIn(left["unbound.conf"][1].encode("latin-1"), (CONFIG, NEW_CONFIG))
            self.assertEqual([name for name in left if not name.startswith(".")], ["unbound.conf"])
            self.assertEqual(decoded(last), NEW_CONFIG)

    def test_a_daemon_that_is_reading_gets_all_of_it(self):
        (self.home / "unbound.conf").write_bytes(CONFIG)
        for line, code in {"one": APPLY, "two": APPLY_WITH_A_TEMPORARY_VOLUME}.items():
            before = (self.home / "unbound.conf").read_bytes()
            with open(self.home / "unbound.conf", "rb") as file:
                self.ask_all(PLACE + code, lines=[*LINES, line])
                self.assertEqual(file.read(), before)
            self.assertTrue((self.home / "unbound.conf").read_bytes().startswith(CONFIG))


class TestPeople(Check):
    def test_permissions_stay(self):
        for mode, shown in ((0o640, "-rw-r-----"), (0o600, "-rw-------"), (0o775, "-rwxrwxr-x")):
            (self.home / "unbound.conf").write_bytes(b"a\n")
            (self.home / "unbound.conf").chmod(mode)
            statuses, files = self.ask_all(PLACE + APPLY, lines=["one"])
            self.assertEqual((statuses, list(files)), (["changed"], ["unbound.conf"]))
            self.assertEqual(files["unbound.conf"][0], shown)

    def test_links_stay_and_their_target_is_changed(self):
        (self.home / "real").mkdir()
        (self.home / "real" / "main.conf").write_bytes(b"a\n")
        (self.home / "middle.conf").symlink_to("real/main.conf")
        (self.home / "unbound.conf").symlink_to("middle.conf")
        _, files = self.ask_all(PLACE + APPLY, lines=["one"])
        self.assertEqual(sorted(files), ["middle.conf", "real", "real/main.conf", "unbound.conf"])
        self.assertEqual((files["unbound.conf"][1], files["middle.conf"][1]), ("middle.conf", "real/main.conf"))
        self.assertEqual(files["real/main.conf"][1].encode(), b"a\n" + block_of("one") + b"\n")

    def test_a_new_file_is_like_any_other(self):
        for umask, shown in ((0o022, "-rw-r--r--"), (0o027, "-rw-r-----")):
            name = f"new-{umask}.conf"
            statuses, files = self.ask_all(PLACE + CREATE, name=name, umask=umask)
            self.assertEqual(statuses, ["created"])
            self.assertEqual(files[name], [shown, (block_of("one") + b"\n").decode()])


if __name__ == "__main__":
    main(count=14)
