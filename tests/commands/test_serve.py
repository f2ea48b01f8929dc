import json
import queue
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from sigilgen.cli import run
from sigilgen.commands.serve import HOST, Serving, serve
from sigilgen.errors import SigilError


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path in ("index.html", "404.html", "method/index.html", "bare/data.json"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(f"this is {path}", encoding="utf-8")
    return tmp_path


@pytest.fixture
def address(site: Path) -> str:
    """The address of a running server. It has no way to be stopped but Ctrl-C, so it ends with the tests."""
    said: queue.Queue[Serving] = queue.Queue()
    threading.Thread(target=serve, args=(site,), kwargs={"port": 0, "say": said.put}, daemon=True).start()
    return said.get(timeout=10).address


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310  (our own server)
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


ANSWERS = {
    "front page": ("", 200, "this is index.html"),
    "folder": ("method/", 200, "this is method/index.html"),
    "file": ("bare/data.json", 200, "this is bare/data.json"),
    "missing": ("nothing/", 404, "this is 404.html"),
    "folder without a page is not listed": ("bare/", 404, "this is 404.html"),
    "outside": ("../../etc/passwd", 404, "this is 404.html"),
    "outside, encoded": ("%2e%2e/%2e%2e/etc/passwd", 404, "this is 404.html"),
}


@pytest.mark.parametrize(("path", "status", "text"), ANSWERS.values(), ids=ANSWERS)
def test_the_site_is_served_and_nothing_else(address: str, path: str, status: int, text: str) -> None:
    assert get(address + path) == (status, text)


def test_only_this_machine_can_reach_it(address: str) -> None:
    assert address.startswith("http://127.0.0.1:")


def test_without_a_site_it_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(SigilError, match="nothing is built") as caught:
        serve(tmp_path, port=0, say=print)
    assert "sigil build" in str(caught.value)


def test_a_taken_port_is_named_for_a_site_outside_of_any_checkout(
    site: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        status = run(["serve", "--port", str(port), "--site", str(site)])
    assert status == 3
    assert f"port {port} is taken" in capsys.readouterr().err


def test_without_a_site_it_needs_a_checkout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["serve", "--port", "0"]) == 2
    assert "no Sigil repository at or above" in capsys.readouterr().err


FORMS = {"text": (1, str.strip), "json": (3, lambda text: json.loads(text)["address"])}


@pytest.mark.parametrize(("form", "lines", "read"), [(form, *how) for form, how in FORMS.items()], ids=FORMS)
def test_it_says_the_address_and_ctrl_c_ends_it_cleanly(
    site: Path, tmp_path: Path, form: str, lines: int, read: Callable[[str], str]
) -> None:
    for folder in ("catalog", "tasks"):
        (tmp_path / folder).mkdir()
    command = [sys.executable, "-m", "sigilgen", "serve", "--port", "0", "--site", str(site)]
    command += ["--repository", str(tmp_path), "--format", form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = read("".join(server.stdout.readline() for _ in range(lines)))
        assert get(address)[0] == 200
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=20)
    assert server.returncode == 130
    assert errors.strip() == "interrupted"
