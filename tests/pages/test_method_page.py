"""The hand-written pages say the numbers that the program uses."""

import re
from pathlib import Path

import pytest

from sigilgen.model.effect import Verdict
from sigilgen.model.record import METHOD_VERSION
from sigilgen.pages.commands import SEAL
from sigilgen.pages.forest import MARKS
from sigilgen.pages.phrases import NOT_MEASURED
from sigilgen.policy.trust import Layers, LayerState, TrustLevel, trust_level
from sigilgen.policy.verdict import (
    LARGEST_IMBALANCE,
    LARGEST_INFRA_GAP_PERCENT,
    MARGIN,
    MINIMUM_RUNS,
    MINIMUM_TASKS,
    verdict_of,
)
from sigilgen.policy.wording import points
from sigilgen.stats.intervals import newcombe

PAGES = Path(__file__).parents[2] / "site_src"
METHOD = (PAGES / "method.md").read_text(encoding="utf-8")
SECURITY = (PAGES / "security.md").read_text(encoding="utf-8")
PROSE = " ".join(METHOD.split())


def test_the_worked_example_is_what_the_formula_gives() -> None:
    marker = re.search(
        r"<!-- worked-example treatment=(\d+)/(\d+) baseline=(\d+)/(\d+) "
        r"difference=(\S+) lower=(\S+) upper=(\S+) verdict=(\S+) -->",
        METHOD,
    )
    assert marker is not None
    treatment, treatment_runs, baseline, baseline_runs = (int(number) for number in marker.groups()[:4])
    interval = newcombe(treatment, treatment_runs, baseline, baseline_runs)
    assert interval is not None
    stated = (points(interval.estimate), points(interval.lower), points(interval.upper))
    assert marker.groups()[4:7] == stated
    assert marker[8] == verdict_of(interval).value
    example = METHOD[marker.end() : METHOD.index("### What the interval covers")]
    rates = (f"{100 * treatment / treatment_runs:.1f} %", f"{100 * baseline / baseline_runs:.1f} %")
    for said in (f"{treatment} of {treatment_runs}", f"{baseline} of {baseline_runs}", *rates, *stated, marker[8]):
        assert said in example


NUMBERS = {
    "version": f"version {METHOD_VERSION} of the method",
    "runs": f"fewer than {MINIMUM_RUNS} scored runs in a condition",
    "tasks": f"fewer than {MINIMUM_TASKS} tasks",
    "infra": f"differs between the conditions by more than {LARGEST_INFRA_GAP_PERCENT} points",
    "margin": f"within {100 * MARGIN:.0f} points of zero on both sides",
}


@pytest.mark.parametrize("said", NUMBERS.values(), ids=NUMBERS)
def test_the_method_page_states_the_numbers_of_the_policy(said: str) -> None:
    assert said in PROSE


def test_the_allowed_imbalance_is_one_as_the_page_says_in_words() -> None:
    assert LARGEST_IMBALANCE == 1
    assert "differ between the conditions by more than one" in PROSE


def test_every_verdict_and_its_sign_stand_in_the_table() -> None:
    for verdict in Verdict:
        assert f"{MARKS[verdict]} {verdict}</span> |" in METHOD


@pytest.mark.parametrize("page", ["index.md", "method.md"])
def test_what_nobody_has_measured_has_the_same_name_as_on_generated_pages(page: str) -> None:
    text = (PAGES / page).read_text(encoding="utf-8")
    assert re.search(rf"\*{NOT_MEASURED}\*+ is n", text, re.IGNORECASE)


def test_the_trust_table_lists_the_levels_from_the_lowest_to_the_highest() -> None:
    table = METHOD.split("## Trust levels")[1].split("## The seal")[0]
    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE)[1:] == [level.value for level in TrustLevel]


TRUST = {
    "nothing has passed yet": Layers(),
    "any layer failed": Layers(review=LayerState.FAIL),
    "the static scan passed": Layers(static=LayerState.PASS),
    "static scan and canary sandbox passed": Layers(static=LayerState.PASS, canary=LayerState.PASS),
    "static scan, canary sandbox and human review passed": Layers(
        static=LayerState.PASS, canary=LayerState.PASS, review=LayerState.PASS
    ),
}


@pytest.mark.parametrize(("when", "layers"), TRUST.items(), ids=TRUST)
def test_the_trust_table_says_what_the_policy_does(when: str, layers: Layers) -> None:
    assert f"| {trust_level(layers)} | {when} |" in METHOD


