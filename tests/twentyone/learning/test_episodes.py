"""What a round teaches, as numbers."""

from __future__ import annotations

from cards import HIT_OR_STAND, Decision
from twentyone.learning.episodes import (
    INSURE,
    MOST_AHEAD,
    add_second,
    add_step,
    begin_hand,
    bits_of,
    new_room,
    new_steps,
    put_aside,
)
from twentyone.policies.action_values import ACTIONS


def test_what_is_allowed_is_a_bit_for_each_action() -> None:
    assert bits_of(HIT_OR_STAND) == 0b11
    assert bits_of(ACTIONS[:INSURE]) == 0b11111
    assert bits_of((Decision.STAND, Decision.SPLIT)) == 0b1010
    assert bits_of((Decision.INSURE, Decision.DECLINE)) == 1 << INSURE  # to decline has no value


def test_steps_are_added_in_order() -> None:
    steps = new_steps()
    add_step(steps, 12, 3, 1, 0)
    add_step(steps, 18, 31, 4, 2)
    assert steps == ([12, 18], [3, 31], [1, 4], [0, 2])


def test_the_last_hand_that_was_put_aside_comes_back_first() -> None:
    room, width = new_room(), 2
    for hand, payoff in enumerate((1.0, -2.0)):
        begin_hand(room, width, payoff)
        put_aside(room, width, hand)
    begin_hand(room, width, 0.25)
    room.ahead[1] = 0.5
    add_second(room, width, 1, 0.0)
    assert room.ahead[:3] == [-1.75, -1.5, 0.0]
    add_second(room, width, 0, 1.0)
    assert room.ahead[:3] == [0.25, 0.5, 0.0]
    assert len(room.ahead) == MOST_AHEAD
