"""The values of policies of the whole game: charts are followed as written, others decide as they will."""

from __future__ import annotations

import json as text_of
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from analysis.commands.shoes import game_json, game_of, heading, say_fresh
from cards import Rules
from policies.names import GRADED
from support.command import USAGE, CommandError
from support.terminal import tell

if TYPE_CHECKING:
    from exact.strategy.grades import ChartGrade
    from exact.whole.best import BestChart
    from exact.whole.game import WholeGame
    from exact.whole.shoe import Shoe


def print_whole(rules: Rules, shoe: Shoe | None, names: Sequence[str], *, as_json: bool) -> None:
    """Print what policies are worth.

    Args:
        rules: what is played.
        shoe: the cards before the deal, if they are not those of the rules.
        names: the policies, as typed.
        as_json: whether to print a document.

    Raises:
        CommandError: if there is no such policy, or no exact form.
    """
    from exact.whole.best import best_chart

    game = game_of(rules, shoe)
    graders = [grader_named(name, game) for name in names]
    best = best_chart(game)
    grades = [grader(best) for grader in graders]
    if shoe is None:
        say_fresh(rules)
    if as_json:
        print(text_of.dumps(_document(game, best, grades)))
    else:
        tell(f"{heading(game, shoe)}\n{_text(game, best, grades)}")


def grader_named(text: str, game: WholeGame) -> Callable[[BestChart], ChartGrade]:
    """What grades a policy beside the best chart, by its name as typed on a command line.

    A policy that decides on insurance itself is graded with its own bets: an action-value table by hand, and
    a function of the user's own. The others say nothing about it.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    from exact.named import MAKERS, parsed
    from exact.strategy.grades import grade_chart
    from exact.strategy.policy_grades import answers_of, grade_mixed, grade_policy
    from exact.whole.game import NoExactFormError
    from policies.action_values import ActionValues
    from policies.chances import at_random
    from policies.chart import Chart
    from policies.functions import Function
    from policies.makers import policy_of, source_of
    from policies.written import written

    name, rules = parsed(text, GRADED), game.rules
    if name.kind == "random":
        return partial(grade_mixed, game, at_random, text)
    source = source_of(name)
    if isinstance(source, Function):
        return partial(grade_mixed, game, answers_of(source, game), text)
    if isinstance(source, Chart):
        return partial(grade_chart, game, replace(source, name=text), text)
    try:
        policy = policy_of(name, rules, MAKERS, _no_chance, source)
    except NoExactFormError as error:
        raise CommandError(f"there is no policy {text} for these rules: {error}", USAGE) from None
    chart = None if isinstance(source, ActionValues) else written(policy, rules, text)
    if chart is None:
        return partial(grade_policy, game, policy, text)
    return partial(grade_chart, game, chart, text)


def _no_chance(below: int) -> int:
    raise AssertionError(f"a policy that leaves nothing to chance asked for a number below {below}")


def _document(game: WholeGame, best: BestChart, grades: Sequence[ChartGrade]) -> dict[str, Any]:
    return {
        **game_json(game),
        "total_dependent": best.values.value,
        "proved": best.proved,
        "bound": best.bound,
        "composition_dependent": game.optimum().value,
        "policies": [grade.as_json() for grade in grades],
    }


def _text(game: WholeGame, best: BestChart, grades: Sequence[ChartGrade]) -> str:
    from exact.strategy.grades import grade_text, grades_text

    if len(grades) == 1:
        return grade_text(grades[0], best, game.optimum())
    return grades_text(grades, best, game.optimum())
