"""The engines of the project check each other on the same cards, where every decision may be asked for.

`tests.test_agreement` compares their means. The rules are those of a preset, and a few that together have
every value of every field. A table without a dealer is not among them: it has no exact value. Everything is
seeded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

import numpy as np
import pytest

from cards import (
    PRESETS,
    CardDealt,
    DealerDrew,
    Decision,
    EveryRound,
    Hand,
    HoleCardDealt,
    Outcome,
    Payoff,
    Round,
    Rules,
    UpcardDealt,
    rules_from,
    shoe_for,
)
from cards.shoe import Shoe
from player.by_policy import PolicyPlayer
from player.chosen import ChosenPolicy
from player.client import Client, connect
from tests.helpers.agents import action_of
from tests.helpers.drawn import covering
from tests.helpers.estimates import agree
from tests.helpers.house import deal_from, open_house
from tests.helpers.kernel_rounds import by_kernel, record_of
from tests.helpers.played import random_chart
from tests.helpers.reference import tells_payoffs
from tests.helpers.remote import seated
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.montecarlo import simulate
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.chance import CountedRandom, key_of
from twentyone.environments.remote import RemoteBlackjackEnv
from twentyone.environments.vector import BlackjackVectorEnv
from twentyone.exact.best.mixed import evaluate_policy
from twentyone.exact.named import basic
from twentyone.exact.values.game import seat_game
from twentyone.kernels.decisions import compile_policy
from twentyone.policies.chances import sure
from twentyone.policies.chart import Chart, policy_of
from twentyone.policies.policy import Observation, Policy, observation

pytestmark = pytest.mark.check

KERNEL_ROUNDS: Final = 1 << 19
GIVEN_ROUNDS: Final = 60
GIVEN_SEED: Final = 6
"""Rounds on the same cards, and the seed of the environment that deals them."""

DEALT: Final = (CardDealt, UpcardDealt, HoleCardDealt, DealerDrew)
"""The records of a card."""

SHOES: Final[Mapping[str, tuple[str, ...]]] = {
    "decks": ("1", "2", "6", "8", "inf"),
    "reshuffle": ("round", "cutoff:26", "penetration:0.75"),
    "seats": ("1", "2", "5", "9"),
}
"""Values of the fields that are not of a round; of decks and seats, and of ways to keep a shoe, some."""

MOST_POINTS: Final = 31
"""No hand has more points than this."""

DECK_POINTS: Final = 340
"""The points of a deck, with every ace as 1."""


def is_playable(fields: dict[str, str]) -> bool:
    """Whether these are rules with payoffs, and with enough cards for all seats."""
    if not tells_payoffs(fields) or (fields["decks"] == "inf" and fields["reshuffle"] != "round"):
        return False
    points = MOST_POINTS * (int(fields["seats"]) * int(fields["split"]) + 1)
    return fields["decks"] == "inf" or points <= DECK_POINTS * int(fields["decks"])


GAMES: Final = {"vegas": PRESETS["vegas"]} | {
    # One of them is played for bets, which change nothing but the chips.
    f"drawn {number}": rules_from(
        fields | ({"bets": "5-50", "bankroll": "1000000000"} if number == 1 else {})
    )
    for number, fields in enumerate(covering(17, SHOES, is_playable), 1)
}


@cache
def chart_for(name: str) -> Chart:
    """The chart that plays a game: basic strategy in a preset, else one by chance, which does everything."""
    chart = basic(GAMES[name]) if name in PRESETS else random_chart(Random(name), name)
    assert isinstance(chart, Chart)
    return chart


def insuring(chart: Chart, rules: Rules) -> Policy:
    """A chart with insurance for every hand: about that a chart says nothing."""
    follow = policy_of(chart, rules)
    return lambda seen: Decision.INSURE if Decision.INSURE in seen.options else follow(seen)


# The engines at work.


class Noting:
    """A policy of one seat that notes its answers, round by round.

    Attributes:
        rounds: of each round all that was asked, what was decided, and what it paid in initial bets.
    """

    def __init__(self, policy: Policy) -> None:
        self.rounds: list[tuple[list[tuple[Observation, Decision]], float]] = []
        self._policy = policy
        self._answers: list[tuple[Observation, Decision]] = []

    def __call__(self, seen: Observation) -> Decision:
        decision = self._policy(seen)
        self._answers.append((seen, decision))
        return decision

    def end(self, payoff: Payoff | float) -> None:
        """Note that the round is over."""
        self.rounds.append((self._answers, float(payoff)))
        self._answers = []


def play_round(rules: Rules, policy: Policy, shoe: Shoe) -> Round:
    """Play a round by `cards`, with a policy in every seat."""
    game = Round(rules, shoe)
    game.deal()
    while (seat := game.turn) is not None:
        game.decide(seat, policy(observation(game, seat)))
    return game


def play_environment(
    env: BlackjackEnv | RemoteBlackjackEnv, policy: Policy, rounds: int, seed: int | None = None
) -> Noting:
    """Play rounds in an environment."""
    noting = Noting(policy)
    for number in range(rounds):
        seen, info = env.reset(seed=None if number else seed)
        is_over, reward = False, 0.0
        while not is_over:
            seen, reward, is_over, _, info = env.step(action_of(noting, seen, info["action_mask"]))
        noting.end(reward)
    return noting


def play_first(env: BlackjackVectorEnv, policy: Policy, rounds: int, seed: int) -> Noting:
    """Play rounds in the first of compiled environments; in the others everybody stands."""
    noting = Noting(policy)
    seen, info = env.reset(seed=seed)
    actions = np.ones(env.num_envs, np.int64)
    while len(noting.rounds) < rounds:
        actions[0] = action_of(noting, [int(each[0]) for each in seen], info["action_mask"][0])
        seen, rewards, ended, _, info = env.step(actions)
        if ended[0]:
            noting.end(float(rewards[0]))
    return noting


class Chosen(ChosenPolicy):
    """A policy that has no name on a command line."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.source = self.counted = None

    def decide(self, rules: Rules) -> Policy:
        return self._policy


