"""The method `model`: the game itself is estimated from what followed each action, and worked out backwards.

It is certainty equivalence (Sutton and Barto, 2018, chapter 8: planning with a learned model). Two things are
estimated from all hands together: what the next card is, and what the dealer comes to with each upcard.
Every cell takes them with a weight of `SHARED` observations, to which it adds its own; so its own experience
takes over as it grows. Of the rules it knows only how cards add up, and that a bet is won, pushed or lost:
when a dealer stands, and which cards there are, it sees from results alone.

A hit that went bust does not tell its card, only that it was too high; a result does not tell the dealer's
total, only whether it was above the hand's, equal or below. Both are estimated by expectation-maximisation
(Dempster, Laird and Rubin, 1977).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Ace, Rules
from twentyone.learning.episodes import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER
from twentyone.learning.notes import ACE, BUST, CARDS, LOST, PAID, PLAYED, PUSHED, SLOTS, WON
from twentyone.policies.action_values import ACTIONS, LAYER, ActionValues, Origin
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.qtable import SHAPE, dealer_column, is_by_hand

SHARED: Final = 1000.0
"""The observations that what is shared counts for in each cell."""

ROUNDS: Final = 400
"""Steps of expectation-maximisation: more change no decision."""

MOST: Final = 21
"""The highest total of a hand that is played."""

ENDS: Final = 24
"""The ends of the dealer: a total of 0 to 21, more than any hand's (22), or less than any (23, bust)."""

_LOSES: Final = MOST + 2

_TOTALS: Final = 20
"""The rows of hard hands, 2 to 21, which come first; those of soft ones, 12 to 21, come next."""

_PLAYED: Final = 30
"""The rows of hands by their totals."""

_ACES: Final = HANDS.index("PA")

Floats = NDArray[np.float64]


class Seen(NamedTuple):
    """The notes, by the row of the hand (`HANDS`) and the upcard.

    Attributes:
        notes: float64 (40, 10, 6, `SLOTS`), see `twentyone.learning.notes`.
        visits: int64 (40, 10, 6).
        means: float64 (40, 10, 6): the means of what insurance and a surrender before the peek were paid.
    """

    notes: Floats
    visits: NDArray[np.int64]
    means: Floats


def action_values(notes: NDArray[np.float64], counts: NDArray[np.int64], rules: Rules) -> NDArray[np.float64]:
    """The action values that follow from notes, flat (`twentyone.learning.cells`).

    Hits and stands have values in all cells. Other actions have none, NaN, where they were never taken:
    nothing says that they are allowed there.

    Args:
        notes: float64 (n x (1 + `SLOTS`),): n means of what insurance, and surrender before the peek, were
            paid; and then the notes.
        counts: int64 (n,): the visits.
        rules: how cards add up, and whether it is a table by hand.
    """
    places = _places(rules)
    means, rest = notes[: len(counts)], notes[len(counts) :].reshape(-1, SLOTS)
    seen = Seen(_by_hand(rest, places), _by_hand(counts, places), _by_hand(means, places))
    found, worked = _Worked(seen, rules.ace).values(), np.zeros(len(counts))
    worked[places[places >= 0]] = found[places >= 0]
    return worked


def table_of(notes: NDArray[np.float64], counts: NDArray[np.int64], origin: Origin) -> ActionValues:
    """The table that follows from notes, with them."""
    values = action_values(notes, counts, origin.rules) if counts.any() else np.zeros(len(counts))
    shape = (1, *LAYER) if is_by_hand(origin.rules) else SHAPE
    return ActionValues(values.reshape(shape), counts.reshape(shape).copy(), origin, notes=notes.copy())


def _places(rules: Rules) -> NDArray[np.int64]:
    """(40, 10, 6): the index of each action value of a hand; -1 where the table has none."""
    if is_by_hand(rules):
        return np.arange(len(HANDS) * len(UPCARDS) * len(ACTIONS)).reshape(len(HANDS), len(UPCARDS), -1)
    places = np.full((len(HANDS), len(UPCARDS), len(ACTIONS)), -1)
    for row, hand in enumerate(HANDS[:_PLAYED]):
        for column, upcard in enumerate(UPCARDS):
            first = 2 * (int(hand[1:]) * 22 + dealer_column(upcard, hand[0] == "S"))
            places[row, column, : STAND + 1] = first, first + 1
    return places


