"""The engines of the whole game check each other: exact value, kernel, `cards.Round`, environments, a socket.

As `tests.test_agreement` does for HIT and STAND. The rules are those of a preset, and a few that together
have every value of every field. A table without a dealer is not among them: it has nothing of the whole game,
and no exact value.

Everything is seeded: a sample is the same in every run, and independent of the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import sqrt
from random import Random
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.studies.estimate import Estimate, mean_of
from analysis.studies.montecarlo import simulate
from cards import (
    PRESETS,
    Ace,
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
    seeded,
    shoe_for,
)
from cards.shoe import Shoe as Dealing
from environments.blackjack import BlackjackEnv
from environments.chance import CountedRandom, key_of
from environments.remote import RemoteBlackjackEnv
from environments.vector import BlackjackVectorEnv
from exact.named import basic_policy
from exact.whole.charts import evaluate
from exact.whole.game import whole_game
from exact.whole.shoe import Shoe
from kernels.whole.decisions import compile_policy
from player.client import Client, connect
from player.play import ChosenPolicy, PolicyPlayer
from policies.chart import Chart, policy_of
from policies.policy import Observation, Policy, observation
from tests.helpers.agents import Lookup, action_of
from tests.helpers.drawn import covering
from tests.helpers.estimates import agree
from tests.helpers.house import open_house
from tests.helpers.kernel_rounds import by_kernel, record_of
from tests.helpers.played import random_chart
from tests.helpers.reference import is_whole
from tests.helpers.remote import seated

pytestmark = pytest.mark.check

KERNEL_ROUNDS: Final = 1 << 19
VECTOR_ROUNDS: Final = 64_000
ROUND_ROUNDS: Final = 3_000
ENVIRONMENT_ROUNDS: Final = 1_000
SOCKET_ROUNDS: Final = 500
GIVEN_ROUNDS: Final = 60
GIVEN_SEED: Final = 6
"""Rounds on the same cards, and the seed of the environment that deals them."""

DEALT: Final = (CardDealt, UpcardDealt, HoleCardDealt, DealerDrew)
"""What brings a card."""

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
    """Whether these are rules of the whole game with enough cards for all seats."""
    if not is_whole(fields) or (fields["decks"] == "inf" and fields["reshuffle"] != "round"):
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
    """What a game is played by: basic strategy in a preset, else a chart by chance, which does everything."""
    chart = basic_policy(GAMES[name]) if name in PRESETS else random_chart(Random(name), name)
    assert isinstance(chart, Chart)
    return chart


def insuring(chart: Chart, rules: Rules) -> Policy:
    """A chart with insurance for every hand: about that a chart says nothing."""
    follow = policy_of(chart, rules)
    return lambda seen: Decision.INSURE if Decision.INSURE in seen.options else follow(seen)


# Estimates of the mean payoff of a seat in a round.


def by_exact(rules: Rules, chart: Chart) -> Estimate:
    """The exact value, of one seat from a fresh shoe. It is the same for each of several seats."""
    values = evaluate(whole_game(rules), chart)
    insurance = insurance_by_exact(rules)[0] if rules.insurance else 0.0
    return Estimate(values.value - values.insurance + insurance, 0.0)


def insurance_by_exact(rules: Rules) -> tuple[float, float]:
    """What it adds to a round to insure every hand that may be, and the standard deviation of that."""
    game, shoe = whole_game(rules), Shoe.of(rules)
    bust = 22 if rules.ace is Ace.ELEVEN else None  # of two cards only such aces are, and they are not asked
    hands = [hand for hand in product(range(2, 12), repeat=2) if sum(hand) != bust]
    chances = [chance_of(shoe, (11, *hand)) for hand in hands]
    bets = [game.before_peek(hand, 11)[Decision.INSURE] for hand in hands]
    mean = sum(chance * bet for chance, bet in zip(chances, bets, strict=True))
    wins = (2 * mean + sum(chances)) / 3  # since a win pays 1, and a loss costs 1/2
    return mean, sqrt(wins + (sum(chances) - wins) / 4 - mean**2)


def chance_of(shoe: Shoe, cards: Sequence[int]) -> float:
    """The chance that a shoe deals these cards in this order."""
    chance = 1.0
    for card in cards:
        chance *= shoe.counts[card - 2] / shoe.size
        shoe = shoe if shoe.endless else shoe.without([card])
    return chance


def by_simulation(rules: Rules, policy: Policy, seed: int) -> Estimate:
    """By the compiled kernel, with the policy in every seat."""
    return simulate(rules, [compile_policy(policy, rules)], KERNEL_ROUNDS // rules.seats, seed).estimate()


def insurance_by_simulation(rules: Rules, chart: Chart) -> float:
    """What it adds by the kernel: the same cards come without it, so it is all that differs."""
    policies = insuring(chart, rules), policy_of(chart, rules)
    insured, declined = [by_simulation(rules, policy, seed=8).mean for policy in policies]
    return insured - declined


def by_round(rules: Rules, policy: Policy) -> Estimate:
    """By `cards.Round`, with the policy in every seat."""
    shoe, payoffs = shoe_for(rules, seeded(2)), []
    for _ in range(ROUND_ROUNDS // rules.seats):
        game = play_round(rules, policy, shoe)
        payoffs.append(sum(float(payoff) for payoff in game.payoffs if payoff is not None) / rules.seats)
    return mean_of(payoffs)


def by_environment(rules: Rules, policy: Policy) -> Estimate:
    """By a single environment."""
    return mean_of(play_environment(BlackjackEnv(rules), policy, ENVIRONMENT_ROUNDS, seed=3).payoffs)


def by_vector(rules: Rules, policy: Policy) -> Estimate:
    """By the compiled environment; every place plays as many rounds, since short ones come first."""
    count, rounds = 1000, VECTOR_ROUNDS // 1000
    env, decide = BlackjackVectorEnv(count, rules), Lookup(policy)
    seen, info = env.reset(seed=4)
    played, payoffs = np.zeros(count, np.int64), []
    while played.min() < rounds:
        seen, rewards, ended, _, info = env.step(decide(seen, info["action_mask"]))
        counted = ended & (played < rounds)
        played += counted
        payoffs.append(rewards[counted])
    return mean_of(np.concatenate(payoffs))


def by_socket(rules: Rules, policy: Policy) -> Estimate:
    """By a player at a dealer, over a real socket; bots have the other seats."""
    with open_house(rules=rules, seed=5, bots=rules.seats - 1, bot_policy="threshold:16") as house:
        return mean_of(play_over_socket(house.port, policy, SOCKET_ROUNDS).payoffs)


def estimates_of(rules: Rules, chart: Chart) -> dict[str, Estimate]:
    """The estimates of all engines but the exact one, each of its own cards."""
    policy, alone = insuring(chart, rules), for_one_seat(rules)
    return {
        "kernel": by_simulation(rules, policy, seed=1),
        "round": by_round(rules, policy),
        "environment": by_environment(alone, policy),
        "compiled environment": by_vector(alone, policy),
        "socket": by_socket(rules, policy),
    }


def for_one_seat(rules: Rules) -> Rules:
    """The same game as environments play it: one seat that stakes one unit."""
    return replace(rules, seats=1, bets=None, bankroll=None)


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

    @property
    def payoffs(self) -> list[float]:
        """What the rounds have paid."""
        return [payoff for _, payoff in self.rounds]


def play_round(rules: Rules, policy: Policy, shoe: Dealing) -> Round:
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
        assert self._connection.payoff is not None
        self.noting.end(self._connection.payoff)


def play_over_socket(port: int, policy: Policy, rounds: int) -> Noting:
    """Play rounds at a dealer, over a real socket."""

    async def play() -> Noting:
        player = Player(policy)
        client = Client(player, "player", rounds, whole=player)
        player.sit_down(client)
        await connect(client, "127.0.0.1", port)
        assert await client.over is None
        return player.noting

    noting = asyncio.run(play())
    assert len(noting.rounds) == rounds
    return noting


# The test.


@pytest.mark.parametrize("name", GAMES)
def test_exact_value_kernel_round_environments_and_socket_agree(name: str) -> None:
    """Within 4 standard errors each of its own cards, and on given cards one by one."""
    rules, chart = GAMES[name], chart_for(name)
    assert_means_agree(rules, chart)
    assert_given_rounds_agree(rules, chart)


def assert_means_agree(rules: Rules, chart: Chart) -> None:
    """The exact value is that of a fresh shoe: a shoe that is kept is worth another one, if little."""
    found = estimates_of(rules, chart)
    fresh = replace(rules, reshuffle=EveryRound())
    exact = by_exact(fresh, chart)
    if fresh == rules:
        found["exact"] = exact
    else:
        assert agree(by_simulation(fresh, insuring(chart, rules), seed=7), exact)
    if rules.insurance:
        mean, deviation = insurance_by_exact(fresh)
        error = deviation / sqrt(KERNEL_ROUNDS // rules.seats)
        assert agree(Estimate(insurance_by_simulation(fresh, chart), error), Estimate(mean, 0.0))
    for one, other in combinations(found, 2):
        assert agree(found[one], found[other]), f"{one} {found[one]}, {other} {found[other]}"


def assert_given_rounds_agree(rules: Rules, chart: Chart) -> None:
    """One seat sees, decides and wins the same by every engine if the same cards come."""
    policy, alone = insuring(chart, rules), for_one_seat(rules)
    games, noting = [], Noting(policy)
    shoe = given_shoe(alone)
    for _ in range(GIVEN_ROUNDS):
        games.append(play_round(alone, noting, shoe))
        noting.end(games[-1].payoffs[0] or 0)
    expected = noting.rounds
    assert play_environment(BlackjackEnv(alone), policy, GIVEN_ROUNDS, GIVEN_SEED).rounds == expected
    compiled = BlackjackVectorEnv(3, alone)
    assert play_first(compiled, policy, GIVEN_ROUNDS, GIVEN_SEED).rounds == expected
    at_table = replace(rules, seats=1)
    with open_house(rules=at_table) as house:
        house.server.shoes = lambda _, __: given_shoe(at_table)
        assert play_over_socket(house.port, policy, GIVEN_ROUNDS).rounds == expected
    with open_house(rules=at_table) as house:
        house.server.shoes = lambda _, __: given_shoe(at_table)
        with seated(house.port) as env:
            assert play_environment(env, policy, GIVEN_ROUNDS).rounds == expected
    table = compile_policy(policy, alone)
    for game in games:
        cards = cards_of(game)
        assert by_kernel(alone, [table], cards) == [record_of(game, len(cards))]


def given_shoe(rules: Rules) -> Dealing:
    """The shoe of an environment with the seed `GIVEN_SEED`."""
    return shoe_for(rules, CountedRandom(key_of(GIVEN_SEED)))


def cards_of(game: Round) -> NDArray[np.uint8]:
    """The cards of a round in the order in which they were dealt."""
    dealt = [each for each in game.records if isinstance(each, DEALT)]
    return np.array([each.card.index for each in dealt], np.uint8)
