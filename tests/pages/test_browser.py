"""The pages in a real browser: quiet, complete without scripts, usable by keyboard, readable in both schemes."""

import queue
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sigilgen.commands.serve import Serving, serve

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PAGES = (
    "",
    "catalogue/",
    "catalogue/skills/acme/a-rather-long-name-for-a-capability-that-must-wrap/",
    "catalogue/skills/acme/fast-review/",
    "catalogue/skills/acme/only-rehearsed/",
    "catalogue/skills/acme/untested/",
    "catalogue/skills/evil/hostile/",
    "suites/",
    "suites/python-basics/",
    "suites/hostile-suite/",
    "method/",
    "security/",
)
CONTRAST = """
selector => {
  const numbers = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = ([red, green, blue]) => [red, green, blue]
    .map(part => part / 255)
    .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  return Array.from(document.querySelectorAll(selector)).map(element => {
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const paint = svg ? (element.matches('.hollow, line') ? style.stroke : style.fill) : style.color;
    const [one, two] = [light(numbers(paint)), light(ground(svg ? element.closest('figure, td, div') : element))];
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  });
}
"""


@dataclass
class Watched:
    """A page with everything that went wrong in it."""

    page: Any
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(built_site: Path) -> str:
    said: queue.Queue[Serving] = queue.Queue()
    threading.Thread(target=serve, args=(built_site,), kwargs={"port": 0, "say": said.put}, daemon=True).start()
    return said.get(timeout=10).address


@pytest.fixture(scope="module")
def results(built_site: Path) -> list[str]:
    """Two results, one of them hostile."""
    pages = {folder.name: (folder / "index.html").read_text() for folder in sorted((built_site / "results").iterdir())}
    hostile = next(name for name, text in pages.items() if "evil/hostile" in text)
    return [f"results/{name}/" for name in (next(name for name in pages if name != hostile), hostile)]


@pytest.fixture
def watched(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Watched]:
    """A fresh page; a test may ask for a context of its own with `@pytest.mark.parametrize(..., indirect=True)`."""
    options: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, **getattr(request, "param", {})}
    context = browser.new_context(**options)
    found = Watched(context.new_page())
    found.page.on("pageerror", lambda error: found.errors.append(str(error)))
    found.page.on("console", lambda said: found.errors.extend([said.text] if said.type == "error" else []))
    found.page.on("request", lambda asked: found.foreign.extend(foreign(asked.url, address)))
    yield found
    context.close()


def foreign(url: str, address: str) -> list[str]:
    return [] if url.startswith((address, "data:", "blob:")) else [url]


NARROW = {"viewport": {"width": 390, "height": 844}}
DARK = {"color_scheme": "dark"}
SCHEMES = {"light": {"color_scheme": "light"}, "dark": DARK}
WIDTHS = {"wide and dark": DARK, "narrow": NARROW}


@pytest.mark.parametrize("watched", WIDTHS.values(), ids=WIDTHS, indirect=True)
def test_pages_are_quiet_and_fit(watched: Watched, address: str, results: list[str]) -> None:
    page = watched.page
    for path in (*PAGES, *results):
        page.goto(address + path)
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide <= 0, f"{path} is {too_wide} px too wide"
        assert page.evaluate("window.pwned") is None, path
        assert page.locator("h1").count() == 1, path
        assert page.get_by_role("main").count() == 1, path
    assert watched.foreign == []
    assert watched.errors == []


@pytest.mark.parametrize(
    ("watched", "name"), [(scheme, name) for name, scheme in SCHEMES.items()], indirect=["watched"]
)
def test_marks_and_words_stand_out_from_the_paper(watched: Watched, address: str, name: str) -> None:
    page = watched.page
    for path in ("catalogue/skills/acme/fast-review/", "catalogue/", "", "catalogue/skills/acme/only-rehearsed/"):
        page.goto(address + path)
        scheme = page.evaluate("document.body.dataset.mdColorScheme")
        assert scheme == {"light": "default", "dark": "slate"}[name]
        marks = page.evaluate(CONTRAST, ".forest .mark, .minibar .mark, .glyph svg path, .forest .row line")
        words = page.evaluate(CONTRAST, ".verdict, .forest .word, .forest .numbers, .forest .detail, .soft, .lede, p a")
        assert marks, path
        assert min(marks) >= 3, path
        assert min(words) >= 4.5, path


def test_a_plot_has_a_name_for_those_who_cannot_see_it(watched: Watched, address: str) -> None:
    watched.page.goto(address + "catalogue/skills/acme/fast-review/")
    plot = watched.page.get_by_role("img", name="Difference in pass rate with acme/fast-review")
    assert plot.count() == 1
    assert plot.bounding_box()["width"] > 300
    assert watched.page.get_by_role("table").count() >= 3


def shown(page: Any) -> list[str]:
    names: list[str] = page.locator("#catalogue-table tbody tr:visible").evaluate_all(
        "rows => rows.map(row => row.dataset.name)"
    )
    return names


def tab_to(page: Any, selector: str) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"the keyboard does not reach {selector}")


def test_the_catalogue_is_filtered_and_sorted_by_keyboard(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address + "catalogue/")
    everything = shown(page)
    assert len(everything) == 10
    status = page.get_by_role("status").filter(has_text="capabilities")
    tab_to(page, "[name=q]")
    page.keyboard.type("TIDY")
    assert shown(page) == ["acme/tidy-code"]
    assert status.inner_text() == "1 of 10 capabilities"
    tab_to(page, "[type=reset]")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('#catalogue-table tbody tr:not([hidden])').length === 10")
    tab_to(page, "[name=q]")
    page.keyboard.press("Tab")
    page.keyboard.press("h")
    assert shown(page) == ["acme/fast-review"]
    assert page.url.endswith("?verdict=harmful")
    page.reload()
    assert shown(page) == ["acme/fast-review"]
    page.goto(address + "catalogue/?sort=lower")
    assert shown(page)[0] == "acme/tidy-code"
    assert sorted(shown(page)) == sorted(everything)
    assert watched.errors == []


def test_the_focus_can_be_seen(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address + "catalogue/")
    for selector in ("[name=q]", "#catalogue-table a"):
        tab_to(page, selector)
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", selector


@pytest.mark.parametrize("watched", [{"java_script_enabled": False}], indirect=True)
def test_pages_are_complete_without_scripts(watched: Watched, address: str, results: list[str]) -> None:
    page = watched.page
    page.goto(address + "catalogue/")
    assert page.locator("#catalogue-table tbody tr:visible").count() == 10
    assert not page.locator("#catalogue-filter").is_visible()
    page.goto(address + "catalogue/skills/acme/fast-review/")
    assert page.locator(".answer").inner_text().startswith("◆ harmful")
    assert page.locator(".forest .mark:visible").count() == 2
    page.goto(address + results[0])
    run = page.locator("details.run").first
    run.locator("summary").click()
    assert run.get_by_text("Final message").is_visible()


def test_a_link_to_a_run_unfolds_it(watched: Watched, address: str, results: list[str]) -> None:
    page = watched.page
    page.goto(f"{address}{results[0]}#run-5-1")
    page.wait_for_function("document.getElementById('run-5-1').open")
    assert page.locator("#run-5-1").get_by_text("verifier exit").is_visible()


def test_the_search_shows_hostile_text_as_text(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address + "method/")
    page.locator("[data-md-component=search-query]").click()
    page.keyboard.type("hostile", delay=20)
    page.locator(".md-search-result__item").first.wait_for()
    assert page.evaluate("window.pwned") is None
    assert page.locator(".md-search-result script, .md-search-result img").count() == 0
    assert watched.foreign == []
