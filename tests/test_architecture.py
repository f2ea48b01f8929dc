"""Promises about the whole tree that no single module can keep."""

import ast
import importlib
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from packaging.requirements import Requirement

import sigilgen
from sigilgen.agents.registry import AGENTS
from sigilgen.cli import COMMANDS, HIDDEN, SUMMARIES, cli
from sigilgen.cli.lazy import LazyGroup
from sigilgen.cli.manual import manual
from sigilgen.commands.reference import reference
from sigilgen.commands.reference_formats import PUBLISHED, STORED

ROOT = Path(__file__).parents[1]
PACKAGE = Path(sigilgen.__file__).parent
MODULES = {path.relative_to(PACKAGE.parent).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

CLI_SUPPORT = {"boundary", "lazy", "manual", "options", "output", "experiment", "progress", "steps"}
"""Modules of `cli/` that declare no command."""

PURE = ("errors", "model", "stats", "agents", "policy")

LONG_FUNCTIONS = {
    "sigilgen/cli/prove.py:prove_command": "one line for each of its options, and the choice between new and resumed",
}
"""Functions of 41 to 60 lines that are one thought all the same, each with the reason."""


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that are called without a dot before them, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every function with its number of lines, from the signature to the end, without its docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            prose = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and ast.get_docstring(node)
            skipped = (first.end_lineno or 0) - first.lineno + 1 if prose else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - skipped


# ---- size


@pytest.mark.parametrize("path", MODULES.values(), ids=MODULES)
def test_a_module_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def long_functions() -> dict[str, int]:
    found = {
        f"{name}:{function}": lines for name, path in MODULES.items() for function, lines in functions(parsed(path))
    }
    return {function: lines for function, lines in found.items() if lines > 40}


def test_no_function_is_longer_than_60_lines() -> None:
    assert {function: lines for function, lines in long_functions().items() if lines > 60} == {}


def test_every_function_of_more_than_40_lines_is_listed_with_its_reason() -> None:
    assert set(long_functions()) == set(LONG_FUNCTIONS)


# ---- registries


def groups(group: LazyGroup) -> Iterator[LazyGroup]:
    yield group
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, LazyGroup):
            yield from groups(command)


def test_every_command_module_stands_in_a_registry_and_every_registry_entry_exists() -> None:
    registered = {place.partition(":")[0] for group in groups(root()) for place in group._commands_at.values()}
    present = {f"sigilgen.cli.{path.stem}" for path in (PACKAGE / "cli").glob("[!_]*.py")}
    assert registered == present - {f"sigilgen.cli.{name}" for name in CLI_SUPPORT}


def test_every_command_has_a_summary_that_fits_its_line() -> None:
    assert set(SUMMARIES) == set(COMMANDS)
    for group in groups(root()):
        assert set(group._summaries) == set(group._commands_at)
        assert all(len(summary) <= 68 and summary.endswith(".") for summary in group._summaries.values())


def test_hidden_commands_are_hidden_everywhere() -> None:
    hidden = {name for name, command in leaves(cli, "") if command.hidden}
    assert hidden == set(HIDDEN)


def test_every_adapter_is_registered() -> None:
    modules = [
        importlib.import_module(f"sigilgen.agents.{path.stem}") for path in (PACKAGE / "agents").glob("[!_]*.py")
    ]
    adapters = {module.__name__.rpartition(".")[2] for module in modules if hasattr(module, "invocation")}
    assert adapters == {agent.name.replace("-", "_") for agent in AGENTS}


