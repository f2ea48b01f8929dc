"""What a result must be to follow from its plan and runs: every number in it is computed again."""

from collections.abc import Iterator, Sequence

import msgspec

from sigilgen.model.effect import Effect, Tally
from sigilgen.model.record import ConditionCounts, PlanRecord, ProveRecord, Stated
from sigilgen.model.run import Condition, Run
from sigilgen.policy.claims import CLAIMS_VERSION
from sigilgen.policy.effect import measure
from sigilgen.policy.stated import state
from sigilgen.policy.verdict import judge
from sigilgen.store.strict_json import Flaw
from sigilgen.store.verify_plan import time_flaws
from sigilgen.store.verify_runs import SECONDS


def binding_flaws(result: ProveRecord, plan: PlanRecord) -> Iterator[Flaw]:
    """Everything in the result that contradicts its plan or itself, before any run is counted."""
    yield from time_flaws("$.started_at", result.started_at)
    yield from time_flaws("$.finished_at", result.finished_at)
    yield from _differences("$.subject", result.subject, plan.subject)
    yield from _differences("$.setting", result.setting, plan.setting)
    if result.rehearsal is not plan.rehearsal:
        yield Flaw("$.rehearsal", f"{_text(result.rehearsal)}; the plan says {_text(plan.rehearsal)}")
    if result.started_at[SECONDS] < plan.created_at[SECONDS]:
        yield Flaw("$.started_at", f"{result.started_at} is before the plan was made, at {plan.created_at}")
    if result.finished_at[SECONDS] < result.started_at[SECONDS]:
        yield Flaw("$.finished_at", f"{result.finished_at} is before the start, at {result.started_at}")
    if not 1 <= result.claims_version <= CLAIMS_VERSION:
        yield Flaw("$.claims_version", f"{result.claims_version}; this Sigil knows 1 to {CLAIMS_VERSION}")
    if not result.runs.kept:
        yield Flaw("$.runs.kept", "is false; runs are always kept")


def derived_flaws(result: ProveRecord, plan: PlanRecord, runs: Sequence[Run]) -> Iterator[Flaw]:
    """Everything in the result that does not follow from the runs. Nothing follows from runs that misfit the plan."""
    try:
        effect = measure(plan.cells, runs)
    except ValueError:
        return  # each of these runs has been named
    if result.models_served != effect.models_served:
        yield Flaw("$.models_served", f"{list(result.models_served)}; the runs have {list(effect.models_served)}")
    yield from _count_flaws(result, effect)
    stated = state(judge(effect), rehearsal=plan.rehearsal)
    for field in Stated.__struct_fields__:
        found, expected = getattr(result.stated, field), getattr(stated, field)
        if found != expected:
            yield Flaw(f"$.stated.{field}", f"{_text(found)}; the runs come to {_text(expected)}")


def _count_flaws(result: ProveRecord, effect: Effect) -> Iterator[Flaw]:
    tallies: dict[Condition, Tally] = {Condition.BASELINE: effect.baseline, Condition.TREATMENT: effect.treatment}
    for condition, tally in tallies.items():
        counts = result.counts.get(condition)
        if counts is None:
            yield Flaw(f"$.counts.{condition}", "is missing")
            continue
        for field in ConditionCounts.__struct_fields__:
            if field == "false_done" and result.claims_version < CLAIMS_VERSION:
                continue  # counted by an older reader of claims
            found, expected = getattr(counts, field), getattr(tally, field)
            if found != expected:
                yield Flaw(f"$.counts.{condition}.{field}", f"{found}; the runs come to {expected}")


def _differences(path: str, found: msgspec.Struct, planned: msgspec.Struct) -> Iterator[Flaw]:
    for field in planned.__struct_fields__:
        of_result, of_plan = getattr(found, field), getattr(planned, field)
        if of_result != of_plan:
            yield Flaw(f"{path}.{field}", f"{_text(of_result)}; the plan says {_text(of_plan)}")


def _text(value: object) -> str:
    """A value as it stands in JSON."""
    return msgspec.json.encode(value).decode()
