"""Records for the tests: lines of a history, and transitions of play at random."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from cards import PRESETS, Ace, Bets, Double, HoleCard, Naturals, Round, Rules, Surrender
from dealer.tables.history import round_as_json
from dealer.tables.seat import Seat
from tests.helpers.played import played
from twentyone.learning.records.transitions import Gathering, Transitions
from twentyone.learning.records.watching import as_environment, episodes

TIME = "2026-11-23T04:05:06.789Z"

VEGAS = PRESETS["vegas"]
ONE_SEAT = [
    *(rules for rules in PRESETS.values() if rules.has_dealer),
    replace(PRESETS["course"], ace=Ace.ELEVEN),
    replace(VEGAS, surrender=Surrender.EARLY, double=Double.ALWAYS),
    replace(VEGAS, surrender=Surrender.NONE, hole_card=HoleCard.OBO, naturals=Naturals.SIX_TO_FIVE),
]
"""Rules that an environment plays."""

SEVERAL_SEATS = [
    replace(PRESETS["casino"], seats=3),
    replace(VEGAS, seats=4),
    replace(VEGAS, seats=2, bets=Bets(10, 80)),
    replace(PRESETS["course"], seats=2, bets=Bets(5, 50)),
]


def line_of(round_: Round, names: Sequence[str] = ()) -> bytes:
    """A round as a dealer writes it."""
    seats = []
    for number in range(round_.rules.seats):
        seat = Seat(names[number] if names else f"seat{number}")
        seat.bet = None if round_.rules.bets is None else round_.rules.bets.minimum
        seats.append(seat)
    told: dict[str, Any] = round_as_json(1, round_, seats, table=1, time=TIME)
    return json.dumps(told).encode() + b"\n"


def rounds_at_random(rules: Rules, count: int, seed: int) -> list[Round]:
    """Rounds of seats that take any decision that is allowed, with equal chance."""
    random = Random(seed)
    return played(rules, lambda seen: random.choice(seen.options), count, seed)


def lines_at_random(rules: Rules, count: int, seed: int) -> bytes:
    """The history of these."""
    return b"".join(line_of(round_) for round_ in rounds_at_random(rules, count, seed))


def gathered_at_random(rules: Rules, count: int, seed: int) -> Transitions:
    """The transitions of these, without a file between."""
    gathering, environment = Gathering(), as_environment(rules)
    for round_ in rounds_at_random(rules, count, seed):
        gathering.add(environment, episodes(round_))
    return gathering.all()
