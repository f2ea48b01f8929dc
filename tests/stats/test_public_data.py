"""Two public data sets, recomputed. Their counts are no evidence of ours: they test the arithmetic."""

import csv
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from sigilgen.model.effect import Effect, Interval, Tally, TaskTally, Verdict
from sigilgen.policy.verdict import judge, verdict_of
from sigilgen.stats.intervals import newcombe
from sigilgen.stats.stratified import mantel_haenszel

Counts = dict[str, tuple[int, int]]
Rewards = dict[str, tuple[float | None, float | None]]


def rows_of(name: str) -> list[dict[str, str]]:
    folder = os.environ.get("SIGIL_PUBLIC_DATA")
    if not folder:
        pytest.skip(f"SIGIL_PUBLIC_DATA does not name the folder of {name}")
    with (Path(folder) / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def leaderboard() -> list[dict[str, str]]:
    return rows_of("terminal_bench_leaderboard_counts.csv")


def counts_of(rows: Iterable[dict[str, str]], submission: str) -> Counts:
    chosen = [row for row in rows if row["submission"] == submission]
    counts = {row["task"]: (int(row["passes"]), int(row["runs"])) for row in chosen}
    assert len(counts) == len(chosen) == 80
    return counts


def in_points(interval: Interval | None, places: int) -> tuple[float, float, float]:
    assert interval is not None
    return (
        round(100 * interval.estimate, places),
        round(100 * interval.lower, places),
        round(100 * interval.upper, places),
    )


DROID_OPUS, DROID_SONNET = "20250923_droid_claude-4-1-opus", "20250923_droid_claude-4-sonnet"
DROID_GPT, OB1 = "20250924_droid_gpt-5", "ob1-09-10-25"
GOOSE_OPUS, GOOSE_SONNET = "20250829_goose_claude-4-opus", "20250829_goose_claude-4-sonnet"
ORCHESTRATOR_OPUS = "20250906_orchestrator_claude-4.1-opus"
ORCHESTRATOR_SONNET = "20250902_orchestrator_claude-4-sonnet"
OPENHANDS, MINI_SWE = "20250711_openhands_claude-4-sonnet", "20250825_swe-agent-mini_claude-4-sonnet"

LEADERBOARD = {
    # two submissions, their passes of 400; difference and Newcombe's limits; Mantel-Haenszel limits (all in points)
    "Droid: Opus 4.1 against Sonnet 4": (DROID_OPUS, DROID_SONNET, 235, 202, (8.25, 1.35, 15.04), (4.15, 12.35)),
    "Droid: GPT-5 against Sonnet 4": (DROID_GPT, DROID_SONNET, 210, 202, (2.0, -4.91, 8.88), (-2.4, 6.4)),
    "Goose: Opus 4 against Sonnet 4": (GOOSE_OPUS, GOOSE_SONNET, 181, 165, (4.0, -2.86, 10.8), (0.28, 7.72)),
    "Orchestrator: Opus 4.1 against Sonnet 4": (
        *(ORCHESTRATOR_OPUS, ORCHESTRATOR_SONNET, 159, 144),
        *((3.75, -2.96, 10.42), (-0.64, 8.14)),
    ),
    "Sonnet 4: Goose against OpenHands": (GOOSE_SONNET, OPENHANDS, 165, 165, (0.0, -6.79, 6.79), (-4.72, 4.72)),
    "Sonnet 4: Droid against mini-SWE-agent": (
        *(DROID_SONNET, MINI_SWE, 202, 51),
        *((37.75, 31.67, 43.43), (32.28, 43.22)),
    ),
    "OB-1 against Droid Opus 4.1": (OB1, DROID_OPUS, 227, 235, (-2.0, -8.8, 4.83), (-6.74, 2.74)),
}


@pytest.mark.parametrize(
    ("one", "other", "passes", "other_passes", "pooled", "stratified"), LEADERBOARD.values(), ids=LEADERBOARD
)
def test_leaderboard_differences_and_intervals(
    leaderboard: list[dict[str, str]],
    one: str,
    other: str,
    passes: int,
    other_passes: int,
    pooled: tuple[float, float, float],
    stratified: tuple[float, float],
) -> None:
    here, there = counts_of(leaderboard, one), counts_of(leaderboard, other)
    assert sum(x for x, _ in here.values()) == passes
    assert sum(x for x, _ in there.values()) == other_passes
    assert here.keys() == there.keys()
    assert in_points(newcombe(passes, 400, other_passes, 400), 2) == pooled
    by_task = mantel_haenszel([(*here[task], *there[task]) for task in here])
    assert in_points(by_task, 2) == (pooled[0], *stratified)


def test_many_runs_that_ran_out_of_time_passed_all_the_same(leaderboard: list[dict[str, str]]) -> None:
    # The counts bound what the runs showed, 378 of 1,504: within a task, passes and time-outs must share some runs.
    tasks = [(int(row["passes"]), int(row["runs"]), int(row["agent_timeouts"])) for row in leaderboard]
    assert len(tasks) == 1_040
    assert sum(timeouts for _, _, timeouts in tasks) == 1_504
    at_least = sum(max(0, passes + timeouts - runs) for passes, runs, timeouts in tasks)
    at_most = sum(min(passes, timeouts) for passes, _, timeouts in tasks)
    assert at_least == 294
    assert at_least <= 378 <= at_most


@pytest.fixture(scope="module")
def rewards() -> dict[str, Rewards]:
    rows = rows_of("skillsbench_gemini_rewards.csv")

    def reward(text: str) -> float | None:
        return float(text) if text else None

    return {
        model: {
            row["task_abbrev"]: (reward(row[f"{column}_skills"]), reward(row[f"{column}_noskills"])) for row in rows
        }
        for model, column in (("Flash", "gemini3flash"), ("Pro", "gemini3pro"))
    }


def effect_of(rewards: Rewards, policy: str) -> Effect:
    """One run for each task and condition, with the runs that did not finish handled by one of three policies."""
    tasks = {
        task: TaskTally(treatment=tally(treatment, policy), baseline=tally(baseline, policy))
        for task, (treatment, baseline) in rewards.items()
        if policy != "only tasks finished in both" or None not in {treatment, baseline}
    }
    treatment, baseline = (
        total([task.treatment for task in tasks.values()]),
        total([t.baseline for t in tasks.values()]),
    )
    interval = newcombe(treatment.passed, treatment.scored, baseline.passed, baseline.scored)
    return Effect(treatment=treatment, baseline=baseline, tasks=tasks, models_served=(), interval=interval)


def tally(reward: float | None, policy: str) -> Tally:
    if reward is None and policy != "counted as failures":
        return Tally(planned=1, infra=1)
    return Tally(planned=1, passed=1) if reward == 1 else Tally(planned=1, failed=1)


def total(tallies: list[Tally]) -> Tally:
    return Tally(
        planned=sum(each.planned for each in tallies),
        passed=sum(each.passed for each in tallies),
        failed=sum(each.failed for each in tallies),
        infra=sum(each.infra for each in tallies),
    )


SKILLSBENCH = {
    # model, policy for runs that did not finish, treatment and baseline passes of runs, difference with limits, verdict
    "Flash, dropped": ("Flash", "dropped", (37, 84, 21, 70), (14.0, -1.3, 28.3), Verdict.INCONCLUSIVE),
    "Flash, failures": ("Flash", "counted as failures", (37, 86, 21, 86), (18.6, 4.5, 31.8), Verdict.PROVEN),
    "Flash, both": ("Flash", "only tasks finished in both", (31, 70, 21, 70), (14.3, -1.7, 29.3), Verdict.INCONCLUSIVE),
    "Pro, dropped": ("Pro", "dropped", (27, 77, 17, 77), (13.0, -1.3, 26.6), Verdict.INCONCLUSIVE),
    "Pro, failures": ("Pro", "counted as failures", (27, 86, 17, 86), (11.6, -1.4, 24.2), Verdict.INCONCLUSIVE),
    "Pro, both": ("Pro", "only tasks finished in both", (26, 73, 17, 73), (12.3, -2.5, 26.4), Verdict.INCONCLUSIVE),
}


@pytest.mark.parametrize(("model", "policy", "counts", "difference", "verdict"), SKILLSBENCH.values(), ids=SKILLSBENCH)
def test_skillsbench_differences_intervals_and_verdicts(
    rewards: dict[str, Rewards],
    model: str,
    policy: str,
    counts: tuple[int, int, int, int],
    difference: tuple[float, float, float],
    verdict: Verdict,
) -> None:
    effect = effect_of(rewards[model], policy)
    treatment, baseline = effect.treatment, effect.baseline
    assert (treatment.passed, treatment.scored, baseline.passed, baseline.scored) == counts
    assert in_points(effect.interval, 1) == difference
    assert effect.interval is not None
    assert verdict_of(effect.interval) is verdict
    assert judge(effect).verdict is verdict


def test_the_verdict_flips_when_lost_runs_are_counted_as_failures(rewards: dict[str, Rewards]) -> None:
    honest = judge(effect_of(rewards["Flash"], "dropped"))
    assert honest.verdict is Verdict.INCONCLUSIVE
    (reason,) = honest.reasons
    assert reason.startswith("Infrastructure cost 16 of 86 baseline runs and 2 of 86 treatment runs")
    assert judge(effect_of(rewards["Flash"], "counted as failures")).verdict is Verdict.PROVEN
