import subprocess
import sys
from pathlib import Path

import pytest

from sigilgen.errors import StoreError
from sigilgen.lab.journal import Entry, Journal, read_entries


def entry(position: int) -> Entry:
    return Entry(state="running", position=position, attempt=1)


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    for position in range(3):
        journal.append(entry(position))
    journal.close()
    assert read_entries(path) == journal.entries == [entry(0), entry(1), entry(2)]


def test_a_line_cut_at_any_byte_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.append(entry(0))
    whole = path.stat().st_size
    journal.append(entry(1))
    journal.close()
    data = path.read_bytes()
    for length in range(whole, len(data)):
        path.write_bytes(data[:length])
        again = Journal(path)
        again.append(entry(2))
        again.close()
        assert read_entries(path) == [entry(0), entry(2)]


def test_a_damaged_line_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"state":"dancing","position":1,"attempt":1}\n')
    with pytest.raises(StoreError, match="is damaged"):
        read_entries(path)


FULL_DISK = """
import resource, sys
from pathlib import Path
from sigilgen.errors import StoreError
from sigilgen.lab.journal import Entry, Journal
journal = Journal(Path("journal.jsonl"))
journal.append(Entry(state="running", position=0, attempt=1))
size = Path("journal.jsonl").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, resource.RLIM_INFINITY))
try:
    journal.append(Entry(state="running", position=1, attempt=1))
except StoreError as error:
    print(error.message)
try:
    journal.append(Entry(state="running", position=1, attempt=1))
except StoreError as error:
    print(error.message)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
journal.append(Entry(state="running", position=2, attempt=1))
"""


def test_a_line_that_the_disk_has_no_room_for_is_taken_back_whole(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("the journal cannot be written") == 2
    assert read_entries(tmp_path / "journal.jsonl") == [entry(0), entry(2)]
