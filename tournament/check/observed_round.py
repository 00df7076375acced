"""A round as a dealer has shown it, compared with the rules."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from cards import (
    CARDS,
    DEALER,
    HIT_OR_STAND,
    Ace,
    Card,
    Decision,
    Hand,
    Outcome,
    Payoff,
    Round,
    Rules,
    SeatSettled,
    settle_showdown,
)
from protocol import (
    Begin,
    CardMessage,
    DealerCard,
    DealerMessage,
    DecisionRequest,
    HandTurn,
    OtherHand,
    Result,
    SideRequest,
    encode,
)
from tournament.check.fault import Fault
from twentyone.support.counts import counted


class SeenShoe:
    """A shoe that deals the cards that were seen; where the dealer did not show one, it is any other.

    Args:
        player: the cards of the player, in order.
        dealer: those of the dealer.
    """

    def __init__(self, player: Iterable[Card], dealer: Iterable[Card]) -> None:
        self.player, self.dealer = deque(player), deque(dealer)
        self.lacks = False

    def begin_round(self) -> bool:
        """Nothing: there is one round."""
        return False

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card of the player, or of the dealer."""
        cards = self.dealer if seat == DEALER else self.player
        if cards:
            return cards.popleft()
        self.lacks = True
        return CARDS[8]

    def deal_several(self, count: int) -> list[Card]:
        """The first cards: two for the player, and two for the dealer."""
        return [self.deal(seat) for seat in (0, 0, DEALER, DEALER)[:count]]


