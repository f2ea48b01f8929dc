"""Hidden checks: the work runs in forks of this process, and this process judges what they leave behind.

The exit status is the verdict. This process itself imports nothing from the workspace.
"""

import contextlib
import errno
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import stat
import sys
import tarfile
import tempfile
import traceback
import types
import unittest
import warnings
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

# For the work: what is loaded before a fork need not be loaded after it.
import argparse
import dataclasses
import lzma
import secrets
import zlib

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


VISIBLE = sources("tests/test_limits.py", "tests/test_restore.py")  # read before the work has run and could change them

SECRET = "the secret of another customer"
MTIME = 1_600_000_000


class Member(NamedTuple):
    """Something to put into an archive. `text` is the content, or where a link leads."""

    kind: str
    name: str
    text: str | bytes = ""
    mode: int = 0o644

    @property
    def content(self):
        return self.text if isinstance(self.text, bytes) else self.text.encode()


def file(name, text="hello", mode=0o644):
    return Member("file", name, text, mode)


def folder(name, mode=0o755):
    return Member("folder", name, "", mode)


def link(name, target):
    return Member("link", name, target, 0o777)


def hard_link(name, target):
    return Member("hard link", name, target)


TAR_TYPES = {
    "file": tarfile.REGTYPE,
    "folder": tarfile.DIRTYPE,
    "link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "pipe": tarfile.FIFOTYPE,
    "device": tarfile.CHRTYPE,
}


def make_tar(path, members, compression):
    level = {"compresslevel": 1} if compression == "gz" else {"preset": 0} if compression == "xz" else {}
    with tarfile.open(path, f"w:{compression}", format=tarfile.PAX_FORMAT, **level) as tar:
        for member in members:
            info = tarfile.TarInfo(member.name)
            info.type, info.mode, info.mtime = TAR_TYPES[member.kind], member.mode, MTIME
            info.uid, info.gid = os.getuid(), os.getgid()
            if member.kind in ("link", "hard link"):
                info.linkname = member.text
                tar.addfile(info)
            else:
                info.size = len(member.content)
                tar.addfile(info, io.BytesIO(member.content))


def make_zip(path, members):
    kinds = {"file": stat.S_IFREG, "folder": stat.S_IFDIR, "link": stat.S_IFLNK}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member in members:
            info = zipfile.ZipInfo(member.name + "/" * (member.kind == "folder"))
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
            info.external_attr = (kinds[member.kind] | member.mode) << 16
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # one archive has a name twice, on purpose
                archive.writestr(info, member.content)


def noise(number, length):
    """Bytes that cannot be compressed, always the same."""
    blocks = [hashlib.sha256(f"{number} {block}".encode()).digest() for block in range(length // 32)]
    return b"".join(blocks)


def restore(orders, limits):
    """Restore archives (each with the folder to restore it to); for each how that ended, and the message."""
    import coldstore

    def one(archive, target):
        try:
            coldstore.restore(str(archive), str(target), coldstore.Limits(**limits))
        except coldstore.RestoreError as error:
            return ["refused", str(error)]
        except BaseException as error:
            return ["raised", repr(error)]
        return ["restored", ""]

    return [one(archive, target) for archive, target in orders]


def restore_with_little_space(orders, limits):
    """`restore` while no file can grow beyond 8 MB, and the process not by more than 24 MB."""
    import coldstore  # before the memory that it takes is counted

    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000_000, 8_000_000))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 24_000_000, used + 24_000_000))
    return restore(orders, limits)


class Outcome(NamedTuple):
    how: str
    message: str
    before: dict
    after: dict
    folder: Path

    @property
    def restored(self):
        """What is in the restored folder, by its path there."""
        start = "customer/restored/"
        return {name.removeprefix(start): entry for name, entry in self.after.items() if name.startswith(start)}

    def elsewhere(self, state):
        return {name: entry for name, entry in state.items() if not f"{name}/".startswith("customer/restored/")}


