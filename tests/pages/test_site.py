import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # (it has no stubs among the locked packages)
import pytest

from sigilgen.commands.reference_formats import schemas
from sigilgen.pages.site import Contents, site_pages
from sigilgen.stats.power import power

SLUG_PAGES = {
    "catalogue/index.md",
    "catalogue/catalogue.json",
    "catalogue/skills/acme/tidy-code/index.md",
    "catalogue/skills/acme/tidy-code/evidence.json",
    "catalogue/instructions/acme/house-rules/index.md",
    "catalogue/skills/elsewhere/third-party/index.md",
    "suites/index.md",
    "suites/python-basics/index.md",
}


@pytest.fixture(scope="module")
def pages(contents: Contents) -> dict[str, bytes]:
    return site_pages(contents)


def text_of(pages: dict[str, bytes], path: str) -> str:
    return pages[f"{path}/index.md"].decode()


def result_of(pages: dict[str, bytes], capability: str) -> str:
    found = [
        content.decode()
        for path, content in pages.items()
        if path.startswith("results/") and f'title: "{capability} on' in content.decode()
    ]
    assert len(found) == 1
    return found[0]


def test_every_capability_suite_and_result_has_a_page(pages: dict[str, bytes], contents: Contents) -> None:
    assert set(pages) > SLUG_PAGES
    results = [experiment for experiment in contents.experiments if experiment.result]
    assert sum(path.startswith("results/") for path in pages) == len(results)


def test_the_same_contents_give_the_same_bytes(pages: dict[str, bytes], contents: Contents) -> None:
    backwards = replace(contents, experiments=contents.experiments[::-1])
    assert site_pages(contents) == pages == site_pages(backwards)


def test_a_page_needs_nothing_from_another_host(pages: dict[str, bytes]) -> None:
    loading = re.compile(rb"<(?:link|script|img|iframe|object|embed|video|audio|source|use)\b|@import|url\(")
    assert not [path for path, content in pages.items() if loading.search(content)]


def test_an_empty_repository_has_pages_that_say_so() -> None:
    empty = Contents(
        repository=Path("/nowhere"), entries=(), payloads={}, suites=(), proofs={}, experiments=(), address=None
    )
    pages = site_pages(empty)
    assert set(pages) == {"catalogue/index.md", "catalogue/catalogue.json", "suites/index.md"}
    assert "The catalogue is empty" in text_of(pages, "catalogue")
    assert "There is no suite yet" in text_of(pages, "suites")


def test_without_an_address_links_are_words(contents: Contents) -> None:
    pages = site_pages(replace(contents, address=None))
    page = text_of(pages, "catalogue/skills/acme/tidy-code")
    assert "Ask for a new run: open an issue in the repository" in page
    assert "github.com" not in page


SAID = {
    "acme/tidy-code": ["■ proven", "more correct results with it", "says nothing about safety"],
    "acme/only-rehearsed": ["REHEARSAL", "rehearsed, not measured", "nobody has looked yet"],
    "acme/untested": [
        "--agent &lt;agent&gt; --model &lt;model&gt;",
        "not measured",
        "No experiment with this content",
        "The author names none",
        "none declared",
    ],
    "acme/abandoned": ["still running somewhere, or abandoned"],
    "acme/older-suite": ["older suite: does not count", "not measured"],
    "elsewhere/third-party": ["its files are not in this repository", "https://example.org/r", "commit aaaa"],
    "acme/fast-review": ["harmful", "One harmful result outweighs any number of proven ones."],
}


@pytest.mark.parametrize(("name", "words"), SAID.items(), ids=SAID)
def test_the_page_of_a_capability_says(pages: dict[str, bytes], name: str, words: list[str]) -> None:
    page = text_of(pages, f"catalogue/skills/{name}")
    assert [word for word in words if word not in page] == []


def test_every_result_says_where_it_came_from(pages: dict[str, bytes]) -> None:
    for path in ("catalogue/skills/acme/tidy-code", "suites/python-basics"):
        page = text_of(pages, path)
        assert page.count('<span class="also">local run</span>') == page.count('data-label="Result"><span>') > 0
        assert "A local run was made on somebody" in page
    assert "<dt>origin</dt><dd>local run</dd>" in result_of(pages, "acme/only-rehearsed")


def test_a_suite_shows_what_checking_its_tasks_showed(pages: dict[str, bytes]) -> None:
    page = text_of(pages, "suites/python-basics")
    assert (
        "Checked by Sigil 0.1.0 on linux/amd64, 2026-01-04 08:00:00 UTC, on the machine that built these pages: "
        "7 checks passed, 1 check failed and 4 checks could not be made there."
    ) in page
    for said in (
        '<th scope="row">untouched repo fails</th><td><span class="check-pass">✓</span> 4 of 4 tasks</td>',
        '<span class="check-fail">✗</span> fails for read-config</td>',
        '<span class="check-not-checked">?</span> was not checked for parse-dates, read-config, sort-names and',
        '<li>untouched repo fails: <span class="check-pass">✓</span> exit status 1</li>',
    ):
        assert said in page


def test_a_suite_that_was_not_checked_claims_nothing(contents: Contents) -> None:
    page = text_of(site_pages(replace(contents, proofs={})), "suites/python-basics")
    assert "were not checked when these pages were built, so nothing is claimed" in page
    assert "✓" not in page
    assert "sigil task check python-basics" in page