class ObservedRound:
    """A round, as one player has seen it.

    Args:
        rules: the rules, as far as they are known; otherwise those of `course`.
        is_certain: whether they are known.
        shows: whether the dealer tells its cards at the end.
    """

    def __init__(self, rules: Rules, *, is_certain: bool, shows: bool) -> None:
        self._rules = replace(rules, seats=1) if rules.has_dealer else rules
        self._is_certain = is_certain
        self._tells_payoffs = rules.tells_payoffs
        self._shows = shows or rules.tells_payoffs
        self._player: list[Card] = []
        self._dealer: list[Card] = []
        self._others: list[OtherHand] = []
        self._asked: list[tuple[Decision, ...]] = []
        self._decided: list[Decision] = []
        self._turns = 0
        self._bet = 1
        self._means: Payoff | None = None
        self._has_begun = False

    def bet(self, chips: int, bankroll: Payoff) -> None:
        """Note the bet, and the chips that it comes from."""
        self._bet = chips
        self._means = Fraction(bankroll) / chips

    def decide(self, decision: Decision) -> None:
        """Note what was answered."""
        self._decided.append(decision)

    def take(self, message: DealerMessage) -> None:
        """Take a message of the round.

        Raises:
            Fault: if it cannot be right.
        """
        match message:
            case Begin():
                self._has_begun = True
            case CardMessage(card):
                self._take_card(card)
            case DealerCard(card):
                self._see(card)
                self._dealer.append(card)
            case OtherHand(_, _, cards):
                for card in cards:
                    self._see(card)
                self._others.append(message)
            case HandTurn():
                self._turns += 1
            case DecisionRequest(options) | SideRequest(options):
                self._take_question(options)
            case Result():
                self._take_result(message)

    def _take_card(self, card: Card) -> None:
        has_stood = bool(self._decided) and self._decided[-1] is Decision.STAND
        if has_stood and not self._tells_payoffs:
            raise Fault(f"it sent CARD {card} after STAND: expected no further card")
        self._see(card)
        self._player.append(card)

    def _see(self, card: Card) -> None:
        """Count a card that is seen."""
        if self._rules.decks is None:
            return
        seen = Counter(
            [*self._player, *self._dealer, *(each for hand in self._others for each in hand.cards)]
        )
        decks = self._rules.decks if self._is_certain else 1
        if seen[card] >= decks:
            times = "twice" if decks == 1 else f"{decks + 1} times"
            deck = "deck" if decks == 1 else "decks"
            raise Fault(
                f"it dealt the {card} {times} in a round: expected each card at most as often as in"
                f" {decks} {deck}"
            )

    def _take_question(self, options: tuple[Decision, ...]) -> None:
        has_upcard = self._is_certain and self._rules.has_dealer
        if len(self._player) < 2 or (has_upcard and not self._dealer):
            upcard = " and the upcard (DEALER)" if has_upcard else ""
            seen = counted(len(self._player), "card")
            raise Fault(f"it sent DECISION after {seen}: expected two cards{upcard} first")
        if not self._turns and self._is_certain and self._hand().total > 21:
            raise Fault(f"it sent DECISION for a hand of {self._hand().total}: expected RESULT BUST")
        if len(self._asked) > len(self._decided):
            raise Fault("it sent DECISION twice for one answer")
        self._asked.append(options)

    def _hand(self) -> Hand:
        return Hand(self._rules.ace, self._player)

    def _take_result(self, result: Result) -> None:
        """See that the result follows from the cards and the decisions."""
        total = self._hand().total
        if len(self._player) < 2:
            raise Fault(
                f"it sent {_text(result)} after {counted(len(self._player), 'card')}: expected two first"
            )
        if not self._is_certain and self._tells_payoffs:
            return
        if not self._turns:
            self._verify_bust(result)
        if not self._is_certain:
            return
        if self._rules.has_dealer:
            self._replay(result)
        elif self._shows and total <= 21:
            self._settle_showdown(result)

    def _verify_bust(self, result: Result) -> None:
        """See that a hand is bust if and only if it is over 21; what aces count may not be known."""
        cards = ", ".join(map(str, self._player))
        aces = [self._rules.ace] if self._is_certain else list(Ace)
        totals = [Hand(ace, self._player).total for ace in aces]
        least, most = min(totals), max(totals)
        if least > 21 and result.outcome is not Outcome.BUST:
            raise Fault(f"it sent {_text(result)} for a hand of {least} ({cards}): expected RESULT BUST")
        if most <= 21 and result.outcome is Outcome.BUST:
            raise Fault(f"it sent RESULT BUST for a hand of {most} ({cards}), which is not over 21")

    def _settle_showdown(self, result: Result) -> None:
        mine = self._hand()
        others = [Hand(self._rules.ace, other.cards) for other in self._others]
        standing = [hand for hand in others if hand.total <= 21]
        expected = settle_showdown([mine, *standing], self._rules.naturals)[0]
        if expected is not result.outcome:
            totals = ", ".join(str(hand.total) for hand in others)
            raise Fault(
                f"it sent {_text(result)} for {mine.total} against {totals}: expected {expected.value}"
            )

    def _replay(self, result: Result) -> None:
        """Play the round again by the rules, with the cards that were seen and what was decided."""
        shoe = SeenShoe(self._player, self._dealer)
        round_ = Round(self._rules, shoe, means=[self._means])
        round_.deal()
        for number, decision in enumerate(self._decided):
            if round_.turn is None:
                raise Fault(
                    f"it asked for a decision number {number + 1}: the rules end the round before that"
                )
            self._compare_options(round_, self._asked[number])
            if not round_.can_decide(0, decision):
                raise Fault(f"it took {decision.value}, which the rules do not allow there")
            round_.decide(0, decision)
        if round_.turn is not None:
            raise Fault(f"it sent {_text(result)} where the rules have another DECISION")
        if shoe.player:
            raise Fault(f"it dealt more cards than the rules have: {', '.join(map(str, shoe.player))}")
        self._compare_result(result, round_, shoe)

    def _compare_options(self, round_: Round, asked: Sequence[Decision]) -> None:
        """See that it offered what is allowed."""
        allowed = round_.options
        offered = tuple(asked) or HIT_OR_STAND
        if extra := [each.value for each in offered if each not in allowed]:
            raise Fault(f"it offered {', '.join(extra)}, which the rules do not allow there")
        if missing := [each.value for each in allowed if each not in offered]:
            raise Fault(f"it did not offer {', '.join(missing)}, which the rules allow there")

    def _compare_result(self, result: Result, round_: Round, shoe: SeenShoe) -> None:
        settled = next(record for record in round_.records if isinstance(record, SeatSettled))
        if not self._shows or (shoe.lacks and settled.outcome is not Outcome.BUST):
            if self._shows:
                raise Fault(
                    f"it sent {_text(result)}, and showed fewer cards of the dealer than the rules have"
                )
            self._bound(result)
            return
        if shoe.dealer:
            raise Fault(
                f"the dealer has more cards than the rules have it draw: {', '.join(map(str, shoe.dealer))}"
            )
        expected = Result(settled.outcome, settled.payoff and settled.payoff * self._bet)
        if settled.payoff is not None and settled.payoff == 0:
            expected = Result(settled.outcome, 0)
        if result.outcome is not expected.outcome or result.payoff != expected.payoff:
            cards = f"{', '.join(map(str, self._player))} against {', '.join(map(str, self._dealer))}"
            raise Fault(f"it sent {_text(result)} for {cards}: expected {_text(expected)}")

    def _bound(self, result: Result) -> None:
        """See that a result can be, whatever the dealer's other cards were."""
        total = self._hand().total
        if result.outcome is Outcome.PUSH and total < 17:
            raise Fault(f"it sent RESULT PUSH for a hand of {total}: the dealer stands on 17 and more")
        is_best = total == 21 and not self._rules.naturals.dealers_beats
        if result.outcome is Outcome.LOSE and is_best:
            raise Fault("it sent RESULT LOOSE for a hand of 21, which nothing beats under these rules")


def _text(result: Result) -> str:
    """A result as it is told."""
    return encode(result).decode()
