"""The engine of a round of the whole game: doubling, splitting, surrender, insurance, naturals at a ratio.

The order is that of `cards.round`, with more questions. With an ace showing, insurance is asked of each seat
first. Where surrender is early and the dealer peeks, surrender alone is asked next, with an ace or a ten
showing. Then the dealer peeks. Then each seat plays its hands from the first to the last. After a split hand
k keeps the first card, the second begins hand k + 1, and later hands move up; a hand gets its second card
when its turn comes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from typing import Final

from cards.hand import TWENTY_ONE, Hand
from cards.records import (
    CARD_DEALT,
    DEALER_DREW,
    HAND_CARD_DEALT,
    HAND_TAKEN,
    HIT_OR_STAND,
    HOLE_CARD_DEALT,
    HOLE_CARD_REVEALED,
    PEEKED,
    SEATS,
    UPCARD_DEALT,
    HandSettled,
    Record,
    asked,
    hand_begun,
    settled,
)
from cards.round import PlayedHand, Round, RoundError, SeatState
from cards.rules import (
    HALF,
    Decision,
    Double,
    HoleCard,
    Naturals,
    Outcome,
    Payoff,
    Rules,
    SplitAces,
    Surrender,
    exact,
)
from cards.shoe import Shoe

# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
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

_EQUAL: Final = Naturals.EQUAL
_PEEK: Final = HoleCard.PEEK
_OBO: Final = HoleCard.OBO
_NO_DOUBLE: Final = Double.NONE
_ALWAYS: Final = Double.ALWAYS
_NO_SURRENDER: Final = Surrender.NONE
_EARLY_SURRENDER: Final = Surrender.EARLY
_WIN: Final = Outcome.WIN
_LOSE: Final = Outcome.LOSE
_PUSH: Final = Outcome.PUSH

_INSURE_OR_NOT: Final = (_INSURE, _DECLINE)
_SURRENDER_OR_NOT: Final = (_SURRENDER, _DECLINE)
_STAND_OR_SPLIT: Final = (_STAND, _SPLIT)
_OPTIONS: Final = tuple(
    HIT_OR_STAND
    + ((_DOUBLE,) if number & 1 else ())
    + ((_SPLIT,) if number & 2 else ())
    + ((_SURRENDER,) if number & 4 else ())
    for number in range(8)
)
"""What is allowed in play: 1 for doubling, plus 2 for splitting, plus 4 for surrender."""

_NATURAL: Final = TWENTY_ONE + 1
"""The strength of a natural that beats every other 21."""


class _Question(Enum):
    """What is being asked of the seats, in this order."""

    INSURANCE = 1
    SURRENDER = 2
    PLAY = 3


_INSURANCE: Final = _Question.INSURANCE
_EARLY: Final = _Question.SURRENDER
_PLAY: Final = _Question.PLAY


class WholeRound(Round):
    """One round at a table that has new rules. `Round` makes one where the rules say so.

    Args:
        rules: the rules.
        shoe: where the cards come from.
        means: how many initial bets each seat can stake in all, its first among them; None for no limit.
            What it cannot cover is not offered.
        plain: the seats that are offered HIT and STAND only.

    Attributes:
        options: all that the seat whose turn it is may do now; none if nobody is asked.
        turn_hand: the hand, from 0, that it is asked about.
        means: how many initial bets each seat can stake in all; None for no limit.
        plain: the seats that are offered HIT and STAND only.
        insured: whether each seat has taken insurance.
        payoffs: the payoff of each seat in initial bets, with its insurance; None until the seat is settled.
    """

    __slots__ = (
        "_is_peek_due",
        "_played",
        "_question",
        "insured",
        "means",
        "options",
        "payoffs",
        "plain",
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
        super().__init__(rules, shoe)
        self.options: tuple[Decision, ...] = ()
        self.turn_hand: int = 0
        self.insured: list[bool] = [False] * rules.seats
        self.payoffs: list[Payoff | None] = [None] * rules.seats
        self._played: list[list[PlayedHand]] = []
        self.means: Sequence[Payoff | None] | None = means
        self.plain: Collection[int] = plain
        self._question = _PLAY
        self._is_peek_due = False

    def hands_of(self, seat: int) -> list[PlayedHand]:
        """The hands of a seat, from the first to the last; none before the deal."""
        return self._played[seat] if self._played else []

    # Dealing.

    def deal(self) -> list[Record]:
        """Deal the first cards and ask the first question.

        Returns:
            The records of what happened.

        Raises:
            RoundError: if the cards have already been dealt.
        """
        records, rules = self.records, self.rules
        if records:
            raise RoundError("the cards of this round have already been dealt")
        seats, ace, shoe = rules.seats, rules.ace, self._shoe
        shoe.begin_round()
        cards = shoe.deal_several(2 * seats + 2)
        for seat in SEATS[:seats]:
            first, second = pair = cards[2 * seat : 2 * seat + 2]
            hand = Hand(ace, pair)
            self.hands.append(hand)
            self._played.append(
                [PlayedHand(hand, _PLAYING if hand.total < TWENTY_ONE else self._dealt_state(hand))]
            )
            records += (CARD_DEALT[seat][first.index], CARD_DEALT[seat][second.index])
        upcard, hole_card = pair = cards[-2:]
        self.dealer = Hand(ace, pair)
        records += (UPCARD_DEALT[upcard.index], HOLE_CARD_DEALT[hole_card.index])
        self._is_peek_due = rules.hole_card is _PEEK and upcard.points in (1, 10)
        if upcard.is_ace and rules.insurance:
            self._question = _INSURANCE
        elif self._is_peek_due:
            self._question = _EARLY
        self._ask_from(0)
        return records[:]

    def _dealt_state(self, hand: Hand) -> SeatState:
        """The state of a hand of 21 or more as dealt: a natural that is paid at a ratio is over."""
        if hand.total > TWENTY_ONE:  # two aces that count 11 each
            return _BUST
        return _STANDING if self.rules.naturals.is_ratio else _PLAYING

    # Deciding.

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
        records, hand = self.records, self.turn_hand
        start = len(records)
        records.append(HAND_TAKEN[seat][hand][decision])
        played = self._played[seat][hand]
        if decision is _STAND:
            played.state = _STANDING
        elif decision is _HIT:
            self._draw(seat, hand, played)
            if played.state is _PLAYING:  # the same hand is asked again
                self._ask(seat, hand, self._options_of(seat, hand))
                return records[start:]
        elif decision is _DOUBLE:
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
        self._ask_from(seat if self._question is _PLAY else seat + 1, hand)
        return records[start:]

    def _draw(self, seat: int, hand: int, played: PlayedHand) -> None:
        card = self._shoe.deal(seat, hand)
        played.hand.add(card)
        self.records.append(HAND_CARD_DEALT[seat][hand][card.index])
        if played.hand.total > TWENTY_ONE:
            played.state = _BUST

    def _split(self, seat: int, hand: int, played: PlayedHand) -> None:
        """Leave the first card on the hand, and begin the next hand with the second."""
        first, second = (Hand(self.rules.ace, [card]) for card in played.hand.cards)
        played.hand, played.is_split = first, True
        self._played[seat].insert(hand + 1, PlayedHand(second, _PLAYING, is_split=True))
        if hand == 0:
            self.hands[seat] = first

    # Asking.

    def _ask_from(self, seat: int, hand: int = 0) -> None:
        """Ask what is to be asked next, from this seat and hand on, or end the round."""
        if self._question is not _PLAY:
            if self._ask_before_play(seat):
                return
            seat = hand = 0
        seats = len(self._played)
        while seat < seats:
            if self._ask_seat(seat, hand):
                return
            seat += 1
            hand = 0
        self.turn, self.options = None, ()
        self._finish()

    def _ask_before_play(self, seat: int) -> bool:
        """Ask for insurance, then for surrender, and peek; whether this asks somebody, or ends the round."""
        if self._question is _INSURANCE:
            for number in SEATS[seat : len(self._played)]:
                if self._may_insure(number):
                    self._ask(number, 0, _INSURE_OR_NOT)
                    return True
            self._question, seat = _EARLY, 0
        if self._is_peek_due:
            if self.rules.surrender is _EARLY_SURRENDER:
                for number in SEATS[seat : len(self._played)]:
                    if self._is_playing(number) and number not in self.plain:
                        self._ask(number, 0, _SURRENDER_OR_NOT)
                        return True
            if self._peek():
                return True
        self._question = _PLAY
        return False

    def _peek(self) -> bool:
        """Look at the hole card; a natural ends the round, and is told whether there is one."""
        assert self.dealer is not None
        has_natural = self.dealer.is_natural
        self.records.append(PEEKED[has_natural])
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

    def _ask_seat(self, seat: int, hand: int) -> bool:
        """Ask a seat about its next hand that still plays, from `hand` on; whether there is one."""
        if self.outcomes[seat] is not None:
            return False
        hands = self._played[seat]
        while hand < len(hands):
            played = hands[hand]
            if played.state is _PLAYING:
                is_dealt = len(played.hand.cards) > 1
                options = self._options_of(seat, hand) if is_dealt else self._begin(seat, hand)
                if options:
                    self._ask(seat, hand, options)
                    return True
                played.state = _STANDING
            hand += 1
        self.states[seat] = hands[0].state if len(hands) == 1 else _state_of(hands)
        return False

    def _ask(self, seat: int, hand: int, options: tuple[Decision, ...]) -> None:
        self.turn, self.turn_hand, self.options = seat, hand, options
        self.records.append(asked(seat, hand, options))

    def _begin(self, seat: int, hand: int) -> tuple[Decision, ...]:
        """Give a hand that a split has made its second card; what may be done with it then, if anything."""
        hands = self._played[seat]
        played = hands[hand]
        self.records.append(hand_begun(seat, hand, len(hands)))
        is_ace = played.hand.cards[0].is_ace
        self._draw(seat, hand, played)
        options = self._options_of(seat, hand)
        if not is_ace or self.rules.split_aces is SplitAces.PLAY:
            return options
        return _STAND_OR_SPLIT if _SPLIT in options else ()

    def _options_of(self, seat: int, hand: int) -> tuple[Decision, ...]:
        """All that may be done with a hand of two cards or more."""
        rules, hands = self.rules, self._played[seat]
        played = hands[hand]
        first, second, *more = played.hand.cards
        if (more and rules.double is not _ALWAYS) or seat in self.plain:
            return HIT_OR_STAND
        number = 0
        if self.means is None or self._covers(seat, 1):
            if rules.double is not _NO_DOUBLE and self._may_double(played):
                number = 1
            if first.points == second.points and not more and self._may_split(played, len(hands)):
                number += 2
        if rules.surrender is not _NO_SURRENDER and not more and self._may_surrender(len(hands)):
            number += 4
        return _OPTIONS[number]

    def _may_double(self, played: PlayedHand) -> bool:
        rules = self.rules
        if played.is_split and not rules.double_after_split:
            return False
        totals = rules.double.totals
        return totals is None or played.hand.total in totals  # a soft total is 12 or more

    def _may_split(self, played: PlayedHand, hands: int) -> bool:
        """Whether a pair may be split where the seat has so many hands."""
        rules = self.rules
        if hands >= rules.split:
            return False
        return not (played.is_split and played.hand.cards[0].is_ace and rules.split_aces is SplitAces.ONCE)

    def _may_surrender(self, hands: int) -> bool:
        """Whether surrender is offered in the first decision, if it was not before the dealer peeked."""
        return hands == 1 and not (self.rules.surrender is _EARLY_SURRENDER and self._is_peek_due)

    def _covers(self, seat: int, more: Payoff) -> bool:
        """Whether a seat can stake so much more, in initial bets."""
        means = None if self.means is None else self.means[seat]
        return means is None or self.stakes(seat) + more <= means

    def stakes(self, seat: int) -> Payoff:
        """What a seat has on the table, in initial bets: half is left of a hand that was surrendered."""
        staked: Payoff = HALF if self.insured[seat] else 0
        for played in self._played[seat]:
            staked += HALF if played.state is _SURRENDERED else played.stake
        return exact(staked)

    # Settling.

    def _settle_forfeit(self, seat: int) -> None:
        """Settle a seat that gives up its hands: it loses what it has on the table, its insurance too."""
        lost = -self.stakes(seat)
        for played in self._played[seat]:
            played.payoff = -HALF if played.state is _SURRENDERED else -played.stake
            played.outcome = _LOSE
            played.state = SeatState.FORFEITED
        if len(self._played[seat]) > 1:
            self._record_hands(seat)
        self._settle_for(seat, _LOSE, lost)

    def _finish(self) -> None:
        """Turn the hole card, play the dealer's hand if another stands against it, and settle all seats."""
        dealer, rules = self.dealer, self.rules
        assert dealer is not None
        self.records.append(HOLE_CARD_REVEALED[dealer.cards[1].index])
        if self._is_dealer_to_draw():
            while rules.dealer_draws(dealer):
                card = self._shoe.deal()
                dealer.add(card)
                self.records.append(DEALER_DREW[card.index])
        has_natural = dealer.is_natural and rules.naturals is not _EQUAL
        for seat, outcome in enumerate(self.outcomes):
            if outcome is None:
                self._settle_seat(seat, dealer, has_natural)

    def _is_dealer_to_draw(self) -> bool:
        """Whether a hand stands that is no natural paid at a ratio."""
        is_ratio = self.rules.naturals.is_ratio
        for hands in self._played:
            for played in hands:
                if played.state is _STANDING and not (is_ratio and played.is_natural):
                    return True
        return False

    def _settle_seat(self, seat: int, dealer: Hand, has_natural: bool) -> None:
        hands = self._played[seat]
        takes_one = has_natural and self.rules.hole_card is _OBO
        if len(hands) == 1 and not takes_one and not self.insured[seat]:  # nearly always
            played = hands[0]
            payoff = played.payoff = self._payoff_of(played, dealer, has_natural)
            outcome = played.outcome = _outcome_of(played.state, payoff)
            self._settle_for(seat, outcome, payoff)
            return
        if takes_one:
            payoffs = self._payoffs_of_one_bet(hands)
        else:
            payoffs = [self._payoff_of(played, dealer, has_natural) for played in hands]
        for played, payoff in zip(hands, payoffs, strict=True):
            played.payoff = payoff
            played.outcome = _outcome_of(played.state, payoff)
        if len(hands) > 1:
            self._record_hands(seat)
        total = payoffs[0] if len(payoffs) == 1 else sum(payoffs)
        if self.insured[seat]:
            total = exact(total + (1 if has_natural else -HALF))
        self._settle_for(seat, _outcome_of(_state_of(hands), total), total)

    def _payoffs_of_one_bet(self, hands: Sequence[PlayedHand]) -> list[Payoff]:
        """What a natural leaves that takes the initial bet only: it was staked on the first hand."""
        first = hands[0]
        if first.state is _SURRENDERED:
            return [-HALF]
        is_push = first.state is _STANDING and first.is_natural
        return [0 if is_push else -1, *[0] * (len(hands) - 1)]

    def _payoff_of(self, played: PlayedHand, dealer: Hand, has_natural: bool) -> Payoff:
        """The payoff of a hand, in initial bets, if the dealer's natural takes every stake."""
        state, hand = played.state, played.hand
        if state is _SURRENDERED:
            return -HALF
        if state is _BUST:
            return -played.stake
        naturals = self.rules.naturals
        is_natural = naturals is not _EQUAL and played.is_natural
        mine = _NATURAL if is_natural else hand.total
        theirs = _NATURAL if has_natural else dealer.total if dealer.total <= TWENTY_ONE else 0
        if mine == theirs:
            return 0
        if mine < theirs:
            return -played.stake
        return naturals.payoff if is_natural else played.stake

    def _record_hands(self, seat: int) -> None:
        """Record how each hand of a seat that has split was settled."""
        for number, played in enumerate(self._played[seat]):
            assert played.outcome is not None
            assert played.payoff is not None
            self.records.append(HandSettled(seat, number, played.outcome, played.payoff))

    def _settle_for(self, seat: int, outcome: Outcome, payoff: Payoff) -> None:
        self.outcomes[seat] = outcome
        self.payoffs[seat] = payoff
        self.records.append(settled(seat, outcome, payoff))


def _state_of(hands: Sequence[PlayedHand]) -> SeatState:
    """The state of a seat of which no hand plays any more: it is bust if every hand is."""
    if len(hands) == 1:
        return hands[0].state
    return _BUST if all(played.state is _BUST for played in hands) else _STANDING


def _outcome_of(state: SeatState, payoff: Payoff) -> Outcome:
    """The word for a hand, or for all hands of a seat."""
    if state is _SURRENDERED:
        return Outcome.SURRENDER
    if state is _BUST:
        return Outcome.BUST
    if payoff == 0:
        return _PUSH
    return _WIN if payoff > 0 else _LOSE
