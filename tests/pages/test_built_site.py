"""What comes out of the builders: complete, the same pages from both, every link leading somewhere, nothing hostile."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADING = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("use", "href"), ("source", "src")}


@dataclass
class Page(HTMLParser):
    """Elements, ids and text of a built page."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def ids(self) -> set[str | None]:
        return {attributes[name] for _, attributes in self.elements for name in ("id", "name") if name in attributes}


def parse(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


@pytest.fixture(scope="module")
def parsed(built_site: Path) -> dict[str, Page]:
    """Every built page by its address."""
    return {
        file.relative_to(built_site).as_posix().removesuffix("index.html"): parse(file)
        for file in sorted(built_site.rglob("*.html"))
        if file.name != "404.html"
    }


def html_files(site: Path) -> set[str]:
    return {file.relative_to(site).as_posix() for file in site.rglob("*.html")}


def test_both_builders_make_the_same_pages(built_site: Path, zensical_site: Path) -> None:
    assert html_files(built_site) == html_files(zensical_site)
    assert len(html_files(built_site)) > 20


def test_zensical_keeps_what_the_generator_wrote(built_site: Path, zensical_site: Path) -> None:
    path = "catalogue/skills/acme/tidy-code/index.html"
    ours = re.compile(r'<svg class="forest".*?</svg>', re.DOTALL)
    plots = [ours.findall((site / path).read_text(encoding="utf-8")) for site in (built_site, zensical_site)]
    assert plots[0] == plots[1]
    assert len(plots[0]) == 1


def test_every_link_leads_to_a_page_and_a_place_in_it(built_site: Path, parsed: dict[str, Page]) -> None:
    assert list(broken_links(built_site, parsed)) == []


def broken_links(site: Path, parsed: dict[str, Page]) -> Iterator[str]:
    for address, page in parsed.items():
        for attributes in page.all("a"):
            href = attributes.get("href")
            if href is None or urlsplit(href).scheme:
                continue
            target, fragment = urldefrag(urljoin(f"https://site/{address}", href))
            path = unquote(urlsplit(target).path).removeprefix("/")
            if path in parsed:
                if fragment and fragment not in parsed[path].ids():
                    yield f"{address}: {href} has no such place"
            elif not (site / path).is_file():
                yield f"{address}: {href} leads nowhere"


def test_nothing_is_loaded_from_another_host(built_site: Path, parsed: dict[str, Page]) -> None:
    for address, page in parsed.items():
        for tag, attributes in page.elements:
            for name in {name for one, name in LOADING if one == tag and name in attributes}:
                value = attributes[name] or ""
                assert not value.startswith(("http:", "https:", "//")), f"{address} loads {value}"
    for style in built_site.rglob("sigil*.css"):
        assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8"))


def test_hostile_text_makes_no_element_and_no_attribute(parsed: dict[str, Page]) -> None:
    usual = parsed["security/"]
    scripts = len(usual.all("script"))
    hostile = [address for address, page in parsed.items() if "window.pwned" in page.text]
    assert len(hostile) >= 4
    for address in hostile:
        page = parsed[address]
        assert len(page.all("script")) == scripts, address
        assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")], address
        links = [attributes.get("href") or "" for attributes in page.all("a")]
        assert not [link for link in links if urlsplit(link).scheme not in {"", "http", "https", "mailto"}], address
        assert "{{ 7*7 }}" in page.text
        assert "\u202e" not in page.text


def test_generated_pages_are_in_no_navigation(parsed: dict[str, Page]) -> None:
    for address in ("method/", "catalogue/skills/acme/tidy-code/"):
        navigation = [
            attributes.get("href") or ""
            for attributes in parsed[address].all("a")
            if "md-nav__link" in (attributes.get("class") or "")
        ]
        assert not [href for href in navigation if "acme" in href or "prove-" in href]


def test_results_are_not_in_the_search(built_site: Path) -> None:
    index = json.loads((built_site / "search" / "search_index.json").read_bytes())
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert {"method/", "catalogue/skills/acme/tidy-code/", "suites/python-basics/"} <= found
    assert not [location for location in found if location.startswith("results/")]


def test_every_page_has_one_main_heading_and_landmarks(parsed: dict[str, Page]) -> None:
    for address, page in parsed.items():
        assert len(page.all("h1")) == 1, address
        assert len(page.all("main")) == 1, address
        assert page.all("nav"), address
