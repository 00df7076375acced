"""A player who bets by the count, alone at a real table over a real socket, beside the study of counting."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt
from pathlib import Path

import numpy as np
import pytest

from analysis.studies.betting import ratio_of
from analysis.studies.counting.by_count import ByCount
from analysis.studies.counting.playing import play_by_count
from analysis.studies.counting.winnings import bets_of
from analysis.studies.whole import whole_named
from cards import PRESETS, Bets, Hand, Outcome, seeded
from exact.named import parsed
from player.bets import parse_bet
from player.client import Client, connect
from player.play import ChosenPolicy, PolicyPlayer
from policies.counting import HI_LO, Spread
from protocol import BetRequest
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import dealing

RULES = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=1_000_000)
SPREAD = Spread(1, 8)
POLICY = "basic"

ROUNDS = 4_000
"""Some 90 shoes: a second or two on the wire."""

PLAYED = 1_500_000
"""Rounds of the study: its own errors are then a twentieth of those of the table."""


class Ledger(PolicyPlayer):
    """Writes down each bet and what it won, shoe by shoe.

    Attributes:
        shoes: for each shoe, the bets in units and the payoffs in initial bets.
    """

    client: Client

    def __init__(self) -> None:
        policy = ChosenPolicy(parsed(POLICY), None, seeded(1, "policy"))
        super().__init__(policy, None, plan=parse_bet(str(SPREAD)))
        self.shoes: list[list[tuple[float, float]]] = [[]]
        self._bet = 0

    def shuffled(self) -> None:
        super().shuffled()
        self.shoes.append([])

    def asked_for_bet(self, request: BetRequest) -> int | None:
        bet = super().asked_for_bet(request)
        assert bet is not None
        self._bet = bet
        return bet

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        super().settled(outcome, hand)
        payoff, chips = self.client.payoff, self.client.chips
        assert payoff is not None
        assert chips == payoff * self._bet
        self.shoes[-1].append((self._bet / 10, float(payoff)))


async def ledger_of(port: int) -> Ledger:
    """Play all rounds of a dealer."""
    player = Ledger()
    player.client = Client(player, "counter", whole=player)
    player.sit_down(player.client)
    await connect(player.client, LOCALHOST, port)
    done = await player.client.over
    assert (done, player.refusal) == (None, None)
    return player


@pytest.fixture(scope="module")
def study() -> ByCount:
    return play_by_count(RULES, [whole_named(parsed(POLICY), RULES)], HI_LO, PLAYED, seed=17)


async def test_bets_and_wins_at_a_real_table_are_those_of_the_study(tmp_path: Path, study: ByCount) -> None:
    options = ("--rules=vegas", "--bets=10-80", "--bankroll=1000000", "--seed=5")
    with dealing(tmp_path, ROUNDS, *options) as port:
        player = await ledger_of(port)
    shoes = [np.array(shoe) for shoe in player.shoes if shoe]
    assert sum(map(len, shoes)) == ROUNDS
    rounds = np.array([len(shoe) for shoe in shoes])
    bets = bets_of(SPREAD, study.counts)
    # Counts, and so bets, of one shoe depend on each other: a shoe is one observation.
    for bet in sorted(set(bets.tolist())):
        met = ratio_of(np.array([np.sum(shoe[:, 0] == bet) for shoe in shoes]), rounds).estimate
        share = float(study.shares[bets == bet].sum())
        assert share > 0.01, "a bet that hardly ever comes tells nothing"
        assert abs(met.mean - share) < 4 * hypot(met.standard_error, sqrt(share / PLAYED)), f"share of {bet}"
        paid = np.concatenate([shoe[shoe[:, 0] == bet, 1] for shoe in shoes])
        held = bets == bet
        expected = float(study.sums[held].sum() / study.rounds[held].sum())
        error = hypot(paid.std(ddof=1) / sqrt(paid.size), float(np.nanmean(study.errors[held])))
        assert abs(paid.mean() - expected) < 4 * error, f"payoff at {bet}"
    won = ratio_of(np.array([round(10 * shoe.prod(axis=1).sum()) for shoe in shoes]), rounds).estimate
    expected = float(bets @ study.sums) / study.total
    assert abs(won.mean / 10 - expected) < 4 * won.standard_error / 10