class RestoreCheck(Check):
    def prepare(self, name, *, existing=True):
        """A customer's folder, and one beside it that belongs to somebody else."""
        place = self.home / name.replace(" ", "-")
        (place / "outside").mkdir(parents=True)
        (place / "outside" / "secret.txt").write_text(SECRET)
        restored = place / "customer" / "restored"
        restored.parent.mkdir()
        if existing:
            restored.mkdir()
            (restored / "letter.txt").write_text("from before")
            (restored / "diary.txt").write_text("only here")
        return place

    def archive(self, name, members, form):
        """An archive of these members; `OUTSIDE` in a target or name is the path of the other folder."""
        outside = str(self.home / name.replace(" ", "-") / "outside")
        path = self.box / f"{name.replace(' ', '-')}.{form}"
        full = [
            member._replace(
                name=member.name.replace("OUTSIDE", outside),
                text=member.text.replace("OUTSIDE", outside) if isinstance(member.text, str) else member.text,
            )
            for member in members
        ]
        if form == "zip":
            make_zip(path, full)
        else:
            make_tar(path, full, form.partition(".")[2])
        return path

    def restore_all(self, cases, *, limits=None, times=1, existing=True, action=restore):
        """Restore each case (name to form and members, or the path of an archive); return name to outcome."""
        orders = []
        for name, (form, members) in cases.items():
            place = self.home / name.replace(" ", "-")
            if not place.exists():
                self.prepare(name, existing=existing)
            archive = members if isinstance(members, Path) else self.archive(name, members, form)
            orders.append([archive, place / "customer" / "restored"])
        places = [self.home / name.replace(" ", "-") for name in cases]
        before = [snapshot(place) for place in places]
        for _ in range(times):
            ends = self.ask(action, orders, limits or {})
        after = [snapshot(place) for place in places]
        rows = zip(cases, ends, before, after, places, strict=True)
        return {name: Outcome(*end, *states) for name, end, *states in rows}

    def assert_refused(self, outcomes, *, naming=None):
        for name, outcome in outcomes.items():
            with self.subTest(name):
                self.assertEqual(outcome.how, "refused", outcome.message)
                self.assertEqual(outcome.after, outcome.before)
                if naming is not None:
                    self.assertIn(naming[name], outcome.message)

    def assert_contained(self, outcomes):
        """Refused, or restored without any effect outside: both are right."""
        for name, outcome in outcomes.items():
            with self.subTest(name):
                self.assertNotEqual(outcome.how, "raised", outcome.message)
                self.assertEqual(outcome.elsewhere(outcome.after), outcome.elsewhere(outcome.before))
                if outcome.how == "refused":
                    self.assertEqual(outcome.after, outcome.before)
                inside = outcome.folder / "customer" / "restored"
                for path, (mode, content) in outcome.restored.items():
                    self.assertNotEqual(content, SECRET.encode())
                    if mode.startswith("l") and f"customer/restored/{path}" not in outcome.before:
                        self.assertTrue(Path(os.path.realpath(inside / path)).is_relative_to(inside), path)


def both(cases):
    """Each case as a tar and as a zip."""
    return {f"{name} in a {form}": (form, members) for name, members in cases.items() for form in ("tar", "zip")}


GOOD = [file("letter.txt", "new"), folder("docs"), file("docs/more.txt")]


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests(VISIBLE, count=11)


