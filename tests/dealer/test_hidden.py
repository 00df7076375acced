"""What nobody may know is not in the bytes: hidden cards are exchanged, and the bytes stay the same.

A round is played twice with the same decisions: once with its own cards, once with the cards that somebody
may not know exchanged for others with the same public course. Everything that this one gets until the cards
are shown has to be the same, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import Final

import pytest

from cards import CARDS, PRESETS, Ace, Card, Decision, Hand, Rules, StackedShoe, parse_card
from dealer.tables.budget import Budget
from dealer.tables.clock import Clock
from dealer.tables.config import Setup
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import DealerMessage, TableUpdate, encode
from tests.helpers.hand_turned import HandTurned

ROUNDS: Final = 100
SEATS: Final = 3

ENDS: Final = (b"RESULT WIN", b"RESULT LOOSE", b"RESULT PUSH")
"""What is said once the cards are shown; a bust is told at once."""

Script = list[list[Decision]]
"""What each seat decides, one after the other; then it stands."""


class Ear:
    """Somebody who watches, and perhaps plays: keeps every line."""

    is_classic = False

    def __init__(self, seat: Seat | None) -> None:
        self.seat = seat
        self.lines: list[bytes] = []

    def send(self, *messages: DealerMessage) -> None:
        self.lines += map(encode, messages)

    is_waiting = False

    def wait(self) -> bool:
        return False

    def go_on(self) -> None:
        pass

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        self.send(update)


def play(loop: HandTurned, rules: Rules, cards: Sequence[Card], script: Script) -> list[Ear]:
    """Play one round; return those who saw it: each seat, then somebody who only watches."""
    table = Table(rules, StackedShoe(cards), Budget(1), lambda *_: None)
    clock: Clock[Seat] = Clock(loop, 30.0, lambda _: None)
    room = Room(1, table, Setup(rules), clock, loop, freed=lambda _: None, idle=lambda _: None, stays=True)
    seats = [Seat(f"player-{number}") for number in range(rules.seats)]
    ears = [*map(Ear, seats), Ear(None)]
    for ear in ears:
        room.watch(ear, at_once=True)
    for number, seat in enumerate(seats):
        seat.connect(number + 1, ears[number])
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


def places_of(ears: Sequence[Ear], cards: Sequence[Card]) -> list[list[int]]:
    """Where in the shoe the cards of each seat lay, the dealer's not among them."""
    told = [[line.decode() for line in ear.lines if line.startswith(b"CARD ")] for ear in ears[:SEATS]]
    return [[cards.index(parse_card(line.removeprefix("CARD "))) for line in lines] for lines in told]


def some_rounds(seed: int) -> Iterator[tuple[Random, list[Card], Script]]:
    """A source of chance, and with it cards and decisions for each round."""
    source = Random(seed)
    for _ in range(ROUNDS):
        script = [[Decision.HIT] * source.choice([0, 0, 1, 1, 2, 3]) for _ in range(SEATS)]
        yield source, source.sample(CARDS, len(CARDS)), script


@pytest.mark.parametrize("preset", ["casino", "course", "europe"])
def test_the_hole_card_and_the_shoe_are_in_nobodys_bytes(loop: HandTurned, preset: str) -> None:
    rules, compared = replace(PRESETS[preset], seats=SEATS), 0
    for source, cards, script in some_rounds(1):
        ears = play(loop, rules, cards, script)
        next_card = 2 + sum(map(len, places_of(ears, cards)))
        hidden = [
            2 * SEATS + 1,
            *range(next_card, len(cards)),
        ]  # the hole card, and what nobody was dealt
        others = source.sample(hidden, len(hidden))
        exchanged = list(cards)
        for place, other in zip(hidden, others, strict=True):
            exchanged[place] = cards[other]
        for one, other_ear in zip(ears, play(loop, rules, exchanged, script), strict=True):
            assert until_shown(one) == until_shown(other_ear)
            compared += exchanged != cards and one.lines != other_ear.lines
    assert compared > ROUNDS  # else nothing was exchanged that is told afterwards


def test_in_a_showdown_nobody_knows_the_hands_of_the_others(loop: HandTurned) -> None:
    rules, exchanges = replace(PRESETS["showdown"], seats=SEATS), 0
    for number, (source, cards, script) in enumerate(some_rounds(2)):
        ears = play(loop, rules, cards, script)
        eye = number % (SEATS + 1)  # whose eyes: a seat's, or those of somebody who only watches
        hands = [hand for seat, hand in enumerate(places_of(ears, cards)) if seat != eye]
        exchanged = exchange(source, cards, hands)
        exchanges += exchanged != cards
        assert until_shown(ears[eye]) == until_shown(play(loop, rules, exchanged, script)[eye])
    assert exchanges > 0.8 * ROUNDS


def exchange(source: Random, cards: Sequence[Card], hands: list[list[int]]) -> list[Card]:
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
def test_everything_is_shown_to_everybody_in_the_end(loop: HandTurned, preset: str) -> None:
    """So that the comparisons above compare what is hidden, and not what is never told."""
    rules = replace(PRESETS[preset], seats=SEATS)
    _, cards, _ = next(some_rounds(3))
    *_, watcher = play(loop, rules, cards, [[]] * SEATS)
    final, names = json.loads(watcher.lines[-1][6:]), list(map(str, cards))
    assert [seat["cards"] for seat in final["seats"]] == [names[0:2], names[2:4], names[4:6]]
    if rules.has_dealer:
        assert final["dealer"]["cards"][:2] == names[6:8]
