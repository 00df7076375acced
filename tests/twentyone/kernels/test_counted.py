"""Counted rounds against rounds by `cards` with the same cards, counted card by card."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Card, Decision, Double, EveryRound, Round, Rules, Surrender
from player.bets import Better, parse_bet
from tests.helpers.kernel_rounds import any_policy, some_rules
from tests.helpers.kernel_shoe import KernelShoe
from tests.helpers.published import chart_of, closest
from tests.helpers.uncompiled import uncompiled, wrapping
from twentyone.kernels.counted import Counted, play_counted
from twentyone.kernels.counting import HI_LO, Count, counting_of
from twentyone.kernels.decisions import compile_policy
from twentyone.kernels.shoe import DEALT, ROUND_START
from twentyone.kernels.tables import TENTHS
from twentyone.policies.chart import policy_of
from twentyone.policies.policy import Observation, Policy, observation

VEGAS = PRESETS["vegas"]

Sums = Counter[tuple[str, int]]
"""The rounds, payoffs and squares of payoffs, by true count."""


def basic(rules: Rules) -> Policy:
    """The chart that is known."""
    return policy_of(chart_of(closest(rules)), rules)


def tag(card: Card, tags: tuple[int, ...]) -> int:
    """What a card adds to the running count."""
    return tags[9] if card.is_ace else tags[card.points - 2]


def counted_by_cards(
    rules: Rules, policies: list[Policy], count: Count, rounds: int, shoe: KernelShoe
) -> Sums:
    """The rounds, payoffs and squares by true count, all by definition."""
    sums: Sums = Counter()

    def true_count(seen: list[Card]) -> int:
        running = count.first + sum(tag(card, count.tags) for card in seen)
        unseen = 52 * (rules.decks or 0) - len(seen)
        units = max(1, int(unseen / count.unit + 0.5)) if count.unit else 1
        count_now = running * 52 // (units * count.unit if count.unit else 52)
        return min(max(count_now, count.lowest), count.highest)

    for _ in range(rounds):
        game = Round(rules, shoe)
        game.deal()
        start = shoe.start
        began = true_count(shoe.dealt()[:start])
        while (seat := game.turn) is not None:
            seen = shoe.dealt()
            del seen[shoe.start + 2 * rules.seats + 1]
            number = true_count(seen) - count.lowest if len(policies) > 1 else 0
            game.decide(seat, policies[number](observation(game, seat)))
        (first, *_) = game.payoffs
        assert first is not None
        payoff = int(TENTHS * first)
        sums["rounds", began] += 1
        sums["payoffs", began] += payoff
        sums["squares", began] += payoff * payoff
    return sums


def assert_same(counted: Counted, expected: Sums, count: Count) -> None:
    """See that all sums are equal."""
    for name in ("rounds", "payoffs", "squares"):
        found = dict(zip(count.counts, getattr(counted, name).tolist(), strict=True))
        assert found == {number: expected[name, number] for number in count.counts}, name


@pytest.mark.check
@pytest.mark.parametrize("seed", range(5))
def test_sums_by_true_count_are_those_of_the_same_cards(seed: int) -> None:
    rules, count, policies = some_study(seed)
    tables = [compile_policy(policy, rules) for policy in policies]
    expected = counted_by_cards(rules, policies, count, 500, KernelShoe(rules, seed))
    assert_same(play_counted(rules, tables, count, 500, seed), expected, count)


@pytest.mark.parametrize("seed", range(4))
def test_without_compiling_sums_by_true_count_are_those_of_the_same_cards(seed: int) -> None:
    rules, count, policies = some_study(seed)
    tables = [compile_policy(policy, rules) for policy in policies]
    play, of = uncompiled("twentyone.kernels.counted").play_counted, uncompiled("tests.helpers.kernel_shoe")
    with wrapping():
        expected = counted_by_cards(rules, policies, count, 60, of.KernelShoe(rules, seed, 1))
        played = play(rules, tables, count, 60, seed, 1)
        other = play(rules, tables, count, 60, seed)
        both = played + other
    assert_same(played, expected, count)
    assert both.rounds.sum() == 120
    assert both.payoffs.tolist() == (played.payoffs + other.payoffs).tolist()
    assert both.squares.tolist() == (played.squares + other.squares).tolist() != played.squares.tolist()


def some_study(seed: int) -> tuple[Rules, Count, list[Policy]]:
    """Rules, a way to count, and policies for it, by chance."""
    random = Random(seed)
    rules = some_rules(random)
    rules = replace(rules, decks=rules.decks or 2)
    count = Count(
        tags=HI_LO if seed % 2 else tuple(random.randint(-2, 2) for _ in range(10)),
        first=random.choice((0, -4)),
        unit=random.choice((1, 26, 52, 0)),
        lowest=-4,
        highest=5,
    )
    return rules, count, [any_policy(100 * seed + number) for number in range(10 if seed % 3 else 1)]


@pytest.mark.check
def test_the_true_count_is_that_of_a_player_who_bets_by_it() -> None:
    shoe, better = KernelShoe(VEGAS, 3), Better(parse_bet("count:1-8"), VEGAS)
    expected: Counter[int] = Counter()
    policy, rounds = basic(VEGAS), 1_500
    for _ in range(rounds):
        game = Round(VEGAS, shoe)
        is_fresh = shoe.shoe.cards.size - shoe.shoe.at[DEALT] < VEGAS.fewest_cards
        if is_fresh:
            better.shuffled()
        expected[min(max(better.true_count, -10), 10)] += 1
        game.deal()
        while game.turn is not None:
            game.decide(0, policy(observation(game, 0)))
        for card in shoe.dealt(int(shoe.shoe.at[ROUND_START])):
            better.saw(card)
    counted = play_counted(VEGAS, [compile_policy(policy, VEGAS)], Count(), rounds, 3)
    assert dict(zip(Count().counts, counted.rounds.tolist(), strict=True)) == {
        number: expected[number] for number in Count().counts
    }


def test_parts_of_a_run_add_up() -> None:
    one, other = (Counted(-1, *np.arange(start, start + 9).reshape(3, 3)) for start in (1, 40))
    both = one + other
    assert (both.lowest, both.rounds.tolist()) == (-1, [41, 43, 45])
    assert (both.payoffs.tolist(), both.squares.tolist()) == ([47, 49, 51], [53, 55, 57])


def test_the_divisor_is_the_cards_or_the_nearest_full_decks() -> None:
    by_cards, by_decks = (counting_of(VEGAS, Count(unit=unit), 1).divisors for unit in (1, 52))
    assert by_cards[[1, 77, 312]].tolist() == [1, 77, 312]
    assert by_decks[[1, 77, 78, 129, 130, 312]].tolist() == [52, 52, 104, 104, 156, 312]


def test_what_cannot_be_counted_is_refused() -> None:
    endless = replace(VEGAS, decks=None, reshuffle=EveryRound())
    table = compile_policy(basic(VEGAS), VEGAS)
    with pytest.raises(ValueError, match="nothing to count in an infinite deck"):
        play_counted(endless, [table], Count(), 1, 1)
    with pytest.raises(ValueError, match="2 policies: expected one, or one for each of 21"):
        play_counted(VEGAS, [table] * 2, Count(), 1, 1)


def test_a_policy_that_is_compiled_for_other_rules_is_refused() -> None:
    """What it was never asked would be played as HIT."""
    changes: list[dict[str, Any]] = [{"surrender": Surrender.NONE}, {"insurance": False}]
    changes.append({"double": Double.NONE, "double_after_split": False})
    for fields in changes:
        other = replace(VEGAS, **fields)
        table = compile_policy(basic(other), other, "the other")
        with pytest.raises(ValueError, match="'the other' does not answer all that is asked under"):
            play_counted(VEGAS, [table], Count(), 1, 1)


def greedy(seen: Observation) -> Decision:
    """Splits what it may, or else hits."""
    return Decision.SPLIT if Decision.SPLIT in seen.options else seen.options[0]


def test_without_compiling_a_round_that_uses_up_the_shoe_is_told() -> None:
    counted = uncompiled("twentyone.kernels.counted")
    rules = replace(PRESETS["reno"], seats=9, insurance=False)
    said = "all cards of 1 deck were on the table in a round of 9 seats: expected fewer seats or more decks"
    with wrapping(), pytest.raises(counted.NotEnoughCardsError, match=said):
        counted.play_counted(rules, [compile_policy(greedy, rules)], Count(), 40, 1)
    assert counted.shortage(replace(rules, decks=2)).startswith("all cards of 2 decks were on the table")
