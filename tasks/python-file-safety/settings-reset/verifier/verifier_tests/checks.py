"""Hidden checks: each runs the workspace's code in a child process and judges what that left behind.

The exit status is the verdict. This process itself imports nothing from the workspace.
"""

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


OLD = {"theme": "dark", "sync_token": "tok-4711", "plugins": {"spellbook": {"words": ["naïve", "Zürich"]}}}
SMALL = {"theme": "light", "font_size": 15, "sync_token": "tok-4711", "language": "日本語"}
LARGE = SMALL | {"plugins": {"archive": {"notes": "ä" * 40_000}}}

PLACE = r"""
os.umask(0o022)
path = os.path.join(GIVEN["home"], "settings.json")


def save(fields, where=path):
    from inkwell import Settings, SettingsStore

    SettingsStore(where).save(Settings(**fields))


def load():
    from inkwell import SettingsStore

    return SettingsStore(path).load().to_data()


def limits(fields):
    '''Some lengths below the one that the file has with these settings.'''
    elsewhere = os.path.join(GIVEN["tmp"], "measured.json")
    save(fields, elsewhere)
    size = os.path.getsize(elsewhere)
    return [0, 1, size // 2, size - 1]
"""

SAVE = """
save(GIVEN["fields"])
report(snapshot(GIVEN["home"]))
"""

SAVE_WATCHED = """
watch()
save(GIVEN["fields"])
report(EVENTS)
"""

SAVE_ON_A_FULL_DISK = """
save(GIVEN["old"])
report(snapshot(GIVEN["home"]))
for limit in limits(GIVEN["fields"]):
    error = with_full_disk(limit, save, GIVEN["fields"])
    report([error, snapshot(GIVEN["home"])])
save(GIVEN["fields"])
report(load())
"""

SAVE_WHAT_JSON_CANNOT_EXPRESS = """
save(GIVEN["old"])
report(snapshot(GIVEN["home"]))
for length in (10, 100_000):
    plugins = {"first": "x" * length, "second": {1, 2}, "third": "x"}
    error = attempt(save, {"theme": "light", "plugins": plugins})
    report([error, snapshot(GIVEN["home"])])
"""

CRASH = """
def look():
    report([snapshot(GIVEN["home"]), load()])

def crashes(fields):
    for limit in limits(fields):
        yield lambda: dying_at_byte(limit, save, fields)
    for when in ("before", "after"):
        yield lambda: dying_at_rename(when, save, fields)

save(GIVEN["old"])
os.chmod(path, GIVEN["mode"])
for crash in crashes(GIVEN["fields"]):
    crash()
    in_fork(look)
    in_fork(save, GIVEN["old"])
    in_fork(look)
"""


def holds(data, fields):
    return all(data.get(key) == value for key, value in fields.items())


def parsed(entry):
    mode, content = entry
    return json.loads(content.encode("latin-1"))


def exposed(files):
    """Files with content that somebody else on this machine could read."""
    closed = [name + os.sep for name, (mode, _) in files.items() if mode.startswith("d") and "x" not in mode[4:]]
    return [
        name
        for name, (mode, content) in files.items()
        if mode.startswith("-") and content and mode[4:] != "------" and not name.startswith(tuple(closed))
    ]


class TestVisible(Check):
    def test_the_visible_tests_pass(self):
        self.check_visible_tests("tests/test_settings.py", "tests/test_store.py", count=14)


class TestFailure(Check):
    def check_full_disk(self, fields):
        before, *failures, loaded = self.ask_all(PLACE + SAVE_ON_A_FULL_DISK, old=OLD, fields=fields)
        self.assertEqual(len(failures), 4)
        for error, after in failures:
            self.assertIsNotNone(error, "saving failed and nothing was raised")
            self.assertEqual(after, before)
        self.assertTrue(holds(loaded, fields), "after the failures saving does not work")

    def test_a_full_disk_changes_nothing(self):
        self.check_full_disk(SMALL)

    def test_a_full_disk_changes_nothing_when_there_is_much_to_save(self):
        self.check_full_disk(LARGE)

    def test_settings_that_json_cannot_express_change_nothing(self):
        before, *failures = self.ask_all(PLACE + SAVE_WHAT_JSON_CANNOT_EXPRESS, old=OLD)
        self.assertEqual(len(failures), 2)
        for error, after in failures:
            self.assertEqual(error, "TypeError")
            self.assertEqual(after, before)


