from collections.abc import Mapping

import pytest

from sigilgen.model.effect import Verdict
from sigilgen.model.experiment import Experiment
from sigilgen.pages.answer import capability_answer
from sigilgen.pages.dossier import Dossier, open_dossier
from sigilgen.pages.measured import derive
from sigilgen.pages.site import Contents
from sigilgen.policy.trust import TrustLevel

CASES = {
    "proven": (["proven"], "proven", 1),
    "one harmful outweighs": (["mixed, proven", "mixed, harmful"], "harmful", 2),
    "no effect": (["no effect"], "no effect", 1),
    "inconclusive": (["inconclusive"], "inconclusive", 1),
    "a rehearsal counts for nothing": (["rehearsal"], "rehearsal", 0),
    "another payload counts for nothing": (["older payload"], "not measured", 0),
    "another version of the suite counts for nothing": (["older suite"], "not measured", 0),
    "a plan alone is no result": (["abandoned"], "not measured", 0),
    "nothing at all": ([], "not measured", 0),
}


@pytest.fixture
def dossier(request: pytest.FixtureRequest, contents: Contents, experiments: Mapping[str, Experiment]) -> Dossier:
    words: list[str] = request.param
    made = [experiments[word] for word in words]
    return open_dossier(
        contents.entries[6].capability,
        folder="catalog/skills/acme/tidy-code",
        payload=contents.payloads["acme/tidy-code"],
        measured=[measured for measured in map(derive, made) if measured],
        plans=[one.plan for one in made if one.result is None],
        suite_digests={entry.suite.id: entry.suite.digest for entry in contents.suites},
    )


@pytest.mark.parametrize(("dossier", "word", "tested"), CASES.values(), ids=CASES, indirect=["dossier"])
def test_the_answer_counts_only_what_counts(dossier: Dossier, word: str, tested: int) -> None:
    assert capability_answer(dossier).word == word
    assert dossier.summary.tested == tested
    assert dossier.trust is TrustLevel.LISTED


@pytest.mark.parametrize("dossier", [["mixed, proven", "mixed, harmful"]], indirect=True)
def test_the_summary_names_the_result_that_it_rests_on(dossier: Dossier) -> None:
    answer = capability_answer(dossier)
    assert dossier.leading is not None
    assert dossier.leading.judgement.verdict is Verdict.HARMFUL
    assert "2 results tested: 1 proven, 1 harmful." in answer.sentences
    assert any("codex" in sentence for sentence in answer.sentences)
    assert any("outweighs" in sentence for sentence in answer.sentences)


@pytest.mark.parametrize("dossier", [["proven"]], indirect=True)
def test_a_number_never_stands_without_its_size(dossier: Dossier) -> None:
    finding = capability_answer(dossier).sentences[0]
    assert finding == (
        "32/36 runs passed with it and 8/36 without it: +66.7\u00a0pp (95\u00a0% CI +45.4 to +79.1), "
        "from 36 scored runs in each condition, 4 tasks."
    )


@pytest.mark.parametrize("dossier", [["abandoned"]], indirect=True)
def test_a_plan_without_result_stays_visible(dossier: Dossier) -> None:
    assert [plan.subject.suite for plan in dossier.open_plans] == ["python-basics"]