class TestOrdinary(RestoreCheck):
    MEMBERS = [
        folder("docs"),
        folder("docs/empty"),
        file("docs/letter.txt", "Dear Ms Müller"),
        file("letter.txt", "from the backup"),
        file("bin/run.sh", "#!/bin/sh\n", 0o755),
        file("keys/id", "private", 0o600),
        file("..notes", "dots"),
        file("a..b/c d.txt", "spaces"),
        file("ümläut/ß.txt", "ä"),
        file("-dash", ""),
        link("current", "releases/3"),
        file("releases/3/app.txt", noise(1, 150_000)),
        link("releases/3/shared", "../../docs"),
        link("docs/latest", "letter.txt"),
        link("later", "not/there/yet"),
    ]

    def assert_complete(self, outcome, members):
        self.assertEqual(outcome.how, "restored", outcome.message)
        for member in members:
            if member.name == "./":
                continue
            mode, content = outcome.restored[os.path.normpath(member.name)]
            expected = {"file": "-", "folder": "d", "link": "l", "hard link": "-"}[member.kind]
            self.assertEqual(mode[0], expected, member.name)
            if member.kind in ("file", "link"):
                self.assertEqual(content, member.content)
        self.assertEqual(outcome.restored["bin/run.sh"][0], "-rwxr-xr-x")
        self.assertEqual(outcome.restored["keys/id"][0], "-rw-------")
        self.assertEqual(outcome.elsewhere(outcome.after), outcome.elsewhere(outcome.before))

    def test_everything_is_restored(self):
        dotted = [member._replace(name=f"./{member.name}") for member in self.MEMBERS]
        linked = [*self.MEMBERS, hard_link("docs/copy.txt", "docs/letter.txt")]
        cases = {
            "tar": ("tar", linked),
            "compressed": ("tar.gz", self.MEMBERS),
            "xz": ("tar.xz", self.MEMBERS),
            "dotted": ("tar", [folder("./"), *dotted]),
            "zip": ("zip", self.MEMBERS),
        }
        outcomes = self.restore_all(cases)
        for name, outcome in outcomes.items():
            with self.subTest(name):
                self.assert_complete(outcome, cases[name][1])
                self.assertEqual(outcome.restored["letter.txt"][1], b"from the backup")
                self.assertEqual(outcome.restored["diary.txt"][1], b"only here")
                if name != "zip":
                    path = outcome.folder / "customer" / "restored" / "docs" / "letter.txt"
                    self.assertEqual(int(path.stat().st_mtime), MTIME)
        self.assertEqual(outcomes["tar"].restored["docs/copy.txt"][1], "Dear Ms Müller".encode())

    def test_twice_and_into_a_new_folder(self):
        cases = {"tar twice": ("tar", self.MEMBERS), "zip twice": ("zip", self.MEMBERS)}
        for name, outcome in self.restore_all(cases, times=2, existing=False).items():
            with self.subTest(name):
                self.assert_complete(outcome, self.MEMBERS)

    def test_special_bits_are_not_restored(self):
        members = [folder("bin", 0o3777), file("bin/tool", "#!", 0o6755), file("bin/other", "#!", 0o1755)]
        for name, outcome in self.restore_all({"tar": ("tar", members), "zip": ("zip", members)}).items():
            with self.subTest(name):
                self.assertEqual(outcome.how, "restored", outcome.message)
                self.assertEqual(outcome.restored["bin/tool"][0], "-rwxr-xr-x")
                self.assertEqual(outcome.restored["bin/other"][0], "-rwxr-xr-x")
                self.assertFalse(set("stST") & set(outcome.restored["bin"][0]))


