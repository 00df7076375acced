"""Rounds by chance as somebody who watches gets them: every TABLE, and the dealer's log in the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from cards import PRESETS, Bets, Decision
from dealer.tables.hosts import Hosts, Leading
from dealer.tables.mail import Mail
from dealer.tables.seat import Seat
from dealer.tables.snapshot import Viewer, for_everybody, for_viewer
from dealer.tables.story import story
from tests.dealer.setting import Setting, setting

GAMES: Final = ("vegas", "reno", "europe", "casino")


def watched_round(number: int) -> tuple[list[Any], list[str]]:
    """A round of one of the games, with or without bets, played by a chance that depends on its number."""
    random = Random(number)
    rules = replace(PRESETS[GAMES[number % len(GAMES)]], seats=random.choice((1, 2, 5)))
    if rules.tells_payoffs and number % 3:
        rules = replace(rules, bets=Bets(10, 80), bankroll=500)
    at = setting(rules, rounds=1, seed=number)
    hosts = Hosts(at.table, Leading.NOBODY)
    tables: list[Any] = []
    log: list[str] = []

    def look(_: Mail | None = None) -> None:
        if log and at.table.round is not None and at.table.round.is_over:
            return  # the results have been seen
        common = for_everybody(at.table, number=1, sequence=len(tables), practice=False, clock=None)
        tables.append(for_viewer(common, at.table, Viewer(), hosts))
        if at.table.round is not None and at.table.round.is_over:
            log[:] = story(at.table)

    at.table.tell_results_to(look)
    for each in range(rules.seats):
        look()
        at.sit(Seat(f"player{each}"))
    while not log:
        look()
        _go_on(at, random)
    return tables, log


def _go_on(at: Setting, random: Random) -> None:
    """The next bet, or the next decision: a pair is split whenever it may be."""
    table = at.table
    if table.turn is None:
        at.bet(next(iter(table.bettors)), 20)
        return
    assert table.round is not None
    options = table.round.options
    at.decide(table.turn, Decision.SPLIT if Decision.SPLIT in options else random.choice(options))
