"""Page values to the bytes of page sources: templates lay out, and print nothing that has not been made neutral."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from sigilgen.pages.forest import MARKS, verdict_class
from sigilgen.pages.text import neutral, output


def render(template: str, page: object, *, path: str) -> bytes:
    """The Markdown of the page at the address `path`, a folder relative to the site without a slash at its end.

    All text from outside stands in raw HTML blocks, where Markdown leaves it alone, and every printed value goes
    through `text.output`.
    """
    root = "../" * (path.count("/") + 1)
    return _environment().get_template(f"{template}.md.j2").render(page=page, path=path, root=root).encode()


def facts(pairs: Iterable[tuple[str, str]]) -> Markup:
    """A list of names, which are words of our own, and values. A template would take ten times as long for each."""
    rows = "\n".join(f"<dt>{name}</dt><dd>{neutral(value)}</dd>" for name, value in pairs)
    return Markup(f'<dl class="facts">\n{rows}\n</dl>')  # noqa: S704  (values are made neutral on the line above)


def verbatim(text: str, kind: str = "") -> Markup:
    """Text as it came, line for line, in a box that the keyboard can scroll."""
    return Markup(f'<pre class="verbatim {kind}" tabindex="0"><code>{neutral(text)}</code></pre>')  # noqa: S704  (`kind` is ours)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=output,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.update(marks=MARKS, verdict_class=verdict_class, facts=facts, verbatim=verbatim)
    return environment