class TestContainment(RestoreCheck):
    def test_names_that_lead_outside_are_refused(self):
        cases = both({
            "a name that climbs": [*GOOD, file("../evil.txt")],
            "a name that climbs to a neighbour": [*GOOD, file("../restored-too/evil.txt")],
            "a name that climbs far": [*GOOD, file("docs/../../../outside/evil.txt")],
        })
        self.assert_refused(self.restore_all(cases), naming=dict.fromkeys(cases, "evil.txt"))

    def test_links_that_lead_outside_are_refused(self):
        cases = both({
            "a link outside": [*GOOD, link("docs/bad-link", "../../../outside")],
            "an absolute link": [*GOOD, link("bad-link", "OUTSIDE")],
            "a link to a file": [*GOOD, link("bad-link", "../../outside/secret.txt")],
            "a file through a link": [*GOOD, link("bad-link", "../../outside"), file("bad-link/evil.txt")],
        })
        self.assert_refused(self.restore_all(cases), naming=dict.fromkeys(cases, "bad-link"))

    def test_hard_links_that_lead_outside_are_refused(self):
        cases = {
            "a hard link": ("tar", [*GOOD, hard_link("bad-link", "../../outside/secret.txt")]),
            "an absolute hard link": ("tar", [*GOOD, hard_link("bad-link", "OUTSIDE/secret.txt")]),
        }
        outcomes = self.restore_all(cases)
        self.assert_refused({"a hard link": outcomes["a hard link"]})
        self.assert_contained(outcomes)

    def test_links_that_lead_outside_together_do_no_harm(self):
        down = [folder("d"), link("d/s", "..")]
        here = [link("here", ".")]
        self.assert_contained(self.restore_all(both({
            "a file over a link": [*GOOD, link("twice", "../../outside/secret.txt"), file("twice", "evil")],
            "a link through a link": [*GOOD, *down, link("d/s/t", "../../outside"), file("d/s/t/evil.txt")],
            "a file through two links": [*GOOD, *down, link("d/s/t", "../../outside"), file("t/evil.txt")],
            "one step that goes nowhere": [*GOOD, *here, link("up", "here/../../outside"), file("up/evil.txt")],
            "several steps": [*GOOD, *here, link("a", "here/.."), link("b", "a/../outside"), file("b/evil.txt")],
        })))

    def test_absolute_names_do_no_harm(self):
        cases = both({"an absolute name": [*GOOD, file("OUTSIDE/evil.txt"), file("OUTSIDE/secret.txt", "evil")]})
        self.assert_contained(self.restore_all(cases))

    def test_links_that_were_there_before_do_no_harm(self):
        cases = both({
            "an old link to a folder": [*GOOD, folder("old"), file("old/evil.txt"), file("old/secret.txt", "evil")],
            "an old link to a file": [*GOOD, file("old.txt", "evil")],
        })
        cases["an old link and a hard link"] = ("tar", [*GOOD, hard_link("mine", "old/secret.txt")])
        for name in cases:
            restored = self.prepare(name) / "customer" / "restored"
            (restored / "old").symlink_to("../../outside")
            (restored / "old.txt").symlink_to("../../outside/secret.txt")
        self.assert_contained(self.restore_all(cases))

    def test_special_files_are_refused(self):
        cases = {
            "a pipe": ("tar", [*GOOD, Member("pipe", "docs/strange")]),
            "a device": ("tar", [*GOOD, Member("device", "docs/strange")]),
        }
        self.assert_refused(self.restore_all(cases), naming=dict.fromkeys(cases, "strange"))

    def test_a_folder_that_was_not_there_is_not_there_afterwards(self):
        cases = both({"a new folder": [*GOOD, file("../evil.txt")]})
        self.assert_refused(self.restore_all(cases, existing=False))


class TestLimits(RestoreCheck):
    def test_much_more_than_the_upload_is_refused(self):
        for form in ("tar.gz", "zip"):
            bomb = {form: (form, [*GOOD, file("zeros", bytes(32_000_000))])}
            outcomes = self.restore_all(bomb, limits={"max_bytes": 1_000_000}, action=restore_with_little_space)
            self.assert_refused(outcomes)

    def test_many_files_count_together(self):
        members = [*GOOD, *(file(f"{number}.bin", bytes(40_000)) for number in range(30))]
        bomb = {form: (form, members) for form in ("tar.gz", "zip")}
        self.assert_refused(self.restore_all(bomb, limits={"max_bytes": 1_000_000}))

    def test_too_many_entries_are_refused(self):
        members = [file(f"{number}.txt", "") for number in range(41)]
        self.assert_refused(self.restore_all({f: (f, members) for f in ("tar.gz", "zip")}, limits={"max_files": 40}))

    def test_what_is_allowed_is_restored(self):
        members = [file(f"{number}.txt", bytes(25_000)) for number in range(40)]
        limits = {"max_files": 40, "max_bytes": 1_000_000}
        for outcome in self.restore_all({f: (f, members) for f in ("tar.gz", "zip")}, limits=limits).values():
            self.assertEqual(outcome.how, "restored", outcome.message)
            self.assertEqual(len(outcome.restored["39.txt"][1]), 25_000)


class TestDamage(RestoreCheck):
    def test_a_damaged_archive_changes_nothing(self):
        members = [*GOOD, *(file(f"{number}.bin", noise(number, 40_000)) for number in range(6))]
        cases = {}
        for form, keep in {"tar.gz": 0.7, "tar.xz": 0.6, "tar": 0.55}.items():
            path = self.archive(f"broken {form}", members, form)
            os.truncate(path, int(path.stat().st_size * keep))
            cases[f"broken {form}"] = (form, path)
        path = self.archive("broken zip", members, "zip")
        content = bytearray(path.read_bytes())
        content[len(content) * 6 // 10] ^= 0xFF
        path.write_bytes(content)
        cases["broken zip"] = ("zip", path)
        self.assert_refused(self.restore_all(cases))


if __name__ == "__main__":
    main(count=17)
