"""The engine of one round: it deals, asks each seat for its decisions, plays the dealer's hand, and settles.

The order of the cards is fixed, so the same shoe and the same decisions always give the same round: two cards
to each seat in seat order, the upcard, the hole card, then a card for each hit, then the dealer's cards.

With an ace showing, insurance is asked of each seat first. Where surrender is early and the dealer peeks,
surrender alone is asked next, with an ace or a ten showing. Then the dealer peeks. Then each seat plays its
hands from the first to the last. After a split hand k keeps the first card, the second begins hand k + 1, and
later hands move up; a hand gets its second card when its turn comes. Without a dealer the seats decide in
turn, one card at a time.

There are three functions for each action (`decide`, `forfeit`): `verify_...` raises a `RoundError` if the
action is not allowed, `can_...` answers whether it is, and the action itself returns records of everything
that happened.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from typing import Final

from mypy_extensions import mypyc_attr

from cards import asking
from cards.card import Card
from cards.hand import TWENTY_ONE, Ace, Hand
from cards.played import PlayedHand, SeatState
from cards.records import (
    DEALER_DREW,
    FORFEITED,
    HAND_ASKED,
    HAND_TAKEN,
    HIT_OR_STAND,
    HOLE_CARD_DEALT,
    HOLE_CARD_REVEALED,
    PEEKED,
    SEATS,
    SETTLED,
    UPCARD_DEALT,
    HandSettled,
    Record,
    asked,
    cards_dealt,
    hand_begun,
    settled,
)
from cards.rules import DRAWS_BELOW, HALF, Decision, HoleCard, Naturals, Outcome, Payoff, Rules, exact
from cards.settling import HALF_LOST, outcome_of, settle_hand, settle_lone_bet, settle_showdown, state_of
from cards.shoe import Shoe


class RoundError(Exception):
    """An action that is not allowed at this point of the round, in one sentence that says why."""


# In Python 3.11 a look at a member of an Enum through its class is slow: without these names a round takes
# 16 % longer under `course`, and 13 % under `vegas` (of 13 and 18 us).
_HIT: Final = Decision.HIT
_STAND: Final = Decision.STAND
_DOUBLE: Final = Decision.DOUBLE
_SPLIT: Final = Decision.SPLIT
_SURRENDER: Final = Decision.SURRENDER
_INSURE: Final = Decision.INSURE
_DECLINE: Final = Decision.DECLINE
_PLAYING: Final = SeatState.PLAYING
_STANDING: Final = SeatState.STANDING
_BUST: Final = SeatState.BUST
_SURRENDERED: Final = SeatState.SURRENDERED
_LOSE: Final = Outcome.LOSE
_ELEVEN: Final = Ace.ELEVEN
_EQUAL: Final = Naturals.EQUAL
_LAST: Final = HoleCard.LAST
_OBO: Final = HoleCard.OBO


class _Question(Enum):
    """The questions to the seats, in this order."""

    INSURANCE = 1
    SURRENDER = 2
    PLAY = 3


_INSURANCE: Final = _Question.INSURANCE
_EARLY: Final = _Question.SURRENDER
_PLAY: Final = _Question.PLAY


@mypyc_attr(allow_interpreted_subclasses=True)
class Round:
    """One round at one table.

    Call `deal` once. Then `turn` is the seat to decide, until `is_over`.

    Args:
        rules: the rules.
        shoe: where the cards come from.
        means: how many initial bets each seat can stake in all, its first among them; None for no limit.
            What it cannot cover is not offered.
        plain: the seats that are offered HIT and STAND only.

    Attributes:
        rules: the rules, including the number of seats.
        states: the state of each seat.
        dealer: the dealer's hand; None before the deal and at a table without a dealer.
        turn: the seat whose decision is due; None before the deal and when the round is over.
        turn_hand: the hand, from 0, that it is asked about.
        options: all that it may do now; none if no seat is asked.
        means: how many initial bets each seat can stake in all; None for no limit.
        plain: the seats that are offered HIT and STAND only.
        insured: whether each seat has taken insurance.
        outcomes: the outcome of each seat; None until the seat is settled.
        payoffs: the payoff of each seat in initial bets, with its insurance; None until the seat is settled.
        records: everything that has happened, in order.
    """

    __slots__ = (
        "_is_peek_due",
        "_news",
        "_played",
        "_question",
        "_shoe",
        "dealer",
        "insured",
        "means",
        "options",
        "outcomes",
        "payoffs",
        "plain",
        "records",
        "rules",
        "states",
        "turn",
        "turn_hand",
    )

    def __init__(
        self,
        rules: Rules,
        shoe: Shoe,
        *,
        means: Sequence[Payoff | None] | None = None,
        plain: Collection[int] = (),
    ) -> None:
        seats = rules.seats
        self.rules = rules
        self.states = [_PLAYING] * seats
        self.dealer: Hand | None = None
        self.turn: int | None = None
        self.turn_hand = 0
        self.options: tuple[Decision, ...] = ()
        self.means = means
        self.plain = plain
        self.insured = [False] * seats
        self.outcomes: list[Outcome | None] = [None] * seats
        self.payoffs: list[Payoff | None] = [None] * seats
        self.records: list[Record] = []
        self._news: list[Record] = []  # what happens now, which becomes a part of the records at its end
        self._played: list[list[PlayedHand]] = []
        self._question = _PLAY
        self._is_peek_due = False
        self._shoe = shoe

    @property
    def upcard(self) -> Card | None:
        """The dealer's first card; None before the deal and at a table without a dealer."""
        return None if self.dealer is None else self.dealer.cards[0]

    @property
    def is_over(self) -> bool:
        """Whether every seat is settled."""
        return None not in self.outcomes

    @property
    def hands(self) -> list[Hand]:
        """The first hand of each seat; none before the deal."""
        return [hands[0].hand for hands in self._played]

    def hands_of(self, seat: int) -> list[PlayedHand]:
        """The hands of a seat, from the first to the last; none before the deal."""
        return self._played[seat] if self._played else []

    # Dealing.

    def deal(self) -> list[Record]:
        """Deal the first cards and ask the first question.

        A hand that is over 21 as dealt (two aces that always count 11) is bust.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if the cards have already been dealt.
        """
        if self.records:
            raise RoundError("the cards of this round have already been dealt")
        rules, shoe = self.rules, self._shoe
        news = self._news = []
        seats, ace, has_dealer = rules.seats, rules.ace, rules.dealer_stands is not None
        all_played = self._played
        shoe.begin_round()
        cards = shoe.deal_several(2 * (seats + has_dealer))
        for seat in range(seats):
            first, second = pair = cards[2 * seat : 2 * seat + 2]
            hand = Hand(ace, pair)
            state = _PLAYING if hand.total < TWENTY_ONE else asking.state_as_dealt(rules, hand.total)
            all_played.append([PlayedHand(hand, state)])
            dealt = cards_dealt(seat, 0)
            news += (dealt[first.index], dealt[second.index])
        if has_dealer:
            upcard, hole_card = pair = cards[-2:]
            self.dealer = Hand(ace, pair)
            news += (UPCARD_DEALT[upcard.index], HOLE_CARD_DEALT[hole_card.index])
            if rules.hole_card is not _LAST or rules.insurance:
                self._begin_questions(upcard.points)
        if ace is _ELEVEN:  # only two aces that count 11 each make more than 21
            for seat in range(seats):
                self._settle_bust(seat, self._played[seat][0])
        self._ask_from(0)
        self.records += news
        return news

    def _begin_questions(self, upcard: int) -> None:
        rules = self.rules
        self._is_peek_due = asking.peeks(rules, upcard)
        if asking.offers_insurance(rules, upcard):
            self._question = _INSURANCE
        elif self._is_peek_due:
            self._question = _EARLY

    # Deciding.

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

        HIT and STAND are always allowed: they decline what is asked before play, and where a split ace may
        only be split again, HIT is STAND.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if it is not this seat's turn, or the decision is not allowed. The round is then
                unchanged.
        """
        if seat != self.turn or decision not in self.options:
            self.verify_decide(seat, decision)
            decision = _STAND if self._question is _PLAY else _DECLINE
        hand = self.turn_hand
        news = self._news = [HAND_TAKEN[seat][hand][decision]]
        played = self._played[seat][hand]
        if decision is _STAND:
            played.state = _STANDING
        elif decision is _HIT:
            self._draw(seat, hand, played)
        else:
            self._take(seat, hand, played, decision)
        if decision is _HIT and played.state is _PLAYING and self.dealer is not None:
            if self.rules.tells_payoffs:  # otherwise HIT and STAND are all that is ever offered
                self._ask(seat, hand, self._options_of(seat, hand))
            else:
                news.append(HAND_ASKED[seat][hand])
        elif self.dealer is None:
            self.states[seat] = played.state
            self._ask_from(seat + 1)  # the seats decide in turn
        elif self._question is not _PLAY:
            self._ask_from(seat + 1)
        else:
            self._ask_from(seat, hand)
        self.records += news
        return news

    def _take(self, seat: int, hand: int, played: PlayedHand, decision: Decision) -> None:
        """Carry out a decision other than HIT and STAND; to decline does nothing."""
        if decision is _DOUBLE:
            played.stake = 2
            self._draw(seat, hand, played)
            if played.state is _PLAYING:
                played.state = _STANDING
        elif decision is _SPLIT:
            self._split(seat, hand, played)
        elif decision is _SURRENDER:
            played.state = _SURRENDERED
        elif decision is _INSURE:
            self.insured[seat] = True

    def _draw(self, seat: int, hand: int, played: PlayedHand) -> None:
        card = self._shoe.deal(seat, hand)
        played.hand.add(card)
        self._news.append(cards_dealt(seat, hand)[card.index])
        if played.hand.total > TWENTY_ONE:
            played.state = _BUST
            self._settle_bust(seat, played)

    def _split(self, seat: int, hand: int, played: PlayedHand) -> None:
        """Leave the first card on the hand, and begin the next hand with the second."""
        first, second = (Hand(self.rules.ace, [card]) for card in played.hand.cards)
        played.hand, played.is_split = first, True
        self._played[seat].insert(hand + 1, PlayedHand(second, _PLAYING, is_split=True))

    # Giving up.

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
        news = self._news = [FORFEITED[seat]]
        self.states[seat] = SeatState.FORFEITED
        self._settle_forfeit(seat)
        if seat == self.turn:
            self._ask_from(seat)
        self.records += news
        return news

    # Asking.

    def _ask_from(self, seat: int, hand: int = 0) -> None:
        """Ask what is to be asked next, from this seat and hand on, or end the round."""
        if self._question is not _PLAY:
            if self._ask_before_play(seat):
                return
            seat = hand = 0
        if self.dealer is None:
            if self._ask_in_turn(seat):
                return
        else:
            outcomes, seats, asks_more = self.outcomes, self.rules.seats, self.rules.tells_payoffs
            while seat < seats:
                if outcomes[seat] is None:
                    hands = self._played[seat]
                    for played in hands[hand:]:
                        if played.state is _PLAYING:
                            if not asks_more:  # HIT and STAND are all that is ever offered
                                self.turn, self.turn_hand, self.options = seat, hand, HIT_OR_STAND
                                self._news.append(HAND_ASKED[seat][hand])
                                return
                            if self._ask_hand(seat, hand):
                                return
                        hand += 1
                    self.states[seat] = hands[0].state if hand == 1 else state_of(hands)
                seat += 1
                hand = 0
        self.turn, self.options = None, ()
        self._finish()

    def _ask_in_turn(self, seat: int) -> bool:
        """Ask the next seat that still plays, from this one on round the table; whether there is one."""
        seats = len(self._played)
        for turned in range(seats):
            number = (seat + turned) % seats
            if self._is_playing(number):
                self._ask(number, 0, HIT_OR_STAND)
                return True
        return False

    def _ask_before_play(self, seat: int) -> bool:
        """Ask for insurance, then for surrender, and peek; whether this asks somebody, or ends the round."""
        if self._question is _INSURANCE:
            for number in SEATS[seat : len(self._played)]:
                if self._may_insure(number):
                    self._ask(number, 0, asking.INSURE_OR_NOT)
                    return True
            self._question, seat = _EARLY, 0
        if self._is_peek_due:
            if asking.is_surrender_early(self.rules):
                for number in SEATS[seat : len(self._played)]:
                    if self._is_playing(number) and number not in self.plain:
                        self._ask(number, 0, asking.SURRENDER_OR_NOT)
                        return True
            if self._peek():
                return True
        self._question = _PLAY
        return False

    def _peek(self) -> bool:
        """Look at the hole card; a natural ends the round, and is told whether there is one."""
        assert self.dealer is not None
        has_natural = self.dealer.is_natural
        self._news.append(PEEKED[has_natural])
        if has_natural:
            self.turn, self.options = None, ()
            self._stand_all()
            self._finish()
        return has_natural

    def _stand_all(self) -> None:
        """Let every hand be over as it is."""
        for seat, (played,) in enumerate(self._played):
            if played.state is _PLAYING:
                played.state = _STANDING
            self.states[seat] = played.state

    def _may_insure(self, seat: int) -> bool:
        played = self._played[seat][0]
        is_in_play = self.outcomes[seat] is None and played.state is not _BUST
        return is_in_play and seat not in self.plain and self._covers(seat, HALF)

    def _is_playing(self, seat: int) -> bool:
        return self.outcomes[seat] is None and self._played[seat][0].state is _PLAYING

    def _ask_hand(self, seat: int, hand: int) -> bool:
        """Ask about a hand that still plays; whether there is anything to ask. If not, it stands."""
        is_begun = len(self._played[seat][hand].hand.cards) > 1
        options = self._options_of(seat, hand) if is_begun else self._begin(seat, hand)
        if options:
            self._ask(seat, hand, options)
        else:
            self._played[seat][hand].state = _STANDING
        return bool(options)

    def _ask(self, seat: int, hand: int, options: tuple[Decision, ...]) -> None:
        self.turn, self.turn_hand, self.options = seat, hand, options
        self._news.append(asked(seat, hand, options))

    def _begin(self, seat: int, hand: int) -> tuple[Decision, ...]:
        """Give a hand that a split has made its second card; what may be done with it then, if anything."""
        hands = self._played[seat]
        played = hands[hand]
        self._news.append(hand_begun(seat, hand, len(hands)))
        points = played.hand.cards[0].points
        self._draw(seat, hand, played)
        options = self._options_of(seat, hand)
        if asking.is_played(self.rules, points):
            return options
        return asking.STAND_OR_SPLIT if _SPLIT in options else ()

    def _options_of(self, seat: int, hand: int) -> tuple[Decision, ...]:
        """The decisions about a hand of two cards or more."""
        rules = self.rules
        if seat in self.plain:
            return HIT_OR_STAND
        assert self.dealer is not None
        hands, upcard = self._played[seat], self.dealer.cards[0].points
        covers = self.means is None or self._covers(seat, 1)
        return asking.options_in_play(rules, hands[hand], len(hands), upcard, covers=covers)

    def _covers(self, seat: int, more: Payoff) -> bool:
        """Whether a seat can stake so much more, in initial bets."""
        means = None if self.means is None else self.means[seat]
        return means is None or self.stakes(seat) + more <= means

    def stakes(self, seat: int) -> Payoff:
        """The stakes of a seat, in initial bets: half is left of a hand that was surrendered."""
        staked: Payoff = HALF if self.insured[seat] else 0
        for played in self._played[seat]:
            staked += HALF if played.state is _SURRENDERED else played.stake
        return exact(staked)

    # Settling.

    def _settle_bust(self, seat: int, played: PlayedHand) -> None:
        """Settle a bust at once, at a table without payoffs, where it is told at once."""
        if played.state is not _BUST or self.rules.tells_payoffs:
            return
        self.states[seat] = _BUST
        played.outcome, played.payoff = Outcome.BUST, -played.stake
        self._settle(seat, Outcome.BUST, -played.stake)

    def _settle_forfeit(self, seat: int) -> None:
        """Settle a seat that gives up its hands: it loses what it has on the table, its insurance too."""
        lost = -self.stakes(seat)
        for played in self._played[seat]:
            played.payoff = HALF_LOST if played.state is _SURRENDERED else -played.stake
            played.outcome = _LOSE
            played.state = SeatState.FORFEITED
        if len(self._played[seat]) > 1:
            self._record_hands(seat)
        self._settle(seat, _LOSE, lost)

    def _finish(self) -> None:
        """Turn the hole card, play the dealer's hand if another stands against it, and settle all seats."""
        dealer, rules = self.dealer, self.rules
        if dealer is None:
            self._settle_showdown()
            return
        if None not in self.outcomes and rules.hides_hole_card:
            return  # no seat is left to see the hole card
        self._news.append(HOLE_CARD_REVEALED[dealer.cards[1].index])
        # Against naturals alone that are paid at a ratio the dealer draws nothing.
        if _STANDING in self.states and (not rules.naturals.is_ratio or self._is_any_no_natural()):
            deal, news = self._shoe.deal, self._news
            while dealer.total < DRAWS_BELOW or (dealer.is_soft and rules.dealer_draws(dealer)):
                card = deal()
                dealer.add(card)
                news.append(DEALER_DREW[card.index])
        has_natural = rules.naturals is not _EQUAL and dealer.is_natural
        for seat, hands in enumerate(self._played):
            if self.outcomes[seat] is not None:
                continue
            if has_natural or self.insured[seat] or len(hands) > 1:
                self._settle_hands(seat, dealer, has_natural)
            else:  # nearly always: in half the time
                outcome, payoff = settle_hand(hands[0], dealer, False, rules.naturals)
                hands[0].outcome, hands[0].payoff = outcome, payoff
                self._settle(seat, outcome, payoff)

    def _settle_showdown(self) -> None:
        standing = [seat for seat, outcome in enumerate(self.outcomes) if outcome is None]
        outcomes = settle_showdown([self.hands[seat] for seat in standing], self.rules.naturals)
        for seat, outcome in zip(standing, outcomes, strict=True):
            (played,) = self._played[seat]
            played.outcome, played.payoff = outcome, outcome.payoff
            self._settle(seat, outcome, outcome.payoff)

    def _is_any_no_natural(self) -> bool:
        """Whether a hand stands that is no natural."""
        for hands in self._played:
            for played in hands:
                if played.state is _STANDING and (played.hand.total != TWENTY_ONE or not played.is_natural):
                    return True
        return False

    def _settle_hands(self, seat: int, dealer: Hand, has_natural: bool) -> None:
        rules, hands = self.rules, self._played[seat]
        if has_natural and rules.hole_card is _OBO:
            settle_lone_bet(hands)
        else:
            for played in hands:
                played.outcome, played.payoff = settle_hand(played, dealer, has_natural, rules.naturals)
        if len(hands) > 1:
            self._record_hands(seat)
        total: Payoff = sum(played.payoff or 0 for played in hands)
        if self.insured[seat]:
            total = exact(total + (1 if has_natural else -HALF))
        self._settle(seat, outcome_of(state_of(hands), total), total)

    def _record_hands(self, seat: int) -> None:
        """Record how each hand of a seat that has split was settled."""
        for number, played in enumerate(self._played[seat]):
            assert played.outcome is not None
            assert played.payoff is not None
            self._news.append(HandSettled(seat, number, played.outcome, played.payoff))

    def _settle(self, seat: int, outcome: Outcome, payoff: Payoff) -> None:
        self.outcomes[seat] = outcome
        self.payoffs[seat] = payoff
        is_told = self.rules.tells_payoffs
        self._news.append(settled(seat, outcome, payoff) if is_told else SETTLED[seat][outcome])