class Player(PolicyPlayer):
    """A player's program that notes what each round has paid."""

    def __init__(self, policy: Policy) -> None:
        self.noting = Noting(policy)
        super().__init__(Chosen(self.noting), None)

    def sit_down(self, client: Client) -> None:
        super().sit_down(client)
        self._connection = client

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        super().settled(outcome, hand)
        assert self._connection.stakes.payoff is not None
        self.noting.end(self._connection.stakes.payoff)


def play_over_socket(port: int, policy: Policy, rounds: int) -> Noting:
    """Play rounds at a dealer, over a real socket."""

    async def play() -> Noting:
        player = Player(policy)
        client = Client(player, "player", rounds)
        player.sit_down(client)
        await connect(client, "127.0.0.1", port)
        assert await client.over is None
        return player.noting

    noting = asyncio.run(play())
    assert len(noting.rounds) == rounds
    return noting


# The tests.


@pytest.mark.parametrize("name", GAMES)
def test_exact_value_and_kernel_agree_within_4_standard_errors(name: str) -> None:
    """From a fresh shoe, with the policy in every seat: each is worth what the only one is."""
    rules = replace(GAMES[name], reshuffle=EveryRound())
    policy = insuring(chart_for(name), rules)
    exact = Estimate(evaluate_policy(seat_game(rules), sure(policy)).value, 0.0)
    rounds = KERNEL_ROUNDS // rules.seats
    assert agree(simulate(rules, [compile_policy(policy, rules)], rounds, seed=7).estimate(), exact)


@pytest.mark.parametrize("name", GAMES)
def test_round_kernel_environments_and_socket_agree_on_the_same_cards(name: str) -> None:
    """One seat sees, decides and wins the same by every engine, round by round."""
    at_table = replace(GAMES[name], seats=1)
    rules = replace(at_table, bets=None, bankroll=None)  # as environments play it
    policy = insuring(chart_for(name), rules)
    games, noting, shoe = [], Noting(policy), given_shoe(rules)
    for _ in range(GIVEN_ROUNDS):
        games.append(play_round(rules, noting, shoe))
        noting.end(games[-1].payoffs[0] or 0)
    expected = noting.rounds
    assert play_environment(BlackjackEnv(rules), policy, GIVEN_ROUNDS, GIVEN_SEED).rounds == expected
    assert play_first(BlackjackVectorEnv(3, rules), policy, GIVEN_ROUNDS, GIVEN_SEED).rounds == expected
    with open_house(rules=at_table) as house:
        deal_from(house, lambda: given_shoe(at_table))
        assert play_over_socket(house.port, policy, GIVEN_ROUNDS).rounds == expected
    with open_house(rules=at_table) as house:
        deal_from(house, lambda: given_shoe(at_table))
        with seated(house.port) as env:
            assert play_environment(env, policy, GIVEN_ROUNDS).rounds == expected
    table = compile_policy(policy, rules)
    for game in games:
        dealt = [each.card.index for each in game.records if isinstance(each, DEALT)]
        assert by_kernel(rules, [table], np.array(dealt, np.uint8)) == [record_of(game, len(dealt))]


def given_shoe(rules: Rules) -> Shoe:
    """The shoe of an environment with the seed `GIVEN_SEED`."""
    return shoe_for(rules, CountedRandom(key_of(GIVEN_SEED)))
