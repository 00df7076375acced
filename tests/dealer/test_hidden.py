"""What nobody may know is not in the bytes: hidden cards are exchanged, and the bytes stay the same.

A round is played twice with the same decisions: once with its own cards, once with the cards that somebody
may not know exchanged for others with the same public course. Everything that this one gets until the cards
are shown has to be the same, byte for byte.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final

import pytest

from cards import CARDS, PRESETS, Ace, Card, Decision, Hand, Rules, StackedShoe
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Setup
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import DealerMessage, TableUpdate, encode

ROUNDS: Final = 100
SEATS: Final = 3

ENDS: Final = (b"RESULT WIN", b"RESULT LOOSE", b"RESULT PUSH")
"""What is said once the cards are shown; a bust is told at once."""

Script = list[list[Decision]]
"""What each seat decides, one after the other; then it stands."""


@dataclass
class Ear:
    """Somebody who watches, and perhaps plays: keeps every line."""

    seat: Seat | None
    lines: list[bytes] = field(default_factory=list)

    __hash__ = object.__hash__

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        self.lines.append(encode(update))


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop that gives the clock its time, and never runs."""
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def play(loop: asyncio.AbstractEventLoop, rules: Rules, cards: Sequence[Card], script: Script) -> list[Ear]:
    """Play one round; return those who saw it: each seat, then somebody who only watches."""
    ears: list[Ear] = []

    def post(seat: Seat, messages: Sequence[DealerMessage]) -> None:
        for ear in ears:
            if ear.seat is seat:
                ear.lines += [encode(message) for message in messages]

    table = Table(rules, StackedShoe(cards), Budget(1), lambda *_: None)
    clock: Clock[Seat] = Clock(loop, 30.0, lambda _: None)
    room = Room(1, table, Setup(rules), clock, loop, freed=lambda _: None, idle=lambda _: None, stays=True)
    seats = [Seat(f"player-{number}") for number in range(rules.seats)]
    ears += [*(Ear(seat) for seat in seats), Ear(None)]
    for ear in ears:
        room.watch(ear, at_once=True)
    for seat in seats:
        room.sit(seat)
    left = [iter(decisions) for decisions in script]
    while table.turn is not None:
        room.decide(table.turn, next(left[seats.index(table.turn)], Decision.STAND))
    return ears


def until_shown(ear: Ear) -> list[bytes]:
    """What somebody gets until the cards are shown: the dealer's, or without a dealer everybody's."""
    lines = list(takewhile(lambda line: b'"phase":"results"' not in line and line not in ENDS, ear.lines))
    of_dealer = [number for number, line in enumerate(lines) if line.startswith(b"DEALER ")]
    return lines[: of_dealer[1]] if len(of_dealer) > 1 else lines  # the upcard, and all that he turns later


def script_of(source: random.Random) -> Script:
    return [[Decision.HIT] * source.choice([0, 0, 1, 1, 2, 3]) for _ in range(SEATS)]


def shuffled(source: random.Random) -> list[Card]:
    return source.sample(CARDS, len(CARDS))


@pytest.mark.parametrize("preset", ["casino", "course", "europe"])
def test_the_hole_card_and_the_shoe_are_in_nobodys_bytes(
    loop: asyncio.AbstractEventLoop, preset: str
) -> None:
    rules, source = replace(PRESETS[preset], seats=SEATS), random.Random(1)
    compared = 0
    for _ in range(ROUNDS):
        cards, script = shuffled(source), script_of(source)
        drawn = 2 * SEATS + 2 + hits(rules, cards, script)
        hidden = [
            2 * SEATS + 1,
            *range(drawn, len(cards)),
        ]  # the hole card, and all that nobody has been dealt
        others = [cards[place] for place in hidden]
        source.shuffle(others)
        exchanged = list(cards)
        for place, card in zip(hidden, others, strict=True):
            exchanged[place] = card
        for one, other in zip(
            play(loop, rules, cards, script), play(loop, rules, exchanged, script), strict=True
        ):
            assert until_shown(one) == until_shown(other)
            compared += exchanged != cards and one.lines != other.lines
    assert compared > ROUNDS  # else nothing was exchanged that is told afterwards


def hits(rules: Rules, cards: Sequence[Card], script: Script) -> int:
    """How many cards the players draw."""
    count = 0
    for seat, decisions in enumerate(script):
        hand = Hand(rules.ace, cards[2 * seat : 2 * seat + 2])
        for _ in decisions:
            hand.add(cards[2 * SEATS + 2 + count])
            count += 1
            if hand.is_bust:
                break
    return count


def test_in_a_showdown_nobody_knows_the_hands_of_the_others(loop: asyncio.AbstractEventLoop) -> None:
    rules, source = replace(PRESETS["showdown"], seats=SEATS), random.Random(2)
    exchanges = 0
    for number in range(ROUNDS):
        cards, script = shuffled(source), script_of(source)
        ears = play(loop, rules, cards, script)
        eye = number % (SEATS + 1)  # whose eyes: a seat's, or those of somebody who only watches
        places = places_of(rules, cards, script)
        exchanged = exchange(source, cards, [hand for seat, hand in enumerate(places) if seat != eye])
        exchanges += exchanged != cards
        assert until_shown(ears[eye]) == until_shown(play(loop, rules, exchanged, script)[eye])
    assert exchanges > 0.8 * ROUNDS


def places_of(rules: Rules, cards: Sequence[Card], script: Script) -> list[list[int]]:
    """Where in the shoe each seat's cards lie."""
    places = [[2 * seat, 2 * seat + 1] for seat in range(SEATS)]
    left = [len(decisions) for decisions in script]
    at = 2 * SEATS
    while any(left):
        for seat in range(SEATS):
            if left[seat]:
                places[seat].append(at)
                at += 1
                left[seat] -= 1
                if Hand(rules.ace, [cards[place] for place in places[seat]]).is_bust:
                    left[seat] = 0
    return places


def exchange(source: random.Random, cards: Sequence[Card], hands: list[list[int]]) -> list[Card]:
    """Other cards for the hands that do not bust, and for all that nobody is dealt; the others stay."""
    exchanged = list(cards)
    dealt = {place for hand in hands for place in hand}
    for hand in hands:
        if Hand(Ace.EITHER, [cards[place] for place in hand]).is_bust:
            continue
        for _ in range(100):
            tried = list(exchanged)
            for place in hand:
                other = source.choice([at for at in range(30, len(cards)) if at not in dealt])
                tried[place], tried[other] = tried[other], tried[place]
            if not Hand(Ace.EITHER, [tried[place] for place in hand]).is_bust:
                exchanged = tried
                break
    return exchanged


@pytest.mark.parametrize("preset", ["casino", "showdown"])
def test_everything_is_shown_to_everybody_in_the_end(loop: asyncio.AbstractEventLoop, preset: str) -> None:
    """So that the comparisons above compare what is hidden, and not what is never told."""
    rules, source = replace(PRESETS[preset], seats=SEATS), random.Random(3)
    cards = shuffled(source)
    *_, watcher = play(loop, rules, cards, [[]] * SEATS)
    final = json.loads(watcher.lines[-1][6:])
    assert [seat["cards"] for seat in final["seats"]] == [
        [str(cards[2 * seat]), str(cards[2 * seat + 1])] for seat in range(SEATS)
    ]
    if rules.has_dealer:
        assert final["dealer"]["cards"][:2] == [str(card) for card in cards[2 * SEATS : 2 * SEATS + 2]]
