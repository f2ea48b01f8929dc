"""A counter on standard error for work whose steps are alike: drawn in a terminal, silent elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status
from rich.text import Text


@contextmanager
def steps(title: str) -> Iterator[Callable[[str], None]]:
    """Yield what is to be called with the name of the thing worked on after each step."""
    console = Console(stderr=True)
    count = 0

    def step(name: str) -> None:
        nonlocal count
        count += 1
        status.update(Text(f"{title}: {count} steps, {name}"))

    with Status(Text(title), console=console) as status:
        if not console.is_terminal:
            console.print(title, markup=False, highlight=False)
        yield step
