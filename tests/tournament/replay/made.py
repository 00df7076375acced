"""Histories for the tests: of a dealer, and of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from cards import NumberedShoes, QueuedShoe, Rules
from cards.rules import exact
from dealer.tables.history import chained, round_as_json
from tests.tournament.replay.playing import Played, play
from tournament.replay.lines import Player
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import payoffs_of, script_of, timed
from tournament.settings import Block, Entrant, Match, Results, Settings, State, first_state

TIME = "2026-11-23T04:05:06.789Z"


def dealers_lines(rules: Sequence[Rules], count: int, seed: int = 1, *, first: int = 1) -> list[str]:
    """What a dealer writes of rounds by different rules, one after the other."""
    random, chain, lines = Random(seed), "", []
    for number in range(first, first + count):
        played = play(rules[number % len(rules)], random)
        line, chain = chained(told_by_dealer(played, number), chain)
        lines.append(line)
    return lines


def told_by_dealer(played: Played, number: int) -> dict[str, object]:
    """A round as a dealer tells it, but for the chain."""
    seats = range(played.round.rules.seats)
    late, bets = sorted(played.late), played.bets
    players = [Player(f"seat{n}", n + 1, bets[n] if bets else None, () if n else late) for n in seats]
    return round_as_json(number, played.round, players, table=1, time=TIME)


def results_of(settings: Settings, seed: int = 1, *, cut: int = 3) -> Results:
    """A tournament of entrants that play at random, each match in blocks of a few rounds."""
    blocks = [list(_blocks(settings, match, Random(seed + match.number), cut)) for match in settings.matches]
    return Results(
        settings=settings,
        rounds=settings.rounds,
        payoffs=[np.concatenate([block.payoffs for block in of_match]) for of_match in blocks],
        lost=None,
        thinking=[np.empty(0, np.float32) for _ in settings.entrants],
        faults=(),
        is_over=True,
        sure_after=None,
        blocks=blocks.__getitem__,
    )


def settings_of(rules: Rules, entrants: int = 2, rounds: int = 8, *, kept_shoe: bool = False) -> Settings:
    """A tournament of programs."""
    names = tuple(Entrant(f"prog{number}", command=("./prog",)) for number in range(entrants))
    return Settings(rules, rounds, 7, names, kept_shoe=kept_shoe)


def _blocks(settings: Settings, match: Match, random: Random, cut: int) -> list[Block]:
    state, blocks = first_state(settings, match), []
    while state.round < settings.rounds:
        block = _block(settings, state, match, random, min(cut, settings.rounds - state.round))
        blocks.append(block)
        state = block.after
    return blocks


def _block(settings: Settings, state: State, match: Match, random: Random, rounds: int) -> Block:
    before, rules = state, settings.rules
    shoe: QueuedShoe | NumberedShoes
    if settings.kept_shoe:
        shoe = NumberedShoes(rules, settings.seed, state.shoe, state.dealt)
    else:
        shoe = QueuedShoe(rules, settings.seed)
    scripts, payoffs = [], []
    for number in range(state.round, state.round + rounds):
        places = seating(rules.seats, number)
        if isinstance(shoe, QueuedShoe):
            shoe.go_to(number // (1 if rules.has_dealer else rules.seats))
        chips = [Fraction(chips) for chips in state.bankrolls]
        if rules.bets is not None:
            chips = [each if each >= rules.bets.minimum else Fraction(rules.first_bankroll) for each in chips]
        played = play(rules, random, shoe, [chips[place] for place in places] if chips else None)
        scripts.append(script_of(played.round, played.bets, played.late))
        by_seat = payoffs_of(played.round, played.bets)
        payoffs.append([by_seat[places.index(place)] for place in range(len(places))])
        for place, bet, payoff in zip(places, played.bets, played.round.payoffs, strict=False):
            chips[place] += (payoff or 0) * bet
        state = replace(state, round=number + 1, bankrolls=tuple(str(exact(each)) for each in chips))
        if isinstance(shoe, NumberedShoes):
            state = replace(state, shoe=shoe.number, dealt=shoe.dealt)
    seconds = np.array([random.random() for script in scripts for _ in range(timed(script))], np.float32)
    return Block(match.number, before, state, scripts, np.array(payoffs, np.int32), None, seconds)
