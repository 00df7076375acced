"""The values of policies of the whole game, as charts that are followed as written."""

from __future__ import annotations

import json as text_of
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.commands.estimates import estimate_json, estimates_of, simulated_text
from analysis.commands.parts import notice
from analysis.commands.shoes import game_json, game_of, heading, say_fresh
from cards import Rules
from support.command import USAGE, CommandError
from support.options import seed_or_new
from support.terminal import tell

if TYPE_CHECKING:
    from analysis.studies.estimate import Estimate
    from exact.strategy.grades import ChartGrade
    from exact.whole.best import BestChart
    from exact.whole.game import WholeGame
    from exact.whole.shoe import Shoe
    from policies.chart import Chart


def print_whole(
    rules: Rules, shoe: Shoe | None, names: Sequence[str], rounds: int, seed: int | None, *, as_json: bool
) -> None:
    """Print what policies are worth.

    Args:
        rules: what is played.
        shoe: the cards before the deal, if they are not those of the rules.
        names: the policies, as typed.
        rounds: how many rounds to simulate of a policy that cannot be written as a chart.
        seed: for these.
        as_json: whether to print a document.

    Raises:
        CommandError: if there is no such policy, or no exact form.
    """
    from exact.strategy.grades import grade_chart
    from exact.whole.best import best_chart

    game = game_of(rules, shoe)
    charts = {name: chart_named(name, game.rules) for name in names}
    others = [name for name, chart in charts.items() if chart is None]
    if others and shoe is not None:
        raise CommandError(
            f"{others[0]} cannot be written as a chart, so it has no exact value from this shoe:"
            " expected a policy that decides by its total, its pair and the upcard",
            USAGE,
        )
    best = best_chart(game)
    grades = [grade_chart(game, chart, name, best) for name, chart in charts.items() if chart is not None]
    seed = seed_or_new(seed)
    estimates = _simulated(game.rules, others, rounds, seed)
    if shoe is None:
        say_fresh(rules)
    if as_json:
        print(text_of.dumps(_document(game, best, grades, estimates, rounds, seed)))
    else:
        text = _text(game, best, grades, estimates, rounds, seed)
        tell(f"{heading(game, shoe)}\n{text}")


def chart_named(text: str, rules: Rules) -> Chart | None:
    """A policy as a chart, by its name as typed on a command line; None if no chart can say what it does.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    from exact.named import MAKERS, parsed
    from exact.solving import NoExactFormError
    from policies.chart import Chart
    from policies.makers import policy_of, source_of
    from policies.written import written

    name = parsed(text)
    if name.kind == "random":
        return None
    source = source_of(name)
    if isinstance(source, Chart):
        return replace(source, name=text)
    try:
        return written(policy_of(name, rules, MAKERS, _no_chance, source), rules, text)
    except NoExactFormError as error:
        raise CommandError(f"there is no policy {text} for these rules: {error}", USAGE) from None


def _no_chance(below: int) -> int:
    raise AssertionError(f"a policy that leaves nothing to chance asked for a number below {below}")


def _simulated(rules: Rules, names: Sequence[str], rounds: int, seed: int) -> dict[str, Estimate]:
    """The values of policies that cannot be written as charts."""
    if not names:
        return {}
    from analysis.studies.whole import policy_named

    notice(f"no chart says what {' and '.join(names)} would do, so the value is simulated")
    return estimates_of(rules, [policy_named(name, rules) for name in names], rounds, seed)


def _document(
    game: WholeGame,
    best: BestChart,
    grades: Sequence[ChartGrade],
    estimates: Mapping[str, Estimate],
    rounds: int,
    seed: int,
) -> dict[str, Any]:
    return {
        **game_json(game),
        "total_dependent": best.values.value,
        "proved": best.proved,
        "bound": best.bound,
        "composition_dependent": game.optimum().value,
        "seed": seed if estimates else None,
        "policies": [
            *(grade.as_json() for grade in grades),
            *(estimate_json(name, rounds, estimate) for name, estimate in estimates.items()),
        ],
    }


def _text(
    game: WholeGame,
    best: BestChart,
    grades: Sequence[ChartGrade],
    estimates: Mapping[str, Estimate],
    rounds: int,
    seed: int,
) -> str:
    from exact.strategy.grades import grade_text, grades_text, values_rows
    from support.summary import columns

    optimum = game.optimum()
    parts = []
    if len(grades) == 1:
        parts.append(grade_text(grades[0], best, optimum))
    elif grades:
        parts.append(grades_text(grades, best, optimum))
    else:
        parts.append(columns([("expected value", "initial bets per round"), *values_rows(best, optimum)]))
    if estimates:
        parts.append(f"{simulated_text(estimates, rounds)}\nseed {seed}")
    return "\n\n".join(parts)
