"""The seal is, byte for byte, what the pipeline of the method prints."""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sigilgen.model.capability import PayloadFile
from sigilgen.store.tree import digest_lines, read_tree, seal_files, sealed_paths, tree_digest
from sigilgen.store.walk import EntryKind, walk

PIPELINE = r"""
find . -type f ! -name sigil.yaml ! -name evidence.json ! -name .DS_Store ! -path './.git/*' \
  | sed 's|^\./||' | LC_ALL=C sort \
  | while IFS= read -r f; do shasum -a 256 "$f"; done \
  | shasum -a 256
"""
TOOLS = [tool for tool in ("shasum -a 256", "sha256sum") if shutil.which(tool.split()[0])]

# A name may hold any byte but / and NUL. Line breaks end a line of the pipeline, carriage returns are escaped by newer
# versions of sha256sum only, and - or + at the very front is taken for an option: all of them are refused in payloads.
OPTION_MARKS = ("-", "+")
ODD_NAMES = [
    "sigil.yaml",
    "evidence.json",
    ".DS_Store",
    ".git",
    "SKILL.md",
    " leading and trailing ",
    "--dashes",
    "-n",
    "+",
    "a\\b",
    "\\",
    "tab\there",
    "*",
    "$(id)",
    "%s",
    "é",
    "e\u0301",
    "日本語",
    "a.b",
    "a",
    "A",
    "\udcff\udcfe",
]
NAMES = st.one_of(
    st.sampled_from(ODD_NAMES),
    st.text(st.characters(exclude_characters="/\0\n\r", codec="utf-8"), min_size=1, max_size=12).filter(
        lambda name: name not in {".", ".."}
    ),
)
TREES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=4).map("/".join).filter(lambda path: not path.startswith(OPTION_MARKS)),
    st.binary(max_size=40),
    max_size=8,
)


def pipeline(folder: Path, tool: str, command: str = PIPELINE) -> str:
    done = subprocess.run(
        ["sh", "-c", command.replace("shasum -a 256", tool)], cwd=folder, capture_output=True, check=True, text=True
    )
    assert not done.stderr
    return "sha256:" + done.stdout.split()[0]


def seal(folder: Path) -> str:
    files, refusals = seal_files(folder, sealed_paths(walk(folder)))
    assert not refusals
    return tree_digest(files)


def plant(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files`; those whose place is taken by a file or folder of another are left out."""
    for path, content in files.items():
        place = folder / path
        if len(place.name.encode(errors="surrogateescape")) > 255 or os.path.lexists(place):
            continue
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            continue
        place.write_bytes(content)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_odd_name_at_every_depth_is_sealed_like_the_pipeline_does(tool: str, tmp_path: Path) -> None:
    names = [name for name in ODD_NAMES if not name.startswith(OPTION_MARKS)]
    plant(tmp_path, {name: name.encode(errors="surrogateescape") for name in names if name != ".git"})
    plant(tmp_path, {f"deep/{'er/' * 20}{name}": b"" for name in ODD_NAMES})
    plant(tmp_path, {".git/config": b"x", "sub/.git/config": b"y", "sub/sigil.yaml/inside": b"z"})
    (tmp_path / "empty folder").mkdir()
    (tmp_path / "link").symlink_to("SKILL.md")
    (tmp_path / "link to a folder").symlink_to("deep")
    assert seal(tmp_path) == pipeline(tmp_path, tool)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=TREES)
def test_generated_trees_are_sealed_like_the_pipeline_does(files: Mapping[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plant(folder, files)
        assert seal(folder) == pipeline(folder, TOOLS[-1])


@pytest.mark.long
@settings(max_examples=500, deadline=None)
@given(files=TREES)
def test_many_generated_trees_are_sealed_like_the_pipeline_does(files: Mapping[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plant(folder, files)
        digest = seal(folder)
        assert [pipeline(folder, tool) for tool in TOOLS] == [digest] * len(TOOLS)


def test_lines_are_hash_two_spaces_path_in_the_order_of_bytes() -> None:
    digest = hashlib.sha256(b"").hexdigest()
    paths = ["b", "a/b", "a.b", "Z", "é", "a\\b"]
    lines = list(digest_lines(PayloadFile(path, 0, digest) for path in paths))
    assert lines == [
        f"{digest}  Z\n".encode(),
        f"{digest}  a.b\n".encode(),
        f"{digest}  a/b\n".encode(),
        f"\\{digest}  a\\\\b\n".encode(),
        f"{digest}  b\n".encode(),
        f"{digest}  é\n".encode(),
    ]


def test_walking_names_what_it_finds_and_follows_no_link(tmp_path: Path) -> None:
    plant(tmp_path, {"file": b"", "folder/file": b"", ".git/hidden": b"", "sub/.git/seen": b""})
    (tmp_path / "link").symlink_to("folder")
    os.mkfifo(tmp_path / "pipe")
    assert {entry.path: entry.kind for entry in walk(tmp_path)} == {
        "file": EntryKind.FILE,
        "folder/file": EntryKind.FILE,
        "sub/.git/seen": EntryKind.FILE,
        "link": EntryKind.LINK,
        "pipe": EntryKind.SPECIAL,
    }


def test_a_folder_that_cannot_be_listed_is_refused_and_not_passed_over(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):  # deeper than a path can say
        os.mkdir("x" * 250, dir_fd=descriptor)
        deeper = os.open("x" * 250, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(descriptor)
    tree = read_tree(tmp_path, leave_out=lambda _path: False)
    assert [refusal.reason for refusal in tree.refusals] == ["cannot be read: file name too long"]
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)  # pytest could not


CHANGES: dict[str, Callable[[Path], object]] = {
    "longer": lambda place: place.write_bytes(b"first, and more"),
    "rewritten with as many bytes": lambda place: place.write_bytes(b"FIRST"),
    "replaced by another": lambda place: place.with_name("second").replace(place),
    "removed": os.unlink,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_that_changes_while_others_are_read_is_refused(change: Callable[[Path], object], tmp_path: Path) -> None:
    plant(tmp_path, {"first": b"first", "second": b"again", "third": b"third"})

    def paths() -> Iterator[str]:
        yield "first"
        time.sleep(0.02)  # file systems keep times in steps of a few milliseconds
        change(tmp_path / "first")
        yield "third"

    _, refusals = seal_files(tmp_path, paths())
    assert [str(refusal) for refusal in refusals] == [
        "first: changed while the folder was read; stop what writes there"
    ]


def test_a_file_that_comes_while_the_folder_is_read_is_noticed(tmp_path: Path) -> None:
    plant(tmp_path, {"first": b"first"})

    def leave_out(_path: str) -> bool:
        (tmp_path / "late").touch()
        return False

    tree = read_tree(tmp_path, leave_out=leave_out)
    assert [str(refusal) for refusal in tree.refusals] == [
        ".: files came or went while it was read; stop what writes there"
    ]
