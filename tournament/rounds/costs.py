"""The costs of the decisions of rounds, by the exact values.

At tables of HIT and STAND they are against the best chart, as in `twentyone.exact.ev_lost`; from a finite
shoe some are below 0, where the chart is not the best play for this very hand. At all others they are against
the best play, which sees every card of its hand, as in `twentyone.exact.hand_advice`. The value of a split
supposes that every further pair of those points is split too. So a decision about such a pair, which a split
has made, is compared with SPLIT, and costs less than 0 where that is not the best: a player who has split
tens has paid for splitting the next ones.

A forfeit costs the value of that play from there on, and the stakes that it gives up. So for any player the
mean payoff and the mean of the costs add up to the value of the chart, or of the play, that they are against.
After a split this holds as far as the other hands of the seat do not matter: each is valued as the same cards
would be unsplit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

import numpy as np

from cards import (
    CardDealt,
    Decision,
    DecisionAsked,
    DecisionTaken,
    EveryRound,
    HoleCard,
    Round,
    Rules,
    SeatForfeited,
)
from twentyone.exact import solving
from twentyone.exact.ev_lost import ChartCosts
from twentyone.exact.hand_advice import adviser_for
from twentyone.exact.values.game import SeatGame, insurance_value
from twentyone.exact.yardsticks import BEST_CHART, BEST_PLAY
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Situation, upcard_value
from twentyone.policies.qtable import is_by_hand

HALF_BET: Final = 0.5

MAX_KEPT: Final = 8
"""Costs that are kept: more rules than are played at once."""

MOST_ROUNDS: Final = 200_000
"""Rounds whose EV lost is kept; when there are more, they are forgotten."""


@dataclass(slots=True)
class _Hand:
    """A hand of a seat: the values of its cards, 2 to 11 (an ace), and its stake in initial bets."""

    cards: list[int]
    stake: int = 1


@dataclass(slots=True)
class _Seat:
    """The hands of a seat when it is asked.

    Attributes:
        upcard: the value of the upcard.
        hands: its hands.
        place: the hand that is asked about.
        options: what it may do.
        is_insured: whether it has taken insurance.
    """

    upcard: int
    hands: list[_Hand] = field(default_factory=lambda: [_Hand([])])
    place: int = 0
    options: tuple[Decision, ...] = ()
    is_insured: bool = False

    @property
    def asked(self) -> Situation:
        """The question."""
        cards = tuple(sorted(self.hands[self.place].cards))
        return Situation(cards, self.upcard, len(self.hands) > 1, self.options)

    @property
    def stakes(self) -> float:
        """Its stakes on the table, in initial bets."""
        return sum(hand.stake for hand in self.hands) + HALF_BET * self.is_insured

    def take(self, decision: Decision) -> None:
        """Note a decision."""
        hand = self.hands[self.place]
        if decision is Decision.SPLIT:
            first, second = hand.cards
            self.hands[self.place : self.place + 1] = [_Hand([first]), _Hand([second])]
        elif decision is Decision.DOUBLE:
            hand.stake = 2
        self.is_insured |= decision is Decision.INSURE


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs under some rules; `costs_for` makes them.

    Attributes:
        yardstick: the name of what they are against: `BEST_CHART` or `BEST_PLAY`.
        cost: the cost of an answer to a question.
    """

    yardstick: str
    _best: Callable[[], float]
    cost: Callable[[Situation, Decision], float]
    _worth: Callable[[_Seat], float]
    _learn: Callable[[], None]
    _known: dict[tuple[object, ...], float] = field(default_factory=dict, compare=False)

    def prepare(self) -> None:
        """Work out all that costs rest on, up to a second where pairs are split, once in a process."""
        self._learn()

    @property
    def best(self) -> float:
        """The value of what they are against, in initial bets a round."""
        return self._best()

    def of(self, round_: Round, seat: int = 0) -> tuple[float, ...]:
        """The cost of each decision of a seat and of its forfeit, in order, in initial bets.

        There is one for each letter of its script, but none for a bet.

        Args:
            round_: a round by these rules.
            seat: its number.
        """
        assert round_.upcard is not None, "costs are of play against a dealer"
        seen = _Seat(upcard_value(round_.upcard))
        costs = []
        for record in round_.records:
            match record:
                case CardDealt(number, card, place) if number == seat:
                    seen.hands[place].cards.append(upcard_value(card))
                case DecisionAsked(number, place, options) if number == seat:
                    seen.place, seen.options = place, options
                case DecisionTaken(number, decision) if number == seat:
                    costs.append(self.cost(seen.asked, decision))
                    seen.take(decision)
                case SeatForfeited(number) if number == seat:
                    costs.append(self._worth(seen) + seen.stakes)
        return tuple(costs)

    def lost(self, round_: Round) -> float:
        """The EV lost in a round of one seat: the sum of its costs, in initial bets.

        It is found once for all rounds in which the seat saw and decided the same.
        """
        key = _seen_and_decided(round_)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_ROUNDS:
                self._known.clear()
            found = self._known[key] = sum(self.of(round_))
        return found


def _seen_and_decided(round_: Round) -> tuple[object, ...]:
    """All that the costs of a round depend on: cards, decisions, and options where chips limit them."""
    assert round_.upcard is not None, "costs are of play against a dealer"
    seen: list[object] = [round_.upcard.points]
    for record in round_.records:
        kind = type(record)  # a third of the time that patterns take
        if kind is CardDealt:
            seen.append(record.card.points)  # type: ignore[union-attr]
        elif kind is DecisionTaken:
            seen.append(record.decision)  # type: ignore[union-attr]
        elif kind is SeatForfeited:
            seen.append(None)
        elif kind is DecisionAsked and round_.means is not None:
            seen.append(record.options)  # type: ignore[union-attr]
    return tuple(seen)