def _by_hand(flat: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    found = flat[np.maximum(places, 0)]
    found[places < 0] = 0
    return found


class _Worked:
    """The values of all actions, worked out from the highest hands down.

    Args:
        seen: what has been noted.
        ace: what an ace counts.
    """

    def __init__(self, seen: Seen, ace: Ace) -> None:
        self._seen, self._ace = seen, ace
        self._values = np.zeros(seen.visits.shape)
        self._worth = np.zeros((_PLAYED, len(UPCARDS)))
        self._cards = cards_estimated(seen)
        self._ends = dealer_estimated(seen)

    def values(self) -> Floats:
        """(40, 10, 6)."""
        for points in range(MOST, 1, -1):
            for row in (_soft_row(points + 10), points - 2):
                if row is not None:
                    self._work_out(row)
        for row in range(_PLAYED, len(HANDS)):
            self._work_out_pair(row)
        self._take_what_was_paid()
        return self._values

    def _work_out(self, row: int) -> None:
        """The values of a hand by its total, whose hits lead to hands that are worked out by now."""
        values = self._values[row]
        values[:, STAND] = self._standing(row)
        values[:, HIT] = self._hitting(row)
        self._worth[row] = values[:, : STAND + 1].max(axis=1)
        values[:, DOUBLE] = self._doubling(row)

    def _work_out_pair(self, row: int) -> None:
        """The values of a pair: those of its total, with what was seen of it, and that of the split."""
        total = self._row_of_pair(row)
        self._values[row] = self._values[total]
        self._values[row, :, HIT] = self._hitting(row)
        self._values[row, :, SPLIT] = self._splitting(row)

    def _standing(self, row: int) -> Floats:
        """(10,) what standing is worth, by the dealer's ends and by what was paid."""
        total = _total(row)
        wins = self._ends[:, :total].sum(axis=1) + self._ends[:, _LOSES]
        loses = self._ends[:, total + 1 : _LOSES].sum(axis=1)
        found: Floats = self._with_own(wins - loses, row, STAND)
        return found

    def _with_own(self, shared: Floats, row: int, action: int) -> Floats:
        """(10,) what is shared, and what was paid after an action of a cell."""
        paid = self._seen.notes[row, :, action, PAID]
        mixed: Floats = (SHARED * shared + paid) / (SHARED + self._seen.visits[row, :, action])
        return mixed

    def _next(self, row: int) -> Floats:
        """(10, 10) the chance of each card by upcard, for a hand that draws."""
        notes, visits = self._seen.notes[row, :, HIT], self._seen.visits[row, :, HIT]
        own = notes[:, :CARDS].copy()
        busts = self._is_bust(row)
        if busts.any():
            share = np.where(busts, self._cards, 0.0)
            own += notes[:, [BUST]] * share / max(share.sum(), 1e-300)
        found: Floats = (SHARED * self._cards + own) / (SHARED + visits)[:, np.newaxis]
        return found

    def _is_bust(self, row: int) -> NDArray[np.bool_]:
        return np.array([self._after(row, card) is None for card in range(1, CARDS + 1)])

    def _after(self, row: int, card: int) -> int | None:
        return after(row if row < _PLAYED else self._row_of_pair(row), card, self._ace)

    def _hitting(self, row: int) -> Floats:
        """(10,) what hitting is worth."""
        return self._drawing(row, self._worth)

    def _doubling(self, row: int) -> Floats:
        """(10,) what doubling is worth: twice one card and standing."""
        return self._with_own(2 * self._drawing(row, self._values[:_PLAYED, :, STAND]), row, DOUBLE)

    def _drawing(self, row: int, worth: Floats) -> Floats:
        """(10,) the mean of what the hands are worth that the next card makes, (30, 10); bust is -1."""
        made = [self._after(row, card) for card in range(1, CARDS + 1)]
        later = np.stack([np.full(len(UPCARDS), -1.0) if each is None else worth[each] for each in made])
        found: Floats = (self._next(row) * later.T).sum(axis=1)
        return found

    def _splitting(self, row: int) -> Floats:
        """(10,) twice the worth of one of its cards with a second one, played on if that was seen."""
        card = _card_of_pair(row)
        splits = self._seen.notes[row, :, SPLIT, PLAYED].sum()
        is_played = splits > 0 or not self._seen.visits[row, :, SPLIT].any()
        worth = np.zeros((CARDS, len(UPCARDS)))
        for second in range(1, CARDS + 1):
            made = with_two(card, second, self._ace)
            worth[second - 1] = self._worth_after_split(made) if is_played else self._values[made, :, STAND]
        once = 2 * (self._cards[:, np.newaxis] * worth).sum(axis=0)
        # A further pair may be split where that is better, as long as there is room for more hands.
        worth[card - 1] = np.maximum(worth[card - 1], once)
        found: Floats = 2 * (self._cards[:, np.newaxis] * worth).sum(axis=0)
        return found

    def _worth_after_split(self, row: int) -> Floats:
        doubles = self._seen.visits[row, :, DOUBLE] > 0
        found: Floats = np.where(
            doubles, np.maximum(self._worth[row], self._values[row, :, DOUBLE]), self._worth[row]
        )
        return found

    def _row_of_pair(self, row: int) -> int:
        card = _card_of_pair(row)
        return with_two(card, card, self._ace)

    def _take_what_was_paid(self) -> None:
        """Insurance and surrender are what they were paid; before the peek nothing is noted but the mean."""
        means, visits = self._seen.means, self._seen.visits
        self._values[:, :, INSURE] = means[:, :, INSURE]
        paid = self._seen.notes[:, :, SURRENDER, PAID] / np.maximum(visits[:, :, SURRENDER], 1)
        self._values[:, :, SURRENDER] = means[:, :, SURRENDER] + paid
        for action in (DOUBLE, SPLIT, SURRENDER, INSURE):
            self._values[:, :, action] = np.where(
                visits[:, :, action] > 0, self._values[:, :, action], np.nan
            )


def cards_estimated(seen: Seen) -> Floats:
    """(10,) the chance of each card, the ace first, from all hits; alike where nothing was seen."""
    hits = seen.notes[:, :, HIT]
    came = hits[:, :, :CARDS].sum(axis=(0, 1))
    busts = hits[:_TOTALS, :, BUST].sum(axis=1)
    is_bust = np.array(
        [[_total(row) + card > MOST for card in range(1, CARDS + 1)] for row in range(_TOTALS)]
    )
    chances = np.full(CARDS, 1 / CARDS)
    for _ in range(ROUNDS):
        shares = np.where(is_bust, chances, 0.0)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
        expected = came + busts @ shares
        if not expected.sum():
            break
        chances = expected / expected.sum()
    return chances


def dealer_estimated(seen: Seen) -> Floats:
    """(10, `ENDS`) the chances of what the dealer comes to, by upcard, from the results of standing."""
    notes = seen.notes[:, :, STAND]
    totals = np.array([_total(row) for row in range(_PLAYED)])
    results = np.zeros((3, MOST + 1, len(UPCARDS)))
    for place, slot in enumerate((WON, PUSHED, LOST)):
        np.add.at(results[place], totals, notes[:_PLAYED, :, slot])
    ends = np.arange(ENDS)
    below = (ends < np.arange(MOST + 1)[:, np.newaxis]) | (ends == _LOSES)
    equal = ends == np.arange(MOST + 1)[:, np.newaxis]
    groups = np.stack([below, equal, ~(below | equal)]).astype(np.float64)
    chances = np.full((len(UPCARDS), ENDS), 1 / ENDS)
    for _ in range(ROUNDS):
        of_group = np.einsum("ue,gte->gtu", chances, groups)
        weights = results / np.maximum(of_group, 1e-300)
        expected = chances * np.einsum("gtu,gte->ue", weights, groups)
        sums = expected.sum(axis=1, keepdims=True)
        chances = np.where(sums > 0, expected / np.maximum(sums, 1e-300), chances)
    return chances


def _card_of_pair(row: int) -> int:
    """The card of a pair, 1 (an ace) to 10."""
    return row - _ACES + 1


def _total(row: int) -> int:
    """The total of a row of hands by total."""
    return row + 2 if row < _TOTALS else row - _TOTALS + 12


def _soft_row(total: int) -> int | None:
    return _TOTALS + total - 12 if 12 <= total <= MOST else None


def after(row: int, card: int, ace: Ace) -> int | None:
    """The row of the hand that a card makes of one, both by their totals; None if it is bust.

    Args:
        row: the row.
        card: 1 (an ace) to 10.
        ace: what an ace counts.
    """
    total, is_soft = _total(row), row >= _TOTALS
    total += ACE if card == 1 and ace is Ace.ELEVEN else card
    if card == 1 and ace is Ace.EITHER and not is_soft and total + 10 <= MOST:
        total, is_soft = total + 10, True
    if total > MOST and is_soft:
        total, is_soft = total - 10, False
    if total > MOST:
        return None
    return _soft_row(total) if is_soft else total - 2


def with_two(one: int, other: int, ace: Ace) -> int:
    """The row of a hand of two cards, 1 (an ace) to 10; of two aces that count 11 the last one."""
    counts = [ACE if card == 1 and ace is Ace.ELEVEN else card for card in (one, other)]
    total = sum(counts)
    if ace is Ace.EITHER and 1 in (one, other):
        return _TOTALS + total + 10 - 12
    return min(total, MOST) - 2
