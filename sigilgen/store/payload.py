"""Sealing the payload of a capability, and installing exactly what was sealed."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from sigilgen.errors import PayloadError
from sigilgen.model.capability import Payload
from sigilgen.store.refusals import Refusal
from sigilgen.store.regular import chunks, open_regular
from sigilgen.store.tree import read_tree, tree_digest

PAPERS = frozenset({"sigil.yaml", "evidence.json"})
"""Files at the top of a capability's folder that describe the payload and are not part of it."""

MACHINE_FILE = ".DS_Store"
"""Left out and not refused: a file browser writes it unasked into any folder that is looked at, and it cannot reach
an agent, because only sealed files are installed."""

REFUSALS_SHOWN = 100


def read_payload(folder: Path) -> Payload:
    """Seal the payload in `folder`. PayloadError lists everything that stands against it."""
    if not folder.is_dir():
        raise PayloadError(f"{folder} is not a folder")
    tree = read_tree(folder, leave_out=_is_left_out)
    if tree.refusals:
        raise PayloadError(_refused(folder, tree.refusals), hint="Remove or rename them, then run the command again.")
    if not tree.files:
        raise PayloadError(
            f"{folder} holds no payload: there is no file to seal",
            hint="A third-party capability has only sigil.yaml here; its payload is at the source that it names.",
        )
    return Payload(tree.files, tree_digest(tree.files))


def _is_left_out(path: str) -> bool:
    return path in PAPERS or path.rpartition("/")[2] == MACHINE_FILE


def _refused(folder: Path, refusals: Sequence[Refusal]) -> str:
    count = len(refusals)
    lines = [f"{folder} cannot be sealed, {count} {'reason' if count == 1 else 'reasons'}:"]
    lines += [f"  {refusal}" for refusal in refusals[:REFUSALS_SHOWN]]
    if count > REFUSALS_SHOWN:
        lines.append(f"  … and {count - REFUSALS_SHOWN} more")
    return "\n".join(lines)


def install_payload(source: Path, payload: Payload, target: Path) -> None:
    """Copy exactly the sealed files of `source` to the new folder `target`: files 0644, folders 0755.

    Nothing is written through a link: `target` must not exist, and no folder above it may be a symbolic link. What
    was written is sealed again; on any difference it is removed and PayloadError raised.
    """
    _make_target(target)
    try:
        _copy_files(source, payload, target)
        _compare(read_payload(target), payload)
    except BaseException:
        shutil.rmtree(target)
        raise


def _compare(installed: Payload, sealed: Payload) -> None:
    if installed.digest != sealed.digest:
        raise PayloadError(
            "what was installed is not what was sealed: the source has changed since",
            hint=f"sealed {sealed.digest}, installed {installed.digest}",
        )


def _make_target(target: Path) -> None:
    if os.path.lexists(target):
        raise PayloadError(f"cannot install to {target}: something is there already")
    parent = Path(os.path.abspath(target.parent))  # noqa: PTH100  (resolve() would hide the links looked for)
    if parent.resolve() != parent:
        raise PayloadError(f"cannot install to {target}: a folder above it is a symbolic link")
    try:
        _make_folders(target)
    except OSError as error:
        raise PayloadError(f"cannot make {target}: {error}") from error


def _make_folders(folder: Path) -> None:
    """`folder` and what is missing above it, with mode 0755 whatever the umask."""
    for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
        missing.mkdir()
        missing.chmod(0o755)


def _copy_files(source: Path, payload: Payload, target: Path) -> None:
    try:
        for file in payload.files:
            place = target / file.path
            _make_folders(place.parent)
            with open_regular(source / file.path) as descriptor, place.open("xb") as copy:
                os.fchmod(copy.fileno(), 0o644)
                for chunk in chunks(descriptor):
                    copy.write(chunk)
    except OSError as error:
        raise PayloadError(f"cannot install {source} to {target}: {error}") from error
