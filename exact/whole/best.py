"""The best total-dependent chart, found against one upcard at a time, and a bound of what any can be worth.

What a chart is worth is linear in each of its entries: the value of changing one is the sum over the hands
that it decides, of the chance to reach each of them times the value of the other decision less that of its
own. So entries are changed as long as that is worth something. This ends with a chart that no change of one
entry makes better. Nobody can do better than to decide each hand by its own cards, so that is the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Surrender
from exact.hands import Bools, Floats, Ints
from exact.whole.charts import TOTALS, Plan, cells_of, evaluate, pair_word, plan_of, reach_of, resolved
from exact.whole.game import FIRST, UPCARDS, First, Values, WholeGame
from policies.chart import ENTRIES, Chart
from policies.hands import HARD, PAIRS, SOFT

_LEAST_GAIN: Final = 1e-13
"""Initial bets: a smaller gain is a rounding error."""

MOST_HIT: Final = 11
"""A hard hand of no more points cannot be made bust by a card, so standing on it is never better."""

_TOTAL_ENTRIES: Final = ("S", "H", "Dh", "Ds", "Rh", "Rs")
"""The entries of totals, the plainer before the others."""


class BestChart(NamedTuple):
    """The best chart that was found.

    Attributes:
        chart: the chart.
        values: what it is worth.
        bound: what no chart is worth more than, with the same insurance.
        proved: whether it is proved best, since its value reaches the bound.
    """

    chart: Chart
    values: Values
    bound: float
    proved: bool


def best_chart(game: WholeGame) -> BestChart:
    """The best chart that is found, and the bound. Equal values mean the plainer entry."""
    columns = {upcard: _Search(game, upcard) for upcard in UPCARDS if game.shoe.counts[upcard]}
    found = {upcard: search.best() for upcard, search in columns.items()}
    words = [*TOTALS, *(word for word in PAIRS if any(word in column for column in found.values()))]
    rows = {
        word: tuple(found[upcard].get(word, "H") if upcard in found else "H" for upcard in UPCARDS)
        for word in words
    }
    chart = Chart("basic", _trimmed(game, rows), game.rules)
    values = evaluate(game, chart)
    bound = game.values(lambda upcard: columns[upcard].bound()).value
    return BestChart(chart, values, bound, bound - values.value < _LEAST_GAIN * 10)


def _trimmed(game: WholeGame, rows: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Without the rows of totals below or above all that hands have; one row of each kind is left."""
    had = {TOTALS[cell] for cell in cells_of(game)[game.hands.size >= 2].tolist()}
    kept = {*PAIRS}
    for kind in (HARD, SOFT):
        found = [number for number, word in enumerate(kind) if word in had] or [len(kind) - 1]
        kept |= {*kind[found[0] : found[-1] + 1]}
    return {word: row for word, row in rows.items() if word in kept}


class _Seen(NamedTuple):
    """What is known of a column of a chart.

    Attributes:
        plan: the column as arrays.
        first: the values of the first decisions.
        value: the value of the round given the upcard.
    """

    plan: Plan
    first: First
    value: float


