"""`sigil power`."""

import click

from sigilgen.cli.options import format_option
from sigilgen.cli.output import emit


@click.command("power")
@click.option("--baseline", type=float, metavar="RATE", help="Pass rate to expect without the capability, 0 to 1.")
@click.option("--effect", type=float, metavar="RATE", help="True change of the pass rate: 0.2 is a gain of 20 points.")
@click.option("--no-effect", is_flag=True, help='Ask for the verdict "no effect" instead: nothing beyond 10 points.')
@click.option("--power", "chance", type=float, metavar="CHANCE", help="Chance to aim for.  [default: 0.8]")
@click.option("--runs", type=int, metavar="N", help="Runs per condition: --tasks times --repeats.")
@click.option("--tasks", type=int, metavar="N", help="Tasks of the suite, at least 3.")
@click.option("--repeats", type=int, metavar="N", help="Runs of each task under each condition, as in `sigil prove`.")
@format_option
def power_command(
    *,
    baseline: float | None,
    effect: float | None,
    no_effect: bool,
    chance: float | None,
    runs: int | None,
    tasks: int | None,
    repeats: int | None,
    form: str,
) -> int:
    """Say how many runs an effect needs, or which effect a plan can find.

    Ask before an experiment: with too few runs even a good capability ends inconclusive.

    \b
    How many runs does a gain from 50 % to 70 % need?
      sigil power --baseline 0.5 --effect 0.2
    And how many repeats of 6 tasks, to find it nine times in ten?
      sigil power --baseline 0.5 --effect 0.2 --power 0.9 --tasks 6
    Which effect can a plan of 6 tasks with 6 repeats find?
      sigil power --baseline 0.5 --tasks 6 --repeats 6
    How likely does this plan find this effect?
      sigil power --baseline 0.5 --effect 0.2 --tasks 6 --repeats 6

    Where tasks are given, the answer ends with the plan as a command: `sigil prove CAPABILITY --runs 6` runs each of
    them six times under each condition.

    A loss is a negative effect: --effect -0.2. The chances are exact for tasks of equal difficulty.

    Exit status 1 means that no such number of runs, or no such gain, exists.
    """  # noqa: D301  (Click wants the character \b, not its two letters)
    from sigilgen.commands.power import Question, answer, is_yes
    from sigilgen.commands.power_report import render

    given = answer(
        Question(
            baseline=baseline,
            effect=effect,
            no_effect=no_effect,
            chance=chance,
            runs=runs,
            tasks=tasks,
            repeats=repeats,
        )
    )
    emit(given, form, render)
    return 0 if is_yes(given) else 1
