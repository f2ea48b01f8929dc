from hypothesis import given
from hypothesis import strategies as st

from sigilgen.model.record import Cell
from sigilgen.model.run import Condition
from sigilgen.policy.order import planned_cells, run_seed

tasks = st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=5, unique=True)
seeds = st.integers(0, 2**53 - 1)


@given(tasks, st.integers(1, 4), seeds)
def test_every_cell_is_planned_exactly_once(names: list[str], repeats: int, seed: int) -> None:
    cells = planned_cells(names, repeats=repeats, seed=seed)
    assert len(cells) == len(set(cells)) == 2 * len(names) * repeats
    assert {cell.task for cell in cells} == set(names)


@given(tasks, seeds)
def test_the_order_of_tasks_on_disk_does_not_matter(names: list[str], seed: int) -> None:
    assert planned_cells(names, repeats=2, seed=seed) == planned_cells(names[::-1], repeats=2, seed=seed)


def test_conditions_are_interleaved_and_seeds_give_different_orders() -> None:
    orders = {planned_cells(["a", "b"], repeats=6, seed=seed) for seed in range(20)}
    assert len(orders) == 20
    first_half = [sum(cell.condition is Condition.TREATMENT for cell in order[:12]) for order in orders]
    assert 0 < sum(first_half) / len(first_half) < 12
    assert max(first_half) < 12


def test_the_order_and_the_run_seeds_of_version_1_stay_what_they_are() -> None:
    cells = planned_cells(["a", "b"], repeats=1, seed=7)
    assert [(cell.task, cell.condition.value) for cell in cells] == GOLDEN_ORDER
    assert run_seed(Cell(task="a", condition=Condition.BASELINE, repeat=0), seed=7) == GOLDEN_SEED


@given(seeds)
def test_run_seeds_differ_between_cells_and_fit_a_record(seed: int) -> None:
    made = [run_seed(cell, seed=seed) for cell in planned_cells(["a", "b", "c"], repeats=3, seed=seed)]
    assert len(set(made)) == len(made)
    assert all(0 <= value < 2**53 for value in made)


GOLDEN_ORDER = [("a", "treatment"), ("a", "baseline"), ("b", "treatment"), ("b", "baseline")]
GOLDEN_SEED = 7058583850571594
