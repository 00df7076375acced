"""Play by a table by true count: over the wire it decides as the kernels do on the same cards."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cards import (
    CARDS,
    PRESETS,
    Bets,
    CardDealt,
    Cutoff,
    DealerDrew,
    Decision,
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
from player.counting import CardCount, CountedPlay, about_count
from tests.helpers.house import open_house
from tests.helpers.kernel_shoe import KernelShoe
from tests.helpers.played import rules_with_payoffs
from tests.player.typed import play, player, sentence
from twentyone.kernels.counted import play_counted
from twentyone.kernels.counting import count_of
from twentyone.kernels.decisions import compile_policy
from twentyone.kernels.shoe import DEALT
from twentyone.kernels.tables import TENTHS
from twentyone.policies.action_values import (
    ACTIONS,
    FURTHEST,
    SHAPE,
    TRUE_COUNTS,
    TRUSTED,
    ActionValues,
    Origin,
)
from twentyone.policies.counting import HI_LO, SYSTEMS, System
from twentyone.policies.policy import Observation, observation
from twentyone.policies.table_files import save
from twentyone.support.command import CommandError

VEGAS = PRESETS["vegas"]
EUROPE = replace(PRESETS["europe"], reshuffle=Penetration(0.5))


@cache
def table_by_chance(seed: int, rules: Rules, system: System = HI_LO) -> ActionValues:
    """Values by chance, so that each layer decides otherwise."""
    values = np.random.default_rng(seed).normal(size=SHAPE)
    return ActionValues(values, np.full(SHAPE, TRUSTED), Origin(rules, "qlearning", 1), system)


def played_by_cards(play: CountedPlay, rules: Rules, shoe: Shoe) -> Round:
    """A round in which the player sees what a dealer that tells payoffs shows."""
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


def tenths_of(game: Round) -> int:
    """What the only seat is paid for a round, in tenths."""
    return int(TENTHS * (game.payoffs[0] or 0))


@pytest.mark.check
@pytest.mark.parametrize("seed", range(4))
def test_it_decides_as_the_kernels_do_on_the_same_cards(seed: int) -> None:
    """Another decision deals other cards to all that follows, so the sums would not be the same.

    With few cards behind the cut card the shoe is filled again within a round, which no message tells.
    """
    random, rounds = Random(seed), 1_000
    decks = random.choice((1, 2, 6))
    reshuffle = Cutoff(random.randint(1, 4)) if seed % 2 else Penetration(random.uniform(0.3, 0.9))
    rules = replace(rules_with_payoffs(random), decks=decks, reshuffle=reshuffle, seats=1)
    table = table_by_chance(seed, rules, random.choice([*SYSTEMS.values()]))
    shoe, play = KernelShoe(rules, seed), CountedPlay(table, rules, is_told=True)
    payoffs = []
    for _ in range(rounds):
        if shoe.shoe.cards.size - shoe.shoe.at[DEALT] < rules.fewest_cards:
            play.shuffled()
        payoffs.append(tenths_of(played_by_cards(play, rules, shoe)))
    count = count_of(table.system, rules, FURTHEST)
    policies = [compile_policy(table.policy(true_count), rules) for true_count in TRUE_COUNTS]
    counted = play_counted(rules, policies, count, rounds, seed)
    sums = (rounds, sum(payoffs), sum(payoff * payoff for payoff in payoffs))
    assert (counted.rounds.sum(), counted.payoffs.sum(), counted.squares.sum()) == sums


def saved(folder: Path, rules: Rules = VEGAS) -> None:
    save(table_by_chance(3, rules), folder / "counted.txt")


def assert_played_as(document: dict[str, Any], rules: Rules, *, is_shuffled: bool) -> None:
    """See that each round was as the same cards make it: those that a dealer deals by the seed 5."""
    shoe = shoe_for(rules, seeded(5, 1))
    counted, tenths = CountedPlay(table_by_chance(3, rules), rules, is_told=True), 0
    for _ in range(document["rounds"]):
        if is_shuffled and shoe.begin_round():
            counted.shuffled()
        tenths += tenths_of(played_by_cards(counted, rules, shoe))
    assert document["mean_payoff"] * document["rounds"] == pytest.approx(tenths / TENTHS)


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        (EUROPE, "--policy=counted:counted.txt"),
        pytest.param(VEGAS, "--table=counted.txt", marks=pytest.mark.check),
    ],
)
def test_at_a_real_dealer_each_round_is_as_the_same_cards_make_it(
    tmp_path: Path, rules: Rules, option: str
) -> None:
    saved(tmp_path, rules)
    with open_house(rules=rules, rounds=120, seed=5) as house:
        done = play(tmp_path, house.port, option, "--json")
    assert done.status == 0, done
    assert "playing by the table counted.txt, and counting by hi-lo" in done.err
    document = json.loads(done.out)
    assert (document["rounds"], document["ev_lost"]["rounds"]) == (120, 120)
    assert document["exact"]["value"] is None
    assert_played_as(document, rules, is_shuffled=True)


def test_at_hit_and_stand_the_cards_of_the_round_count(tmp_path: Path) -> None:
    """Such a dealer never says that its shoe is fresh."""
    rules = replace(PRESETS["course"], reshuffle=Penetration(0.5))
    saved(tmp_path, rules)
    with open_house(rules=rules, rounds=200, seed=5) as house:
        done = play(tmp_path, house.port, "--policy=counted.txt", "--json")
    assert done.status == 0, done
    assert "the dealer does not tell when its shoe is fresh" in done.err
    assert_played_as(json.loads(done.out), rules, is_shuffled=False)


@pytest.mark.check
def test_bets_are_by_hi_lo_and_decisions_by_the_system_of_the_table(tmp_path: Path) -> None:
    save(table_by_chance(4, EUROPE, SYSTEMS["ko"]), tmp_path / "counted.txt")
    with open_house(rules=replace(EUROPE, bets=Bets(10, 80), bankroll=10_000), seed=2) as house:
        options = ("--bet=count:1-8", "--policy=counted.txt", "--rounds=60", "--json")
        done = play(tmp_path, house.port, *options)
    assert done.status == 0, done
    assert "counting by ko" in done.err
    document = json.loads(done.out)
    assert document["rounds"] == 60
    assert document["chips"] != pytest.approx(10 * 60 * document["mean_payoff"])


def test_a_decision_is_by_the_layer_of_the_true_count() -> None:
    """A table that stands from a true count of 2 on, and hits below that; one deck by Hi-Lo."""
    rules = replace(EUROPE, decks=1)
    values = np.zeros(SHAPE)
    values[TRUE_COUNTS.index(2) :, ..., ACTIONS.index(Decision.STAND)] = 1
    values[: TRUE_COUNTS.index(2), ..., ACTIONS.index(Decision.HIT)] = 1
    table = ActionValues(values, np.full(SHAPE, TRUSTED), Origin(rules, "qlearning", 1), HI_LO)
    play = CountedPlay(table, rules, is_told=True)
    two, three, ten = CARDS[1], CARDS[2], CARDS[9]
    for cards, decision in (
        ([two], Decision.HIT),  # 52 / 51, rounded down
        ([two, three], Decision.STAND),  # 104 / 50
        ([two, three, ten], Decision.HIT),  # 52 / 49
        ([card for card in CARDS if 2 <= card.points <= 6], Decision.STAND),  # beyond the last layer
        ([card for card in CARDS if card.points == 10], Decision.HIT),  # before the first one
    ):
        play.shuffled()
        play.began()
        for card in cards:
            play.saw(card)
        seen = Observation(16, False, 9, 0, (Decision.HIT, Decision.STAND))
        assert play.decide(seen) is decision, (play.running, play.seen)


def test_cards_that_are_in_the_shoe_again_are_not_counted_twice() -> None:
    """With the hole card on the table 53 cards of one deck are out: the shoe has been filled again."""
    count = CardCount(HI_LO, replace(EUROPE, decks=1), is_kept=True)
    count.began()
    for card in CARDS[:48]:
        count.saw(card)
    running = count.running
    count.began()
    for card in CARDS[1:4]:  # twos to fours, each counts +1
        count.saw(card)
    assert (count.running, count.seen) == (running + 3, 51)
    count.saw_upcard(CARDS[4])  # with the hole card behind it they are 53
    assert (count.running, count.seen) == (4, 4)
    count.saw_dealer(CARDS[5])
    count.saw(CARDS[6])
    assert (count.running, count.seen) == (5, 6)


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
    with open_house(rules=replace(EUROPE, decks=None, reshuffle=EveryRound())) as house:
        done = play(tmp_path, house.port, "--policy=counted:counted.txt", "--rounds=3")
    assert done.status == 0, done
    assert "player: the shoe is fresh for every round, so only the cards of the round are counted" in done.err
    assert "the table was learned under other rules" in done.err
    assert "`analysis learn --count` makes one for them" in done.err


def test_what_cannot_be_played_is_refused_in_a_sentence(tmp_path: Path) -> None:
    saved(tmp_path)
    (tmp_path / "bad.txt").write_text("# columns: nothing\n")
    for options, status, problem in (
        (("--policy=counted:none.txt",), 1, "the table none.txt cannot be read: no such file"),
        (("--policy=counted:bad.txt",), 1, "bad.txt is not a table by true count"),
        (("--policy=counted",), 2, "counted:FILE"),
        (("--policy=counted:counted.txt", "--table=x"), 2, "are two tables: expected one of them"),
    ):
        assert problem in sentence(player(tmp_path, "--local", "--rounds=1", *options), status)
    with pytest.raises(CommandError, match="against an upcard, and showdown has no dealer"):
        CountedPlay(table_by_chance(3, VEGAS), PRESETS["showdown"], is_told=True)
