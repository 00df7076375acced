"""Charts: what one is worth, the best of them, and a bound of what any of them can be worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Surrender
from twentyone.exact.values.compositions import ACE, POINTS, Floats, Ints
from twentyone.exact.values.game import FIRST, Course, SeatGame, Values
from twentyone.exact.values.hands import DOUBLE, HIT, STAND
from twentyone.policies.chart import AFTER_SPLIT, ENTRIES, Chart
from twentyone.policies.hands import HARD, PAIRS, SOFT

ACTIONS: Final = {Decision.STAND: STAND, Decision.HIT: HIT, Decision.DOUBLE: DOUBLE}

TOTALS: Final = (*HARD, *SOFT)
"""The words for hands by their totals, in the order of `cells_of`."""


class Plan(NamedTuple):
    """A chart against one upcard, as the arrays of `twentyone.exact.values` have it.

    Attributes:
        unsplit: (n,) what is done with a hand that no split has made: `STAND`, `HIT` or `DOUBLE`.
        split: (n,) with one that a split has made.
        first: (d,) what is done first with each hand of two cards, as an index of `FIRST`.
    """

    unsplit: Ints
    split: Ints
    first: Ints


def evaluate(game: SeatGame, chart: Chart) -> Values:
    """The value of a chart that is followed as written. It splits again where it says P, while it may.

    The insurance is that of `SeatGame.insurance`, since a chart says nothing about it.
    """
    columns = columns_of(chart)
    return game.values(lambda upcard: value_of(game, upcard, plan_of(game, upcard, columns[upcard])))


def columns_of(chart: Chart) -> list[dict[str, str]]:
    """The entries of a chart against each upcard, by its index: that of each hand, by its word."""
    rows = {word: row for word in (*TOTALS, *PAIRS) if (row := chart.row(word))}
    return [{word: row[upcard] for word, row in rows.items()} for upcard in range(len(POINTS))]


def plan_of(game: SeatGame, upcard: int, column: Mapping[str, str]) -> Plan:
    """The plan of a chart against an upcard.

    Args:
        game: the game.
        upcard: the index of the upcard.
        column: the entry of each hand, by its word; a pair may be missing.
    """
    rules, hands = game.rules, game.hands
    entries = [column[word] for word in TOTALS]
    doubling = np.array([resolved(entry, (Decision.DOUBLE,)) for entry in entries])
    otherwise = np.array([resolved(entry, ()) for entry in entries])
    cells = cells_of(game)
    unsplit = np.where(hands.may_double, doubling[cells], otherwise[cells])
    split = unsplit if rules.double_after_split else otherwise[cells]
    return Plan(unsplit, split, _first_of(game, upcard, column))


def resolved(entry: str, extra: Sequence[Decision]) -> int:
    """The decision of an entry where HIT, STAND and no more than `extra` is allowed."""
    allowed = (Decision.HIT, Decision.STAND, *extra)
    return next((ACTIONS[each] for each in ENTRIES[entry] if each in allowed), STAND)


def cells_of(game: SeatGame) -> Ints:
    """(n,) the index in `TOTALS` of each hand of two cards or more."""
    hands = game.hands
    cells: Ints = np.where(hands.soft, len(HARD) + hands.total - 12, np.maximum(hands.total - 2, 0))
    return cells


def _first_of(game: SeatGame, upcard: int, column: Mapping[str, str]) -> Ints:
    """(d,) what is done first with each hand of two cards."""
    rules, hands, against = game.rules, game.hands, game.against(upcard)
    cells = cells_of(game)
    pair_words = {int(hands.pairs[card]): pair_word(card) for card in game.splits(upcard).pairs}
    first = []
    for row in against.dealt.rows.tolist():
        word = pair_words.get(row, "")
        entry = column.get(word) or column[TOTALS[cells[row]]]
        is_over = row == against.own and rules.naturals.is_ratio
        allowed = {Decision.STAND} if is_over else {Decision.HIT, Decision.STAND}
        if not is_over:
            allowed |= {Decision.DOUBLE} if hands.may_double[row] else set()
            may_split = word and (entry not in AFTER_SPLIT or rules.double_after_split)
            allowed |= {Decision.SPLIT} if may_split else set()
            allowed |= {Decision.SURRENDER} if rules.surrender is not Surrender.NONE else set()
        first.append(next((FIRST.index(each) for each in ENTRIES[entry] if each in allowed), 0))
    return np.array(first, dtype=np.int64)


def pair_word(card: int) -> str:
    """The word for a pair of cards of an index."""
    return "PA" if card == ACE else f"P{POINTS[card]}"


def value_of(game: SeatGame, upcard: int, plan: Plan) -> float:
    """The value of a plan given the upcard."""
    splits = game.splits(upcard).values(plan.split)
    first = game.first(upcard, game.against(upcard).follow(plan.unsplit).hit, splits)
    return game.mean(upcard, first.values[plan.first, np.arange(len(plan.first))])


def course_of(game: SeatGame, upcard: int, plan: Plan) -> Course:
    """The values of play by a plan."""
    against, splits = game.against(upcard), game.splits(upcard).values(plan.split)
    unsplit = against.follow(plan.unsplit)
    first = game.first(upcard, unsplit.hit, splits)
    return Course(unsplit, against.follow(plan.split), splits, first)


def reach_of(game: SeatGame, upcard: int, plan: Plan) -> Floats:
    """(n,) the chance to hold each hand of two cards or more, given the upcard, if it is never split."""
    hits = (plan.unsplit == HIT).astype(np.float64)
    hits[game.against(upcard).dealt.rows] = plan.first == FIRST.index(Decision.HIT)
    return game.against(upcard).reach(hits)
