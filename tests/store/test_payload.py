"""What may be sealed, and that exactly what was sealed is installed."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.errors import PayloadError
from sigilgen.store import payload as payload_module
from sigilgen.store import tree as tree_module
from sigilgen.store.payload import install_payload, read_payload


def write(folder: Path, *paths: str) -> None:
    for path in paths:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.encode(errors="surrogateescape"))


def make_link(folder: Path) -> None:
    (folder / "link").symlink_to("SKILL.md")


def make_folder_link(folder: Path) -> None:
    (folder / ".git").symlink_to("..")


def make_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


REFUSED: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "a link": (make_link, ["link: is a symbolic link; only regular files are sealed"]),
    "a link for .git": (make_folder_link, [".git: is a symbolic link; only regular files are sealed"]),
    "folders without end": (
        lambda folder: write(folder, "d/" * 129 + "f"),
        ["d/" * 129 + "f: its path is longer than 1,024 bytes or 128 folders"],
    ),
    "a pipe": (make_pipe, ["pipe: is a pipe, socket or device; only regular files are sealed"]),
    "a line break in a name": (
        lambda folder: write(folder, "a\nb"),
        ["a\\nb: its name holds a control character or line break"],
    ),
    "an escape in the name of a folder": (
        lambda folder: write(folder, "a\x1b[2J/b"),
        ["a\\x1b[2J/b: its name holds a control character or line break"],
    ),
    "a line separator": (
        lambda folder: write(folder, "a\u2028b"),
        ["a\\u2028b: its name holds a control character or line break"],
    ),
    "a back-slash": (
        lambda folder: write(folder, "a\\b"),
        ["a\\b: its name holds a back-slash, which the documented command writes in two ways"],
    ),
    "a name that is not UTF-8": (lambda folder: write(folder, "\udcff"), ["\\udcff: its name is not valid UTF-8"]),
    "an option in front": (
        lambda folder: write(folder, "-n", "+", "sub/-n", "sub/+"),
        [
            "+: its name begins with +, which the documented command takes for an option",
            "-n: its name begins with -, which the documented command takes for an option",
        ],
    ),
    "letter case": (
        lambda folder: write(folder, "skill.md", "a/x", "A/y"),
        [
            "a: differs from A only in letter case or Unicode form",
            "skill.md: differs from SKILL.md only in letter case or Unicode form",
        ],
    ),
    "Unicode form": (
        lambda folder: write(folder, "\u00e9", "e\u0301"),
        ["\u00e9: differs from e\u0301 only in letter case or Unicode form"],
    ),
    "nested papers": (
        lambda folder: write(folder, "sub/sigil.yaml", "sub/evidence.json", "sigil.yaml", "evidence.json"),
        [
            "sub/evidence.json: the seal leaves out every file of this name, so none may be installed",
            "sub/sigil.yaml: the seal leaves out every file of this name, so none may be installed",
        ],
    ),
}


@pytest.mark.parametrize(("spoil", "reasons"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_installed_and_not_sealed_is_refused(
    spoil: Callable[[Path], None], reasons: list[str], tmp_path: Path
) -> None:
    write(tmp_path, "SKILL.md")
    spoil(tmp_path)
    with pytest.raises(PayloadError) as caught:
        read_payload(tmp_path)
    assert [line.strip() for line in caught.value.message.splitlines()[1:]] == reasons


def test_all_refusals_are_told_at_once(tmp_path: Path) -> None:
    make_link(tmp_path)
    make_pipe(tmp_path)
    write(tmp_path, "a\\b", "sub/sigil.yaml", "X", "x")
    with pytest.raises(PayloadError, match="5 reasons"):
        read_payload(tmp_path)


def test_a_flood_of_refusals_is_cut_short_with_its_number(tmp_path: Path) -> None:
    write(tmp_path, *(f"{number}\\" for number in range(150)))
    with pytest.raises(PayloadError, match="150 reasons") as caught:
        read_payload(tmp_path)
    assert caught.value.message.splitlines()[-1] == "  … and 50 more"


EMPTY = {
    "nothing at all": [],
    "only papers": ["sigil.yaml", "evidence.json"],
    "only a machine's file": [".DS_Store"],
    "only git": [".git/config"],
}


@pytest.mark.parametrize("paths", EMPTY.values(), ids=EMPTY)
def test_a_payload_without_files_is_refused(paths: list[str], tmp_path: Path) -> None:
    write(tmp_path, *paths)
    with pytest.raises(PayloadError, match="holds no payload"):
        read_payload(tmp_path)


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PayloadError, match="not a folder"):
        read_payload(tmp_path / "missing")


def test_machine_files_and_papers_change_no_digest(tmp_path: Path) -> None:
    write(tmp_path, "SKILL.md", "sub/file")
    before = read_payload(tmp_path)
    write(tmp_path, "sigil.yaml", "evidence.json", ".DS_Store", "sub/.DS_Store", ".git/HEAD")
    assert read_payload(tmp_path) == before


def test_modes_empty_folders_and_the_clock_change_no_digest(tmp_path: Path) -> None:
    write(tmp_path, "SKILL.md")
    before = read_payload(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "SKILL.md").chmod(0o755)
    os.utime(tmp_path / "SKILL.md", (0, 0))
    assert read_payload(tmp_path) == before


def test_files_are_told_with_size_and_hash_in_the_order_of_bytes(tmp_path: Path) -> None:
    write(tmp_path, "b", "a/b", "a.b", "Z")
    payload = read_payload(tmp_path)
    assert [(file.path, file.size_bytes) for file in payload.files] == [("Z", 1), ("a.b", 3), ("a/b", 3), ("b", 1)]
    assert payload.files[3].sha256 == "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"


def test_a_size_beyond_the_limit_is_refused_without_reading_it(tmp_path: Path) -> None:
    os.truncate(os.open(tmp_path / "huge", os.O_WRONLY | os.O_CREAT), tree_module.MAX_BYTES + 1)
    with pytest.raises(PayloadError, match="more than 4 GiB"):
        read_payload(tmp_path)


def test_a_number_of_files_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "MAX_FILES", 3)
    write(tmp_path, "a", "b", "c")
    assert len(read_payload(tmp_path).files) == 3
    write(tmp_path, "d")
    with pytest.raises(PayloadError, match="more than 3 files"):
        read_payload(tmp_path)


def test_installing_copies_the_sealed_files_and_nothing_else(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "work" / "skills" / "name"
    write(source, "SKILL.md", "scripts/run.sh", "sigil.yaml", "evidence.json", "scripts/.DS_Store", ".git/HEAD")
    (source / "scripts/run.sh").chmod(0o777)
    (source / "empty").mkdir()
    payload = read_payload(source)
    before = os.umask(0o077)
    try:
        install_payload(source, payload, target)
    finally:
        os.umask(before)
    found = {str(path.relative_to(target)): path.stat().st_mode & 0o777 for path in target.rglob("*")}
    assert found == {"SKILL.md": 0o644, "scripts": 0o755, "scripts/run.sh": 0o644}
    assert [folder.stat().st_mode & 0o777 for folder in (target, target.parent, target.parents[1])] == [0o755] * 3
    assert read_payload(target) == payload


def test_a_source_that_changed_since_it_was_sealed_is_not_installed(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    write(source, "SKILL.md")
    payload = read_payload(source)
    (source / "SKILL.md").write_text("changed")
    with pytest.raises(PayloadError, match="not what was sealed"):
        install_payload(source, payload, target)
    assert not target.exists()


def test_a_source_file_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    write(source, "SKILL.md")
    payload = read_payload(source)
    (source / "SKILL.md").replace(tmp_path / "same bytes")
    (source / "SKILL.md").symlink_to("../same bytes")
    with pytest.raises(PayloadError, match="cannot install"):
        install_payload(source, payload, target)
    assert not target.exists()


def make_target_folder(target: Path) -> None:
    target.mkdir(parents=True)


def make_target_link(target: Path) -> None:
    target.parent.mkdir()
    target.symlink_to("nowhere")


def make_parent_link(target: Path) -> None:
    (target.parents[1] / "elsewhere").mkdir()
    target.parent.symlink_to("elsewhere")


def make_parent_file(target: Path) -> None:
    target.parent.write_text("in the way")


TARGETS: dict[str, tuple[Callable[[Path], None], str]] = {
    "an empty folder": (make_target_folder, "something is there already"),
    "a dangling link": (make_target_link, "something is there already"),
    "below a link": (make_parent_link, "is a symbolic link"),
    "below a file": (make_parent_file, "cannot make"),
}


@pytest.mark.parametrize(("prepare", "reason"), TARGETS.values(), ids=TARGETS)
def test_nothing_is_installed_over_or_through_what_is_there(
    prepare: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    source, target = tmp_path / "source", tmp_path / "work" / "name"
    source.mkdir()
    write(source, "SKILL.md")
    (tmp_path / "work").parent.mkdir(exist_ok=True)
    prepare(target)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(PayloadError, match=reason):
        install_payload(source, read_payload(source), target)
    assert sorted(tmp_path.rglob("*")) == before


PEAK = textwrap.dedent("""
    import resource, sys
    from pathlib import Path
    from sigilgen.store.payload import read_payload
    payload = read_payload(Path(sys.argv[1]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(len(payload.files), sum(file.size_bytes for file in payload.files), peak)
""")


def peak_megabytes(folder: Path, *, files: int, size: int) -> float:
    """Peak memory of a process that seals `folder`, which must hold this many files of this size in all."""
    # Linux starts a program's peak from that of the process that started it; the shell between is a small one.
    command = ["sh", "-c", '"$0" -c "$1" "$2"; exit $?', sys.executable, PEAK, str(folder)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found, total, peak = (int(number) for number in done.stdout.split())
    assert (found, total) == (files, size)
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def make_sparse(folder: Path, *, files: int, size: int) -> None:
    for number in range(files):
        place = folder / f"{number // 200}" / f"file-{number}.bin"
        place.parent.mkdir(exist_ok=True)
        place.touch()
        os.truncate(place, size // files)


def test_a_file_larger_than_the_memory_allowed_is_read_in_pieces(tmp_path: Path) -> None:
    make_sparse(tmp_path, files=1, size=200 << 20)
    assert peak_megabytes(tmp_path, files=1, size=200 << 20) < 100


def test_two_thousand_files_take_little_memory(tmp_path: Path) -> None:
    make_sparse(tmp_path, files=2_000, size=2_000 << 14)
    assert peak_megabytes(tmp_path, files=2_000, size=2_000 << 14) < 100


@pytest.mark.long
def test_twenty_thousand_files_of_one_gigabyte_take_less_than_a_hundred_megabytes(tmp_path: Path) -> None:
    size = 20_000 * 53_687  # just above 1 GiB / 20,000
    make_sparse(tmp_path, files=20_000, size=size)
    assert peak_megabytes(tmp_path, files=20_000, size=size) < 100


def test_names_that_are_left_out_are_those_of_papers(tmp_path: Path) -> None:
    """A name that only looks like one of the papers is sealed like any other."""
    write(tmp_path, "sigil.yaml.bak", "Sigil.yaml", "evidence.json/inside", "xsigil.yaml")
    paths = [file.path for file in read_payload(tmp_path).files]
    assert paths == ["Sigil.yaml", "evidence.json/inside", "sigil.yaml.bak", "xsigil.yaml"]
    assert payload_module.PAPERS.isdisjoint(paths)
