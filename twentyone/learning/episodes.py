"""Rounds as lessons: the decisions, what each hand was paid, and the way back through them.

Decisions are in the order in which they were taken. After a split the first of the two hands is played to
its end before the second begins, so a round with splits is a binary tree in that order, and the way back
needs no more than a stack of the hands that were played later.

The same code works on lists here and on arrays in compiled loops (`twentyone.learning.rounds`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import cache
from typing import Final, NamedTuple

from cards import Decision
from cards.rules import MAX_HANDS
from twentyone.policies.action_values import ACTIONS

HIT: Final = ACTIONS.index(Decision.HIT)
STAND: Final = ACTIONS.index(Decision.STAND)
DOUBLE: Final = ACTIONS.index(Decision.DOUBLE)
SPLIT: Final = ACTIONS.index(Decision.SPLIT)
SURRENDER: Final = ACTIONS.index(Decision.SURRENDER)
INSURE: Final = ACTIONS.index(Decision.INSURE)
"""The numbers of the actions, in tables of two actions for each state and of six."""

MOST_STEPS: Final = 128
"""More decisions than a round can have: each of four hands of 21 points has at most 21 cards."""

MOST_AHEAD: Final = 8
"""The most steps that an n-step return looks ahead."""


Values = MutableSequence[float]
Counts = MutableSequence[int]


class Steps(NamedTuple):
    """The decisions of a round about its hands: those on insurance and before the peek are not among them.

    Attributes:
        firsts: the index of the value of the first action of each state, HIT, among all action values.
        allowed: what was allowed, as a bit for each action: 1 for HIT, 2 for STAND, 4 for DOUBLE and so on.
        actions: the number of the action that was taken.
        places: which hand it was about, from 0.
    """

    firsts: MutableSequence[int]
    allowed: MutableSequence[int]
    actions: MutableSequence[int]
    places: MutableSequence[int]


class Room(NamedTuple):
    """Room for the returns on the way back through a round.

    Attributes:
        ahead: MOST_AHEAD numbers: the returns of what follows, by how many steps they look ahead.
        waiting: MOST_AHEAD numbers for each of the hands that were played later.
    """

    ahead: MutableSequence[float]
    waiting: MutableSequence[float]


def new_room() -> Room:
    """Room for the way back through one round after another."""
    return Room([0.0] * MOST_AHEAD, [0.0] * MOST_AHEAD * MAX_HANDS)


class Episode(NamedTuple):
    """A round that is over.

    Attributes:
        steps: its decisions.
        payoffs: what each hand was paid, in initial bets, without the insurance; one hand if the seat has
            surrendered. Where a dealer's natural takes the initial bet only, it takes it from every hand
            here, as it would have before a split.
        returned: what comes back for each split, in initial bets: 1 where a natural has taken one bet only.
        insured: the index of the action value of INSURE if insurance was taken; otherwise -1.
        insurance: what it was paid.
        declined: the index of the value of the first action of the state in which a surrender before the
            peek was declined; otherwise -1.
        ended_at_peek: whether the round was over then, by the dealer's natural.
    """

    steps: Steps
    payoffs: Sequence[float]
    returned: float = 0.0
    insured: int = -1
    insurance: float = 0.0
    declined: int = -1
    ended_at_peek: bool = False


def new_steps() -> Steps:
    """No steps yet."""
    return Steps([], [], [], [])


def add_step(steps: Steps, first: int, allowed: int, action: int, place: int) -> None:
    """Add a decision to lists of steps."""
    steps.firsts.append(first)
    steps.allowed.append(allowed)
    steps.actions.append(action)
    steps.places.append(place)


def begin_hand(room: Room, width: int, payoff: float) -> None:
    """Begin at the end of a hand: whatever is looked ahead, what follows is its payoff."""
    for each in range(width):
        room.ahead[each] = payoff


def put_aside(room: Room, width: int, hands: int) -> None:
    """Put aside the returns of a hand that a split has made, as the last of some hands."""
    for each in range(width):
        room.waiting[hands * MOST_AHEAD + each] = room.ahead[each]


def add_second(room: Room, width: int, hands: int, returned: float) -> None:
    """Add the returns of the hand that was put aside last, and what comes back, to those of the first."""
    for each in range(width):
        room.ahead[each] += room.waiting[hands * MOST_AHEAD + each] + returned


@cache  # there are few lists of options
def bits_of(options: tuple[Decision, ...]) -> int:
    """The options, as a bit for each action."""
    return sum(1 << ACTIONS.index(each) for each in options if each in ACTIONS)
