"""The exact values of a game for one seat, from a fresh shoe of any composition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from cards import Decision, HoleCard, Naturals, Rules, Surrender, asking
from twentyone.exact.values.compositions import ACE, POINTS, Floats
from twentyone.exact.values.hands import Hands, hands_of
from twentyone.exact.values.running_out import can_run_out
from twentyone.exact.values.shoe import Draws, Shoe
from twentyone.exact.values.splits import Begun, Splits, most_hands
from twentyone.exact.values.standing import ENDS, dealer_hands
from twentyone.exact.values.upcard import AgainstUpcard, Play
from twentyone.policies.decisions import fresh

UPCARDS: Final = range(10)
"""Their indices, for the values 2 to 11 (an ace)."""

_AFTER_ONE_SPLIT: Final = 2
"""The hands that one split makes of one."""

_HALF: Final = 0.5


class NoExactFormError(Exception):
    """Rules whose values have no short exact form, in one sentence that says why."""


class Values(NamedTuple):
    """The value of a round, in initial bets from the player's view.

    Attributes:
        value: the expected payoff of a round, with `insurance`.
        insurance: what insurance adds; 0 unless the rules offer it and it pays on the cards that are seen.
        by_upcard: (10,) the expected payoff by the upcard's index, without insurance; NaN for an upcard that
            the shoe does not have.
    """

    value: float
    insurance: float
    by_upcard: tuple[float, ...]


class First(NamedTuple):
    """The first options of the hands of two cards against an upcard, d of them.

    Attributes:
        values: (5, d) the expected payoff of STAND, HIT, DOUBLE, SPLIT and SURRENDER, in the order of
            `FIRST`, given the cards and the upcard alone; -inf where it is not allowed.
        lost: (5, d) how much of it comes from rounds that end at the dealer's peek, or lose one bet at the
            end to a natural of the dealer's.
    """

    values: Floats
    lost: Floats


class Course(NamedTuple):
    """The values of one way to play on against an upcard.

    Attributes:
        unsplit: those of hands that no split has made.
        split: those of hands that a split has made.
        splits: the joint value of splitting each pair, by the index of its cards.
        first: those of the first decisions.
    """

    unsplit: Play
    split: Play
    splits: dict[int, float]
    first: First


FIRST: Final = (Decision.STAND, Decision.HIT, Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER)
"""The order of first decisions in arrays: of equal values the plainer one comes first."""


class SeatGame:
    """One seat against the dealer, from a fresh shoe; `seat_game` makes it.

    Everything is computed when it is first asked for, for one upcard at a time.

    Args:
        rules: the rules, with a dealer.
        shoe: the cards before the deal, which must not run out in a round.

    Attributes:
        rules: the rules.
        shoe: the cards before the deal.
        hands: the hands that the shoe may deal.
        upcards: (10,) the chance of each upcard, by its index.
        begun: the hands that may come of a split.
    """

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        self.rules, self.shoe = rules, shoe
        self.draws = Draws(shoe)
        self.hands: Hands = hands_of(rules, self.draws.counts, shoe.endless)
        self.upcards: Floats = self.draws.counts / self.draws.counts.sum()
        self._against: dict[int, AgainstUpcard] = {}
        self.begun = Begun.of(rules, self.hands)
        self._splits: dict[int, Splits] = {}
        self._best_first: dict[int, First] = {}
        self._best_splits: dict[int, dict[int, float]] = {}

    def against(self, upcard: int) -> AgainstUpcard:
        """The hands against an upcard, by its index."""
        if upcard not in self._against:
            self._against[upcard] = AgainstUpcard(self.rules, self.hands, self.draws, upcard)
        return self._against[upcard]

    def splits(self, upcard: int) -> Splits:
        """The pairs that may be split against an upcard, by its index."""
        if upcard not in self._splits:
            self._splits[upcard] = Splits(self.against(upcard), self.begun)
        return self._splits[upcard]

    def first(self, upcard: int, hit: Floats, split_values: dict[int, float]) -> First:
        """The first options of each hand of two cards.

        Args:
            upcard: the index of the upcard.
            hit: (n,) the joint value of hitting, by the row of the hand.
            split_values: the joint values of splitting, by the index of the card.
        """
        against, rules, hands = self.against(upcard), self.rules, self.hands
        rows = against.dealt.rows
        counted = against.counted[rows]
        split = np.full(len(hands.counts), -np.inf)
        for card, value in split_values.items():
            split[hands.pairs[card]] = value
        double = np.where(hands.may_double, against.double, -np.inf)
        values = np.stack([against.stand[rows], hit[rows], double[rows], split[rows], -_HALF * counted])
        lost = np.broadcast_to(1 - counted, values.shape).copy()
        own = rows == against.own
        values[0, own] = against.own_natural if own.any() else 0.0
        lost[:, own] *= rules.hole_card is not HoleCard.PEEK
        lost[0, own] = 0
        if rules.surrender is Surrender.EARLY:
            values[4], lost[4] = -_HALF, 0
        elif rules.surrender is Surrender.NONE:
            values[4] = -np.inf
        if rules.naturals.is_ratio:
            values[1:, own] = -np.inf
        return First(values - lost, lost)

    def best_first(self, upcard: int) -> First:
        """The values of all first decisions against an upcard, followed by the best play (CDZ-)."""
        if upcard not in self._best_first:
            hit = self.against(upcard).best_unsplit.hit
            self._best_first[upcard] = self.first(upcard, hit, self.best_splits(upcard))
        return self._best_first[upcard]

    def best_splits(self, upcard: int) -> dict[int, float]:
        """The joint value of splitting each pair against an upcard, followed by the best play (CDZ-)."""
        if upcard not in self._best_splits:
            action = self.against(upcard).best_split.action
            self._best_splits[upcard] = self.splits(upcard).values(action)
        return self._best_splits[upcard]

    def best(self, upcard: int) -> Course:
        """The best play (CDZ-) against an upcard."""
        against = self.against(upcard)
        return Course(
            against.best_unsplit, against.best_split, self.best_splits(upcard), self.best_first(upcard)
        )

    def known(self, upcard: int, joint: Floats | float, row: int | None = None) -> Floats:
        """The values of hands for a player who knows what is known in play, from joint values, (..., n).

        Of one hand, if its row is given. They are not a number where the dealer has a natural for certain:
        then nothing is decided.
        """
        counted = self.against(upcard).counted
        counted = counted if row is None else counted[row]
        if self.rules.hole_card is not HoleCard.PEEK:
            return np.asarray(joint - (1 - counted))
        values: Floats = joint / _where_asked(counted)
        return values

    def known_first(self, upcard: int, first: First) -> Floats:
        """(5, d): first decisions as `known` has them; with `peek`, given that there is no natural.

        Early surrender is decided before the dealer peeks. It has here the value that differs from those of
        the others in no natural as it does in all cases, so it is better than them where giving up is.
        """
        if self.rules.hole_card is not HoleCard.PEEK:
            return first.values
        against = self.against(upcard)
        counted = against.counted[against.dealt.rows]
        lost = first.lost.copy()
        if self.rules.surrender is Surrender.EARLY:
            lost[FIRST.index(Decision.SURRENDER)] = 1 - counted
        values: Floats = (first.values + lost) / _where_asked(counted)
        return values

    def mean(self, upcard: int, finals: Floats) -> float:
        """The value of a round given the upcard, from (d,) values of the hands of two cards."""
        chances = self.against(upcard).dealt.chances
        return float((chances * finals).sum() - (1 - chances.sum()))

    def best_play(self) -> Values:
        """The value of the best play, which sees every card of its hand (composition-dependent, CDZ-).

        The first hand is played by the best of all that is allowed, knowing its cards and the upcard. Every
        further pair of the same points is split while another hand is allowed, and every other hand after a
        split is played as the same cards would be unsplit, by the best of HIT, STAND and DOUBLE.
        """
        return self.values(lambda upcard: self.mean(upcard, self.best_first(upcard).values.max(axis=0)))

    def values(self, by_upcard: Callable[[int], float]) -> Values:
        """Values from a function of the upcard's index."""
        given = [by_upcard(upcard) if self.shoe.counts[upcard] else float("nan") for upcard in UPCARDS]
        play = float(np.nansum(self.upcards * given))
        return Values(play + self.insurance, self.insurance, tuple(given))

    @cached_property
    def insurance(self) -> float:
        """The value of insurance in a round, if every hand is insured for which it pays on the cards seen."""
        if not (self.rules.insurance and self.shoe.counts[ACE]):
            return 0.0
        against = self.against(ACE)
        bets = insurance_value(against.natural[against.dealt.rows])
        return float(self.upcards[ACE] * (against.dealt.chances * np.maximum(bets, 0)).sum())

    def options(
        self, cards: Sequence[int], upcard: int, *, is_split: bool = False, course: Course | None = None
    ) -> dict[Decision, float]:
        """The value of everything that may be done with a hand, followed by the best play (CDZ-).

        A value is the expected payoff in initial bets given the cards, the upcard, and what is known when it
        is decided: under `peek`, that the dealer has no natural.

        Args:
            cards: the values of the hand's cards, 2 to 11 (an ace), in the order in which they came.
            upcard: the value of the upcard.
            is_split: whether a split has made the hand, of which the first card is the one that was split.
                SPLIT is then worth what it is worth at first, and is there if a third hand is allowed.
            course: what follows in place of the best play.

        Returns:
            The values in the order of `cards.Decision`. A natural that is paid at a ratio may only stand.

        Raises:
            ValueError: for a hand that is bust or has fewer than two cards, that the shoe cannot deal beside
                the upcard, or that no split makes by these rules; and where nothing is decided, since the
                dealer has a natural for certain.
        """
        against = self.against(_index(upcard))
        row = self._row(against, cards)
        if self.rules.hole_card is HoleCard.PEEK and against.counted[row] == 0:
            raise ValueError("the dealer has a natural for certain, so nothing is decided")
        if is_split:
            self._check_split(cards)
        course = course or self.best(against.upcard)
        if len(cards) == 2 and not is_split:
            known = self.known_first(against.upcard, course.first)
            column = int(np.searchsorted(against.dealt.rows, row))
            found = dict(zip(FIRST, known[:, column], strict=True))
            if self._asks_before_peek(against.upcard):
                del found[Decision.SURRENDER]
        else:
            later = self._later(against, course, row, is_split, cards[0] == ACE + 2)
            found = {each: self.known(against.upcard, value, row) for each, value in later.items()}
        return {each: float(found[each]) for each in Decision if found.get(each, -np.inf) > -np.inf}

    def _later(
        self, against: AgainstUpcard, course: Course, row: int, is_split: bool, is_of_ace: bool
    ) -> dict[Decision, float]:
        """The joint values of all options of a hand that has split or drawn."""
        rules, hands = self.rules, self.hands
        play = course.split if is_split else course.unsplit
        found = {Decision.STAND: float(against.stand[row])}
        if not (is_split and is_of_ace) or asking.is_played(rules, asking.ACE):
            found[Decision.HIT] = float(play.hit[row])
            if hands.may_double[row] and (rules.double_after_split or not is_split):
                found[Decision.DOUBLE] = float(against.double[row])
        card = int(hands.counts[row].argmax())
        if is_split and hands.pairs[card] == row and most_hands(rules, card) > _AFTER_ONE_SPLIT:
            found[Decision.SPLIT] = course.splits[card]
        return found

    def _check_split(self, cards: Sequence[int]) -> None:
        """Raise ValueError if no split makes such a hand."""
        rules = self.rules
        if rules.split < _AFTER_ONE_SPLIT:
            raise ValueError("no hand is made by a split: these rules let no pair be split")
        if cards[0] == ACE + 2 and len(cards) > 2 and not asking.is_played(rules, asking.ACE):
            raise ValueError("a split ace takes one card only by these rules: expected two cards")

    def before_peek(self, cards: Sequence[int], upcard: int) -> dict[Decision, float]:
        """The values of what may be answered before the dealer peeks, given the cards and the upcard.

        Returns:
            INSURE: the expected payoff of the side bet alone, in initial bets, beside 0 without it, where
            insurance is offered. SURRENDER and DECLINE: those of the round, where surrender is asked now.

        Raises:
            ValueError: for anything but two cards that the shoe can deal beside the upcard.
        """
        against = self.against(_index(upcard))
        row = self._row(against, cards)
        if len(cards) != 2:
            raise ValueError(f"{len(cards)} cards are no first hand: expected two cards")
        found = {}
        if self._asks_before_peek(against.upcard) and not (
            row == against.own and self.rules.naturals.is_ratio
        ):
            declined = self.kept(cards, upcard, self.best(against.upcard)).values()
            found = {Decision.SURRENDER: -_HALF, Decision.DECLINE: max(declined)}
        if self.rules.insurance and against.upcard == ACE:
            found[Decision.INSURE] = float(insurance_value(against.natural[row]))
        return found

    def kept(self, cards: Sequence[int], upcard: int, course: Course) -> dict[Decision, float]:
        """The values of first decisions other than surrender, before the dealer peeks."""
        against = self.against(_index(upcard))
        column = int(np.searchsorted(against.dealt.rows, self._row(against, cards)))
        values = course.first.values[:, column].tolist()
        found = dict(zip(FIRST[:-1], values, strict=False))
        return {each: found[each] for each in Decision if found.get(each, -np.inf) > -np.inf}

    def _asks_before_peek(self, upcard: int) -> bool:
        """Whether surrender is asked for alone, before the dealer peeks."""
        return asking.offers_early_surrender(self.rules, int(POINTS[upcard]))

    def row_of(self, cards: Sequence[int], upcard: int) -> int:
        """The row of a hand against an upcard, by the values of the cards, 2 to 11 (an ace).

        Raises:
            ValueError: if it is bust or has fewer than two cards, or the shoe cannot deal it.
        """
        return self._row(self.against(_index(upcard)), cards)

    def _row(self, against: AgainstUpcard, cards: Sequence[int]) -> int:
        """The row of a hand, which the shoe can deal."""
        row = self._rows.get(tuple(sorted(map(_index, cards))), len(self.hands.counts))
        if len(cards) < 2 or row == len(self.hands.counts) or not against.possible[row]:
            raise ValueError(
                f"{' '.join(map(str, cards))} against {UPCARDS[against.upcard] + 2} is no hand of this shoe:"
                " expected two cards or more that are not bust and that the shoe has"
            )
        return row

    @cached_property
    def _rows(self) -> dict[tuple[int, ...], int]:
        """The row of each hand, by the indices of its cards in increasing order."""
        cards = [tuple(np.repeat(UPCARDS, counts).tolist()) for counts in self.hands.counts]
        return {hand: row for row, hand in enumerate(cards)}

    def dealer_ends(self) -> Floats:
        """The distribution of the dealer's final hand, with no player's cards taken out.

        Returns:
            (10, 7): by upcard, the chances of the `ENDS`; a natural is told from another 21 by any rules.
        """
        is_equal = self.rules.naturals is Naturals.EQUAL
        rules = replace(self.rules, naturals=Naturals.BEAT) if is_equal else self.rules
        ends = np.zeros((10, ENDS))
        for upcard in np.flatnonzero(self.draws.counts).tolist():
            drawn, orders, end = dealer_hands(rules, self.draws, upcard)
            left = self.draws.left(np.eye(10, dtype=np.int64)[upcard])
            np.add.at(ends[upcard], end, orders * self.draws.of_order(left, drawn))
        return ends


