"""Why one option of a hand is better than another: what the dealer and the hand come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from cards import Decision, HoleCard
from twentyone.exact.best.cells import options_of
from twentyone.exact.report.letters import upcard_name
from twentyone.exact.values.charts import Plan, columns_of, plan_of
from twentyone.exact.values.compositions import LIMIT, Floats
from twentyone.exact.values.deviation import squares_of
from twentyone.exact.values.ends import Ends
from twentyone.exact.values.game import FIRST, SeatGame
from twentyone.exact.values.hands import HIT
from twentyone.exact.values.standing import BUST, NATURAL
from twentyone.policies.chart import Chart

_UNIT: Final = np.eye(10, dtype=np.int64)

ENDS: Final = ("17", "18", "19", "20", "21", "a natural", "bust")
"""The dealer's ends, in the order of `twentyone.exact.values.standing.ENDS`."""

LOW: Final = "16 or less"

_NOTHING: Final = 1e-9
"""A chance below this is an error of rounding."""


def why(
    game: SeatGame, best: Chart, cards: Sequence[int], upcard: int, options: Sequence[Decision]
) -> list[str]:
    """Three lines: what the dealer comes to, what the hand comes to, and how often the options win.

    Chances are given the cards of the hand, the upcard, and what is known when it is decided. After an option
    the hand is played by the best chart.

    Args:
        game: the game.
        best: the best chart.
        cards: the values of the hand's cards, 2 to 11 (an ace); the shoe can deal them.
        upcard: the value of the upcard.
        options: what is compared.
    """
    at, row = upcard - 2, game.row_of(cards, upcard)
    plan = plan_of(game, at, columns_of(best)[at])
    names = [each for each in options if each in (Decision.HIT, Decision.STAND, Decision.DOUBLE)]
    hands = [f"if it {_VERBS[each]}, {_ends_text(game, at, row, each, plan)}" for each in names]
    if Decision.SPLIT in options:
        hands.append(f"if it is split, two hands of {upcard_name(cards[0])} are played, each for a bet")
    if Decision.SURRENDER in options:
        hands.append("if it is given up, half of the bet is lost")
    return [
        f"The dealer, who shows {upcard_name(upcard)}, ends with {_dealer_text(game, at, row)}.",
        f"Of the hand, {'; '.join(hands)}.",
        f"{_results_text(game, at, row, plan, options)}.",
    ]


_VERBS: Final = {Decision.HIT: "hits", Decision.STAND: "stands", Decision.DOUBLE: "doubles"}


def _dealer_text(game: SeatGame, at: int, row: int) -> str:
    taken = game.hands.counts[[row]] + _UNIT[at]
    (chances,) = Ends(game.rules, game.draws, at).chances(taken)
    if game.rules.hole_card is HoleCard.PEEK:
        chances[NATURAL] = 0
    shares = chances / chances.sum()
    parts = [f"{name} in {_percent(share)}" for name, share in zip(ENDS, shares, strict=True) if share > 0]
    return f"{', '.join(parts[:-1])}, and is {parts[-1]}" if shares[BUST] > 0 else ", ".join(parts)


def _ends_text(game: SeatGame, at: int, row: int, option: Decision, plan: Plan) -> str:
    """The totals that a hand comes to by an option."""
    ends = ends_of(game, at, row, option, plan)
    totals = [(LOW, float(ends[:17].sum())), *((str(total), float(ends[total])) for total in range(17, 22))]
    parts = [f"{name} in {_percent(chance)}" for name, chance in totals if chance > _NOTHING]
    if option is Decision.STAND:
        return f"it stays at {game.hands.total[row]}"
    bust = float(ends[LIMIT + 1])
    return f"it ends with {', '.join(parts)}" + (
        f", and is bust in {_percent(bust)}" if bust > _NOTHING else ""
    )


def ends_of(game: SeatGame, at: int, row: int, option: Decision, plan: Plan) -> Floats:
    """(23,) the chance that a hand that is never split ends with each total; the last is to be bust.

    Args:
        game: the game.
        at: the index of the upcard.
        row: the row of the hand.
        option: HIT, STAND or DOUBLE.
        plan: what is done later.
    """
    against, hands = game.against(at), game.hands
    n = len(hands.counts)
    reach, ended = np.zeros(n + 1), np.zeros(n + 1)
    reach[row] = 1.0
    hits = np.zeros(n, dtype=np.bool_) if option is Decision.DOUBLE else plan.unsplit == HIT
    hits[row] = option is not Decision.STAND
    for rows in hands.layers:
        for hand in np.arange(rows.start, rows.stop)[reach[rows] > 0].tolist():
            if hits[hand]:
                np.add.at(reach, hands.children[hand], reach[hand] * against.chances[hand])
            else:
                ended[hand] = reach[hand]
    chances = np.zeros(LIMIT + 2)
    counted = ended[:n] * against.counted / against.counted[row]
    np.add.at(chances, hands.total, counted)
    chances[LIMIT + 1] = max(1 - chances.sum(), 0.0)
    return chances


def _results_text(game: SeatGame, at: int, row: int, plan: Plan, options: Sequence[Decision]) -> str:
    """The chances of each option to win, push and lose, from the mean and the mean square of its payoff."""
    values, squares = options_of(game, at, plan)[:, row], squares_of(game, at, plan, [])[:, row]
    parts = []
    for option in options:
        place = FIRST.index(option)
        value = float(values[place])
        if option in (Decision.SPLIT, Decision.SURRENDER):
            parts.append(f"to {option.value.lower()} is worth {value:+z.4f}")
            continue
        bets = 2 if option is Decision.DOUBLE else 1
        mean, decided = value / bets, float(squares[place]) / bets**2
        won, lost = (decided + mean) / 2, (decided - mean) / 2
        parts.append(
            f"to {option.value.lower()} wins {_percent(won)}, pushes {_percent(1 - decided)} and loses"
            f" {_percent(lost)}, so it is worth {value:+z.4f}"
        )
    return f"Followed by the best chart, {'; '.join(parts)}"


def _percent(chance: float) -> str:
    return f"{100 * chance:z.1f} %"