def test_the_seal_on_the_page_is_the_one_on_every_capability_page() -> None:
    assert SEAL in METHOD


def test_the_security_page_says_of_each_layer_what_the_program_does() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| [^|]+ \| ([a-z ]+) \|$", SECURITY, re.MULTILINE)
    layers = Layers()
    assert rows == [
        ("static scan", layers.static.value),
        ("canary sandbox", layers.canary.value),
        ("human review", layers.review.value),
    ]
    assert f"keeps every capability at the trust level *{trust_level(layers)}*" in SECURITY


HOST_GIVES = ["operator's files", "hidden verifier", "reach the network", "processors and the memory", "slip through"]


@pytest.mark.parametrize("words", HOST_GIVES)
def test_the_security_page_says_what_the_host_sandbox_cannot_keep(words: str) -> None:
    assert words in SECURITY


COVERED = {
    "claims": ["one narrow question", "for ever", "safe everywhere", "every run can be repeated"],
    "units": ["One changed byte", "nothing measured for the old one is carried over"],
    "fixed": ["the agent and its version", "as the agent reports it", "container image", "random seed"],
    "third parties": ["therefore measures no third-party capability"],
    "clean": ["settings, skills, plug-ins, memory or instruction files", "fresh copy", "shuffled"],
    "scoring": ["exit status 0", "only after the agent has stopped", "original bytes", "against the original tests"],
    "tampered": ["Adding tests is good work", "never scored", "punish working code twice", "rewritten as a whole"],
    "false done": ["claims that the work is done", "never derived from tampering"],
    "rescoring": [
        "the agent is never run again",
        "digests that were measured",
        "says that it was re-scored",
        "--rescore",
    ],
    "cost": ["Tokens, time and cost", "medians", "halves the cost"],
    "interval": ["number 10", "Wald", "near 0 % or 100 %", "never from the difference alone"],
    "inference": ["conditional on the suite", "add tasks", "number of tasks and runs that it rests on"],
    "coverage": ["about 95 % coverage when every task has the same pass rate", "the high 80s to 99 %"],
    "summary": ["a single harmful result outweighs any number of proven ones", "stays visible on its own"],
    "tasks": ["real request", "strong senior engineer", "sigil task check", "makes no network calls"],
    "challenge": ["challenge a task by opening an issue", "digest of its suite changes", "run again"],
    "static": ["remote code execution", "invisible Unicode", "OWASP Agentic Skills Top 10", "those that it declares"],
    "canary": ["no direct way to the internet", "honeytokens", "SSH key", "plain words that no scanner recognises"],
    "attribution": ["no baseline run of the same suite did the same", "published with its level", "also in baseline"],
    "host": [
        "nothing stops an agent that looks for it",
        "the hidden verifier included",
        "never pass the canary check",
        "refuses third-party capabilities",
        "labels its evidence as local",
    ],
    "review": ["whether it needs the permissions", "honest about its limits", "Install only what you have read"],
    "trust": ["kept apart on purpose", "still do nothing"],
    "seal": [
        "two spaces, and its path",
        "refuses them if it differs",
        "`sigil add` will",
        "gh attestation verify",
        "not live yet",
    ],
    "glyph": ["visibly different picture", "checks nothing"],
    "third party": ["full commit id", "add context", "never sold", "no verification can be bought"],
    "reproduce": ["--runs 6 --model <model>", "agent version, the model, the image, the seed and the suite digest"],
    "limits": ["called evaluated", "Models change", "will be inconclusive", "cannot prove that nothing malicious"],
    "references": ["873\u2013890", "209\u2013212", "2602.12670", "2603.15401", "owasp.org"],
}


@pytest.mark.parametrize("statements", COVERED.values(), ids=COVERED)
def test_the_method_page_covers_the_method(statements: list[str]) -> None:
    assert [statement for statement in statements if statement not in PROSE] == []


@pytest.mark.parametrize("page", ["index.md", "method.md", "security.md"])
def test_hand_written_pages_have_one_sentence_a_line(page: str) -> None:
    prose = (PAGES / page).read_text(encoding="utf-8").split("---", 2)[2]
    lines = [line for line in prose.splitlines() if not re.match(r"\s*(<|\||\d\.|- |.*references|```)", line)]
    assert [line for line in lines if re.search(r"[a-z]\. [A-Z]", line)] == []
