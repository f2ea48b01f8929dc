from pathlib import Path

import git
import pytest

from sigilgen.pages.address import Address, address_of, find_address

REMOTES = {
    "https": ("https://github.com/example/sigil.git", "https://github.com/example/sigil"),
    "https without suffix": ("https://github.com/example/sigil", "https://github.com/example/sigil"),
    "a token is dropped": ("https://x:ghp_secret@github.com/example/sigil.git", "https://github.com/example/sigil"),
    "ssh": ("git@github.com:example/sigil.git", "https://github.com/example/sigil"),
    "ssh with a scheme": ("ssh://git@github.com:22/example/sigil.git", "https://github.com/example/sigil"),
    "another host": ("https://git.example.org/group/sub/sigil.git", "https://git.example.org/group/sub/sigil"),
    "a path": ("/home/someone/sigil", None),
    "a relative path": ("../sigil", None),
    "a file": ("file:///home/someone/sigil", None),
    "a Windows path": ("C:\\sigil", None),
    "markup": ('https://github.com/"><script>/x', None),
    "a script": ("javascript:alert(1)//x/y", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("remote", "url"), REMOTES.values(), ids=REMOTES)
def test_a_remote_gives_a_public_address_or_none(remote: str, url: str | None) -> None:
    found = address_of(remote)
    assert (found.url if found else None) == url


def test_github_actions_says_where_the_repository_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "example/sigil")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.example.org")
    assert find_address(tmp_path) == Address("https://github.example.org/example/sigil", github=True)


def test_elsewhere_the_remote_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert find_address(tmp_path) is None
    repository = git.Repo.init(tmp_path)
    assert find_address(tmp_path) is None
    repository.create_remote("origin", "git@github.com:example/sigil.git")
    assert find_address(tmp_path) == Address("https://github.com/example/sigil", github=True)


def test_what_is_put_into_a_link_is_encoded() -> None:
    address = Address("https://github.com/example/sigil", github=True)
    assert address.issue("form.yml", task='a&b="><') == (
        "https://github.com/example/sigil/issues/new?template=form.yml&task=a%26b%3D%22%3E%3C"
    )
    assert address.file("catalog/a b") == "https://github.com/example/sigil/blob/HEAD/catalog/a%20b"


def test_other_hosts_have_no_issue_forms() -> None:
    assert Address("https://git.example.org/sigil", github=False).issue("form.yml") is None
