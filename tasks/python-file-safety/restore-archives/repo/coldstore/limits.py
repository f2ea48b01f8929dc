"""How much one archive may contain."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024
GIGABYTE = 1024 * MEGABYTE


@dataclass(frozen=True)
class Limits:
    max_bytes: int = 20 * GIGABYTE
    max_files: int = 500_000


def parse_size(text: str) -> int:
    """Bytes in "500", "30M" or "2G"."""
    units = {"K": 1024, "M": MEGABYTE, "G": GIGABYTE}
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in units else (text, "")
    if not number.isascii() or not number.isdigit():
        raise ValueError(f"{text!r} is not a size; write it like 500, 30M or 2G")
    return int(number) * units.get(unit, 1)
