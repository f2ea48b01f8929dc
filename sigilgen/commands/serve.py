"""Show the built site on this machine."""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sigilgen.errors import SigilError

HOST = "127.0.0.1"
SITE = Path("build") / "site"
"""Where a built site lies below the repository."""


@dataclass(frozen=True, slots=True)
class Serving:
    """Where the site can be opened."""

    address: str


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site, its own page for what is not there, no listings, and no log of requests."""

    def list_directory(self, path: object) -> None:  # noqa: ARG002  (there is none)
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")  # the next build is to be seen at once
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base's)
        del format, args


def serve(site: Path, *, port: int, say: Callable[[Serving], None]) -> None:
    """Serve `site` until interrupted. Port 0 takes any free one; `say` is told the address once it is open.

    Raises:
        SigilError: Nothing is built there, or the port cannot be had.
    """
    if not (site / "index.html").is_file():
        raise SigilError(f"nothing is built at {site}", hint="Build it first: sigil build")
    try:
        server = ThreadingHTTPServer((HOST, port), partial(_Handler, directory=str(site)))
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        what = "is taken" if taken else f"cannot be opened: {error.strerror}"
        raise SigilError(f"port {port} {what}", hint="Choose another with --port, or --port 0 for any.") from error
    with server:
        say(Serving(f"http://{HOST}:{server.server_port}/"))
        server.serve_forever()


def render(serving: Serving) -> str:
    return serving.address
