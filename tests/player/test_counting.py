"""Play by a table by true count: over the wire it decides as the kernels do on the same cards."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cards import (
    CARDS,
    PRESETS,
    CardDealt,
    Cutoff,
    DealerDrew,
    EveryRound,
    HoleCardRevealed,
    Penetration,
    Round,
    Rules,
    UpcardDealt,
    seeded,
    shoe_for,
)
from cards.shoe import Shoe
from kernels.shoe import DEALT
from kernels.whole.counted import play_counted
from kernels.whole.counting import count_of
from kernels.whole.decisions import compile_policy
from kernels.whole.tables import TENTHS
from player.client import Client, connect
from player.counting import CountedPlay, about_count
from player.play import ChosenPolicy, PolicyPlayer
from policies.counted_values import FURTHEST, SHAPE, TRUE_COUNTS, TRUSTED, CountedValues, save
from policies.counting import HI_LO, SYSTEMS, System
from policies.names import COUNTED, parse
from policies.policy import observation
from policies.qtable import Origin
from tests.helpers.kernel_shoe import KernelShoe
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import AsyncPeer
from tests.helpers.played import whole_rules
from tests.helpers.processes import command, dealing
from tests.player.dealt import House
from tests.player.test_client import ended

VEGAS = PRESETS["vegas"]


@cache
def table_by_chance(seed: int, rules: Rules, system: System = HI_LO) -> CountedValues:
    """Values by chance, so that each layer decides otherwise."""
    values = np.random.default_rng(seed).normal(size=SHAPE)
    return CountedValues(values, np.full(SHAPE, TRUSTED), system, Origin(rules, "qlearning", 1))


def played_by_cards(play: CountedPlay, rules: Rules, shoe: Shoe) -> Round:
    """A round in which the player sees what a dealer of the whole game tells it."""
    game = Round(rules, shoe)
    play.began()
    records = game.deal()
    while True:
        for record in records:
            match record:
                case CardDealt(_, card):
                    play.saw(card)
                case UpcardDealt(card):
                    play.saw_upcard(card)
                case HoleCardRevealed(card) | DealerDrew(card):
                    play.saw_dealer(card)
        if game.turn is None:
            return game
        records = game.decide(0, play.decide(observation(game, 0)))


def is_fresh_next(shoe: KernelShoe, rules: Rules) -> bool:
    return bool(shoe.shoe.cards.size - shoe.shoe.at[DEALT] < rules.fewest_cards)


def sums_of(rounds: list[Round]) -> tuple[int, int, int]:
    """How many rounds, the sum of their payoffs in tenths, and that of the squares."""
    payoffs = [int(TENTHS * (game.payoffs[0] or 0)) for game in rounds]
    return len(payoffs), sum(payoffs), sum(payoff * payoff for payoff in payoffs)


def sums_by_kernel(table: CountedValues, rules: Rules, rounds: int, seed: int) -> tuple[int, int, int]:
    count = count_of(table.system, rules, FURTHEST)
    policies = [compile_policy(table.policy(true_count), rules) for true_count in TRUE_COUNTS]
    counted = play_counted(rules, policies, count, rounds, seed)
    return int(counted.rounds.sum()), int(counted.payoffs.sum()), int(counted.squares.sum())


@pytest.mark.parametrize("seed", range(6))
def test_it_decides_as_the_kernels_do_on_the_same_cards(seed: int) -> None:
    """Another decision deals other cards to all that follows, so the sums would not be the same.

    With few cards behind the cut card the shoe is filled again within a round, which no message tells.
    """
    random, rounds = Random(seed), 1_000
    decks = random.choice((1, 2, 6))
    reshuffle = Cutoff(random.randint(1, 4)) if seed % 2 else Penetration(random.uniform(0.3, 0.9))
    rules = replace(whole_rules(random), decks=decks, reshuffle=reshuffle, seats=1)
    table = table_by_chance(seed, rules, random.choice([*SYSTEMS.values()]))
    shoe, play = KernelShoe(rules, seed), CountedPlay(table, rules, is_told=True)
    games = []
    for _ in range(rounds):
        if is_fresh_next(shoe, rules):
            play.shuffled()
        games.append(played_by_cards(play, rules, shoe))
    assert sums_of(games) == sums_by_kernel(table, rules, rounds, seed)


class KernelHouse(House):
    """Deals the cards of the kernels, and tells when the shoe is fresh."""

    def __init__(self, rules: Rules, rounds: int, seed: int) -> None:
        super().__init__(rules, rounds, seed)
        self._kernel_shoe = KernelShoe(rules, seed)
        self._shoe = self._kernel_shoe

    async def _deal(self, peer: AsyncPeer, round_: Round) -> None:
        if is_fresh_next(self._kernel_shoe, round_.rules):
            await peer.say("SHUFFLE")
        await super()._deal(peer, round_)


async def test_over_the_wire_too() -> None:
    rounds, seed = 400, 11
    table, house = table_by_chance(seed, VEGAS), KernelHouse(VEGAS, rounds, seed)
    policy = ChosenPolicy(parse("counted:a", (COUNTED,)), None, seeded(1), table)
    player = PolicyPlayer(policy, None)
    async with house.listening() as port:
        client = Client(player, "a", whole=player)
        player.sit_down(client)
        await connect(client, "127.0.0.1", port, PATIENCE)
        assert await ended(client) is None
    assert sums_of(house.dealt) == sums_by_kernel(table, VEGAS, rounds, seed)


def saved(folder: Path, rules: Rules = VEGAS) -> Path:
    path = folder / "counted.txt"
    save(table_by_chance(3, rules), path)
    return path


@pytest.mark.parametrize("option", ["--policy=counted:counted.txt", "--table=counted.txt"])
def test_at_a_real_dealer_each_round_is_as_the_same_cards_make_it(tmp_path: Path, option: str) -> None:
    saved(tmp_path)
    rounds = 120
    with dealing(tmp_path, rounds, "--rules=vegas", "--seed=5") as port:
        done = command("player", "127.0.0.1", port, option, "--json", cwd=tmp_path)
    assert done.status == 0, done
    assert "playing by the table counted.txt, and counting by hi-lo" in done.err
    document = json.loads(done.out)
    assert (document["rounds"], document["ev_lost"]["rounds"]) == (rounds, rounds)
    assert document["exact"]["value"] is None
    shoe = shoe_for(VEGAS, seeded(5, 1))
    play, games = CountedPlay(table_by_chance(3, VEGAS), VEGAS, is_told=True), []
    for _ in range(rounds):
        if shoe.begin_round():
            play.shuffled()
        games.append(played_by_cards(play, VEGAS, shoe))
    assert document["mean_payoff"] * rounds == pytest.approx(sums_of(games)[1] / TENTHS)


def test_bets_are_by_hi_lo_and_decisions_by_the_system_of_the_table(tmp_path: Path) -> None:
    save(table_by_chance(4, VEGAS, SYSTEMS["ko"]), tmp_path / "counted.txt")
    given = ("--rules=vegas", "--bets=10-80", "--bet=count:1-8", "--policy=counted.txt", "--rounds=60")
    done = command("player", "--local", "--seed=2", "--json", *given, cwd=tmp_path)
    assert done.status == 0, done
    assert "counting by ko" in done.err
    document = json.loads(done.out)
    assert document["rounds"] == 60
    assert document["chips"] != pytest.approx(10 * 60 * document["mean_payoff"])


def test_at_hit_and_stand_the_cards_of_the_round_count(tmp_path: Path) -> None:
    """Such a dealer never says that its shoe is fresh."""
    rules, rounds = replace(PRESETS["course"], reshuffle=Penetration(0.5)), 200
    saved(tmp_path, rules)
    with dealing(tmp_path, rounds, "--rules=course", "--reshuffle=penetration:0.5", "--seed=5") as port:
        done = command("player", "127.0.0.1", port, "--policy=counted.txt", "--json", cwd=tmp_path)
    assert done.status == 0, done
    assert "the dealer does not tell when its shoe is fresh" in done.err
    shoe, play = shoe_for(rules, seeded(5, 1)), CountedPlay(table_by_chance(3, rules), rules, is_told=True)
    outcomes = [played_by_cards(play, rules, shoe).outcomes[0] for _ in range(rounds)]
    won = sum(outcome.payoff for outcome in outcomes if outcome is not None)
    assert json.loads(done.out)["mean_payoff"] * rounds == pytest.approx(float(won))


@pytest.mark.parametrize(
    ("rules", "is_told", "reason"),
    [
        (replace(VEGAS, reshuffle=EveryRound()), True, "the shoe is fresh for every round"),
        (PRESETS["study"], True, "the dealer does not tell when its shoe is fresh"),
        (VEGAS, False, "the dealer does not tell when its shoe is fresh"),
    ],
)
def test_otherwise_only_the_cards_of_the_round_count(rules: Rules, is_told: bool, reason: str) -> None:
    play = CountedPlay(table_by_chance(3, VEGAS), rules, is_told=is_told)
    for _ in range(3):
        play.began()
        play.saw(CARDS[1])  # twos to fours, each counts +1
        play.saw(CARDS[2])
        play.saw_upcard(CARDS[3])
        assert (play.running, play.seen) == (3, 3)
        play.saw_dealer(CARDS[1])
    sentence = about_count(rules, is_told=is_told)
    assert sentence == f"{reason}, so only the cards of the round are counted"
    assert about_count(VEGAS, is_told=True) is None


def test_a_dealer_with_a_fresh_shoe_and_a_table_of_other_rules_are_said(tmp_path: Path) -> None:
    saved(tmp_path)
    given = ("--policy=counted:counted.txt", "--local", "--rules=reno", "--reshuffle=round", "--rounds=3")
    done = command("player", *given, cwd=tmp_path)
    assert done.status == 0, done
    assert "player: the shoe is fresh for every round, so only the cards of the round are counted" in done.err
    assert "the table was learned under other rules" in done.err
    assert "`analysis learn --count` makes one for them" in done.err


@pytest.mark.parametrize(
    ("options", "status", "problem"),
    [
        (("--policy=counted:none.txt",), 1, "the table none.txt cannot be read: no such file"),
        (("--policy=counted:bad.txt",), 1, "bad.txt is not a table by true count"),
        (("--policy=counted",), 2, "counted:FILE"),
        (("--policy=counted:counted.txt", "--table=x"), 2, "are two tables: expected one of them"),
        (("--policy=counted.txt", "--rules=showdown"), 2, "against an upcard, and showdown has no dealer"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    tmp_path: Path, options: tuple[str, ...], status: int, problem: str
) -> None:
    saved(tmp_path)
    (tmp_path / "bad.txt").write_text("# columns: nothing\n")
    done = command("player", "--local", "--rounds=1", *options, cwd=tmp_path)
    assert (done.status, done.out) == (status, "")
    assert problem in done.err
