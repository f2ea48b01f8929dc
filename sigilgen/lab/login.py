"""The operator's own login for a real agent on this machine: its credentials are copied, and nothing else."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sigilgen.agents.base import Agent
from sigilgen.errors import SandboxError
from sigilgen.sandbox.host import search_path

SECRET_LENGTH = 12
VERSION_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Login:
    """`files` by their path below the home folder; `variables` of the environment; every secret in either."""

    files: Mapping[str, bytes]
    variables: Mapping[str, str]
    secrets: tuple[str, ...]


def is_rehearsal(agent: Agent, environment: Mapping[str, str]) -> bool:
    """Whether runs started in this environment are no evidence: a scripted agent, or not the real model provider."""
    url = environment.get(agent.provider_variable or "")
    return agent.rehearsal or bool(url and _host(url) not in agent.provider_hosts)


def _host(url: str) -> str | None:
    """The host of an address, None of what is not one."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def find_login(agent: Agent, *, home: Path, environment: Mapping[str, str]) -> Login:
    """Read the login of `agent` from the operator's home and environment.

    Raises SandboxError when the agent needs one and there is none.
    """
    files = {path: (home / path).read_bytes() for path in agent.credentials if (home / path).is_file()}
    variables = {name: environment[name] for name in agent.login_variables if environment.get(name)}
    if agent.executable is not None and not files and not variables:
        raise SandboxError(
            f"no login for {agent.name} was found",
            hint=f"Log in with `{agent.executable}`, or set one of {', '.join(agent.login_variables)}.",
        )
    if agent.provider_variable is not None and (url := environment.get(agent.provider_variable)):
        variables[agent.provider_variable] = url
    found = [text for data in files.values() for text in _strings(data)]
    secrets = [variables[name] for name in agent.login_variables if name in variables]
    return Login(files, variables, (*secrets, *found))


def _strings(data: bytes) -> Iterator[str]:
    """Every text in a credentials file that is long enough to be a secret."""
    try:
        pending = [json.loads(data)]
    except (ValueError, RecursionError):
        yield from (word.decode(errors="ignore") for word in data.split() if len(word) >= SECRET_LENGTH)
        return
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and len(value) >= SECRET_LENGTH:
            yield value


def find_version(agent: Agent) -> str | None:
    """What `<agent> --version` says; None for a built-in agent. Raises SandboxError when it is not installed."""
    if agent.executable is None:
        return None
    program = shutil.which(agent.executable, path=search_path())
    if program is None:
        raise SandboxError(
            f"{agent.name} is not installed: no program {agent.executable!r} on PATH",
            hint="`sigil doctor` says how to get it; `--agent scripted` rehearses without any agent.",
        )
    environment = {"PATH": search_path(), "HOME": os.devnull, "LANG": "C.UTF-8"}
    try:
        done = subprocess.run(
            [program, "--version"], env=environment, capture_output=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"{agent.executable} --version did not answer: {error}") from error
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[0][:100] if lines else None
