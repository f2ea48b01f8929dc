"""Works through a plan: in its order, several at once, again for what was lost, until every cell has an end."""

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from sigilgen.errors import InterruptedRunError
from sigilgen.lab.attempt import Attempted, Ticket, attempt
from sigilgen.lab.bench import Bench
from sigilgen.lab.desk import Desk
from sigilgen.lab.journal import Entry, Journal, finished_runs, is_lost
from sigilgen.lab.kit import Kit
from sigilgen.model.record import PlanRecord
from sigilgen.model.run import Run
from sigilgen.policy.effect import last_attempts
from sigilgen.policy.order import run_seed
from sigilgen.sandbox.process import StoppedError, Stopper

MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What an onlooker is told: attempts started and ended. Called from several threads."""

    started: Callable[[Ticket], None]
    agent_done: Callable[[Ticket], None]
    ended: Callable[[Ticket, Run], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """Everything that working through one plan needs."""

    plan: PlanRecord
    bench: Bench
    kits: Mapping[str, Kit]
    desk: Desk
    journal: Journal
    stopper: Stopper
    progress: Progress


def open_tickets(plan: PlanRecord, runs: Sequence[Run], *, retry_lost: bool) -> list[Ticket]:
    """Attempts still to be made, in the order of the plan.

    A cell that was judged is done. One whose attempts were all lost is done after `MAX_ATTEMPTS`, unless
    `retry_lost` gives it as many again.
    """
    last = last_attempts(runs)
    tickets = []
    for position, cell in enumerate(plan.cells):
        run = last.get(position)
        if run is None:
            number = 1
        elif _is_tried_again(run) or (retry_lost and is_lost(run)):
            number = run.attempt + 1
        else:
            continue
        seed = run_seed(cell, seed=plan.seed)
        tickets.append(Ticket(position=position, attempt=number, cell=cell, seed=seed))
    return tickets


def _is_tried_again(run: Run) -> bool:
    """Whether an attempt was lost, and was not the last of the `MAX_ATTEMPTS` that its cell has at a time."""
    return is_lost(run) and run.attempt % MAX_ATTEMPTS != 0


def work_through(shop: Shop, *, jobs: int, retry_lost: bool) -> None:
    """Make every open attempt, `jobs` at a time. Raises InterruptedRunError when the user stops it."""
    waiting = open_tickets(shop.plan, finished_runs(shop.journal.entries), retry_lost=retry_lost)
    dice = random.Random(shop.plan.seed)  # noqa: S311  (spreads retries over time; nothing secret)
    running: set[Future[Ticket | None]] = set()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    running.add(pool.submit(_carry_out, shop, waiting.pop(0)))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    if (again := future.result()) is not None:
                        waiting.insert(dice.randint(0, len(waiting)), again)
        except (KeyboardInterrupt, StoppedError):
            shop.stopper.stop()
            wait(running)
            raise InterruptedRunError(
                f"stopped; finished runs are kept in {shop.desk.root}",
                hint=f"Go on with: sigil prove --resume {shop.desk.root.name}",
            ) from None
        except BaseException:
            shop.stopper.stop()
            raise


def _carry_out(shop: Shop, ticket: Ticket) -> Ticket | None:
    """Make one attempt and write it down; the ticket for the next one when it was lost."""

    def agent_done() -> None:
        shop.journal.append(Entry(state="agent_done", position=ticket.position, attempt=ticket.attempt))
        shop.progress.agent_done(ticket)

    shop.journal.append(Entry(state="running", position=ticket.position, attempt=ticket.attempt))
    shop.progress.started(ticket)
    kit = shop.kits[ticket.cell.task]
    attempted = attempt(shop.bench, kit, ticket, shop.stopper, agent_done=agent_done)
    _write_down(shop, ticket, attempted)
    shop.progress.ended(ticket, attempted.run)
    return replace(ticket, attempt=ticket.attempt + 1) if _is_tried_again(attempted.run) else None


def _write_down(shop: Shop, ticket: Ticket, attempted: Attempted) -> None:
    """The transcript first: a terminal line in the journal means that everything of the attempt is there."""
    place = shop.desk.transcript(ticket.position, ticket.attempt)
    place.parent.mkdir(exist_ok=True)
    place.write_text(attempted.transcript, encoding="utf-8", errors="replace", newline="")
    shop.journal.append(
        Entry(
            state="infra" if is_lost(attempted.run) else "judged",
            position=ticket.position,
            attempt=ticket.attempt,
            run=attempted.run,
        )
    )
