"""Where this repository lives in public, if that is known, and links into it. Nothing is invented."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import git

from sigilgen.pages.text import safe_link

_SCP = re.compile(r"^(?:[^@/]+@)?(?P<host>[A-Za-z0-9.-]+):(?P<path>[^/].*)$")
_URL = re.compile(r"^(?:https|ssh|git)://(?:[^@/]*@)?(?P<host>[A-Za-z0-9.-]+)(?::\d+)?/(?P<path>.+)$")
_PATH = re.compile(r"^[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)+$")


@dataclass(frozen=True, slots=True)
class Address:
    """`url` is the front page of the repository. Issue forms are offered on GitHub only."""

    url: str
    github: bool

    def file(self, path: str) -> str:
        """Link to a file or folder of the default branch."""
        return f"{self.url}/blob/HEAD/{quote(path)}"

    def issue(self, form: str, **fields: str) -> str | None:
        """Link that opens an issue form with some of its fields filled in; None where there are no issue forms."""
        return f"{self.url}/issues/new?{urlencode({'template': form, **fields})}" if self.github else None


def find_address(repository: Path) -> Address | None:
    """The address from the environment of GitHub Actions, else from the remote `origin`, else None."""
    name = os.environ.get("GITHUB_REPOSITORY")
    if name:
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        return _checked(f"{server}/{name}", github=True)
    try:
        remote = git.Repo(repository).remote("origin").url
    except (git.InvalidGitRepositoryError, git.NoSuchPathError, ValueError):
        return None
    return address_of(remote)


def address_of(remote: str) -> Address | None:
    """The public address that a git remote points to, without user and password; None for a path on this machine."""
    match = _URL.match(remote) or (None if "://" in remote else _SCP.match(remote))
    if match is None:
        return None
    path = match["path"].removesuffix("/").removesuffix(".git")
    if not _PATH.match(path):
        return None
    return _checked(f"https://{match['host']}/{path}", github=match["host"].lower() == "github.com")


def _checked(url: str, *, github: bool) -> Address | None:
    return Address(url, github) if safe_link(url) and url.startswith("https://") else None
