"""The engines of the project check each other: exact value, compiled kernel, `cards.Round`, a real socket.

Every figure has its own fixed seed, so that the samples are independent of each other and the tests repeat.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, DealerStands, Rules
from tests.helpers.estimates import agree
from tests.helpers.house import open_house
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import command
from twentyone.analysis.studies.estimate import Estimate, mean_of
from twentyone.analysis.studies.games import play_games
from twentyone.analysis.studies.montecarlo import simulate
from twentyone.devs.blackjack import Setup
from twentyone.devs.games import Games, shuffled_by
from twentyone.devs.values import Outcome as Ending
from twentyone.exact.named import named, parsed
from twentyone.exact.solving import evaluate
from twentyone.kernels.decisions import compile_table
from twentyone.policies.decisions import DecisionTable, threshold
from twentyone.support.rules import options_of

pytestmark = pytest.mark.check

TABLE = Path(__file__).parents[1] / "qtables" / "course.txt"

KERNEL_ROUNDS = 4_000_000
ROUND_ROUNDS = 10_000
SOCKET_ROUNDS = 4_000
TABLE_ROUNDS = 1_500
DEVS_GAMES = 3_000

INFINITE = replace(PRESETS["course"], preset="course", decks=None)

ONE_SEAT = {
    "course": (PRESETS["course"], f"qtable:{TABLE}"),
    "devs": (PRESETS["devs"], "threshold:15"),
    "infinite deck": (INFINITE, "never-bust"),
    "textbook": (PRESETS["textbook"], f"qtable:{TABLE}"),
    "casino": (PRESETS["casino"], f"qtable:{TABLE}"),
}
EXACT = ("course", "devs", "infinite deck", "textbook")

MORE_SEATS = {
    "casino at 9 seats": replace(PRESETS["casino"], seats=9),
    "showdown of 5": replace(PRESETS["showdown"], seats=5),
}


def by_kernel(rules: Rules, policy: DecisionTable) -> Estimate:
    """The mean payoff by the compiled kernel that `analysis simulate` uses for these rules."""
    return simulate(rules, [compile_table(policy, rules)], KERNEL_ROUNDS, seed=1).estimate()


def by_round(rules: Rules, policy: DecisionTable) -> Estimate:
    """The mean payoff of a seat by `cards.Round`."""
    payoffs = []
    for game in play_games(rules, [parsed(policy.name)], ROUND_ROUNDS // rules.seats, seed=2):
        paid = [float(payoff) for payoff in game.round.payoffs if payoff is not None]
        payoffs.append(sum(paid) / rules.seats)
    return mean_of(payoffs)


def by_devs() -> Estimate:
    """The mean payoff by the DEVS model, whose challenger stands on 15."""
    games, payoffs = Games(Setup(shuffled=shuffled_by(9))), []
    for number in range(DEVS_GAMES):
        games.reset(number)
        payoffs.append({Ending.WIN: 1.0, Ending.TIE: 0.0, Ending.LOSE: -1.0}[games.play().outcome])
    return mean_of(payoffs)


def by_socket(rules: Rules, policy: str, folder: Path) -> Estimate:
    """The mean payoff by the `player` command at its own dealer, over a real socket."""
    kind, _, file = policy.partition(":")
    plays = ["--policy", "qtable", "--table", file] if kind == "qtable" else ["--policy", policy]
    rounds = ["--rounds", SOCKET_ROUNDS, "--seed", 3, "--json", "--local"]
    done = command("player", *rounds, *plays, *options_of(rules), cwd=folder)
    assert done.status == 0, done.err
    result = json.loads(done.out)
    assert result["rounds"] == SOCKET_ROUNDS
    return Estimate(result["mean_payoff"], result["standard_error"])


def by_bots(rules: Rules, policy: str, history: Path) -> Estimate:
    """The mean payoff of a seat at the dealer's own tables, with bots in all seats."""
    options = {"rules": rules, "bots": rules.seats, "bot_policy": policy, "seed": 5, "history": history}
    with open_house(rounds=TABLE_ROUNDS, **options) as house:  # type: ignore[arg-type]
        assert eventually(lambda: house.has_ended, 4 * PATIENCE)
    lines = map(json.loads, history.read_text(encoding="utf-8").splitlines())
    payoffs = [[float(payoff) for payoff in line["payoffs"]] for line in lines]
    assert len(payoffs) == TABLE_ROUNDS
    return mean_of(np.mean(payoffs, axis=1))  # the seats of a round are not independent, the rounds are


@pytest.mark.parametrize("name", ONE_SEAT)
def test_exact_value_kernel_round_devs_model_and_socket_agree(name: str, tmp_path: Path) -> None:
    rules, policy = ONE_SEAT[name]
    table = named(policy, rules)
    found = {
        "kernel": by_kernel(rules, table),
        "round": by_round(rules, table),
        "socket": by_socket(rules, policy, tmp_path),
    }
    if name == "devs":
        found["devs"] = by_devs()
    if name in EXACT:
        found["exact"] = Estimate(evaluate(rules, table.hit).value, 0.0)
    for one, other in combinations(found, 2):
        assert agree(found[one], found[other]), f"{one} {found[one]}, {other} {found[other]}"


@pytest.mark.parametrize("name", MORE_SEATS)
def test_kernel_round_and_dealer_agree_at_more_seats(name: str, tmp_path: Path) -> None:
    rules = MORE_SEATS[name]
    policy = threshold(16)
    kernel = simulate(rules, [compile_table(policy, rules)], KERNEL_ROUNDS // 8, seed=4).estimate()
    assert agree(kernel, by_round(rules, policy))
    assert agree(kernel, by_bots(rules, "threshold:16", tmp_path / "history"))


@pytest.mark.parametrize("name", ["threshold:15", "random"])
def test_a_seat_is_worth_the_same_at_any_table(name: str) -> None:
    """From a fresh shoe the cards that others take change nothing on average (optional stopping)."""
    rules = replace(PRESETS["course"], seats=9, decks=8, dealer_stands=DealerStands.HARD17)
    policy = named(name, rules)
    exact = Estimate(evaluate(rules, policy.hit).value, 0.0)
    assert agree(simulate(rules, [compile_table(policy, rules)], 1_000_000, seed=5).estimate(), exact)
