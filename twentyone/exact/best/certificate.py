"""The proof that a column of a chart is best, by bounds that hold whatever its open entries are.

Take two entries for a total against an upcard, and a chart of which nothing is known but the entries that are
open for each hand. One entry gains over the other the sum, over the places where they differ, of the chance
of coming to the place times the value of the one decision less that of the other. A place is a hand of the
total: at first, later, or made by a split. No hand comes to a total twice, hard or soft, since with every ace
counted low a hand only grows; and the payoffs of the hands of a split add up. So neither the chances nor the
values depend on the entry for this total.

- The value of hitting lies between those of the worst and of the best play of the hands that follow, where
  each hand may take any entry that is open for it. A chart decides alike in all hands of a total, so it is
  bounded by them. So is the value of splitting a pair.
- The chance of coming to a hand is a sum over the ways to it, on each of which every hand hits. It is least
  if a hand hits only where every open entry does, and greatest if it hits where any of them does. The same
  holds for splits of a pair.

The mean gain is bounded by the least mean for chances between those bounds. If it is more than 0, no chart of
open entries gets worse by taking the one entry for the other, which is then closed. Fewer open entries narrow
the bounds of the others, and all is done again in the next pass, until no more entries are closed. A pair's
first decision is one place, whose chance is known. Upcards are independent of each other.

If one entry is left open for each hand, any chart can be turned into this one, entry by entry in the order in
which they were closed, without ever getting worse. It is then best, also among charts that leave something to
chance: with the chance of one entry, the value changes along a straight line. No entry is left in doubt under
any of the presets, nor under any rules of HIT and STAND with a fresh shoe or an infinite deck. In a strange
shoe some may be: then the open entries of one hand are tried as cases, each with its own bounds, until the
case with the highest bound has no entry in doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count, permutations
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, Surrender
from twentyone.exact.values.charts import TOTALS, cells_of, pair_word, plan_of, resolved
from twentyone.exact.values.compositions import Bools, Floats, Ints
from twentyone.exact.values.game import FIRST, First, SeatGame
from twentyone.exact.values.hands import HIT, STAND
from twentyone.exact.values.splits import OTHER, SAME
from twentyone.policies.chart import ENTRIES
from twentyone.policies.hands import HARD, SOFT

ROUNDING: Final = 1e-12
"""Initial bets: a gain of less may be a rounding error, and counts as 0."""

TOTAL_ENTRIES: Final = ("S", "H", "Dh", "Ds", "Rh", "Rs")
"""The entries of totals, the plainer before the others."""

LATER: Final = FIRST[:3]
"""The order of later decisions: that of `STAND`, `HIT` and `DOUBLE`."""

_SPLIT: Final = FIRST.index(Decision.SPLIT)

_LOSES: Final = 16
"""Standing on a total of no more wins only if the dealer is bust."""

_NEVER_BUST: Final = {*HARD[:10], *SOFT[:5]}
"""Hands of no more than that which no card can make bust: of equal entries, those that hit come first."""

_MOST_CASES: Final = 64
"""The most cases that are divided; after that entries stay in doubt."""

_LEAST_CHANCE: Final = 1e-15
"""A smaller chance may be a rounding error, and is taken for 0."""


class Open(NamedTuple):
    """The entries that may be best.

    Attributes:
        totals: (entries, 42) by the entry and the total, in the order of `TOTALS`.
        pairs: (5, p) by the first decision and the pair, in the order of `FIRST` and of `Column.pairs`.
    """

    totals: Bools
    pairs: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """The best column of a chart, and what proves that it is best.

    Attributes:
        column: the entry of each total and of each pair that may be split, by its word.
        open: the entries that may be best.
        doubt: the words of hands that have several of them. The column has the plainest of these.
        gain: what an entry of a hand gains at least over another one that it closed, on average where they
            differ and in initial bets, under any chart of the entries that were open: the least of these.
            Hands without a number are never held.
        settled_in: the pass in which all other entries of a hand were closed, 1 for the first.
        bound: no column is worth more, given the upcard.
    """

    column: dict[str, str]
    open: Open
    doubt: tuple[str, ...]
    gain: dict[str, float]
    settled_in: dict[str, int]
    bound: float


class Gains(NamedTuple):
    """The least gains by which entries were closed in a pass; not a number where none was.

    Attributes:
        totals: (42,) by total.
        pairs: (p,) by pair.
    """

    totals: Floats
    pairs: Floats


class _Places(NamedTuple):
    """The places where totals in doubt are decided, k of them.

    Attributes:
        cell: (k,) the total, as an index of `TOTALS`.
        taken: (entries, k) what each entry means there, as an index of `FIRST`.
        seldom, often: (k,) bounds of the chance of coming to it.
        low, high: (5, k) bounds of the values of the decisions.
    """

    cell: Ints
    taken: Ints
    seldom: Floats
    often: Floats
    low: Floats
    high: Floats

    def least_gains(self, better: int, worse: int, cells: Bools) -> Floats:
        """(42,): what an entry gains over another at least, on average; not a number where they never differ.

        The mean is least if amounts above it have their least chance, and those below it their greatest. It
        falls with each step until that is so (Dinkelbach's method, 1967).
        """
        places = np.flatnonzero(cells[self.cell] & (self.taken[better] != self.taken[worse]))
        cell, seldom, often = self.cell[places], self.seldom[places], self.often[places]
        low, high = self.low[self.taken[better, places], places], self.high[self.taken[worse, places], places]
        amounts, chances, mean = low - high, often, np.full(len(TOTALS), np.inf)
        while True:
            total, found = np.bincount(cell, chances, len(TOTALS)), mean.copy()
            np.divide(np.bincount(cell, chances * amounts, len(TOTALS)), total, out=found, where=total > 0)
            falls = found < mean
            if not falls.any():
                return np.where(np.isinf(mean), np.nan, mean)
            mean = np.minimum(mean, found)
            rest = falls[cell]  # the means of the others have reached their least
            cell, amounts, seldom, often = cell[rest], amounts[rest], seldom[rest], often[rest]
            chances = np.where(amounts > mean[cell], seldom, often)


class _Bounds(NamedTuple):
    """The bounds of a column of open entries.

    Attributes:
        may: (5, d) what may be done first with each hand of two cards.
        low, high: bounds of the values of that.
        places: where totals in doubt are decided.
    """

    may: Bools
    low: First
    high: First
    places: _Places


class _Meaning(NamedTuple):
    """The meaning of each entry for some hands, k of them. Most hands are alike: there are few kinds, m.

    Attributes:
        cell: (k,) the total of each hand, as an index of `TOTALS`.
        taken: (entries, k) the decision of each entry.
        kind: (k,) the kind of each hand.
        example: (m,) a hand of each kind.
        decisions: how many decisions there are.
    """

    cell: Ints
    taken: Ints
    kind: Ints
    example: Ints
    decisions: int

    @classmethod
    def of(cls, cell: Ints, taken: Ints, decisions: int) -> _Meaning:
        """The hands, from their totals and what each entry means."""
        key = cell
        for each in taken:
            key = key * decisions + each
        _, example, kind = np.unique(key, return_index=True, return_inverse=True)
        return cls(cell, taken, kind, example, decisions)

    def may(self, open_: Open) -> Bools:
        """(decisions, k): whether each decision may be taken."""
        is_open, taken = open_.totals[:, self.cell[self.example]], self.taken[:, self.example]
        may = [(is_open & (taken == decision)).any(axis=0) for decision in range(self.decisions)]
        return np.stack(may)[:, self.kind]


class _Totals(NamedTuple):
    """The entries of totals, which are the same against any upcard.

    Attributes:
        entries: those that the rules allow, the plainer before the others.
        rank: (entries, 42) of entries of the same worth, that of less rank is taken.
        later: what they mean after the first decision for hands that no split has made.
        after_split: what they mean for hands that a split has made.
    """

    entries: list[str]
    rank: Ints
    later: _Meaning
    after_split: _Meaning


@lru_cache(maxsize=1)
def _totals(game: SeatGame) -> _Totals:
    """The entries of totals."""
    hands, begun, cells = game.hands, game.begun, cells_of(game)
    entries = [entry for entry in TOTAL_ENTRIES if _is_of_use(game, entry)]
    meant = np.array([[resolved(entry, extra) for entry in entries] for extra in ((), (Decision.DOUBLE,))])
    may_double = hands.may_double & game.rules.double_after_split
    after_split = meant[may_double.astype(np.int64)].T[:, begun.hand]
    return _Totals(
        entries,
        np.array([[_rank(entry, word) for word in TOTALS] for entry in entries]),
        _Meaning.of(cells, meant[hands.may_double.astype(np.int64)].T, len(LATER)),
        _Meaning.of(cells[begun.hand], np.where(begun.is_decided, after_split, STAND), len(LATER)),
    )


class Column:
    """The columns of a chart against an upcard.

    Args:
        game: the game.
        upcard: the index of the upcard.

    Attributes:
        entries: the entries of totals that the rules allow, the plainer before the others.
        pairs: the words of the pairs that may be split.
    """

    def __init__(self, game: SeatGame, upcard: int) -> None:
        self._game, self._upcard = game, upcard
        self._against, self._splits = game.against(upcard), game.splits(upcard)
        hands, rows = game.hands, self._against.dealt.rows
        self.entries, self._rank, self._later, self._after_split = _totals(game)
        self.pairs = [pair_word(card) for card in self._splits.pairs]
        self._pair_at: Ints = np.searchsorted(rows, hands.pairs[self._splits.pairs])
        values = game.first(
            upcard, np.zeros(len(hands.counts)), dict.fromkeys(self._splits.pairs, 0.0)
        ).values
        self._allowed: Bools = np.isfinite(values)
        self._first = _Meaning.of(cells_of(game)[rows], self._first_by_entry(), len(FIRST))

    def _first_by_entry(self) -> Ints:
        """(entries, d) what each entry means for each hand of two cards, if it is the first decision."""
        taken = np.zeros((len(self.entries), self._allowed.shape[1]), dtype=np.int64)
        for number, entry in enumerate(self.entries):
            # HIT and STAND come last, and a natural may have to stand.
            for decision in reversed(ENTRIES[entry]):
                index = FIRST.index(decision)
                taken[number, self._allowed[index]] = index
        return taken

    def everything(self) -> Open:
        """Every entry, open."""
        return Open(np.ones(self._rank.shape, dtype=np.bool_), self._allowed[:, self._pair_at])

    def narrowed(self, open_: Open) -> tuple[Open, Gains]:
        """Close what is worse than another open entry, or equal to a plainer one: a pass."""
        bounds = self._bounds(open_)
        low, high = (
            np.where(open_.pairs, each.values[:, self._pair_at], 0) for each in (bounds.low, bounds.high)
        )
        number = np.arange(len(FIRST))[:, np.newaxis]

        def closed(takes_equal: bool) -> tuple[Open, Gains]:
            totals = _narrowed(open_.totals, self._rank, bounds.places.least_gains, takes_equal)
            pairs = _narrowed(
                open_.pairs, number, lambda better, worse, _: low[better] - high[worse], takes_equal
            )
            return Open(totals[0], pairs[0]), Gains(totals[1], pairs[1])

        narrower, gains = closed(takes_equal=False)
        is_narrower = _number_open(narrower).sum() < _number_open(open_).sum()
        return (narrower, gains) if is_narrower else closed(takes_equal=True)

    def best(self, open_: Open | None = None) -> Certificate:
        """The best column, and what proves it.

        Args:
            open_: the entries that all columns have which are considered; everything unless it is given.
        """
        found = self.settled(open_ or self.everything())
        waiting = [found]
        for _ in range(_MOST_CASES):
            best = max(waiting, key=lambda each: each.bound)
            if not best.doubt:
                break
            waiting.remove(best)
            waiting += map(self.settled, _cases(best.open))
        best = max(waiting, key=lambda each: each.bound)
        gain = {word: min(each, found.gain.get(word, each)) for word, each in best.gain.items()}
        return replace(best, gain=found.gain | gain, settled_in=found.settled_in | best.settled_in)

    def settled(self, open_: Open) -> Certificate:
        """Close as many entries as the bounds allow.

        Args:
            open_: the entries that all charts have which are considered.
        """
        words = (*TOTALS, *self.pairs)
        gain, settled_in = np.full(len(words), np.nan), np.zeros(len(words), dtype=np.int64)
        for number in count(1):
            is_open = _number_open(open_) > 1
            if not is_open.any():
                break
            narrower, gains = self.narrowed(open_)
            if _number_open(narrower).sum() == _number_open(open_).sum():
                break
            gain = np.fmin(gain, np.concatenate(gains))
            settled_in[is_open & (_number_open(narrower) == 1)] = number
            open_ = narrower
        return Certificate(
            column=self.column(open_),
            open=open_,
            doubt=tuple(words[at] for at in np.flatnonzero(_number_open(open_) > 1)),
            gain={word: float(each) for word, each in zip(words, gain, strict=True) if not np.isnan(each)},
            settled_in={
                word: number for word, number in zip(words, settled_in.tolist(), strict=True) if number
            },
            bound=self._bound(open_),
        )

    def column(self, open_: Open) -> dict[str, str]:
        """The plainest of the open entries of each hand."""
        game, upcard, against = self._game, self._upcard, self._against
        best = np.where(open_.totals, self._rank, len(TOTAL_ENTRIES) * 2).argmin(axis=0)
        column = {word: self.entries[number] for word, number in zip(TOTALS, best.tolist(), strict=True)}
        if not self.pairs:
            return column
        plan = plan_of(game, upcard, column)
        first = game.first(upcard, against.follow(plan.unsplit).hit, self._splits.values(plan.split))
        taken = open_.pairs.argmax(axis=0).tolist()
        return column | {
            word: _pair_entry(first.values[:, at], FIRST[number])
            for word, at, number in zip(self.pairs, self._pair_at.tolist(), taken, strict=True)
        }

    def _bound(self, open_: Open) -> float:
        """No column of open entries is worth more, given the upcard."""
        may_first, hit = self._may_first(open_), self._against.bounded(self._later.may(open_))
        of_splits = {}
        if self.pairs:
            of_splits = self._splits.sums(self._splits.bounded(self._after_split.may(open_), np.fmax))
        high = self._game.first(self._upcard, hit[1], of_splits)
        return self._game.mean(self._upcard, np.where(may_first, high.values, -np.inf).max(axis=0))

    def _may_first(self, open_: Open) -> Bools:
        """(5, d) what may be done first with each hand of two cards."""
        may = self._first.may(open_)
        may[:, self._pair_at] = open_.pairs
        return may

    def _bounds(self, open_: Open) -> _Bounds:
        game, against, splits, upcard = self._game, self._against, self._splits, self._upcard
        rows, chances = against.dealt
        may_first, may = self._may_first(open_), self._later.may(open_)
        worst, best = against.bounded(may)
        hits = _always_and_ever(may, HIT)
        hits[:, rows] = _always_and_ever(may_first, HIT)
        reach = np.stack([np.where(game.hands.size > 2, against.reach(each), 0) for each in hits])
        values = np.stack([[against.stand, hit, against.double] for hit in (worst, best)])
        is_doubtful = open_.totals.sum(axis=0) > 1
        places = [_places(is_doubtful, self._later, reach, values, against.counted)]
        of_splits: list[dict[int, float]] = [{}, {}]
        if splits.pairs:
            may = self._after_split.may(open_)
            worst_, best_ = (splits.bounded(may, extreme) for extreme in (np.fmin, np.fmax))
            of_splits = [splits.sums(worst_), splits.sums(best_)]
            is_split = np.zeros((2, 10))
            is_split[:, splits.pairs] = (_always_and_ever(may_first, _SPLIT) * chances)[:, self._pair_at]
            begun = is_split[:, splits.begun.card, np.newaxis]
            reach = begun * np.stack([splits.reached(hit > 0) for hit in _always_and_ever(may, HIT)])
            values = np.stack([[each.stand, each.hit, each.double] for each in (worst_, best_)])
            for kind in (OTHER, SAME):
                places.append(
                    _places(
                        is_doubtful,
                        self._after_split,
                        reach[..., kind],
                        values[..., kind],
                        splits.weights_of_all()[1][:, kind],
                    )
                )
        low, high = (
            game.first(upcard, hit, split) for hit, split in zip((worst, best), of_splits, strict=True)
        )
        dealt = np.where(np.isin(np.arange(len(rows)), self._pair_at), 0, chances)
        values = np.stack([low.values, high.values])
        counted = against.counted[rows]
        places.append(_places(is_doubtful, self._first, np.stack([dealt, dealt]), values, counted))
        joined = (np.concatenate(parts, axis=-1) for parts in zip(*places, strict=True))
        return _Bounds(may_first, low, high, _Places(*joined))


def _places(
    is_doubtful: Bools, meaning: _Meaning, chances: Floats, values: Floats, counted: Floats
) -> _Places:
    """The places of totals in doubt among some hands.

    Args:
        is_doubtful: (42,) by total.
        meaning: what entries mean for the hands.
        chances: (2, k) bounds of the chance of coming to the hand, or of the orders of cards that lead to it.
        values: (2, m, k) bounds of the joint values of decisions, in the order of `FIRST`.
        counted: (k,) the chance of what the values count, given the hand or the order.
    """
    at = np.flatnonzero(is_doubtful[meaning.cell] & (chances[1] > 0))
    weight = np.where(counted[at] > _LEAST_CHANCE, counted[at], 1.0)
    known = np.zeros((2, len(FIRST), len(at)))
    known[:, : values.shape[1]] = values[:, :, at] / weight
    return _Places(meaning.cell[at], meaning.taken[:, at], *(chances[:, at] * weight), *known)


def _always_and_ever(may: Bools, decision: int) -> Floats:
    """(2, k): 1 where nothing else may be done than this; and 1 where this may be done."""
    return np.stack([may[decision] & (may.sum(axis=0) == 1), may[decision]]).astype(np.float64)


def _narrowed(
    open_: Bools, rank: Ints, least_gains: Callable[[int, int, Bools], Floats], takes_equal: bool
) -> tuple[Bools, Floats]:
    """Close entries, and say by how much.

    Args:
        open_: (entries, cells) the entries that are open.
        rank: (entries, cells or 1) of equal entries, that of less rank stays open.
        least_gains: (cells,) what the first of two entries gains over the other at least.
        takes_equal: whether an entry is also closed by one that is perhaps equal, and never worse.
    """
    open_, gains = open_.copy(), np.full(open_.shape[1], np.nan)
    for worse, better in permutations(reversed(range(len(open_))), 2):
        both = open_[worse] & open_[better]
        if both.any():
            least = least_gains(better, worse, both)
            is_fine = np.isnan(least) | (takes_equal & (least >= -ROUNDING))
            closed = both & ((least > ROUNDING) | (is_fine & (rank[better] < rank[worse])))
            open_[worse, closed] = False
            gains[closed] = np.fmin(gains, least)[closed]
    return open_, gains


def _cases(open_: Open) -> list[Open]:
    """Each of the open entries alone, of the first hand that has several."""
    found = []
    at = int(np.flatnonzero(_number_open(open_) > 1)[0])
    for which, part in enumerate(open_):
        if 0 <= at < part.shape[1]:
            for number in np.flatnonzero(part[:, at]).tolist():
                alone = part.copy()
                alone[:, at] = False
                alone[number, at] = True
                found.append(open_._replace(**{Open._fields[which]: alone}))
        at -= part.shape[1]
    return found


def _number_open(open_: Open) -> Ints:
    """(42 + p,): how many entries of each hand are open."""
    found: Ints = np.concatenate([open_.totals.sum(axis=0), open_.pairs.sum(axis=0)])
    return found


def _is_of_use(game: SeatGame, entry: str) -> bool:
    """Whether the rules ever allow what an entry says first."""
    wanted = ENTRIES[entry][0]
    if wanted is Decision.DOUBLE:
        return bool(game.hands.may_double.any())
    return wanted is not Decision.SURRENDER or game.rules.surrender is not Surrender.NONE


def _rank(entry: str, word: str) -> int:
    """The place of an entry among those that are worth the same; it is taken before those of greater rank."""
    stands = ENTRIES[entry][-1] is Decision.STAND
    is_last = (stands and word in _NEVER_BUST) or (not stands and int(word[1:]) > _LOSES)
    return TOTAL_ENTRIES.index(entry) + is_last * len(TOTAL_ENTRIES)


def _pair_entry(values: Floats, taken: Decision) -> str:
    """The entry for a pair, from the values of its first decisions and the one that is taken."""
    stand, hit, _, split, _ = values.tolist()
    plain = "h" if hit > stand else "s"
    match taken:
        case Decision.SPLIT:
            return "P"
        case Decision.SURRENDER:
            return "Rp" if split > max(stand, hit) else f"R{plain}"
        case Decision.DOUBLE:
            return f"D{plain}"
        case _:
            return "H" if taken is Decision.HIT else "S"
