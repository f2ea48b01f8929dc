"""Reading text files that people wrote; whatever stands against one becomes a fault."""

from codecs import BOM_UTF8
from pathlib import Path

from sigilgen.errors import Fault
from sigilgen.store.regular import open_regular, why


def read_text(path: Path, label: str, *, limit_bytes: int, faults: list[Fault]) -> str | None:
    """The text at `path`, or None with a fault added. `label` is how people know the file."""
    try:
        with open_regular(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            data = file.read(limit_bytes + 1)
    except FileNotFoundError:
        faults.append(Fault(label, None, "is missing"))
        return None
    except OSError as error:
        faults.append(Fault(label, None, why(error), "It must be a regular, readable file."))
        return None
    if len(data) > limit_bytes:
        faults.append(Fault(label, None, f"is larger than {limit_bytes >> 10} KiB"))
        return None
    return _decode(data, label, faults)


def _decode(data: bytes, label: str, faults: list[Fault]) -> str | None:
    if data.startswith(BOM_UTF8):
        faults.append(Fault(label, 1, "begins with a byte-order mark", "Save it as UTF-8 without one."))
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        faults.append(Fault(label, line, f"is not UTF-8: byte {data[error.start]:#04x}", "Save it as UTF-8."))
        return None
