"""A round of the most hands and cards, told within what a player reads of a line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from cards import CARDS, PRESETS, Bets, Decision, Round, StackedShoe
from dealer.lobby.practice import line_of
from dealer.tables.history import Judged
from dealer.tables.recent import Dealt, Recently
from protocol import MAX_DEALER_LINE

WIDE = "\U0001f0a1" * 32
"""The longest name: each letter is 12 bytes in a line of JSON."""


def round_of(points: int) -> Round:
    """Nine seats that split whatever they can and hit while they may, with cards of one rank only."""
    cards = [card for card in CARDS if card.points == points] * 200
    rules = replace(PRESETS["vegas"], seats=9, bets=Bets(10, 80))
    round_ = Round(rules, StackedShoe(cards))
    round_.deal()
    while round_.turn is not None:
        wanted = (Decision.SPLIT, Decision.HIT, Decision.STAND)
        round_.decide(round_.turn, next(one for one in wanted if one in round_.options))
    assert sum(len(round_.hands_of(seat)) for seat in range(9)) == 36
    return round_


def told(round_: Round) -> dict[str, Any] | None:
    """The round as HISTORY tells it, with the longest names, and costs if there is place for them."""
    seats = tuple(Dealt(WIDE, 10**6 + seat, 80, (), 7) for seat in range(9))
    judged = [[Judged(0.123456, Decision.SURRENDER)] * 100 for _ in seats]
    line = line_of(Recently(10**6, round_, seats, (), 1_795_000_000.789), 1, None, judged)
    if line is None:
        return None
    assert len(f"HISTORY 200 200 {line}".encode()) <= MAX_DEALER_LINE
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.parametrize(("points", "cards", "has_costs"), [(5, 180, True), (4, 216, False)])
def test_nine_seats_of_four_hands_fit_into_a_line(points: int, cards: int, has_costs: bool) -> None:
    """Where they do not fit with what the decisions cost, they are told without."""
    line = told(round_of(points))
    assert line is not None
    hands = [hand for seat in line["seats"] for hand in seat["hands"]]
    assert sum(len(hand["cards"]) for hand in hands) == cards
    assert {"cost" in question for hand in hands for question in hand["decisions"]} == {has_costs}


def test_a_round_that_no_player_could_read_is_not_told() -> None:
    """396 cards; a player that gets so long a line gives up the dealer."""
    assert told(round_of(2)) is None
