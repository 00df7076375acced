"""Games played by `cards` and described card by card: slow, and easy to follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cards import (
    CardDealt,
    DealerDrew,
    DealerPeeked,
    Decision,
    DecisionTaken,
    Hand,
    HandSettled,
    HoleCardRevealed,
    Outcome,
    Payoff,
    Retelling,
    Round,
    Rules,
    Tally,
    seeded,
    shoe_for,
)
from twentyone.exact.named import decider
from twentyone.policies.names import PolicyName
from twentyone.policies.policy import observation

DONE: Final = {
    Decision.STAND: "stands",
    Decision.DOUBLE: "doubles",
    Decision.SPLIT: "splits",
    Decision.SURRENDER: "surrenders",
    Decision.INSURE: "takes insurance",
}
"""The words for decisions. A HIT is told by the card that it draws, and a DECLINE not at all."""


@dataclass(frozen=True, slots=True)
class Game:
    """One finished game.

    Attributes:
        number: its number, from 1.
        round: the round that was played.
    """

    number: int
    round: Round

    def lines(self) -> Iterator[str]:
        """The game in words: the hands as dealt, each card, the final hands, and who won."""
        yield f"Game {self.number}"
        yield from self._deal()
        yield from self._play()
        for seat in range(len(self.round.hands)):
            hands = [played.hand for played in self.round.hands_of(seat)]
            for place, hand in enumerate(hands):
                yield f"  {self._hand_name(seat, place, len(hands))} ends with {_total(hand)}."
        if self.round.dealer:
            yield f"  The house ends with {_total(self.round.dealer)}."
        yield from self._verdicts()

    def _deal(self) -> Iterator[str]:
        """The hands as they are dealt."""
        ace = self.round.rules.ace
        hands = [Hand(ace) for _ in self.round.hands]
        for record in self.round.records[: 2 * len(hands)]:
            assert isinstance(record, CardDealt), "each seat is dealt two cards first"
            hands[record.seat].add(record.card)
        for seat, hand in enumerate(hands):
            yield f"  {self._name(seat)} is dealt {_in_words(hand)}."
        if self.round.dealer:
            yield f"  The house is dealt {_in_words(Hand(ace, self.round.dealer.cards[:2]))}."

    def _play(self) -> Iterator[str]:
        """The decisions, and the cards that they draw."""
        retelling, dealt = Retelling(self.round), 2 * len(self.round.hands)
        for index, record in enumerate(retelling):
            match record:
                case DecisionTaken(seat, decision, place) if decision in DONE:
                    name = self._hand_name(seat, place, len(retelling.hands[seat]))
                    yield f"  {name} {DONE[decision]}."
                case CardDealt(seat, card, place) if index >= dealt:
                    hands = retelling.hands[seat]
                    name = self._hand_name(seat, place, len(hands))
                    yield f"  {name} draws the {card}: {_total(hands[place])}."
                case DealerPeeked(has_natural):
                    yield f"  The house looks for a natural, and has {'one' if has_natural else 'none'}."
                case HoleCardRevealed() if not self.round.rules.dealer_draws(retelling.dealer):
                    yield "  The house stands."
                case DealerDrew(card):
                    yield f"  The house draws the {card}: {_total(retelling.dealer)}."

    def _verdicts(self) -> Iterator[str]:
        """The results of each seat, and of each of its hands if it has several."""
        settled = [record for record in self.round.records if isinstance(record, HandSettled)]
        for seat, outcome in enumerate(self.round.outcomes):
            payoff = self.round.payoffs[seat]
            assert outcome is not None and payoff is not None, "a game is shown when it is over"
            hands = [record for record in settled if record.seat == seat]
            for each in hands:
                name = self._hand_name(seat, each.hand, len(hands))
                yield f"  {self._verdict(name, each.outcome, each.payoff)}"
            if hands:
                yield f"  {self._name(seat)} has a payoff of {float(payoff):+z.4g} in all."
            else:
                yield f"  {self._verdict(self._name(seat), outcome, payoff)}"

    def _verdict(self, name: str, outcome: Outcome, payoff: Payoff) -> str:
        amount = "" if abs(payoff) == 1 else f" {abs(float(payoff)):.4g} bets"
        house = f": the house wins{amount}" if self.round.dealer else ""
        match outcome:
            case Outcome.WIN:
                return f"{name} wins{amount}."
            case Outcome.PUSH:
                return f"{name} pushes: nobody wins."
            case Outcome.BUST:
                return f"{name} is bust{house}."
            case Outcome.SURRENDER:
                return f"{name} has surrendered{house}."
            case _:
                return f"{name} loses{house}."

    def count(self, tallies: Sequence[Tally]) -> None:
        """Add each seat's outcome and payoff to its tally."""
        for tally, outcome, payoff in zip(tallies, self.round.outcomes, self.round.payoffs, strict=True):
            assert outcome is not None, "a game is counted when it is over"
            tally.add(outcome, payoff)

    def _name(self, seat: int) -> str:
        return "The player" if len(self.round.hands) == 1 else f"Player {seat + 1}"

    def _hand_name(self, seat: int, place: int, hands: int) -> str:
        """The name of a hand of a seat that has this many."""
        return self._name(seat) if hands == 1 else f"{self._name(seat)}'s hand {place + 1}"


def play_games(rules: Rules, policies: Sequence[PolicyName], games: int, seed: int) -> Iterator[Game]:
    """Play games one after another from one shoe.

    Args:
        rules: the rules, including the number of seats.
        policies: one for each seat, or one for all.
        games: the number of games.
        seed: the same seed gives the same games.

    Raises:
        CommandError: if there is no such policy for these rules, or a file cannot be read.
    """
    shoe = shoe_for(rules, seeded(seed, "shoe"))
    names = list(policies) * (rules.seats if len(policies) == 1 else 1)
    deciders = [decider(name, rules, seeded(seed, "seat", seat)) for seat, name in enumerate(names)]
    for number in range(1, games + 1):
        game = Round(rules, shoe)
        game.deal()
        while (seat := game.turn) is not None:
            game.decide(seat, deciders[seat](observation(game, seat)))
        yield Game(number, game)


def _in_words(hand: Hand) -> str:
    cards = " and ".join(f"the {card}" for card in hand.cards)
    return f"{cards}: {_total(hand)}"


def _total(hand: Hand) -> str:
    if hand.is_bust:
        return f"{hand.total}, bust"
    return f"soft {hand.total}" if hand.is_soft else str(hand.total)
