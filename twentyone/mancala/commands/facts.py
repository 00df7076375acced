"""`mancala facts`: exact figures of a whole game."""

from __future__ import annotations

import json as text_of
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twentyone.mancala.commands.app import app
from twentyone.mancala.commands.options import HolesOption, MarblesOption, takes_rules
from twentyone.mancala.core.board import HOLES, MARBLES, Player
from twentyone.mancala.core.rules import Rules
from twentyone.support.command import INTERRUPTED, OK, CommandError, describe
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption

if TYPE_CHECKING:
    from twentyone.mancala.solving.facts import Facts, Result, Rows


@describe(app, example="mancala facts --holes 2")
@takes_rules("model", bitwidth=True)
def facts(
    *,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    rules: Rules,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the lengths of games to a .png, .pdf or .svg file."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Visit every board that a game can reach, and print exact figures.

    They are: the number of boards and of games; the lengths of games; who wins in random play, by the stores
    and by the empty row; the value of perfect play; how often a game gets stuck; whether ties take longer;
    and the cost, against random play, of hoarding marbles on your own side. In random play every legal move
    is equally likely. Nothing is simulated, so a game with too many boards is refused.

    The keys of --json are those of the printed figures. A probability is an object with `exact`, a fraction,
    and `value`. `lengths` has a list `each` of `moves`, `games`, `chance` and `tie`, the probability of a tie
    at that length.
    """
    if plot is not None:
        from twentyone.support.pictures import check_picture

        check_picture(plot)
    found = _find_facts(holes, marbles, rules)
    game = f"{counted(holes, 'hole')} a side, {counted(marbles, 'marble')} in each; {_rules_text(rules)}"
    if plot is not None:
        from twentyone.mancala.commands.length_plot import draw_lengths

        draw_lengths(found.lengths, game, plot)
    print(text_of.dumps(_document(game, found)) if json else _text(game, found))
    return OK


def _find_facts(holes: int, marbles: int, rules: Rules) -> Facts:
    from twentyone.mancala.solving.facts import facts_of
    from twentyone.mancala.solving.space import TooLargeError
    from twentyone.support.progress import Progress

    try:
        with Progress("facts", None, "boards") as progress:
            return facts_of(holes, marbles, rules, progress.show)
    except TooLargeError as error:
        raise CommandError(str(error)) from None
    except KeyboardInterrupt:
        raise CommandError("interrupted before the figures were complete", INTERRUPTED) from None


def _rules_text(rules: Rules) -> str:
    overflow = "" if rules.bits is None else f", counts of {counted(rules.bits, 'bit')}"
    return (
        f"wrap {rules.wrap.value}, capture {rules.capture.value}, extra turn {rules.extra.value}, "
        f"{'sweep' if rules.sweep else 'no sweep'}{overflow}"
    )


def _document(game: str, facts: Facts) -> dict[str, Any]:
    lengths = facts.lengths
    return {
        "game": game,
        "covers": "all reachable boards",
        "boards": facts.boards,
        "transitions": facts.transitions,
        "final": facts.final,
        "stuck_boards": facts.stuck_boards,
        "games": facts.games,
        "stuck": _number(facts.stuck),
        "lengths": {
            "shortest": lengths.shortest,
            "mean": _number(lengths.mean),
            "longest": lengths.longest,
            "deviation": lengths.deviation,
            "mean_of_tied": _number(lengths.mean_of_tied),
            "mean_of_won": _number(lengths.mean_of_won),
            "each": [
                {
                    "moves": moves,
                    "games": lengths.games[moves],
                    "chance": _number(chance),
                    "tie": _number(lengths.ties[moves]),
                }
                for moves, chance in lengths.chances.items()
            ],
        },
        "at_random": _numbers(facts.at_random),
        "by_row": None if facts.rows is None else _numbers(facts.rows),
        "hoarding": {
            f"player{player.value}": _numbers(facts.hoarding[player])
            | {"cost": _number(facts.cost_of_hoarding(player))}
            for player in Player
        },
        "perfect": {"margin": facts.perfect.margin, "moves": facts.perfect.moves},
    }


def _numbers(figures: Result | Rows) -> dict[str, Any]:
    return {each.name: _number(getattr(figures, each.name)) for each in fields(figures)}


def _number(value: Fraction | None) -> dict[str, Any] | None:
    return None if value is None else {"exact": str(value), "value": float(value)}


def _text(game: str, facts: Facts) -> str:
    lengths = facts.lengths
    lines = [
        ("boards", f"{facts.boards:,}: {facts.final:,} final, {facts.stuck_boards:,} stuck"),
        ("legal moves", f"{facts.transitions:,}"),
        ("games", f"{facts.games:,}"),
        (
            "length in moves",
            f"{lengths.shortest} to {lengths.longest}, mean {float(lengths.mean):z.4f}, "
            f"standard deviation {lengths.deviation:z.4f}",
        ),
        ("random play", _result(facts.at_random)),
        ("by empty row", _rows(facts)),
        ("stuck", f"{_percent(facts.stuck)} of games"),
        ("ties", _ties(facts)),
        *(
            (f"player {player.value} hoards", f"{_result(facts.hoarding[player])}; {_cost(facts, player)}")
            for player in Player
        ),
        ("perfect play", _perfect(facts)),
        ("covers", "all reachable boards"),
    ]
    width = max(len(name) for name, _ in lines)
    return "\n".join([game, *(f"{name.ljust(width)}  {text}" for name, text in lines), "", _table(facts)])


def _result(result: Result) -> str:
    chances = (result.player1, result.player2, result.tie)
    one, two, tie = map(_percent, chances)
    return f"player 1 {one}, player 2 {two}, tie {tie}; mean margin {float(result.margin):+z.4f}"


def _cost(facts: Facts, player: Player) -> str:
    cost = float(facts.cost_of_hoarding(player))
    return f"it {'costs' if cost >= 0 else 'gains'} {abs(cost):z.4f}"


def _rows(facts: Facts) -> str:
    if facts.rows is None:
        return "the sweep empties both rows"
    one, two, both = map(_percent, (facts.rows.player1, facts.rows.player2, facts.rows.both))
    disagreement = _percent(facts.rows.disagreement)
    return f"player 1 {one}, player 2 {two}, both {both}; {disagreement} have another winner by the stores"


def _ties(facts: Facts) -> str:
    tied, won = facts.lengths.mean_of_tied, facts.lengths.mean_of_won
    if tied is None or won is None:
        return "never" if tied is None else "always"
    return f"mean length {float(tied):z.4f}, other games {float(won):z.4f}"


def _perfect(facts: Facts) -> str:
    moves = ", ".join(f"{hole}: {margin:+d}" for hole, margin in facts.perfect.moves.items())
    return f"margin {facts.perfect.margin:+d}; after player 1's first move {moves or 'none'}"


def _table(facts: Facts) -> str:
    from twentyone.support.summary import columns

    rows = [
        (str(moves), f"{facts.lengths.games[moves]:,}", _percent(chance), _percent(facts.lengths.ties[moves]))
        for moves, chance in facts.lengths.chances.items()
    ]
    return columns([("moves", "games", "of random games", "ties among them"), *rows])


def _percent(chance: Fraction) -> str:
    return f"{float(100 * chance):z.3f} %"
