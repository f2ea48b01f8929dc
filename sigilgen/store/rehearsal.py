"""The plays of a task, as its `rehearsal.yaml` writes them."""

from pathlib import Path

import msgspec
import yaml

from sigilgen.errors import Fault, InputError
from sigilgen.model.rehearsal import Rehearsal
from sigilgen.store.checks import path_fault
from sigilgen.store.fields import Field, block, integer, line, mapping, one_of, sequence
from sigilgen.store.yaml_file import LIMIT_BYTES, Reader, Report, read_yaml

FILE = "rehearsal.yaml"
LONGEST_PLAY = 1_000

_FIELD_OF = {"say": "text", "run": "command", "wait": "milliseconds", "exit": "status"}
"""Steps that are written as one value, and the field of the model that the value belongs to."""

_STEP = one_of(
    {
        "say": block(LIMIT_BYTES, blank=True),
        "write": mapping(Field("path", line(300, path_fault)), Field("text", block(LIMIT_BYTES, blank=True))),
        "patch": mapping(
            Field("path", line(300, path_fault)),
            Field("find", block(LIMIT_BYTES)),
            Field("replace", block(LIMIT_BYTES, blank=True)),
        ),
        "run": block(10_000),
        "wait": integer(0, 3_600_000),
        "exit": integer(0, 255),
    }
)


def load_rehearsal(task_folder: Path) -> Rehearsal | None:
    """The plays of the task in `task_folder`, or None when it has none. InputError lists all their faults."""
    faults: list[Fault] = []
    label = "/".join([*task_folder.absolute().parts[-3:], FILE])  # tasks/<suite>/<task>/rehearsal.yaml
    rehearsal = read_rehearsal(task_folder, label, faults=faults)
    if faults:
        raise InputError(faults)
    return rehearsal


def read_rehearsal(task_folder: Path, label: str, *, faults: list[Fault]) -> Rehearsal | None:
    """Like `load_rehearsal`, with what is wrong added to `faults`."""
    path = task_folder / FILE
    if not (path.exists() or path.is_symlink()):
        return None
    values = read_yaml(path, label, _REHEARSAL, faults=faults)
    if not isinstance(values, dict):
        return None
    return msgspec.convert({"baseline": values["baseline"], "treatment": values["treatment"]}, Rehearsal)


def _step(node: yaml.Node, name: str, report: Report) -> object:
    """One step, as the tagged value of the model."""
    pair = _STEP(node, name, report)
    if not isinstance(pair, tuple):
        return None
    key, value = pair
    return {"step": key, **(value if isinstance(value, dict) else {_FIELD_OF[key]: value})}


_PLAY = mapping(Field("name", line(100)), Field("steps", sequence(_step, least=1, most=LONGEST_PLAY)))
_PLAYS: Reader = sequence(_PLAY, least=1)
_REHEARSAL = mapping(Field("schema", integer(1, 1)), Field("baseline", _PLAYS), Field("treatment", _PLAYS))