def test_the_layers_contract_names_every_package() -> None:
    (layers,) = (c["layers"] for c in PYPROJECT["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    named = set(re.findall(r"sigilgen\.(\w+)", " ".join(layers)))
    optional = set(re.findall(r"\(sigilgen\.(\w+)\)", " ".join(layers)))
    present = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {"errors"}
    assert named - optional <= present <= named


def test_the_purity_contract_names_every_pure_package() -> None:
    (pure,) = (c["source_modules"] for c in PYPROJECT["tool"]["importlinter"]["contracts"] if c["type"] == "forbidden")
    assert set(pure) == {f"sigilgen.{name}" for name in PURE}


# ---- purity and output

IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint", "globals", "getattr", "setattr"}


@pytest.mark.parametrize("layer", PURE)
def test_pure_layers_call_nothing_that_reads_writes_or_looks_behind(layer: str) -> None:
    modules = {name: path for name, path in MODULES.items() if name.split("/")[1].removesuffix(".py") == layer}
    assert modules
    found = [f"{name}:{line} {call}" for name, path in modules.items() for call, line in calls(parsed(path))]
    assert [place for place in found if place.split()[1] in IMPURE_CALLS] == []


def test_only_the_command_line_prints() -> None:
    found = [
        f"{name}:{line}"
        for name, path in MODULES.items()
        if not name.startswith("sigilgen/cli/") and name != "sigilgen/sandbox/player.py"
        for call, line in calls(parsed(path))
        if call == "print"
    ]
    assert found == []


@pytest.mark.parametrize("record", [*STORED.values(), *PUBLISHED.values()])
def test_what_is_stored_or_published_holds_no_number_with_a_fraction(record: type[msgspec.Struct]) -> None:
    assert fractions(record) == []


def fractions(record: type[msgspec.Struct]) -> list[str]:
    """Where `record` may hold a number with a fraction, or anything at all."""
    unbounded = (msgspec.inspect.FloatType, msgspec.inspect.AnyType)
    types = leaf_types(msgspec.inspect.type_info(record), record.__name__)
    return [path for path, kind in types if isinstance(kind, unbounded)]


def leaf_types(kind: Any, path: str) -> Iterator[tuple[str, msgspec.inspect.Type]]:
    """Every type below `kind` that has no parts, with the path to it."""
    parts: dict[str, Any] = {}
    if isinstance(kind, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
        parts = {field.name: field.type for field in kind.fields}
    elif isinstance(kind, msgspec.inspect.UnionType):
        parts = {f"|{number}": option for number, option in enumerate(kind.types)}
    elif isinstance(kind, msgspec.inspect.DictType):
        parts = {"key": kind.key_type, "value": kind.value_type}
    elif isinstance(kind, msgspec.inspect.VarTupleType | msgspec.inspect.ListType):
        parts = {"[]": kind.item_type}
    elif isinstance(kind, msgspec.inspect.Metadata):
        parts = {"": kind.type}
    if not parts:
        yield path, kind
    for name, part in parts.items():
        yield from leaf_types(part, f"{path}.{name}")


def test_the_search_for_fractions_finds_them_at_any_depth() -> None:
    class Inner(msgspec.Struct):
        rate: float

    class Outer(msgspec.Struct):
        inner: dict[str, tuple[Inner | None, ...]]

    assert fractions(Outer) == ["Outer.inner.value.[].|0.rate"]


# ---- commands


def root() -> LazyGroup:
    assert isinstance(cli, LazyGroup)
    return cli


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its full name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for part in command.list_commands(context):
        inner = command.get_command(context, part)
        assert inner is not None
        yield from leaves(inner, f"{name} {part}".strip())


LEAVES = dict(leaves(cli, ""))


@pytest.mark.parametrize("command", LEAVES.values(), ids=LEAVES)
def test_a_command_explains_itself_and_all_its_options(command: click.Command) -> None:
    assert command.help
    silent = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert silent == []


@pytest.mark.parametrize("command", LEAVES.values(), ids=LEAVES)
def test_a_command_names_its_arguments_in_its_help(command: click.Command) -> None:
    context = click.Context(command)
    names = [p.make_metavar(context).strip("[].") for p in command.params if isinstance(p, click.Argument)]
    assert [name for name in names if name not in (command.help or "")] == []


@pytest.mark.parametrize("command", LEAVES.values(), ids=LEAVES)
def test_a_command_speaks_text_and_json(command: click.Command) -> None:
    (option,) = (p for p in command.params if isinstance(p, click.Option) and "--format" in p.opts)
    assert isinstance(option.type, click.Choice)
    assert {"text", "json"} <= set(option.type.choices)


@pytest.mark.parametrize("page", ["README.md", "site_src/reference/cli.md"])
def test_the_papers_name_every_command(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    visible = [name for name, command in LEAVES.items() if not command.hidden]
    assert [name for name in visible if f"sigil {name}" not in text] == []


# ---- files that are written by programs


def test_schemas_and_reference_pages_are_current() -> None:
    assert reference(ROOT, commands_page=manual(cli, "sigil"), check=True).changed == ()


LOCKS = {"runtime": ("build",), "dev": ("build", "dev")}


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize(("name", "wanted"), LOCKS.items(), ids=LOCKS)
def test_a_lock_satisfies_what_the_project_asks_for(name: str, wanted: tuple[str, ...]) -> None:
    asked = list(PYPROJECT["project"]["dependencies"])
    asked += [one for group in wanted for one in PYPROJECT["dependency-groups"][group] if isinstance(one, str)]
    versions = locked(name)
    unmet = [one for one in map(Requirement, asked) if not one.specifier.contains(versions.get(one.name.lower(), "0"))]
    assert unmet == []


def test_both_locks_hold_the_same_versions() -> None:
    assert locked("runtime").items() <= locked("dev").items()


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash_and_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    packages = re.split(r"\n(?=\S)", text.strip())
    assert packages
    assert [package.splitlines()[0] for package in packages if "--hash=sha256:" not in package] == []
    assert "://" not in text


# ---- what must not be in the repository


def tracked() -> list[str]:
    """Files that are in git or would be with the next `git add`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    if listed.returncode != 0:
        pytest.skip(f"no git checkout: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


# Written in pieces, so that this file does not hold what it looks for.
MACHINE = re.compile(
    "|".join(
        [
            r"(?<![\w.])/" + "work/",
            r"(?<![\w.])/" + "root/",
            r"(?<![\w.])/" + r"Users/[a-z]",
            "pypi" + r"\.org",
            "files.python" + "hosted",
            "registry.npm" + "js",
            "deb." + "debian",
            "/opt/" + "pypi",
        ]
    )
)


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    found = [
        f"{name}:{number}"
        for name in tracked()
        for number, line in enumerate((ROOT / name).read_bytes().decode("utf-8", "replace").splitlines(), start=1)
        if MACHINE.search(line)
    ]
    assert found == []


def test_no_file_is_larger_than_a_review_can_see() -> None:
    sizes = {name: (ROOT / name).stat().st_size for name in tracked()}
    assert {name: size for name, size in sizes.items() if size > 1_000_000} == {}
