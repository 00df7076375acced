"""The engines of the project check each other: exact value, compiled kernel, `cards.Round`, a real socket.

Every figure has its own fixed seed, so that the samples are independent of each other and the tests repeat.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.studies.estimate import Estimate, chi_squared_quantile, mean_of
from analysis.studies.games import play_games
from analysis.studies.montecarlo import simulate
from cards import CARDS, PRESETS, Ace, DealerStands, Naturals, Rules
from exact.named import named
from exact.solving import dealer_totals, evaluate
from kernels.hand_tables import RANKS, all_hands, hand_tables, hit_chances
from kernels.rounds import play_round
from kernels.shoe import begin_ordered_round, new_shoe
from kernels.streams import key_of
from policies.decisions import DecisionTable, threshold
from policies.policy import upcard_value
from support.rules import options_of
from tests.helpers.house import open_house
from tests.helpers.patience import PATIENCE, eventually

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "qtables" / "course.txt"

ERRORS = 4
"""The most standard errors between two figures: more occurs once in 16,000 comparisons."""

KERNEL_ROUNDS = 4_000_000
ROUND_ROUNDS = 40_000
SOCKET_ROUNDS = 20_000
TABLE_ROUNDS = 4_000

INFINITE = replace(PRESETS["course"], preset="course", decks=None)

ONE_SEAT = {
    "course": (PRESETS["course"], f"qtable:{TABLE}"),
    "devs": (PRESETS["devs"], "threshold:15"),
    "infinite deck": (INFINITE, f"qtable:{TABLE}"),
    "study": (PRESETS["study"], "threshold:16"),
    "casino": (PRESETS["casino"], f"qtable:{TABLE}"),
}
EXACT = ("course", "devs", "infinite deck")

MORE_SEATS = {
    "course at 3 seats": replace(PRESETS["course"], seats=3),
    "casino at 9 seats": replace(PRESETS["casino"], seats=9),
    "showdown of 2": PRESETS["showdown"],
    "showdown of 5": replace(PRESETS["showdown"], seats=5),
}


def agree(one: Estimate, other: Estimate) -> bool:
    """Whether two independent estimates may be of the same mean."""
    return abs(one.mean - other.mean) <= ERRORS * hypot(one.standard_error, other.standard_error)


def by_kernel(rules: Rules, policy: DecisionTable) -> Estimate:
    """The mean payoff by the compiled kernel that `analysis simulate` uses for these rules."""
    return simulate(rules, [policy], KERNEL_ROUNDS, seed=1).estimate()


def by_round(rules: Rules, policy: DecisionTable) -> Estimate:
    """The mean payoff of a seat by `cards.Round`."""
    payoffs = []
    for game in play_games(rules, [policy], ROUND_ROUNDS // rules.seats, seed=2):
        outcomes = [float(outcome.payoff) for outcome in game.round.outcomes if outcome]
        payoffs.append(sum(outcomes) / rules.seats)
    return mean_of(payoffs)


def by_socket(rules: Rules, policy: str) -> Estimate:
    """The mean payoff by the `player` command at its own dealer, over a real socket."""
    kind, _, file = policy.partition(":")
    plays = ["--policy", "qtable", "--table", file] if kind == "qtable" else ["--policy", policy]
    command = ["from player.cli import player_main; player_main()"]
    rounds = ["--rounds", str(SOCKET_ROUNDS), "--seed", "3", "--json", "--local"]
    done = subprocess.run(
        [sys.executable, "-c", *command, *rounds, *plays, *options_of(rules)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["rounds"] == SOCKET_ROUNDS
    return Estimate(result["mean_payoff"], result["standard_error"])


def by_bots(rules: Rules, policy: str, history: Path) -> Estimate:
    """The mean payoff of a seat at the dealer's own tables, with bots in all seats."""
    options = {"rules": rules, "bots": rules.seats, "bot_policy": policy, "seed": 5, "history": history}
    with open_house(rounds=TABLE_ROUNDS, **options) as house:  # type: ignore[arg-type]
        assert eventually(lambda: house.has_ended, 4 * PATIENCE)
    payoffs = [json.loads(line)["payoffs"] for line in history.read_text(encoding="utf-8").splitlines()]
    assert len(payoffs) == TABLE_ROUNDS
    return mean_of(np.mean(payoffs, axis=1))  # the seats of a round are not independent, the rounds are


@pytest.mark.parametrize("name", ONE_SEAT)
def test_kernel_round_and_socket_agree(name: str) -> None:
    rules, policy = ONE_SEAT[name]
    table = named(policy, rules)
    kernel, slow, wire = by_kernel(rules, table), by_round(rules, table), by_socket(rules, policy)
    assert agree(kernel, slow)
    assert agree(kernel, wire)
    assert agree(slow, wire)
    if name in EXACT:
        exact = Estimate(evaluate(rules, table.hit).value, 0.0)
        assert agree(kernel, exact)
        assert agree(slow, exact)
        assert agree(wire, exact)