def test_what_is_published_for_programs_is_what_the_reference_says(pages: dict[str, bytes]) -> None:
    published = {path: content for path, content in pages.items() if path.endswith(".json")}
    assert len(published) > len(SLUG_PAGES)
    for path, content in published.items():
        schema = json.loads(schemas()[path.rpartition("/")[2].removesuffix(".json")])
        jsonschema.validate(json.loads(content), schema, jsonschema.Draft202012Validator)


def test_the_smallest_effects_that_a_page_names_are_found_four_times_out_of_five(pages: dict[str, bytes]) -> None:
    named = re.search(r"a gain of (\d+) pp or more and a loss of (\d+) pp or more", result_of(pages, "acme/gone"))
    assert named is not None
    gain, loss = (int(size) / 100 for size in named.groups())
    baseline = 8 / 36
    assert power(36, baseline, baseline + gain) >= 0.8 > power(36, baseline, baseline + gain - 0.02)
    assert power(36, baseline - loss, baseline) >= 0.8 > power(36, baseline - loss + 0.02, baseline)


def test_limits_that_the_host_does_not_enforce_are_said_not_to_be(pages: dict[str, bytes]) -> None:
    assert "1 CPU, 2048 MB; not enforced on the host" in text_of(pages, "suites/python-basics")


def test_every_layer_of_security_is_said_not_to_have_run(pages: dict[str, bytes]) -> None:
    page = text_of(pages, "catalogue/skills/acme/tidy-code")
    for layer in ("static scan", "canary sandbox", "human review"):
        assert f'{layer}</th><td data-label="State">not run</td>' in page


def test_the_table_has_the_numbers_of_the_plot(pages: dict[str, bytes]) -> None:
    page = text_of(pages, "catalogue/skills/acme/tidy-code")
    plot, table = page.split("</svg>\n<figcaption>")[0], page.split("<figcaption>")[1]
    for number in ("+66.7", "+45.4 to +79.1"):
        assert number in plot
        assert number in table


def test_other_digests_stand_in_the_history_only(pages: dict[str, bytes], contents: Contents) -> None:
    page = text_of(pages, "catalogue/skills/acme/tidy-code")
    former = next(one for one in contents.experiments if one.plan.repeats == 8)
    digest = former.plan.subject.payload_digest
    before, history = page.split("## History")
    assert digest in history
    assert digest not in before


def test_a_rehearsal_is_marked_wherever_it_is_shown(pages: dict[str, bytes]) -> None:
    for page in (text_of(pages, "catalogue/skills/acme/only-rehearsed"), result_of(pages, "acme/only-rehearsed")):
        assert '<div class="banner" role="note"><strong>REHEARSAL</strong>' in page
    row = text_of(pages, "catalogue").split('data-name="acme/only-rehearsed"')[1].split("</tr>")[0]
    assert "rehearsal" in row
    assert "+66.7" not in row


def test_every_run_has_an_anchor(pages: dict[str, bytes], contents: Contents) -> None:
    inconclusive = next(one for one in contents.experiments if "rather-long" in one.plan.subject.capability)
    page = result_of(pages, inconclusive.plan.subject.capability)
    anchors = set(re.findall(r'id="run-(\d+)-(\d+)"', page))
    assert anchors == {(str(run.position), str(run.attempt)) for run in inconclusive.runs}
    assert "provider: 429 Too Many Requests" in page
    assert "a later attempt counts" in page


def test_ids_are_unique_in_every_page(pages: dict[str, bytes]) -> None:
    for path, content in pages.items():
        found = re.findall(r'\sid="([^"]*)"', content.decode())
        assert len(found) == len(set(found)), path


def test_hostile_text_leaves_no_trace_in_the_markdown(pages: dict[str, bytes]) -> None:
    for path, content in pages.items():
        text = content.decode()
        assert "<script" not in text
        assert "\u202e" not in text
        assert "\x00" not in text
        if path.endswith(".json"):
            continue
        assert "{{" not in text
        assert "{%" not in text
        assert "](" not in text
        assert "--8<--" not in text


def test_a_long_message_is_shown_in_part_and_says_so(pages: dict[str, bytes]) -> None:
    page = result_of(pages, "evil/hostile")
    assert "the last 6\u202f000 of 1\u202f000\u202f" in page
    assert len(page) < 2_000_000


def test_the_json_holds_no_floats_and_no_hidden_rehearsals(pages: dict[str, bytes]) -> None:
    def refuse(number: str) -> float:
        raise AssertionError(f"a float: {number}")

    catalogue = json.loads(pages["catalogue/catalogue.json"], parse_float=refuse)
    rows = {row["name"]: row for row in catalogue["capabilities"]}
    assert rows["acme/tidy-code"]["verdict"] == "proven"
    assert rows["acme/tidy-code"]["lower"] == "0.453743"
    assert rows["acme/untested"]["lower"] is None
    evidence = json.loads(pages["catalogue/skills/acme/only-rehearsed/evidence.json"], parse_float=refuse)
    assert evidence["verdict"] is None
    assert [(one["rehearsal"], one["counts"]) for one in evidence["results"]] == [(True, False)]


def test_the_suite_shows_its_prompts(pages: dict[str, bytes]) -> None:
    page = text_of(pages, "suites/python-basics")
    assert "Please parse dates as the README says.\n\nKeep the tests as they are." in page
    assert "sigil task check python-basics" in page
    assert "tests/**" in page
    assert "ceiling" in page
