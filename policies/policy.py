"""Policies: functions from what a seat sees to a decision; pure, but for the random source of some."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cards import HIT_OR_STAND, Card, CardDealt, Decision, DecisionTaken, Hand, RandBelow, Round


class Observation(NamedTuple):
    """What a player sees when it has to decide.

    Attributes:
        total: the best total of the hand, 2 to 21.
        is_soft: whether an ace counts 11 in it and could still count 1.
        upcard: the value of the dealer's upcard, 2 to 11 (an ace is 11); None without a dealer.
        pair: the points, 1 to 10 (an ace is 1), of the cards of a pair that may be split now; else 0.
        options: all that is allowed now, in the order of `cards.Decision`.
    """

    total: int
    is_soft: bool
    upcard: int | None
    pair: int = 0
    options: tuple[Decision, ...] = HIT_OR_STAND


Policy = Callable[[Observation], Decision]


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


def observation(round_: Round, number: int) -> Observation:
    """What a seat sees when it has to decide, by its number in the round."""
    return _seen(round_.hands[number], round_)


def decisions_of(round_: Round, number: int) -> list[tuple[Observation, Decision]]:
    """What a seat saw at each decision, and what it decided, by its number in the round."""
    hand = Hand(round_.rules.ace)
    taken: list[tuple[Observation, Decision]] = []
    for record in round_.records:
        if isinstance(record, CardDealt) and record.seat == number:
            hand.add(record.card)
        elif isinstance(record, DecisionTaken) and record.seat == number:
            taken.append((_seen(hand, round_), record.decision))
    return taken


def _seen(hand: Hand, round_: Round) -> Observation:
    upcard = round_.upcard
    return Observation(hand.total, hand.is_soft, None if upcard is None else upcard_value(upcard))
