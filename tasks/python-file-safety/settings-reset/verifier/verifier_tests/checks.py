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
import logging
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


VISIBLE = sources("tests/test_settings.py", "tests/test_store.py")  # read before the work has run and could change them

OLD = {"theme": "dark", "sync_token": "tok-4711", "plugins": {"spellbook": {"words": ["naïve", "Zürich"]}}}
SMALL = {"theme": "light", "font_size": 15, "sync_token": "tok-4711", "language": "日本語"}
LARGE = SMALL | {"plugins": {"archive": {"notes": "ä" * 40_000}}}


def save(path, fields):
    from inkwell import Settings, SettingsStore

    SettingsStore(str(path)).save(Settings(**fields))


def load(path):
    from inkwell import SettingsStore

    return SettingsStore(str(path)).load().to_data()


def save_watched(path, tmp, fields):
    events = watch(tmp)
    save(path, fields)
    return events


def start_again(path, fields):
    """What is there after a crash, and what after saving once more."""
    found = load(path)
    save(path, fields)
    return [found, load(path)]


def holds(data, fields):
    return all(data.get(key) == value for key, value in fields.items())


def parsed(entry):
    mode, content = entry
    return json.loads(content)


def exposed(files):
    """Files with content that somebody else on this machine could read."""
    closed = [name + os.sep for name, (mode, _) in files.items() if mode.startswith("d") and "x" not in mode[4:]]
    return [
        name
        for name, (mode, content) in files.items()
        if mode.startswith("-") and content and mode[4:] != "------" and not name.startswith(tuple(closed))
    ]


class SettingsCheck(Check):
    def setUp(self):
        super().setUp()
        self.path = self.home / "settings.json"

    def save(self, fields, path=None):
        """Save in a new process, which has to go well; return what is in the folder then."""
        self.ask(save, path or self.path, fields)
        return snapshot(self.home)

    def limits(self, fields):
        """Some lengths below the one that the file has with these settings."""
        elsewhere = self.tmp / "measured.json"
        self.save(fields, elsewhere)
        size = elsewhere.stat().st_size
        return [0, 1, size // 2, size - 1]

    def check_full_disk(self, fields):
        before = self.save(OLD)
        for limit in self.limits(fields):
            error = self.ask(with_full_disk, limit, save, self.path, fields)
            self.assertIsNotNone(error, "saving failed and nothing was raised")
            self.assertEqual(snapshot(self.home), before)
        self.save(fields)
        self.assertTrue(holds(self.ask(load, self.path), fields), "after the failures saving does not work")

    def crashes(self, fields):
        """Save `fields` and die meanwhile, at a different moment each time."""
        for limit in self.limits(fields):
            self.crash_at_byte(limit, save, self.path, fields)
            yield
        for when in ("before", "after"):
            self.apart(dying_at_rename, when, save, self.path, fields)
            yield

    def check_crashes(self, fields, *, mode=0o644, name="settings.json"):
        """Crash and start again; return what each crash left. `name` is that of the file itself."""
        self.save(OLD)
        self.path.chmod(mode)
        remains = []
        for _ in self.crashes(fields):
            remains.append(snapshot(self.home))
            found, saved = self.ask(start_again, self.path, OLD)
            expected = OLD if holds(found, OLD) else fields
            self.assertTrue(holds(found, expected), "after a crash the settings are neither the old nor the new ones")
            self.assertTrue(holds(parsed(remains[-1][name]), expected), "the file is not complete")
            self.assertTrue(holds(saved, OLD), "after a crash saving does not work")
        return remains

    def check_synced(self, fields, path):
        events = self.ask(save_watched, self.path, self.tmp, fields)
        self.assertTrue(was_synced_before_publication(events, path), "after a power cut the new file could be empty")


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests(VISIBLE, count=14)


class TestFailure(SettingsCheck):
    def test_a_full_disk_changes_nothing(self):
        self.check_full_disk(SMALL)

    def test_a_full_disk_changes_nothing_when_there_is_much_to_save(self):
        self.check_full_disk(LARGE)

    def test_settings_that_json_cannot_express_change_nothing(self):
        before = self.save(OLD)
        for length in (10, 100_000):
            plugins = {"first": "x" * length, "second": {1, 2}, "third": "x"}
            error = self.ask(attempt, save, self.path, {"theme": "light", "plugins": plugins})
            self.assertEqual(error, "TypeError")
            self.assertEqual(snapshot(self.home), before)


class TestCrash(SettingsCheck):
    def test_a_crash_leaves_old_or_new_settings(self):
        self.check_crashes(SMALL)

    def test_a_crash_leaves_old_or_new_settings_when_there_is_much_to_save(self):
        self.check_crashes(LARGE)

    def test_a_private_file_is_private_at_any_time(self):
        for left in self.check_crashes(LARGE, mode=0o600):
            self.assertEqual(exposed(left), [])

    def test_the_data_is_on_disk_before_the_file_gets_its_name(self):
        for fields in (SMALL, LARGE):
            self.check_synced(fields, self.path)


class TestPeople(SettingsCheck):
    def test_who_has_opened_the_file_gets_all_of_it(self):
        self.save(OLD)
        with open(self.path, "rb") as file:
            self.save(LARGE)
            self.assertTrue(holds(json.loads(file.read()), OLD))

    def test_mode_600_stays(self):
        self.save(OLD)
        self.path.chmod(0o600)
        for fields in (SMALL, LARGE):
            files = self.save(fields)
            self.assertEqual(files["settings.json"][0], "-rw-------")
            self.assertTrue(holds(parsed(files["settings.json"]), fields))


class TestLinks(SettingsCheck):
    def setUp(self):
        super().setUp()
        self.save(OLD)
        folder = self.home / "dotfiles" / "inkwell"
        folder.mkdir(parents=True)
        self.real = folder / "real.json"
        self.path.rename(self.real)
        (self.home / "dotfiles" / "current.json").symlink_to(Path("inkwell", "real.json"))
        self.path.symlink_to(Path("dotfiles", "current.json"))

    def assert_links(self, files):
        self.assertEqual(files["settings.json"][1], b"dotfiles/current.json")
        self.assertEqual(files["dotfiles/current.json"][1], b"inkwell/real.json")

    def test_links_stay_and_their_target_is_written(self):
        for fields in (LARGE, SMALL):
            files = self.save(fields)
            self.assert_links(files)
            self.assertTrue(holds(parsed(files["dotfiles/inkwell/real.json"]), fields))

    def test_behind_links_nothing_is_lost_either(self):
        self.check_full_disk(LARGE)
        for left in self.check_crashes(LARGE, name="dotfiles/inkwell/real.json"):
            self.assert_links(left)
        self.check_synced(SMALL, self.real)


if __name__ == "__main__":
    main(count=12)