def costs_for(rules: Rules) -> Costs | None:
    """The costs under some rules; None where nothing is known exactly.

    That is at a table without a dealer or of several seats, and with a shoe that is kept. Costs are worked
    out when they are first asked for: see `Costs.prepare`.
    """
    if not rules.has_dealer or rules.seats != 1 or rules.reshuffle != EveryRound():
        return None
    return _costs_for(rules)


@lru_cache(maxsize=MAX_KEPT)
def _costs_for(rules: Rules) -> Costs:
    return _against_play(rules) if is_by_hand(rules) else _against_chart(rules)


def _against_chart(rules: Rules) -> Costs:
    """The costs against the best chart, at a table of HIT and STAND."""
    chart = ChartCosts(rules)
    value = cache(lambda: solving.solve(rules).value)

    def learn() -> None:
        for upcard in UPCARDS:
            chart.learn(upcard)

    return Costs(BEST_CHART, value, cache(chart.cost), lambda seat: chart.followed(seat.asked), learn)


def _against_play(rules: Rules) -> Costs:
    """The costs against the best play."""
    adviser = adviser_for(rules)
    values = cache(adviser.values)

    def best(asked: Situation) -> float:
        return _compared(values(asked), is_split=asked.is_split)

    @cache
    def cost(asked: Situation, decision: Decision) -> float:
        return best(asked) - values(asked)[decision]

    value = cache(lambda: adviser.game.best_play().value)

    def learn() -> None:
        for upcard in adviser.unknown:
            adviser.learn(upcard)

    return Costs(BEST_PLAY, value, cost, _Worth(adviser.game, best).of, learn)


def _compared(values: Mapping[Decision, float], *, is_split: bool) -> float:
    """The value that decisions are compared with: the best, or that of a further split."""
    if is_split and Decision.SPLIT in values:
        return values[Decision.SPLIT]
    return max(values.values())


class _Worth:
    """The value of the best play from a question on, given the cards of each hand for itself.

    Args:
        game: the game.
        best: the value of the answer that others are compared with, for the hand that is asked about.
    """

    def __init__(self, game: SeatGame, best: Callable[[Situation], float]) -> None:
        self._game, self._best = game, best
        self._peeks = game.rules.hole_card is HoleCard.PEEK

    def of(self, seat: _Seat) -> float:
        """The expected payoff of a seat, in initial bets."""
        asked = seat.asked
        if Decision.INSURE in asked.options:
            return self._before_play(asked) + max(0.0, self._insurance(asked))
        insurance = self._insurance(asked) if seat.is_insured else 0.0
        if Decision.DECLINE in asked.options:
            return self._best(asked) + insurance
        if seat.is_insured and self._peeks:
            insurance = -HALF_BET  # there is no natural
        others = sum(
            self._of_other(seat, place, hand) for place, hand in enumerate(seat.hands) if place != seat.place
        )
        return self._best(asked) + others + insurance

    def _before_play(self, asked: Situation) -> float:
        """The value of a round before it is known whether the dealer has a natural."""
        against = self._game.against(asked.upcard - 2)
        column = int(np.searchsorted(against.dealt.rows, self._row(asked.cards)))
        return float(self._game.best_first(asked.upcard - 2).values[:, column].max())

    def _insurance(self, asked: Situation) -> float:
        """The value of the side bet."""
        natural = self._game.against(asked.upcard - 2).natural[self._row(asked.cards[:2])]
        return float(insurance_value(natural))

    def _of_other(self, seat: _Seat, place: int, hand: _Hand) -> float:
        """The value of a hand of a seat that is not asked about: one that is over, or that waits."""
        if place > seat.place:
            return self._waiting(
                hand.cards[0], seat.upcard, is_full=len(seat.hands) == self._game.rules.split
            )
        row = self._row(hand.cards)
        against = self._game.against(seat.upcard - 2)
        if row == len(self._game.hands.counts):
            now = self._row(seat.asked.cards)
            return self._shown(-hand.stake * against.counted[now], against.counted[now])
        return self._shown(hand.stake * against.stand[row], against.counted[row])

    def _waiting(self, card: int, upcard: int, *, is_full: bool) -> float:
        """The value of a hand that a split has made, and that has one card."""
        against = self._game.against(upcard - 2)
        chances = against.chances[self._row([card])]
        joint = counted = 0.0
        for second in np.flatnonzero(chances).tolist():
            cards = [card, second + 2]
            no_natural = against.counted[self._row(cards)]
            found = self._game.options(cards, upcard, is_split=True)
            if is_full:
                found.pop(Decision.SPLIT, None)
            known = _compared(found, is_split=True)
            joint += chances[second] * (known * no_natural if self._peeks else known + 1 - no_natural)
            counted += chances[second] * no_natural
        return self._shown(joint, counted)

    def _shown(self, joint: float, counted: float) -> float:
        """A joint value of a further hand as the player knows it; what a natural takes is in the first."""
        return float(joint / counted if self._peeks else joint)

    def _row(self, cards: tuple[int, ...] | list[int]) -> int:
        return int(self._game.hands.find(np.bincount([card - 2 for card in cards], minlength=10)))
