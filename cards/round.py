"""The engine of one round: it deals, asks each seat for its decisions, plays the dealer's hand, and settles.

This module plays the game of HIT and STAND; `cards.whole_round` adds the rest of blackjack.

The order of the cards is fixed, so the same shoe and the same decisions always give the same round: two cards
to each seat in seat order, the upcard, the hole card, then a card for each hit, then the dealer's cards.

There are three functions for each action (`decide`, `forfeit`): `verify_...` raises a `RoundError` if the
action is not allowed, `can_...` answers whether it is, and the action itself returns records of everything
that happened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from typing import ClassVar, Final

from cards.card import Card
from cards.hand import TWENTY_ONE, Ace, Hand
from cards.records import (
    ASKED,
    CARD_DEALT,
    DEALER_DREW,
    FORFEITED,
    HIT_OR_STAND,
    HOLE_CARD_DEALT,
    HOLE_CARD_REVEALED,
    SEATS,
    SETTLED,
    TAKEN,
    UPCARD_DEALT,
    Record,
)
from cards.rules import MAX_SEATS, Decision, Outcome, Payoff, Rules
from cards.settling import settle, settle_showdown
from cards.shoe import Shoe


class RoundError(Exception):
    """An action that is not allowed at this point of the round, in one sentence that says why."""


_ORDERS: Final = tuple(
    tuple((*range(first, seats), *range(first)) for first in (*range(seats), 0))
    for seats in range(MAX_SEATS + 1)
)  # the seats of a table of so many, from the first that is looked at; behind the last comes the first


class SeatState(Enum):
    """The state of a seat within the round."""

    PLAYING = "playing"
    STANDING = "standing"
    BUST = "bust"
    SURRENDERED = "surrendered"
    FORFEITED = "forfeited"


# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_PLAYING: Final = SeatState.PLAYING
_STANDING: Final = SeatState.STANDING
_HIT: Final = Decision.HIT
_STAND: Final = Decision.STAND
_ELEVEN: Final = Ace.ELEVEN


class PlayedHand:
    """A hand of a seat, and what became of it.

    Args:
        hand: the cards.
        state: its state.
        is_split: whether it was made by a split, so that 21 in two cards is no natural.

    Attributes:
        hand: the cards.
        state: its state.
        is_split: whether it was made by a split.
        stake: what is staked on it, in initial bets: 1, or 2 once it is doubled.
        outcome: its outcome; None until it is settled.
        payoff: its payoff in initial bets, without insurance; None until it is settled.
    """

    __slots__ = ("hand", "is_split", "outcome", "payoff", "stake", "state")

    def __init__(self, hand: Hand, state: SeatState, *, is_split: bool = False) -> None:
        self.hand = hand
        self.state = state
        self.is_split = is_split
        self.stake = 1
        self.outcome: Outcome | None = None
        self.payoff: Payoff | None = None

    @property
    def is_natural(self) -> bool:
        """Whether it is a natural: 21 in the first two cards, not after a split."""
        return self.hand.is_natural and not self.is_split


class Round:
    """One round at one table. For rules of the whole game it is a `cards.whole_round.WholeRound`.

    Call `deal` once. Then `turn` is the seat to decide, until `is_over`.

    Args:
        rules: the rules.
        shoe: where the cards come from.
        means: see `WholeRound`; without new rules a seat can always stake its one bet.
        plain: see `WholeRound`; without new rules nothing but HIT and STAND is offered.

    Attributes:
        rules: the rules, including the number of seats.
        hands: the hand of each seat; none before the deal.
        states: the state of each seat.
        dealer: the dealer's hand; None before the deal and at a table without a dealer.
        turn: the seat whose decision is due; None before the deal and when the round is over.
        outcomes: the outcome of each seat; None until the seat is settled.
        records: everything that has happened, in order.
    """

    _of_whole_game: ClassVar[type[Round]]

    __slots__ = ("_shoe", "dealer", "hands", "outcomes", "records", "rules", "states", "turn")

    def __init_subclass__(cls) -> None:
        """Note the engine of the whole game, `WholeRound`, which nobody else needs to name."""
        Round._of_whole_game = cls

    def __new__(cls, rules: Rules, shoe: Shoe, **_: object) -> Round:
        """The engine that knows all that these rules have."""
        return object.__new__(Round._of_whole_game if rules.is_whole else cls)

    def __getnewargs__(self) -> tuple[Rules, Shoe]:
        """What a copy is made with, before its attributes are set."""
        return self.rules, self._shoe

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        *,
        means: Sequence[Payoff | None] | None = None,
        plain: Collection[int] = (),
    ) -> None:
        self.rules = rules
        seats = rules.seats
        self.hands: list[Hand] = []
        self.states = [_PLAYING] * seats
        self.dealer: Hand | None = None
        self.turn: int | None = None
        self.outcomes: list[Outcome | None] = [None] * seats
        self.records: list[Record] = []
        self._shoe = shoe

    @property
    def upcard(self) -> Card | None:
        """The dealer's first card; None before the deal and at a table without a dealer."""
        return None if self.dealer is None else self.dealer.cards[0]

    @property
    def options(self) -> tuple[Decision, ...]:
        """All that the seat whose turn it is may do now; none if nobody is asked."""
        return () if self.turn is None else HIT_OR_STAND

    @property
    def turn_hand(self) -> int:
        """The hand, from 0, that the seat whose turn it is is asked about."""
        return 0

    @property
    def means(self) -> Sequence[Payoff | None] | None:
        """How many initial bets each seat can stake in all; None for no limit."""
        return None

    @property
    def plain(self) -> Collection[int]:
        """The seats that are offered HIT and STAND only; none without new rules, where all are."""
        return ()

    @property
    def insured(self) -> list[bool]:
        """Whether each seat has taken insurance."""
        return [False] * self.rules.seats

    @property
    def payoffs(self) -> list[Payoff | None]:
        """The payoff of each seat in initial bets; None until the seat is settled."""
        return [None if outcome is None else outcome.payoff for outcome in self.outcomes]

    def hands_of(self, seat: int) -> list[PlayedHand]:
        """The hands of a seat, from the first to the last; none before the deal."""
        if not self.hands:
            return []
        played = PlayedHand(self.hands[seat], self.states[seat])
        played.outcome, played.payoff = self.outcomes[seat], self.payoffs[seat]
        return [played]

    @property
    def is_over(self) -> bool:
        """Whether every seat is settled."""
        return None not in self.outcomes

    def deal(self) -> list[Record]:
        """Deal the first cards and ask the first seat.

        A hand that is over 21 as dealt (two aces that always count 11) is a bust at once.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if the cards have already been dealt.
        """
        if self.records:
            raise RoundError("the cards of this round have already been dealt")
        rules, records = self.rules, self.records
        seats, ace, shoe = rules.seats, rules.ace, self._shoe
        shoe.begin_round()
        has_dealer = rules.dealer_stands is not None
        cards = shoe.deal_several(2 * (seats + has_dealer))
        for seat in SEATS[:seats]:
            first, second = hand = cards[2 * seat : 2 * seat + 2]
            self.hands.append(Hand(ace, hand))
            records += (CARD_DEALT[seat][first.index], CARD_DEALT[seat][second.index])
        if has_dealer:
            upcard, hole_card = hand = cards[-2:]
            self.dealer = Hand(ace, hand)
            records += (UPCARD_DEALT[upcard.index], HOLE_CARD_DEALT[hole_card.index])
        if ace is _ELEVEN:  # only two aces that count 11 each make more than 21
            for seat in SEATS[:seats]:
                self._settle_bust(seat)
        self._ask_from(0)
        return records[:]

    def verify_decide(self, seat: int, decision: Decision | None = None) -> None:
        """Raise a `RoundError` unless it is this seat's turn, and the decision, if any, is allowed."""
        if seat != self.turn:
            if self.is_over:
                raise RoundError("the round is over")
            if not self.records:
                raise RoundError("no cards have been dealt yet")
            raise RoundError(f"it is the turn of seat {self.turn}, not of seat {seat}")
        if decision is not None and decision not in self.options and decision not in HIT_OR_STAND:
            allowed = " or ".join(option.value for option in self.options)
            raise RoundError(f"{decision.value} is not allowed now: expected {allowed}")

    def can_decide(self, seat: int, decision: Decision | None = None) -> bool:
        """Whether it is this seat's turn, and the decision, if any, is allowed."""
        return seat == self.turn and (
            decision is None or decision in self.options or decision in HIT_OR_STAND
        )

    def decide(self, seat: int, decision: Decision) -> list[Record]:
        """Carry out a seat's decision, and everything that follows until the next decision is due.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if it is not this seat's turn, or the decision is not allowed. The round is then
                unchanged.
        """
        if seat != self.turn or (decision is not _STAND and decision is not _HIT):
            self.verify_decide(seat, decision)
        records = self.records
        start = len(records)
        records.append(TAKEN[seat][decision])
        if decision is _STAND:
            self.states[seat] = _STANDING
        else:
            self._hit(seat)
        # Against a dealer each seat finishes its hand first. Without a dealer the seats decide in turn.
        self._ask_from(seat if self.dealer is not None else seat + 1)
        return records[start:]

    def verify_forfeit(self, seat: int) -> None:
        """Raise a `RoundError` unless the seat has been dealt a hand and is not settled."""
        if not self.records:
            raise RoundError("no cards have been dealt yet")
        if self.outcomes[seat] is not None:
            raise RoundError(f"seat {seat} is settled: there is nothing left to forfeit")

    def can_forfeit(self, seat: int) -> bool:
        """Whether the seat has been dealt a hand that is not settled."""
        return self.outcomes[seat] is None and bool(self.records)

    def forfeit(self, seat: int) -> list[Record]:
        """Give up a seat's hands, in turn or out of turn: the seat has lost all that it has staked.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if the seat has no hand yet or is settled. The round is then unchanged.
        """
        self.verify_forfeit(seat)
        start = len(self.records)
        self.records.append(FORFEITED[seat])
        self.states[seat] = SeatState.FORFEITED
        self._settle_forfeit(seat)
        if seat == self.turn:
            self._ask_from(seat)
        return self.records[start:]

    def _settle_forfeit(self, seat: int) -> None:
        self._settle(seat, Outcome.LOSE)

    def _hit(self, seat: int) -> None:
        card = self._shoe.deal(seat)
        self.hands[seat].add(card)
        self.records.append(CARD_DEALT[seat][card.index])
        self._settle_bust(seat)

    def _settle(self, seat: int, outcome: Outcome) -> None:
        self.outcomes[seat] = outcome
        self.records.append(SETTLED[seat][outcome])

    def _settle_bust(self, seat: int) -> None:
        if self.hands[seat].total > TWENTY_ONE:
            self.states[seat] = SeatState.BUST
            self._settle(seat, Outcome.BUST)

    def _ask_from(self, first: int) -> None:
        """Ask the next seat that still plays, from `first` on round the table, or end the round."""
        states = self.states
        for seat in _ORDERS[len(states)][first]:
            if states[seat] is _PLAYING:
                self.turn = seat
                self.records.append(ASKED[seat])
                return
        self.turn = None
        self._finish()

    def _finish(self) -> None:
        """Play the dealer's hand if any seat stands, and settle the seats that stand."""
        states, dealer = self.states, self.dealer
        if _STANDING not in states:
            return
        if dealer is None:
            self._settle_showdown()
            return
        self._play_dealer(dealer)
        naturals = self.rules.naturals
        for seat, hand in enumerate(self.hands):
            if states[seat] is _STANDING:
                self._settle(seat, settle(hand, dealer, naturals))

    def _settle_showdown(self) -> None:
        standing = [seat for seat, state in enumerate(self.states) if state is _STANDING]
        outcomes = settle_showdown([self.hands[seat] for seat in standing], self.rules.naturals)
        for seat, outcome in zip(standing, outcomes, strict=True):
            self._settle(seat, outcome)

    def _play_dealer(self, dealer: Hand) -> None:
        self.records.append(HOLE_CARD_REVEALED[dealer.cards[1].index])
        while self.rules.dealer_draws(dealer):
            card = self._shoe.deal()
            dealer.add(card)
            self.records.append(DEALER_DREW[card.index])
