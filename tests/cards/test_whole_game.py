"""Rounds by random rules, played twice: by `cards.Round`, and by the second statement of the rules.

They agree card by card, question by question and payoff by payoff. The suite plays 20,000 rounds;
FUZZ_EXAMPLES asks for more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Final

import pytest

from cards import (
    CardDealt,
    DealerDrew,
    DealerPeeked,
    Decision,
    DecisionAsked,
    DecisionTaken,
    HandBegun,
    HandSettled,
    HoleCardDealt,
    HoleCardRevealed,
    Outcome,
    Record,
    Round,
    RulesError,
    SeatForfeited,
    SeatSettled,
    SeatState,
    StackedShoe,
    UpcardDealt,
    rules_from,
)
from tests.helpers.drawn import Drawn, draw
from tests.helpers.reference import FORFEIT, VALUES, Action, Event, Options, Played, is_legal, is_whole, play

ROUNDS: Final = int(os.environ.get("FUZZ_EXAMPLES", "20000"))

CHUNK: Final = 10_000
"""Rounds in one test: enough to meet every value of every rule and every question."""


@dataclass(frozen=True, slots=True)
class Step:
    """A question, and what was done when it was asked."""

    seat: int
    hand: int
    options: Options
    action: Action


def action_for(options: Options, seats: int, random: Random) -> Action:
    """Anything that may be done: often a split, seldom a forfeit or an answer that was not offered."""
    chance = random.random()
    if chance < 0.02:
        return (FORFEIT, random.randrange(seats))
    if chance < 0.07:
        return random.choice(("HIT", "STAND"))
    if "SPLIT" in options and chance < 0.6:
        return "SPLIT"
    return random.choice(options)


def played_by_the_reference(drawn: Drawn, random: Random) -> tuple[Played, list[Step]]:
    """The round by the second statement of the rules, and what was done in it."""
    steps: list[Step] = []

    def act(seat: int, hand: int, options: Options) -> Action:
        action = action_for(options, len(drawn.means), random)
        steps.append(Step(seat, hand, options, action))
        return action

    seats = len(drawn.means)
    return play(drawn.fields, seats, drawn.cards, act, drawn.means, drawn.plain), steps


def played_by_the_engine(drawn: Drawn, steps: list[Step], dealt: int) -> Round:
    """The round by `cards.Round`, from a shoe that has the cards of the reference and no other."""
    shoe = StackedShoe(drawn.cards[:dealt])
    round_ = drawn.round(shoe)
    returned = list(round_.deal())
    for step in steps:
        asked = (round_.turn, round_.turn_hand, tuple(option.name for option in round_.options))
        assert asked == (step.seat, step.hand, step.options)
        if isinstance(step.action, str):
            returned += round_.decide(step.seat, Decision[step.action])
        elif round_.can_forfeit(step.action[1]):
            returned += round_.forfeit(step.action[1])
    assert (round_.turn, round_.options, round_.is_over, len(shoe)) == (None, (), True, 0)
    assert returned == round_.records
    return round_


def event(record: Record) -> Event:
    """A record as the reference writes it."""
    match record:
        case CardDealt(seat, card, hand):
            return ("card", seat, hand, card)
        case UpcardDealt(card):
            return ("upcard", card)
        case HoleCardDealt(card):
            return ("hole card", card)
        case DecisionAsked(seat, hand, options):
            return ("asked", seat, hand, tuple(option.name for option in options))
        case DecisionTaken(seat, decision, hand):
            return ("decided", seat, hand, decision.name)
        case HandBegun(seat, hand, hands):
            return ("hand", seat, hand, hands)
        case DealerPeeked(has_natural):
            return ("peeked", has_natural)
        case HoleCardRevealed(card):
            return ("revealed", card)
        case DealerDrew(card):
            return ("drew", card)
        case SeatForfeited(seat):
            return ("forfeited", seat)
        case HandSettled(seat, hand, outcome, payoff):
            return ("hand settled", seat, hand, outcome.name, payoff)
        case SeatSettled(seat, outcome, payoff):
            return ("settled", seat, outcome.name, payoff)


def check(number: int) -> tuple[Drawn, Played]:
    """Play the round of this number twice, and assert that all is the same."""
    random = Random(number)
    drawn = draw(random)
    played, steps = played_by_the_reference(drawn, random)
    round_ = played_by_the_engine(drawn, steps, played.dealt)
    assert [event(record) for record in round_.records] == played.events
    assert round_.payoffs == played.payoffs
    assert not any(isinstance(payoff, float) for payoff in round_.payoffs), "payoffs are exact"
    for seat in played.seats:
        assert round_.outcomes[seat.number] is Outcome[str(seat.outcome)]
        assert round_.insured[seat.number] == seat.is_insured
        hands = round_.hands_of(seat.number)
        assert [(hand.hand.cards, hand.stake, hand.is_split) for hand in hands] == [
            (hand.cards, hand.stake, hand.is_split) for hand in seat.hands
        ]
        assert [(hand.outcome, hand.payoff) for hand in hands] == [
            (Outcome[str(hand.outcome)], hand.payoff) for hand in seat.hands
        ]
        assert round_.hands[seat.number] is hands[0].hand
        if ("forfeited", seat.number) not in played.events:
            is_bust = all(hand.hand.is_bust for hand in hands)
            assert (round_.states[seat.number] is SeatState.BUST) == is_bust, "of several, if every one is"
    assert round_.dealer is not None and round_.dealer.cards == played.dealer
    return drawn, played


QUESTIONS: Final = {
    ("INSURE", "DECLINE"),
    ("SURRENDER", "DECLINE"),
    ("STAND", "SPLIT"),
    *(
        ("HIT", "STAND", *double, *split, *surrender)
        for double in ((), ("DOUBLE",))
        for split in ((), ("SPLIT",))
        for surrender in ((), ("SURRENDER",))
    ),
}
"""Everything that a seat can be asked."""


def assert_all_met(rounds: Iterable[tuple[Drawn, Played]]) -> None:
    """Every value of every rule, every question, and every outcome of a hand and of a seat occurred."""
    values: set[tuple[str, str]] = set()
    questions: set[object] = set()
    of_hands: set[object] = set()
    of_seats: set[object] = set()
    most_hands = 0
    for drawn, played in rounds:
        values.update(drawn.fields.items())
        questions.update(event[3] for event in played.events if event[0] == "asked")
        of_hands.update(event[3] for event in played.events if event[0] == "hand settled")
        of_seats.update(seat.outcome for seat in played.seats)
        most_hands = max(most_hands, *(len(seat.hands) for seat in played.seats))
    assert values == {(name, value) for name, each in VALUES.items() for value in each}
    assert questions == QUESTIONS
    assert of_hands == {"WIN", "LOSE", "PUSH", "BUST"}
    assert of_seats == {outcome.name for outcome in Outcome}
    assert most_hands == 4


@pytest.mark.parametrize("first", range(0, ROUNDS, CHUNK))
def test_random_rounds_by_random_rules(first: int) -> None:
    """A round that fails is `check(number)`, by itself."""
    assert_all_met(check(number) for number in range(first, first + CHUNK))


@pytest.mark.parametrize("naturals", VALUES["naturals"])
def test_each_combination_of_rules_is_playable_or_refused(naturals: str) -> None:
    """All of them but for the dealer's 17 and the bets, which go with any others."""
    names = [name for name in VALUES if name not in ("naturals", "dealer-stands", "bets")]
    for values in product(*(VALUES[name] for name in names)):
        fields = {"naturals": naturals, **dict(zip(names, values, strict=True))}
        if is_legal(fields):
            assert rules_from(fields).is_whole == is_whole(fields), fields
        else:
            with pytest.raises(RulesError):
                rules_from(fields)
