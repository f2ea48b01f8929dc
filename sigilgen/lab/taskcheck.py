"""Proves that the tasks of a suite are fair, as far as this machine can: every task, every check, every reason."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from sigilgen.agents import idle, oracle
from sigilgen.agents.base import Agent
from sigilgen.lab.attempt import Ticket, attempt
from sigilgen.lab.bench import Bench
from sigilgen.lab.judge import verify
from sigilgen.lab.kit import Kit
from sigilgen.lab.lost import LostError
from sigilgen.model.fairness import Check, Status
from sigilgen.model.record import Cell
from sigilgen.model.run import Condition, Outcome, Run
from sigilgen.policy.fairness import leaks, named_words
from sigilgen.sandbox.host import search_path
from sigilgen.sandbox.process import Stopper
from sigilgen.sandbox.trees import copy_tree, is_plain, walk

REPEATS = 5
CLOCK_AHEAD = ("faketime", "+2 years")
READ_LIMIT = 4 << 20


@dataclass(frozen=True, slots=True)
class Checker:
    """What checking needs.

    `kits` are those of all tasks of the suite, `hidden` the files of capabilities that are measured on it, by path.
    """

    bench: Bench
    capability_names: Sequence[str]
    hidden: Mapping[str, bytes]
    kits: Sequence[Kit]
    stopper: Stopper
    step: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Begun:
    """The verifications of one task, under way or waiting their turn."""

    kit: Kit
    untouched: Future[Check]
    idles: Sequence[Future[Run]]
    references: Sequence[Future[Run]]
    ahead: tuple[Future[Run], Future[Check]] | None


def check_tasks(checker: Checker, kits: Sequence[Kit], *, jobs: int) -> list[tuple[Check, ...]]:
    """Run every check of every task, `jobs` verifications at a time whatever their task. Ctrl-C ends them all."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            begun = [_begin(checker, kit, pool) for kit in kits]
            return [_finish(checker, task) for task in begun]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            checker.stopper.stop()
            raise


def _begin(checker: Checker, kit: Kit, pool: ThreadPoolExecutor) -> _Begun:
    has_clock = shutil.which(CLOCK_AHEAD[0], path=search_path()) is not None
    return _Begun(
        kit=kit,
        untouched=pool.submit(_untouched, checker, kit, ()),
        idles=[pool.submit(_run, checker, kit, idle, number) for number in range(REPEATS)],
        references=[pool.submit(_run, checker, kit, oracle, number) for number in range(REPEATS)],
        ahead=(
            pool.submit(_run, checker, kit, oracle, 0, CLOCK_AHEAD),
            pool.submit(_untouched, checker, kit, CLOCK_AHEAD),
        )
        if has_clock
        else None,
    )


def _finish(checker: Checker, begun: _Begun) -> tuple[Check, ...]:
    untouched = begun.untouched.result()
    reference = _passes_reference([future.result() for future in begun.references])
    return (
        _prompt(checker, begun.kit),
        _nothing_leaks(checker, begun.kit),
        _no_duplicate(checker, begun.kit),
        untouched,
        _fails_idle([future.result() for future in begun.idles]),
        reference,
        _clock_ahead(begun.ahead, today=(untouched, reference)),
        _network(checker),
    )


def _run(checker: Checker, kit: Kit, agent: Agent, number: int, prefix: tuple[str, ...] = ()) -> Run:
    bench = replace(checker.bench, agent=agent, verifier_prefix=prefix)
    cell = Cell(task=kit.task.id, condition=Condition.BASELINE, repeat=number)
    ticket = Ticket(position=number, attempt=1, cell=cell, seed=0)
    attempted = attempt(bench, kit, ticket, checker.stopper, agent_done=lambda: None)
    checker.step(kit.task.id)
    return attempted.run


def _untouched(checker: Checker, kit: Kit, prefix: tuple[str, ...]) -> Check:
    name = "untouched repo fails"
    with tempfile.TemporaryDirectory(dir=checker.bench.scratch, ignore_cleanup_errors=True) as scratch:
        copy_tree(kit.start, Path(scratch) / "work")
        try:
            bench = replace(checker.bench, verifier_prefix=prefix)
            verified = verify(bench, kit, Path(scratch) / "work", checker.stopper)
        except LostError as error:
            return Check(name, Status.FAIL, f"the verifier could not run: {error}", "Mend verifier/verify.sh.")
    checker.step(kit.task.id)
    if verified.passed:
        return Check(name, Status.FAIL, "the verifier passes it", "Let the verifier test what the prompt asks for.")
    if verified.timed_out:
        return Check(
            name, Status.FAIL, "the verifier times out", "Let it fail quickly, or raise verify_timeout_seconds."
        )
    return Check(name, Status.PASS, f"exit status {verified.exit_status}; {_last_words(verified.output)}")


