"""Bots that give way at a table without sockets: nobody is lost there, and nobody waits in vain."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cards import PRESETS, Bets, Decision, Rules
from dealer.tables.seat import Seat
from dealer.tables.table import Phase
from tests.dealer.setting import Setting, setting

RULES = [
    replace(PRESETS["casino"], seats=3),
    replace(PRESETS["showdown"], seats=3),
    replace(PRESETS["vegas"], seats=3, bets=Bets(10, 80)),
]


class Walk:
    """A table at which things happen by chance, and who should be there."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.at: Setting = setting(rules, seed=seed)
        self.table = self.at.table
        self.random = random.Random(seed)
        self.people: list[Seat] = []
        self.count = 0

    def step(self) -> None:
        acts = [self.join, self.add_bot, self.leave, self.start, *[self.play] * 6]
        self.random.choice(acts)()
        self.verify()

    def join(self) -> None:
        if self.table.has_free_seat:
            self.count += 1
            person = Seat(f"p{self.count}")
            self.people.append(person)
            self.at.sit(person)

    def add_bot(self) -> None:
        if None in self.table.seats and self.people:
            self.at.sit(Seat("bot", is_bot=True, gives_way=True))

    def leave(self) -> None:
        if self.people:
            person = self.people.pop(self.random.randrange(len(self.people)))
            self.at.leave(person)

    def start(self) -> None:
        if self.table.phase is Phase.WAITING and self.table.gathering.can_start(self.table.seats):
            self.table.gathering.start()
            self.at.read(self.table.go_on())
            assert self.table.phase is not Phase.WAITING

    def play(self) -> None:
        if bettors := list(self.table.bettors):
            self.at.read(self.table.bet(bettors[0], 10))
        elif (turn := self.table.turn) is not None:
            self.at.decide(turn, Decision.STAND)

    def verify(self) -> None:
        table, waiting = self.table, self.table.relief.waiting
        seated = [seat for seat in table.seats if seat is not None]
        people = [seat for seat in seated if not seat.is_bot]
        gone = [name for name, lines in self.at.news().items() if lines[-1] == "QUIT"]
        self.people = [each for each in self.people if each.name not in gone]  # who ran out of chips
        assert len({*seated}) == len(seated)
        assert {*people, *waiting.values()} == {*self.people}
        assert len(people) + len(waiting) == len(self.people)
        if waiting:  # for a bot that plays, and for nothing else
            assert None not in table.seats
            assert table.is_open_round
            assert all(bot in table.seats and table.number_in_round(bot) is not None for bot in waiting)
        if not people and not table.is_open_round:
            assert not any(seat.is_bot for seat in seated)
        assert table.free_seats == len(table.seats) - len(self.people)


@pytest.mark.parametrize("rules", RULES, ids=["casino", "showdown", "vegas"])
def test_whatever_happens_everybody_has_a_seat_or_waits_for_one_that_comes(rules: Rules) -> None:
    waited = 0
    for seed in range(60):
        walk = Walk(rules, seed)
        for _ in range(80):
            walk.step()
            waited += bool(walk.table.relief.waiting)
    assert waited > 50
