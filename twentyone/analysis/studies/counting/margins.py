"""By how much one decision is better than the others, for hands by total or pair: exact, from a shoe.

A hand is its word in charts (`twentyone.policies.hands`), and its figures are means over all hands of that
word, each with its chance: dealt, or drawn by the best play from this shoe. Decisions are compared in this
order, each with the best of those that follow it:

- INSURE, with not insuring;
- SURRENDER, with all that can be played, on two cards;
- SPLIT, with playing the pair as its total;
- DOUBLE, with hitting and standing, on two cards where two are needed;
- STAND, with hitting.

So the first whose margin is above 0 is the best. A pair that is best split counts as no total.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Rules, Surrender
from twentyone.analysis.studies.counting.effects import PLACES
from twentyone.exact.values.charts import TOTALS, pair_word
from twentyone.exact.values.compositions import ACE, Bools, Floats, Ints
from twentyone.exact.values.game import FIRST, SeatGame, insurance_value, seat_game
from twentyone.exact.values.hands import HIT
from twentyone.exact.values.shoe import Shoe
from twentyone.exact.values.upcard import AgainstUpcard
from twentyone.policies.hands import HARD, UPCARDS

PAIR_WORDS: Final = tuple(pair_word(card) for card in PLACES)
"""The words for pairs by the place of the card."""

WORDS: Final = (*TOTALS, *PAIR_WORDS)

INSURANCE: Final = ""
"""Stands for the word of a hand where all hands are alike."""


class Play(NamedTuple):
    """A decision on a hand, by its word, against an upcard, 2 to 11."""

    decision: Decision
    word: str
    upcard: int


PLAYS: Final = (
    *(Play(Decision.STAND, word, upcard) for upcard in UPCARDS for word in TOTALS),
    *(Play(Decision.DOUBLE, word, upcard) for upcard in UPCARDS for word in TOTALS),
    *(Play(Decision.SPLIT, word, upcard) for upcard in UPCARDS for word in PAIR_WORDS),
    *(Play(Decision.SURRENDER, word, upcard) for upcard in UPCARDS for word in WORDS),
    Play(Decision.INSURE, INSURANCE, UPCARDS[-1]),
)
"""All plays, in the order of the rows of `Margins`."""

ROWS: Final = {play: row for row, play in enumerate(PLAYS)}


class Margins(NamedTuple):
    """The margins of all plays from one shoe.

    Attributes:
        values: (plays,) by how much the decision is better, in initial bets; NaN where it is not allowed or
            the hand is never held.
        cards: (plays, 10) how many cards of each value are seen on the average: the hand and the upcard.
    """

    values: Floats
    cards: Floats


def margins_of(rules: Rules, shoe: Shoe) -> Margins:
    """The margins of all plays from a shoe."""
    game = seat_game(rules, shoe)
    values, cards = np.full(len(PLAYS), np.nan), np.zeros((len(PLAYS), len(PLACES)))
    for upcard in PLACES:
        for decision, words, found in _Table(game, upcard).figures():
            rows = [ROWS[Play(decision, word, UPCARDS[upcard])] for word in words]
            values[rows], cards[rows] = found
    return Margins(values, cards)


class _Table:
    """The hands against one upcard.

    Attributes:
        game: the game.
        against: the hands against the upcard.
        first: (5, d) the joint values of what may be done first with the d hands of two cards.
        dealt: (d,) the chance of each as its total: of a pair that is best split, 0.
    """

    def __init__(self, game: SeatGame, upcard: int) -> None:
        self.game, self.against = game, game.against(upcard)
        values, lost = game.best_first(upcard)
        self.first: Floats = values + lost
        rows, chances = self.against.dealt
        split = self.first[FIRST.index(Decision.SPLIT)]
        others = self.first[: FIRST.index(Decision.SPLIT)].max(axis=0)
        is_natural = (rows == self.against.own) & game.rules.naturals.is_ratio
        self.dealt = np.where((split > others) | is_natural, 0, chances)
        self.cells = _cells_of(game)

    def figures(self) -> Iterator[tuple[Decision, tuple[str, ...], Margins]]:
        """The margins of each decision, with the words of the hands."""
        against, hands = self.against, self.game.hands
        weights = arrivals(self.game, against, self.dealt)
        yield Decision.STAND, TOTALS, self._by_total(weights, against.stand - against.best_unsplit.hit)
        doubled = np.where(hands.may_double, weights, 0)
        yield Decision.DOUBLE, TOTALS, self._against_best(doubled, against.double, doubles=False)
        yield Decision.SPLIT, PAIR_WORDS, self._of_pairs(Decision.SPLIT)
        if self.game.rules.surrender is not Surrender.NONE:
            two = np.zeros(len(weights))
            two[against.dealt.rows] = self.dealt
            yield Decision.SURRENDER, TOTALS, self._against_best(two, self._given_up, doubles=True)
            yield Decision.SURRENDER, PAIR_WORDS, self._of_pairs(Decision.SURRENDER)
        if against.upcard == ACE and self.game.rules.insurance:
            yield Decision.INSURE, (INSURANCE,), self._insured()

    @property
    def _given_up(self) -> Floats:
        """(n,) the joint value of surrender: early, it also saves half of what a natural would take."""
        counted = self.against.counted
        return -0.5 * counted if self.game.rules.surrender is Surrender.LATE else 0.5 - counted

    def _against_best(self, weights: Floats, values: Floats, *, doubles: bool) -> Margins:
        """The mean of a decision less the best mean of hitting, standing and, it may be, doubling."""
        others = [self.against.stand, self.against.best_unsplit.hit]
        if doubles:
            others.append(np.where(self.game.hands.may_double, self.against.double, -np.inf))
        margins = [self._by_total(weights, values - each) for each in others]
        return Margins(np.min([each.values for each in margins], axis=0), margins[0].cards)

    def _by_total(self, weights: Floats, margins: Floats) -> Margins:
        """The means over the hands of each total."""
        held = weights > 0
        cells, weights, size = self.cells[held], weights[held], len(TOTALS)
        met = np.bincount(cells, weights, size)
        counted = np.bincount(cells, weights * self.against.counted[held], size)
        sums = np.bincount(cells, weights * margins[held], size)
        cards = np.stack([np.bincount(cells, weights * each, size) for each in self._seen(held).T], axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return Margins(sums / counted, np.nan_to_num(cards / met[:, np.newaxis]))

    def _seen(self, rows: Bools | Ints) -> Ints:
        """(m, 10): the cards of hands, and the upcard."""
        seen: Ints = self.game.hands.counts[rows] + np.eye(len(PLACES), dtype=np.int64)[self.against.upcard]
        return seen

    def _of_pairs(self, decision: Decision) -> Margins:
        """The margins of a decision on pairs that may be split, over all that follow it."""
        values, cards = np.full(len(PLACES), np.nan), np.zeros((len(PLACES), len(PLACES)))
        split = FIRST.index(Decision.SPLIT)
        for column in np.flatnonzero(np.isfinite(self.first[split])):
            row = self.against.dealt.rows[column]
            if decision is Decision.SPLIT:
                margin = self.first[split, column] - self.first[:split, column].max()
            else:
                margin = self._given_up[row] - self.first[:-1, column].max()
            card = int(self.game.hands.counts[row].argmax())
            values[card], cards[card] = margin / self.against.counted[row], self._seen(row)
        return Margins(values, cards)

    def _insured(self) -> Margins:
        """The value of insurance, over all hands."""
        rows, chances = self.against.dealt
        chances = chances / chances.sum()
        value = chances @ insurance_value(self.against.natural[rows])
        return Margins(np.array([value]), (chances @ self._seen(rows))[np.newaxis])


def arrivals(game: SeatGame, against: AgainstUpcard, dealt: Floats) -> Floats:
    """(n,) the chance of holding each hand, given the upcard, by the best play.

    Args:
        game: the game.
        against: the hands against the upcard.
        dealt: (d,) the chance of each hand of two cards.
    """
    hands = game.hands
    chances = np.zeros(len(hands.counts) + 1)  # the last is of hands that are bust
    chances[against.dealt.rows] = dealt
    hits = against.best_unsplit.action == HIT
    for layer in hands.layers:
        rows = np.arange(layer.start, layer.stop)[hits[layer]]
        np.add.at(chances, hands.children[rows], chances[rows, np.newaxis] * against.chances[rows])
    return chances[:-1]


def _cells_of(game: SeatGame) -> Ints:
    """(n,) the place in `TOTALS` of each hand of two cards or more."""
    hands = game.hands
    cells: Ints = np.where(hands.soft, len(HARD) + hands.total - 12, np.maximum(hands.total - 2, 0))
    return cells
