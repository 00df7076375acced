"""Matches of a policy that is played by the engine: one that draws, counts, or is asked for bets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from cards import CardDealt, NumberedShoes, QueuedShoe, Round
from cards.rules import DECK
from protocol import chips_text
from tournament.playing.deciding import Chance, Decider
from tournament.rounds.costs import Costs, costs_for
from tournament.rounds.scripts import payoffs_of, script_of
from tournament.settings import Block, Fault, Match, Settings, State
from twentyone.support.counts import counted


class EnginePlay:
    """Plays rounds by the engine.

    Args:
        settings: the tournament.
        match: the match.
        state: where the match stands.
        decider: what decides.
        chance: its random numbers.
    """

    def __init__(
        self, settings: Settings, match: Match, state: State, decider: Decider, chance: Chance
    ) -> None:
        self._settings, self._match, self._rules = settings, match, settings.rules
        self._state = state
        self._costs: Costs | None = costs_for(settings.rules)
        self._decider, self._chance = decider, chance
        self._faults: list[Fault] = []
        self._bankroll = Fraction(state.bankrolls[0]) if state.bankrolls else None
        self._bets = state.bets
        self._shoe = _kept_shoe(settings, state, self._decider) if settings.kept_shoe else None

    def play(self, rounds: int) -> Block:
        """Play some rounds."""
        first = self._state.round
        scripts, payoffs, lost = [], np.zeros((rounds, 1), np.int32), np.zeros((rounds, 1))
        queued = QueuedShoe(self._rules, self._settings.seed, first)
        for place in range(rounds):
            round_ = self._play_round(first + place, queued)
            scripts.append(script_of(round_, self._bets))
            payoffs[place] = payoffs_of(round_, self._bets)
            if self._costs is not None:
                lost[place] = self._costs.lost(round_)
        return Block(
            match=self._match.number,
            before=self._state,
            after=self._after(first + rounds),
            scripts=scripts,
            payoffs=payoffs,
            lost=None if self._costs is None else lost,
            faults=self._faults,
        )

    def _after(self, number: int) -> State:
        after = replace(self._state, round=number, bets=self._bets)
        if self._bankroll is not None:
            after = replace(after, bankrolls=(chips_text(self._bankroll),))
        if self._shoe is not None:
            after = replace(after, shoe=self._shoe.number, dealt=self._shoe.dealt)
        return after

    def _play_round(self, number: int, queued: QueuedShoe) -> Round:
        """Play the round of a number, and pay it."""
        means = self._bet(number)
        shoe = self._shoe or queued
        before = shoe.number
        self._chance.go_to(number)
        round_ = Round(self._rules, shoe, means=None if means is None else [means])
        records = round_.deal()
        self._decider.began(is_fresh=shoe.number != before)
        self._decider.saw(records)
        while round_.turn is not None:
            self._decider.saw(round_.decide(round_.turn, self._decider.decide(round_)))
        (payoff,) = round_.payoffs
        if self._bankroll is not None and payoff is not None:
            self._bankroll += payoff * self._bets[0]
        return round_

    def _bet(self, number: int) -> Fraction | None:
        """Stake the least bet; return how many of them the seat has. None where no bets are asked."""
        bets = self._rules.bets
        if bets is None or self._bankroll is None:
            return None
        if self._bankroll < bets.minimum:
            chips, self._bankroll = chips_text(self._bankroll), Fraction(self._rules.first_bankroll)
            had = f"it had {counted(chips, 'chip')}, and the least bet is {bets.minimum}"
            text = f"{had}: now it has {self._bankroll}"
            (entrant,) = self._match.entrants
            self._faults.append(Fault(entrant, self._match.number, number, "bought in", text))
        self._bets = (bets.minimum,)
        return self._bankroll / bets.minimum


def _kept_shoe(settings: Settings, state: State, decider: Decider) -> NumberedShoes:
    """The shoe that is kept, where it stands; `decider` is shown what has been dealt from it.

    A player has seen all these cards: where payoffs are told, the hole card is turned over in every round;
    at other tables nothing is counted from one round to the next.
    """
    rules = settings.rules
    if state.dealt > DECK * (rules.decks or 0):  # it was refilled within a round, and is not kept
        return NumberedShoes(rules, settings.seed, state.shoe + 1)
    shoe = NumberedShoes(rules, settings.seed, state.shoe)
    decider.saw([CardDealt(0, card) for card in shoe.deal_several(state.dealt)])
    return NumberedShoes(rules, settings.seed, state.shoe, state.dealt)