def _where_asked(counted: Floats) -> Floats:
    """The chances of no natural, NaN where the dealer's natural is certain: no question is asked."""
    return np.where(counted > 0, counted, np.nan)


def _index(value: int) -> int:
    """The index of a card by its value, 2 to 11."""
    if not 2 <= value <= 11:
        raise ValueError(f"{value} is no card: expected 2 to 11, where 11 is an ace")
    return value - 2


def insurance_value(natural: Floats) -> Floats:
    """The expected payoff of insurance, in initial bets, by the chance of the dealer's natural."""
    return _HALF * (3 * natural - 1)


def alone(rules: Rules) -> Rules:
    """The same rules without what makes no difference to the value of a decision."""
    return replace(fresh(rules), preset="", seats=1, bets=None, bankroll=None) if rules.has_dealer else rules


@lru_cache(maxsize=16)
def seat_game(rules: Rules, shoe: Shoe | None = None) -> SeatGame:
    """The game of one seat under some rules.

    Args:
        rules: the rules. A shoe that is kept over rounds counts as a fresh one.
        shoe: the cards before the deal; those of the rules unless it is given.

    Raises:
        NoExactFormError: for rules without a dealer, and for a shoe that can run out in a round.
    """
    if not rules.has_dealer:
        raise NoExactFormError(
            f"{rules.preset} has no short exact form: without a dealer the value of a hand depends on the"
            " policies of all other seats"
        )
    return SeatGame(fresh(rules), checked_shoe(rules, shoe))


def checked_shoe(rules: Rules, shoe: Shoe | None = None) -> Shoe:
    """A shoe, that of the rules unless it is given, which cannot run out in a round.

    Raises:
        NoExactFormError: if it can.
    """
    shoe = shoe or Shoe.of(rules)
    if can_run_out(rules, shoe):
        raise NoExactFormError(
            f"a shoe of these {shoe.size} cards may run out in a round: expected more cards"
        )
    return shoe
