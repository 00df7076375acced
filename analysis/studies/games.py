"""Games played by `cards` and described card by card: slow, and easy to follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cards import (
    CardDealt,
    DealerDrew,
    Decision,
    DecisionTaken,
    Hand,
    HoleCardRevealed,
    Outcome,
    Round,
    Rules,
    Tally,
    seeded,
    shoe_for,
)
from policies.decisions import DecisionTable, as_policy
from policies.policy import observation


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
        ace = self.round.rules.ace
        hands = [Hand(ace, hand.cards[:2]) for hand in self.round.hands]
        for seat, hand in enumerate(hands):
            yield f"  {self._name(seat)} is dealt {_in_words(hand)}."
        dealer = self.round.dealer and Hand(ace, self.round.dealer.cards[:2])
        if dealer:
            yield f"  The house is dealt {_in_words(dealer)}."
        for record in self.round.records[self._first_action() :]:
            match record:
                case DecisionTaken(seat, Decision.STAND):
                    yield f"  {self._name(seat)} stands."
                case CardDealt(seat, card):
                    hands[seat].add(card)
                    yield f"  {self._name(seat)} draws the {card}: {_total(hands[seat])}."
                case HoleCardRevealed() if dealer and not self._draws():
                    yield "  The house stands."
                case DealerDrew(card) if dealer:
                    dealer.add(card)
                    yield f"  The house draws the {card}: {_total(dealer)}."
        for seat, hand in enumerate(self.round.hands):
            yield f"  {self._name(seat)} ends with {_total(hand)}."
        if self.round.dealer:
            yield f"  The house ends with {_total(self.round.dealer)}."
        for seat, outcome in enumerate(self.round.outcomes):
            yield f"  {self._verdict(self._name(seat), outcome)}"

    def _verdict(self, name: str, outcome: Outcome | None) -> str:
        house = ": the house wins" if self.round.dealer else ""
        match outcome:
            case Outcome.WIN:
                return f"{name} wins."
            case Outcome.PUSH:
                return f"{name} pushes: nobody wins."
            case Outcome.BUST:
                return f"{name} is bust{house}."
            case _:
                return f"{name} loses{house}."

    def count(self, tallies: Sequence[Tally]) -> None:
        """Add each seat's outcome to its tally."""
        for tally, outcome in zip(tallies, self.round.outcomes, strict=True):
            assert outcome is not None, "a game is counted when it is over"
            tally.add(outcome)

    def _name(self, seat: int) -> str:
        return "The player" if len(self.round.hands) == 1 else f"Player {seat + 1}"

    def _first_action(self) -> int:
        """The index of the first record after the deal."""
        return 2 * len(self.round.hands) + (2 if self.round.dealer else 0)

    def _draws(self) -> bool:
        return any(isinstance(record, DealerDrew) for record in self.round.records)


def play_games(rules: Rules, policies: Sequence[DecisionTable], games: int, seed: int) -> Iterator[Game]:
    """Play games one after another from one shoe.

    Args:
        rules: the rules, including the number of seats.
        policies: one for each seat, or one for all.
        games: how many.
        seed: the same seed gives the same games.
    """
    shoe = shoe_for(rules, seeded(seed, "shoe"))
    tables = list(policies) * (rules.seats if len(policies) == 1 else 1)
    deciders = [as_policy(table, seeded(seed, "seat", seat)) for seat, table in enumerate(tables)]
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