def _fails_idle(runs: Sequence[Run]) -> Check:
    name = f"idle agent fails, {REPEATS} times"
    if lost := _lost(runs):
        return Check(name, Status.FAIL, lost, "Mend verifier/verify.sh.")
    passed = _passes(runs)
    if passed == 0:
        return Check(name, Status.PASS, f"{REPEATS} of {REPEATS} fail")
    fix = "Let the verifier test what the prompt asks for." if passed == REPEATS else "Take chance out of the verifier."
    return Check(name, Status.FAIL, f"{passed} of {REPEATS} pass", fix)


def _passes_reference(runs: Sequence[Run]) -> Check:
    name = f"reference solution passes, {REPEATS} times"
    if lost := _lost(runs):
        return Check(name, Status.FAIL, lost, "Mend solution/ or verifier/verify.sh.")
    passed = _passes(runs)
    if passed == REPEATS:
        slowest = max(run.verifier_milliseconds or 0 for run in runs)
        return Check(name, Status.PASS, f"{REPEATS} of {REPEATS} pass, slowest verification {slowest} ms")
    output = next(run.verifier_output for run in runs if run.outcome is not Outcome.PASSED).strip()[-600:] or "nothing"
    fix = "Take chance out of the verifier or the solution." if passed else "Mend solution/ or the verifier."
    return Check(name, Status.FAIL, f"{passed} of {REPEATS} pass; the verifier says: {output}", fix)


def _clock_ahead(ahead: tuple[Future[Run], Future[Check]] | None, *, today: Sequence[Check]) -> Check:
    name = "holds with the clock two years ahead"
    if ahead is None:
        return Check(name, Status.NOT_CHECKED, "faketime is not installed", "Install faketime (Debian: faketime).")
    reference, untouched = ahead[0].result(), ahead[1].result()
    if failing := [check.name for check in today if check.status is not Status.PASS]:
        return Check(name, Status.NOT_CHECKED, f"does not hold today either: {failing[0]}", "Mend that first.")
    if reference.outcome is not Outcome.PASSED:
        said = reference.infra.reason if reference.infra else reference.verifier_output.strip()[-600:]
        return Check(name, Status.FAIL, f"the reference fails: {said}", "Take today's date out of task and verifier.")
    if untouched.status is not Status.PASS:
        return Check(name, Status.FAIL, f"untouched repo: {untouched.seen}", untouched.fix)
    return Check(name, Status.PASS, "reference passes, untouched fails")


def _network(checker: Checker) -> Check:
    name = "needs no network"
    if checker.bench.sandbox.verifier_network == "none":
        return Check(name, Status.PASS, "every verification ran without one")
    fix = "Allow unprivileged user namespaces, or check in a container."
    return Check(name, Status.NOT_CHECKED, "this machine lets no process give up its network", fix)


def _prompt(checker: Checker, kit: Kit) -> Check:
    name = "prompt names neither Sigil nor a capability"
    words = named_words(kit.task.prompt, checker.capability_names)
    if words:
        return Check(name, Status.FAIL, f"prompt.md says {', '.join(map(repr, words))}", "Ask as a developer would.")
    return Check(name, Status.PASS, "none found")


def _nothing_leaks(checker: Checker, kit: Kit) -> Check:
    name = "starting repo gives nothing away"
    verifier = {f"verifier/{path}": data for path, data in read_files(kit.verifier).items()}
    start = {path: (kit.start / path).read_bytes()[:READ_LIMIT] for path in kit.originals}
    found = list(leaks(start, {**checker.hidden, **verifier}))
    if found:
        return Check(name, Status.FAIL, "; ".join(found[:5]), "Reword one of the two.")
    return Check(name, Status.PASS, f"{len(start)} files compared")


def read_files(folder: Path) -> dict[str, bytes]:
    """Content of every regular file below `folder` by path, each up to a limit."""
    plain = ((path, entry) for path, entry in walk(folder) if is_plain(entry))
    return {path: Path(entry.path).read_bytes()[:READ_LIMIT] for path, entry in plain}


def _no_duplicate(checker: Checker, kit: Kit) -> Check:
    """The same task twice would be one task that counts as two."""
    name = "is no copy of another task"
    for other in checker.kits:
        if other.task.id != kit.task.id and _substance(other) == _substance(kit):
            seen = f"prompt and starting repo are those of {other.task.id}"
            return Check(name, Status.FAIL, seen, "Ask for something else, or remove one of the two.")
    return Check(name, Status.PASS, f"{len(checker.kits) - 1} others compared")


def _substance(kit: Kit) -> tuple[object, ...]:
    return kit.task.prompt.split(), kit.originals


def _last_words(output: str) -> str:
    lines = output.strip().splitlines()
    return f"last words: {lines[-1].strip()[:200]}" if lines else "without a word"


def _passes(runs: Sequence[Run]) -> int:
    return sum(run.outcome is Outcome.PASSED for run in runs)


def _lost(runs: Sequence[Run]) -> str:
    return next((f"could not be judged: {run.infra.reason}" for run in runs if run.infra is not None), "")
