"""Policies: functions from what a seat sees to a decision; pure, except for the random source of some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cards import (
    HIT_OR_STAND,
    Card,
    Decision,
    DecisionAsked,
    DecisionTaken,
    Hand,
    RandBelow,
    Retelling,
    Round,
)


class Observation(NamedTuple):
    """The view of a player that has to decide.

    Attributes:
        total: the best total of the hand, 2 to 21.
        is_soft: whether an ace counts 11 in it and could still count 1.
        upcard: the value of the dealer's upcard, 2 to 11 (an ace is 11); None without a dealer.
        pair: the points, 1 to 10 (an ace is 1), of the cards of a pair that may be split now, or after the
            question for a surrender before the peek; otherwise 0.
        options: all that is allowed now, in the order of `cards.Decision`.
    """

    total: int
    is_soft: bool
    upcard: int | None
    pair: int = 0
    options: tuple[Decision, ...] = HIT_OR_STAND


Policy = Callable[[Observation], Decision]


class Situation(NamedTuple):
    """A question with all that its exact values depend on: every card of the hand, not its total alone.

    Attributes:
        cards: the values of the hand's cards, 2 to 11 (an ace), ascending.
        upcard: the value of the dealer's upcard, 2 to 11.
        is_split: whether a split has made the hand.
        options: all that is allowed now, in the order of `cards.Decision`.
    """

    cards: tuple[int, ...]
    upcard: int
    is_split: bool
    options: tuple[Decision, ...]


def upcard_value(card: Card) -> int:
    """The value of an upcard as policies see it: 2 to 10, and 11 for an ace."""
    return 11 if card.is_ace else card.points


def threshold(total: int) -> Policy:
    """Draw below a total and stand from it on, hard or soft, whatever the dealer shows."""

    def policy(observation: Observation) -> Decision:
        return Decision.HIT if observation.total < total else Decision.STAND

    return policy


def at_random(rand_below: RandBelow) -> Policy:
    """Hit or stand with equal chance."""

    def policy(_: Observation) -> Decision:
        return Decision.STAND if rand_below(2) else Decision.HIT

    return policy


def hit_or_stand(policy: Policy) -> Policy:
    """A policy of HIT and STAND at any table: it declines what it does not know.

    It is asked for nothing but HIT and STAND, whatever else is allowed. A split ace that may only be split
    again stands.
    """

    def decide(seen: Observation) -> Decision:
        if Decision.DECLINE in seen.options:
            return Decision.DECLINE
        if Decision.HIT not in seen.options:
            return Decision.STAND
        return policy(seen)

    return decide


def observation(round_: Round, number: int) -> Observation:
    """The observation of a seat that has to decide, by its number in the round."""
    hand = round_.hands_of(number)[round_.turn_hand].hand
    return seen_of(hand, round_.upcard, round_.options, round_.rules.split)


def situation(round_: Round, number: int) -> Situation:
    """The question that a seat has to answer, by its number in the round; with a dealer."""
    assert round_.upcard is not None, "situations are of play against a dealer"
    played = round_.hands_of(number)[round_.turn_hand]
    return situation_of(played.hand.cards, round_.upcard, played.is_split, round_.options)


def decisions_of(round_: Round, number: int) -> list[tuple[Observation, Decision]]:
    """The observation and the decision of each answer of a seat, by its number in the round."""
    upcard, most_hands = round_.upcard, round_.rules.split
    return [
        (seen_of(hand, upcard, options, most_hands), decision)
        for hand, _, options, decision in _answers(round_, number)
    ]


def situations_of(round_: Round, number: int) -> list[tuple[Situation, Decision]]:
    """Each question that a seat was asked, and what it decided, by its number in the round; with a dealer."""
    upcard = round_.upcard
    assert upcard is not None, "situations are of play against a dealer"
    return [
        (situation_of(hand.cards, upcard, is_split, options), decision)
        for hand, is_split, options, decision in _answers(round_, number)
    ]


def _answers(round_: Round, number: int) -> Iterator[tuple[Hand, bool, tuple[Decision, ...], Decision]]:
    """The hand at each decision of a seat, whether a split made it, the options, and what was decided."""
    retelling = Retelling(round_)
    options: tuple[Decision, ...] = HIT_OR_STAND
    for record in retelling:
        match record:
            case DecisionAsked(seat, _, allowed) if seat == number:
                options = allowed
            case DecisionTaken(seat, decision, place) if seat == number:
                hands = retelling.hands[seat]
                yield hands[place], len(hands) > 1, options, decision


def situation_of(
    cards: Sequence[Card], upcard: Card, is_split: bool, options: tuple[Decision, ...]
) -> Situation:
    """The question about some cards against an upcard."""
    return Situation(tuple(sorted(map(upcard_value, cards))), upcard_value(upcard), is_split, options)


def seen_of(
    hand: Hand, upcard: Card | None, options: tuple[Decision, ...] = HIT_OR_STAND, most_hands: int = 1
) -> Observation:
    """The observation of a hand and an upcard, with the options.

    Args:
        hand: the hand.
        upcard: the dealer's card that is seen, if there is one.
        options: what is allowed now.
        most_hands: how many hands the rules let splits make of one.
    """
    may_split = Decision.SPLIT in options
    if most_hands > 1 and Decision.SURRENDER in options and Decision.DECLINE in options:
        points = [card.points for card in hand.cards]
        may_split = points == points[:1] * 2  # a hand that is kept may be split
    return Observation(
        hand.total,
        hand.is_soft,
        None if upcard is None else 11 if upcard.is_ace else upcard.points,  # `upcard_value`, without a call
        hand.cards[0].points if may_split else 0,
        options,
    )