class TestCrash(Check):
    def check_crashes(self, fields, mode):
        reports = self.ask_all(PLACE + CRASH, old=OLD, fields=fields, mode=mode)
        self.assertEqual(len(reports), 2 * 6, "after a crash settings cannot be loaded")
        for (left, loaded), (_, saved) in zip(reports[::2], reports[1::2], strict=True):
            expected = OLD if holds(loaded, OLD) else fields
            self.assertTrue(holds(loaded, expected), "after a crash the settings are neither the old nor the new ones")
            self.assertTrue(holds(parsed(left["settings.json"]), expected), "the file is not complete")
            self.assertTrue(holds(saved, OLD), "after a crash saving does not work")
        return [left for left, _ in reports[::2]]

    def test_a_crash_leaves_old_or_new_settings(self):
        self.check_crashes(SMALL, 0o644)

    def test_a_crash_leaves_old_or_new_settings_when_there_is_much_to_save(self):
        self.check_crashes(LARGE, 0o644)

    def test_a_private_file_is_private_at_any_time(self):
        for left in self.check_crashes(LARGE, 0o600):
            self.assertEqual(exposed(left), [])

    def test_the_data_is_on_disk_before_the_file_gets_its_name(self):
        for fields in (SMALL, LARGE):
            (events,) = self.ask_all(PLACE + SAVE_WATCHED, fields=fields)
            safe = was_synced_before_publication(events, self.home / "settings.json")
            self.assertTrue(safe, "after a power cut the new file could be empty")


class TestPeople(Check):
    def test_who_has_opened_the_file_gets_all_of_it(self):
        self.ask_all(PLACE + SAVE, fields=OLD)
        with open(self.home / "settings.json", "rb") as file:
            self.ask_all(PLACE + SAVE, fields=LARGE)
            self.assertTrue(holds(json.loads(file.read()), OLD))

    def test_mode_600_stays(self):
        self.ask_all(PLACE + SAVE, fields=OLD)
        (self.home / "settings.json").chmod(0o600)
        for fields in (SMALL, LARGE):
            (files,) = self.ask_all(PLACE + SAVE, fields=fields)
            self.assertEqual(files["settings.json"][0], "-rw-------")
            self.assertTrue(holds(parsed(files["settings.json"]), fields))


class TestLinks(Check):
    def setUp(self):
        super().setUp()
        self.ask_all(PLACE + SAVE, fields=OLD)
        folder = self.home / "dotfiles" / "inkwell"
        folder.mkdir(parents=True)
        self.real = folder / "real.json"
        (self.home / "settings.json").rename(self.real)
        (self.home / "dotfiles" / "current.json").symlink_to(Path("inkwell", "real.json"))
        (self.home / "settings.json").symlink_to(Path("dotfiles", "current.json"))

    def assert_links(self, files):
        self.assertEqual(files["settings.json"][1], "dotfiles/current.json")
        self.assertEqual(files["dotfiles/current.json"][1], "inkwell/real.json")

    def test_links_stay_and_their_target_is_written(self):
        for fields in (LARGE, SMALL):
            (files,) = self.ask_all(PLACE + SAVE, fields=fields)
            self.assert_links(files)
            self.assertTrue(holds(parsed(files["dotfiles/inkwell/real.json"]), fields))

    def test_behind_links_nothing_is_lost_either(self):
        before, *failures, _ = self.ask_all(PLACE + SAVE_ON_A_FULL_DISK, old=OLD, fields=LARGE)
        for error, after in failures:
            self.assertIsNotNone(error)
            self.assertEqual(after, before)
        reports = self.ask_all(PLACE + CRASH, old=OLD, fields=LARGE, mode=0o644)
        for left, loaded in reports:
            self.assert_links(left)
            self.assertTrue(holds(parsed(left["dotfiles/inkwell/real.json"]), OLD if holds(loaded, OLD) else LARGE))
        (events,) = self.ask_all(PLACE + SAVE_WATCHED, fields=SMALL)
        self.assertTrue(was_synced_before_publication(events, self.real))


if __name__ == "__main__":
    main(count=12)
