from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from sigilgen.model.experiment import Experiment
from sigilgen.pages.address import Address
from sigilgen.pages.links import Link, challenge_link, contest_link, rerun_link

FORMS = Path(__file__).parents[2] / ".github" / "ISSUE_TEMPLATE"
ADDRESS = Address("https://github.com/example/sigil", github=True)


@pytest.fixture(scope="module")
def links(experiments: dict[str, Experiment]) -> tuple[Link, ...]:
    result = experiments["proven"].result
    assert result is not None
    return (
        rerun_link(ADDRESS, capability="acme/tidy-code", digest="sha256:" + "0" * 64),
        contest_link(ADDRESS, result),
        challenge_link(ADDRESS, suite="python-basics", digest="sha256:" + "0" * 64, task="sort-names"),
    )


def test_every_link_fills_in_fields_that_its_form_has(links: tuple[Link, ...]) -> None:
    for link in links:
        assert link.address is not None
        query = parse_qs(urlsplit(link.address).query)
        form = yaml.safe_load((FORMS / query.pop("template")[0]).read_text(encoding="utf-8"))
        assert set(query) <= {field["id"] for field in form["body"] if "id" in field}


def test_without_an_address_the_words_stand_alone() -> None:
    assert rerun_link(None, capability="acme/tidy-code", digest=None) == Link("Ask for a new run", None)
