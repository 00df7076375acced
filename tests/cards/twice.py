"""Rounds that are played twice: by `cards.Round`, and by the second statement of the rules."""

from __future__ import annotations

from dataclasses import dataclass

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
    SeatForfeited,
    SeatSettled,
    SeatState,
    StackedShoe,
    UpcardDealt,
)
from tests.helpers.drawn import Drawn
from tests.helpers.reference import Act, Action, Event, Options, Played, play


@dataclass(frozen=True, slots=True)
class Step:
    """A question, and what was done when it was asked."""

    seat: int
    hand: int
    options: Options
    action: Action


def play_twice(drawn: Drawn, act: Act) -> Played:
    """Play a round twice, and assert that all is the same: records, hands, outcomes, payoffs, states."""
    steps: list[Step] = []

    def noted(seat: int, hand: int, options: Options) -> Action:
        action = act(seat, hand, options)
        steps.append(Step(seat, hand, options, action))
        return action

    played = play(drawn.fields, len(drawn.means), drawn.cards, noted, drawn.means, drawn.plain)
    round_ = _by_the_engine(drawn, steps, played.dealt)
    assert [event(record) for record in round_.records] == played.events
    assert round_.payoffs == played.payoffs
    assert not any(isinstance(payoff, float) for payoff in round_.payoffs), "payoffs are exact"
    for seat in played.seats:
        assert round_.outcomes[seat.number] is Outcome[str(seat.outcome)]
        assert round_.insured[seat.number] == seat.is_insured
        hands = round_.hands_of(seat.number)
        assert [
            (hand.hand.cards, hand.stake, hand.is_split, hand.outcome, hand.payoff) for hand in hands
        ] == [
            (hand.cards, hand.stake, hand.is_split, Outcome[str(hand.outcome)], hand.payoff)
            for hand in seat.hands
        ]
        assert round_.hands[seat.number] is hands[0].hand
        is_bust = all(hand.hand.is_bust for hand in hands)
        if ("forfeited", seat.number) in played.events:
            assert round_.states[seat.number] is SeatState.FORFEITED
        else:
            assert (round_.states[seat.number] is SeatState.BUST) == is_bust, "of several, if every one is"
    assert round_.dealer is not None and round_.dealer.cards == played.dealer
    return played


def _by_the_engine(drawn: Drawn, steps: list[Step], dealt: int) -> Round:
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