class _Search:
    """The best column of a chart.

    Args:
        game: the game.
        upcard: the index of the upcard.
    """

    def __init__(self, game: WholeGame, upcard: int) -> None:
        self._game, self._upcard = game, upcard
        self._against, self._splits = game.against(upcard), game.splits(upcard)
        self._cells = cells_of(game)
        rows = self._against.dealt.rows
        pairs = {int(game.hands.pairs[card]): pair_word(card) for card in self._splits.pairs}
        self._pairs = {pairs[row]: at for at, row in enumerate(rows.tolist()) if row in pairs}
        self._is_total = np.array([row not in pairs for row in rows.tolist()], dtype=np.bool_)
        self._entries = [entry for entry in _TOTAL_ENTRIES if self._is_of_use(entry)]

    @cached_property
    def _is_silly(self) -> Bools:
        """(entries, 42): whether an entry stands on a hard hand that no card can make bust."""
        stands = np.array([ENTRIES[entry][-1] is Decision.STAND for entry in self._entries], dtype=np.bool_)
        is_low = np.array([word in HARD[: MOST_HIT - 1] for word in TOTALS], dtype=np.bool_)
        return np.outer(stands, is_low)

    def _is_of_use(self, entry: str) -> bool:
        """Whether the rules ever allow what an entry says first."""
        wanted = ENTRIES[entry][0]
        if wanted is Decision.DOUBLE:
            return bool(self._game.hands.may_double.any())
        return wanted is not Decision.SURRENDER or self._game.rules.surrender is not Surrender.NONE

    def best(self) -> dict[str, str]:
        """The column that is found: the entry of each total and of each pair that may be split."""
        column = {word: "S" if int(word[1:]) >= 17 else "H" for word in TOTALS}
        column |= dict.fromkeys(self._pairs, "P")
        seen = self._look(column)
        while changes := self._changes(column, seen):
            together = column | {word: entry for word, entry, _ in changes}
            after = self._look(together)
            if after.value <= seen.value:
                word, entry, _ = max(changes, key=lambda change: change[2])
                together = column | {word: entry}
                after = self._look(together)
            if after.value <= seen.value:  # a gain that is smaller than a rounding error of the value
                return column
            column, seen = together, after
        return column

    def bound(self) -> float:
        """What no column is worth more than: each hand is played by its own cards as is best."""
        game, against = self._game, self._against
        may_double = game.hands.may_double & game.rules.double_after_split
        first = game.first(self._upcard, against.best_unsplit.hit, self._splits.bounds(may_double))
        return game.mean(self._upcard, first.values.max(axis=0))

    def _look(self, column: Mapping[str, str]) -> _Seen:
        game = self._game
        plan = plan_of(game, self._upcard, column)
        splits = self._splits.values(plan.split)
        first = game.first(self._upcard, self._against.follow(plan.unsplit).hit, splits)
        value = game.mean(self._upcard, first.values[plan.first, np.arange(len(plan.first))])
        return _Seen(plan, first, value)

    def _changes(self, column: Mapping[str, str], seen: _Seen) -> list[tuple[str, str, float]]:
        """The entries to be changed: the word of each, its better entry, and what it gains."""
        gains = self._gains_at_first(seen) + self._gains_later(seen) + self._gains_after_splits(seen)
        gains[self._is_silly] = -np.inf
        best = gains.argmax(axis=0)
        changes = [
            (word, self._entries[best[cell]], float(gains[best[cell], cell]))
            for cell, word in enumerate(TOTALS)
            if gains[best[cell], cell] > _LEAST_GAIN
        ]
        for word, at in self._pairs.items():
            values = seen.first.values[:, at]
            entry = _entry_of(values)
            gain = self._against.dealt.chances[at] * (values.max() - values[seen.plan.first[at]])
            if gain > _LEAST_GAIN:
                changes.append((word, entry, float(gain)))
        return changes

    def _gains_at_first(self, seen: _Seen) -> Floats:
        """(entries, 42): what each entry gains by the first decisions that it takes."""
        against, values = self._against, seen.first.values
        chances = np.where(self._is_total, against.dealt.chances, 0.0)
        every = np.arange(len(chances))
        now = values[seen.plan.first, every]
        gains = []
        for entry in self._entries:
            # What is not allowed is worth -inf; HIT and STAND come last, and a natural may have to stand.
            taken = np.zeros(len(chances), dtype=np.int64)
            for decision in reversed(ENTRIES[entry]):
                number = FIRST.index(decision)
                taken = np.where(np.isfinite(values[number]), number, taken)
            gains.append(self._by_cell(against.dealt.rows, chances * (values[taken, every] - now)))
        return np.stack(gains)

    def _gains_later(self, seen: _Seen) -> Floats:
        """(entries, 42): what each entry gains by the decisions of unsplit hands of three cards or more."""
        against, hands, action = self._against, self._game.hands, seen.plan.unsplit
        play = against.follow(action)
        values = np.stack([against.stand, play.hit, against.double])
        reach = np.where(hands.size > 2, reach_of(self._game, self._upcard, seen.plan), 0.0)
        rows = np.flatnonzero(reach)
        now = values[action[rows], rows]
        return np.stack(
            [
                self._by_cell(rows, reach[rows] * (values[taken[rows], rows] - now))
                for taken in (self._later(entry, hands.may_double) for entry in self._entries)
            ]
        )

    def _gains_after_splits(self, seen: _Seen) -> Floats:
        """(entries, 42): what each entry gains by the decisions of hands that splits have made."""
        splits, hands, begun = self._splits, self._game.hands, self._splits.begun
        chances = np.zeros(10)
        for card in splits.pairs:
            at = self._pairs[pair_word(card)]
            is_split = seen.plan.first[at] == FIRST.index(Decision.SPLIT)
            chances[card] = self._against.dealt.chances[at] * is_split
        ways = splits.ways(seen.plan.split)
        reach = ways.reached * (chances[begun.card] * splits.is_decided)[:, np.newaxis]
        rows = np.flatnonzero(reach.any(axis=1))
        onward = splits.follow(seen.plan.split)
        values = np.stack([onward.stand, onward.hit, onward.double])
        now = values[ways.action[rows], rows]
        may_double = hands.may_double & self._game.rules.double_after_split
        gains = []
        for entry in self._entries:
            taken = self._later(entry, may_double)[begun.hand[rows]]
            gains.append(
                self._by_cell(begun.hand[rows], (reach[rows] * (values[taken, rows] - now)).sum(axis=1))
            )
        return np.stack(gains)

    def _later(self, entry: str, may_double: Bools) -> Ints:
        """(n,) what an entry means for each hand, if it is not the first decision."""
        return np.where(may_double, resolved(entry, (Decision.DOUBLE,)), resolved(entry, ()))

    def _by_cell(self, rows: Ints, amounts: Floats) -> Floats:
        """(42,): amounts by hand, summed over the hands of each total."""
        sums: Floats = np.bincount(self._cells[rows], amounts, len(TOTALS)).astype(np.float64)
        return sums


def _entry_of(values: Floats) -> str:
    """The entry for a pair, from the values of its first decisions."""
    stand, hit, _, split, _ = values.tolist()
    plain = "h" if hit > stand else "s"
    match FIRST[int(values.argmax())]:
        case Decision.SPLIT:
            return "P"
        case Decision.SURRENDER:
            return "Rp" if split > max(stand, hit) else f"R{plain}"
        case Decision.DOUBLE:
            return f"D{plain}"
        case _:
            return plain.upper()
