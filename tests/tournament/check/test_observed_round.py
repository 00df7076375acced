"""What was said in a round at a table without a dealer is held to the rules."""

from __future__ import annotations

import pytest

from cards import PRESETS, Card, Outcome, parse_card
from protocol import Begin, CardMessage, OtherHand, Result
from tournament.check.fault import Fault
from tournament.check.observed_round import ObservedRound

TWENTY = "Ten of Clubs, Queen of Clubs"


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split(", ")))


def end(outcome: Outcome, *others: str, shows: bool = True) -> None:
    """A round of a hand of 20 beside others ends so."""
    observed = ObservedRound(PRESETS["showdown"], is_certain=True, shows=shows)
    observed.take(Begin())
    for card in cards_of(TWENTY):
        observed.take(CardMessage(card))
    for seat, cards in enumerate(others, 1):
        observed.take(OtherHand(seat, "other", cards_of(cards)))
    observed.take(Result(outcome))


def test_a_result_at_a_table_without_a_dealer_follows_from_all_hands_that_stand() -> None:
    nineteen, bust = "Ten of Hearts, Nine of Hearts", "King of Hearts, Six of Hearts, Jack of Hearts"
    twenty, more = "Ten of Spades, King of Spades", "Seven of Spades, Six of Spades, Eight of Spades"
    for others, expected in (
        ((nineteen,), Outcome.WIN),
        ((bust,), Outcome.WIN),
        ((twenty,), Outcome.PUSH),
        ((bust, more), Outcome.LOSE),
        ((nineteen, more), Outcome.LOSE),
    ):
        end(expected, *others)
        for outcome in {Outcome.WIN, Outcome.PUSH, Outcome.LOSE} - {expected}:
            with pytest.raises(Fault, match=rf" for 20 against [\d, ]+: expected {expected.value}$"):
                end(outcome, *others)
            end(outcome, *others, shows=False)  # whoever has not seen the others' cards cannot tell
    with pytest.raises(Fault, match="which is not over 21"):
        end(Outcome.BUST, nineteen)
    with pytest.raises(Fault, match="it dealt the Ten of Clubs twice in a round"):
        end(Outcome.WIN, TWENTY)
