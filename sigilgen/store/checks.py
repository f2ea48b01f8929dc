"""What a single text may be: a host, a program, a commit, a path. Each check says what is wrong, or None."""

import re
from urllib.parse import urlsplit

from sigilgen.model.names import SLUG_MAX, is_slug

_HOST = re.compile(r"(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(:[0-9]{1,5})?")


def slug_fault(text: str) -> str | None:
    if is_slug(text):
        return None
    return f"must be lower-case letters, digits and single hyphens, at most {SLUG_MAX} of them: {text[:80]!r}"


def host_fault(text: str) -> str | None:
    if _HOST.fullmatch(text):
        return None
    return f"must be a host such as api.example.com, *.example.com or localhost:8080, not an address: {text[:80]!r}"


def command_fault(text: str) -> str | None:
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", text):
        return None
    return f"must be the bare name of a program, without folders or arguments: {text[:80]!r}"


def variable_fault(text: str) -> str | None:
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        return None
    return f"must be the name of an environment variable: {text[:80]!r}"


def commit_fault(text: str) -> str | None:
    if re.fullmatch(r"[0-9a-f]{40}", text):
        return None
    return "must be a full commit, 40 lower-case hexadecimal digits; branches, tags and short commits can move"


def repository_fault(text: str) -> str | None:
    """A public address that anybody can fetch: nothing that belongs to one person may stand in it."""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return "is not an address"
    if parts.scheme != "https" or not host or not parts.path.strip("/") or " " in text:
        return "must be an https address such as https://host.example/owner/name"
    if "@" in parts.netloc:
        return "must not hold a user name or password"
    return "must not hold a query or fragment" if parts.query or parts.fragment else None


def path_fault(text: str) -> str | None:
    """A path below some folder, written in one way only."""
    if text.startswith("/") or "\\" in text or any(part in {"", ".", ".."} for part in text.split("/")):
        return f"must be a relative path with / between its parts, without '.' and '..': {text[:80]!r}"
    return None


def folder_fault(text: str) -> str | None:
    """Like a path, or '.' for the folder itself."""
    return None if text == "." else path_fault(text)