@pytest.mark.parametrize("name", MORE_SEATS)
def test_kernel_round_and_dealer_agree_at_more_seats(name: str, tmp_path: Path) -> None:
    rules = MORE_SEATS[name]
    policy = threshold(16)
    kernel = simulate(rules, [policy], KERNEL_ROUNDS // 8, seed=4).estimate()
    assert agree(kernel, by_round(rules, policy))
    assert agree(kernel, by_bots(rules, "threshold:16", tmp_path / "history"))


@pytest.mark.parametrize("name", ["casino at 9 seats", "showdown of 5"])
def test_bots_that_play_basic_are_worth_what_the_kernel_says(name: str, tmp_path: Path) -> None:
    rules = MORE_SEATS[name]
    kernel = simulate(rules, [named("basic", rules)], KERNEL_ROUNDS // 8, seed=6).estimate()
    assert agree(kernel, by_bots(rules, "basic", tmp_path / "history"))


@pytest.mark.parametrize("seats", [1, 2, 9])
def test_a_seat_is_worth_the_same_at_any_table(seats: int) -> None:
    """From a fresh shoe the cards that others take change nothing on average (optional stopping)."""
    rules = replace(PRESETS["course"], seats=seats)
    policy = threshold(15)
    exact = Estimate(evaluate(rules, policy.hit).value, 0.0)
    assert agree(simulate(rules, [policy], 1_000_000, seed=5).estimate(), exact)


VARIANTS = {
    "aces of 11, 2 decks": replace(PRESETS["course"], ace=Ace.ELEVEN, decks=2),
    "hard17, naturals beat, 8 decks": replace(
        PRESETS["course"], dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT, decks=8
    ),
    "hard17, naturals beat, infinite": replace(
        INFINITE, dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT
    ),
    "aces of 1, hard17, infinite": replace(INFINITE, ace=Ace.ONE),
}


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("policy", ["basic", "random", "never-bust"])
def test_exact_value_and_kernel_agree_for_other_rules(name: str, policy: str) -> None:
    rules = VARIANTS[name]
    table = named(policy, rules)
    rounds = KERNEL_ROUNDS // (8 if policy == "random" else 1)
    kernel = simulate(rules, [table], rounds, seed=6).estimate()
    assert agree(kernel, Estimate(evaluate(rules, table.hit).value, 0.0))


DEALERS = {
    "course": PRESETS["course"],
    "devs": PRESETS["devs"],
    "casino, fresh": replace(VARIANTS["hard17, naturals beat, 8 decks"], decks=4),
}


@pytest.mark.parametrize("name", DEALERS)
def test_the_dealer_ends_as_often_with_each_total_as_exact_values_say(name: str) -> None:
    """Pearson's chi-squared over all upcards and ends at once; its limit is met by chance once in 30,000."""
    rules = DEALERS[name]
    counts = dealer_ends(rules, 200_000)
    expected = dealer_totals(rules) * counts.sum(axis=1, keepdims=True)
    counted = expected >= 5
    assert counts[expected == 0].sum() == 0
    statistic = float(((counts - expected)[counted] ** 2 / expected[counted]).sum())
    freedom = int(counted.sum() - (counted.any(axis=1)).sum())
    assert freedom >= 40
    assert statistic <= chi_squared_quantile(1 - 1 / 30_000, freedom)


def dealer_ends(rules: Rules, rounds: int) -> NDArray[np.int64]:
    """How often the kernel's dealer ended with 17 to 21, a natural or bust, by upcard: shape (10, 7)."""
    counts = np.zeros((10, 7), np.int64)
    ends = [end_of(hand.total, hand.is_natural) for hand in all_hands(rules)]
    for rank, hand in dealers(rules, rounds):
        counts[upcard_value(RANKS[rank]) - 2, ends[hand]] += 1
    return counts


def end_of(total: int, is_natural: bool) -> int:
    """The column of a hand in `dealer_totals`, for hands with which a dealer can end."""
    return 5 if is_natural else 6 if total > 21 else total - 17


def dealers(rules: Rules, rounds: int) -> Iterator[tuple[int, int]]:
    """Upcard and final hand of the dealer in rounds where the only seat stands at once."""
    tables = hand_tables(rules)
    chances = hit_chances(rules, threshold(0))[np.newaxis]
    full = np.array([card.index % 13 for card in CARDS] * (rules.decks or 0), np.uint8)
    shoe = new_shoe(full, rules.fewest_cards, key_of(7), 0)
    hands, outcomes = np.zeros(2, np.uint8), np.zeros(1, np.int64)
    for _ in range(rounds):
        begin_ordered_round(full, shoe)
        play_round(tables, chances, True, shoe, hands, outcomes)
        yield int(shoe.cards[2]), int(hands[1])
