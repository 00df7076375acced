"""The fast kernels: card by card as `cards.Round`, and the exact values met."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import (
    CARDS,
    PRESETS,
    Ace,
    Cutoff,
    DealerStands,
    Decision,
    DecisionTaken,
    EveryRound,
    HoleCard,
    Naturals,
    Outcome,
    Penetration,
    Rules,
    ShoeError,
)
from tests.helpers import kernels
from tests.helpers.kernel_rounds import any_policy, by_cards, covering_rules, orders, record_of, some_rules
from tests.helpers.kernels import stacked
from tests.helpers.published import chart_of, closest
from tests.helpers.tiers import first_of
from tests.helpers.uncompiled import uncompiled, wrapping
from twentyone.analysis.studies.montecarlo import (
    Result,
    Shard,
    is_fast,
    kernel_input,
    play_shard,
    simulate,
)
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import seat_game
from twentyone.kernels.automaton import automaton_of, round_automaton
from twentyone.kernels.counted import play_counted, play_counted_rounds
from twentyone.kernels.counting import Count, counting_of, nothing_counted
from twentyone.kernels.decisions import DECISIONS, CompiledPolicy, by_chance, compile_policy, compile_table
from twentyone.kernels.interleaved import LONG_RUN, follow, play_interleaved
from twentyone.kernels.rounds import MOST_TENTHS, OUTCOMES, new_seats
from twentyone.kernels.shoe import new_shoe
from twentyone.kernels.simulation import play_rounds
from twentyone.kernels.streams import key_of
from twentyone.kernels.tables import TENTHS, rule_tables
from twentyone.policies.chart import policy_of
from twentyone.policies.policy import Policy, threshold

VEGAS, RENO = PRESETS["vegas"], PRESETS["reno"]
EACH: Final = 40
"""Orders of cards for each of the rules."""

KEPT: Final = {
    "a shoe dealt to its last card": replace(RENO, reshuffle=Cutoff(1)),
    "one deck": replace(VEGAS, decks=1, reshuffle=Penetration(0.8)),
}


# Card by card.


def moved(cards: NDArray[np.uint8], rules: Rules, taken: list[Decision]) -> NDArray[np.uint8]:
    """The cards of a round as the automaton deals them: it takes the hole card when the dealer plays.

    That is after the player's cards; but before a split, and before play where the dealer peeks at it.
    """
    is_peeked = rules.hole_card is HoleCard.PEEK and CARDS[cards[2]].points in (1, 10)
    if is_peeked or Decision.SPLIT in taken:
        return cards
    dealt = 4 + sum(each in (Decision.HIT, Decision.DOUBLE) for each in taken)
    return np.concatenate([cards[:3], cards[4:dealt], cards[3:4], cards[dealt:]])


@pytest.mark.parametrize("seed", first_of(range(4)))
def test_the_same_cards_give_the_same_round_card_by_card(seed: int) -> None:
    """By rules that have every value of every rule."""
    outcomes: Counter[Outcome] = Counter()
    decisions: Counter[Decision] = Counter()
    unseen: Counter[int] = Counter()
    for rules in covering_rules(seed, seats=("1",)):
        policy = any_policy(seed)
        table = compile_policy(policy, rules)
        tables = rule_tables(rules)
        kept, fresh = (round_automaton(tables, table.decisions, is_kept=is_kept) for is_kept in (True, False))
        # Found for these rules and policies. A state that remembers the hole card is needed for a peek only.
        most = 1_500 if rules.hole_card is HoleCard.PEEK else 1_000
        assert 300 < fresh.after.size // 16 <= kept.after.size // 16 < most, rules
        for cards in orders(rules, EACH, seed):
            shoe = stacked(cards)
            try:
                game = by_cards(rules, [policy], shoe)
            except ShoeError:
                continue  # of the few cards of one deck
            expected = record_of(game, len(cards) - len(shoe))
            taken = [DECISIONS[number] for number in expected.decisions]
            decide, order = table.decisions[np.newaxis], moved(cards, rules, taken) % np.uint8(13)
            found = follow(*kept, tables, decide, order)
            assert found == (*expected.outcomes, *expected.payoffs, expected.dealt), rules
            outcome, payoff, dealt = follow(*fresh, tables, decide, order)
            assert (outcome, payoff) == found[:2], rules
            assert expected.dealt - dealt in (0, 1), "a hole card that decides nothing may stay undealt"
            unseen[expected.dealt - dealt] += 1
            outcomes[OUTCOMES[found[0]]] += 1
            decisions.update(taken)
    assert all(outcomes[each] for each in Outcome) and all(decisions[each] for each in Decision)
    assert unseen[0] > unseen[1] > 0


HIT_AND_STAND: Final = {
    "course": Rules(),
    "devs": PRESETS["devs"],
    "infinite deck": Rules(decks=None),
    "hard17": Rules(dealer_stands=DealerStands.HARD17, decks=None),
    "aces of 11": Rules(ace=Ace.ELEVEN),
    "textbook": PRESETS["textbook"],
    "naturals, 8 decks": Rules(naturals=Naturals.BEAT, decks=8),
}


@pytest.mark.parametrize("name", HIT_AND_STAND)
def test_tables_of_hit_and_stand_end_in_the_same_way_card_by_card(name: str) -> None:
    rules, table = HIT_AND_STAND[name], kernels.any_policy(5)
    decide = compile_table(table, rules).decisions
    tables = rule_tables(rules)
    kept, fresh = (round_automaton(tables, decide, is_kept=is_kept) for is_kept in (True, False))
    for cards in kernels.orders(rules, 1_000, 11):
        game = kernels.play_by_cards(rules, [table], stacked(cards))
        taken = [record.decision for record in game.records if isinstance(record, DecisionTaken)]
        order = moved(cards, rules, taken) % np.uint8(13)
        outcome, payoff, dealt = follow(*kept, tables, decide[np.newaxis], order)
        assert OUTCOMES[outcome] is game.outcomes[0] and payoff == TENTHS * (game.payoffs[0] or 0)
        hits = taken.count(Decision.HIT)
        assert dealt == 4 + hits + (len(game.dealer.cards) - 2 if game.dealer else 0)
        ended = follow(*fresh, tables, decide[np.newaxis], order)
        assert ended == (outcome, payoff, dealt - game.hands[0].is_bust)


def test_every_way_ends_and_a_slot_that_has_stopped_stays_so() -> None:
    for rules in (Rules(), VEGAS):
        decide = compile_policy(any_policy(2), rules).decisions
        after, ends = round_automaton(rule_tables(rules), decide, is_kept=False)
        states, over = after.reshape(-1, 16), len(ends)
        assert (states[over] == over).all()
        assert (states[:over, :13] == states[over + 1, :13]).all(), "the next round begins"
        ended = np.arange(len(states)) < over
        for _ in range(30):
            ended = ended | ended[states[:, :13]].all(axis=1)
        assert ended[np.arange(len(states)) != over].all()


# Many rounds.


def played(rules: Rules, policy: CompiledPolicy, rounds: int, *, fast: bool) -> Result:
    """Rounds by the fast kernel, or by that of any rules."""
    given = kernel_input(rules, (policy.decisions.tobytes(),))
    outcomes, totals = np.zeros((1, len(Outcome)), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
    tables, full, fewest, key = given.tables, given.full, rules.fewest_cards, key_of(3)
    if fast:
        played_by = *automaton_of(rules, policy.decisions.tobytes()), tables, given.policies[0], full, fewest
        play_interleaved(*played_by, key, 0, rounds, outcomes[0], totals, *nothing_counted(rules))
    else:
        sums = np.zeros((1, 2), np.int64)
        assert play_rounds(tables, given.policies, full, fewest, key, 1, rounds, outcomes, totals, sums)
    return Result(outcomes, totals)


@pytest.mark.check
@pytest.mark.parametrize("name", KEPT)
def test_both_kernels_find_the_same_shares(name: str) -> None:
    """By a policy that splits and doubles often, from shoes that are kept, and refilled within a round."""
    rules = KEPT[name]
    policy = compile_policy(any_policy(4), rules)
    rounds = 400_000
    fast, other = (played(rules, policy, rounds, fast=each) for each in (True, False))
    assert fast.rounds == other.rounds == rounds
    for one, two in zip(fast.outcomes[0].tolist(), other.outcomes[0].tolist(), strict=True):
        share = (one + two) / (2 * rounds)
        assert abs(one - two) <= 4 * sqrt(2 * rounds * share * (1 - share))
    gap = fast.estimate().mean - other.estimate().mean
    assert abs(gap) < 4 * sqrt(2) * fast.estimate().standard_error
    assert np.count_nonzero(fast.totals[: MOST_TENTHS - 2 * TENTHS]) > 0, "hands were split and doubled"


@pytest.mark.parametrize("seed", first_of([1, 0, 4]))
def test_drawn_rules_have_their_exact_value(seed: int) -> None:
    rules = replace(some_rules(Random(500 + seed), seats=1), decks=2 * seed or None, reshuffle=EveryRound())
    chart = chart_of(closest(rules))
    exact = evaluate(seat_game(rules), chart).value
    policy = compile_policy(policy_of(chart, rules), rules)
    assert is_fast(rules, (policy.decisions.tobytes(),), 1)
    estimate = simulate(rules, [policy], 1 << 22, seed).estimate()
    assert estimate.standard_error < 0.0008
    assert abs(estimate.mean - exact) < 4 * estimate.standard_error, rules


# Counted.


def sums_of(rules: Rules, policy: CompiledPolicy, count: Count, shard: int, *, fast: bool) -> Floats:
    """The rounds of a shard by true count, and what they paid in initial bets: (2, counts)."""
    if fast:
        found = play_counted(rules, [policy], count, LONG_RUN, 5, shard)
        return np.array([found.rounds, found.payoffs / TENTHS])
    sums = np.zeros((3, len(count.counts)), np.int64)
    given, counting = kernel_input(rules, (policy.decisions.tobytes(),)), counting_of(rules, count, 1)
    shoe = new_shoe(given.full, rules.fewest_cards, key_of(6), shard)
    played_by = given.tables, given.policies, counting, given.full, shoe
    play_counted_rounds(*played_by, LONG_RUN, sums, new_seats(1), np.zeros(1, np.int64))
    return np.array([sums[0], sums[1] / TENTHS])


@pytest.mark.check
@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (VEGAS, Count(lowest=-4, highest=4)),
        (KEPT["a shoe dealt to its last card"], Count(unit=0, first=-2)),
        (PRESETS["casino"], Count(lowest=-4, highest=4)),  # a hole card that stays hidden is not counted
    ],
)
def test_both_kernels_find_the_same_true_counts(rules: Rules, count: Count) -> None:
    """And the same payoffs at each; through shoes that are refilled within a round, too."""
    policy = compile_policy(any_policy(4), rules)
    both = [
        np.array([sums_of(rules, policy, count, shard, fast=fast) for shard in range(24)])
        for fast in (True, False)
    ]
    means = [each.mean(axis=0) for each in both]
    error = np.sqrt(sum(each.var(axis=0, ddof=1) / len(each) for each in both))
    common = means[0][0] > LONG_RUN / 500
    assert common.sum() >= 9
    assert np.all(np.abs(means[0] - means[1])[:, common] < 5 * error[:, common])


@pytest.mark.check
def test_rounds_that_are_counted_are_those_that_are_not() -> None:
    policy = compile_policy(any_policy(4), VEGAS)
    counted = play_counted(VEGAS, [policy], Count(), LONG_RUN, 3, 2)
    totals = np.array(play_shard(Shard(VEGAS, (policy.decisions.tobytes(),), 3, 2, LONG_RUN))["totals"])
    tenths = np.arange(totals.size) - totals.size // 2
    assert counted.rounds.sum() == LONG_RUN == totals.sum()
    assert counted.payoffs.sum() == totals @ tenths
    assert counted.squares.sum() == totals @ tenths**2


def fast_without_compiling(
    rules: Rules, rounds: int, count: Count | None, slots: int, play: Policy | None = None
) -> list[NDArray[Any]]:
    """The outcomes, payoffs and sums of rounds by the fast kernel as plain Python, with so many slots."""
    kernel, policy = uncompiled("twentyone.kernels.interleaved"), compile_policy(play or any_policy(4), rules)
    decisions = policy.decisions.tobytes()
    given, automaton = kernel_input(rules, (decisions,)), automaton_of(rules, decisions)
    outcomes, totals = np.zeros(len(Outcome), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
    counting, sums = nothing_counted(rules)
    if count is not None:
        counting, sums = counting_of(rules, count, 1), np.zeros((3, len(count.counts)), np.int64)
    arguments: tuple[Any, ...] = (*automaton, given.tables, given.policies[0])
    with wrapping(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "SLOTS", slots)
        patch.setattr(kernel, "INFINITE_SLOTS", slots)
        if rules.decks is None:
            kernel.play_interleaved_endless(*arguments, key_of(3), 0, rounds, outcomes, totals)
        else:
            arguments = (*arguments, given.full, rules.fewest_cards)
            kernel.play_interleaved(*arguments, key_of(3), 0, rounds, outcomes, totals, counting, sums)
    return [outcomes, totals, sums]


@pytest.mark.parametrize("name", KEPT)
def test_without_compiling_rounds_are_counted_from_one_to_the_next(name: str) -> None:
    """Each card counts 1, so the count is how many cards are out when a round begins: 4 or more a round."""
    rules = KEPT[name]
    count = Count(tags=(1,) * 10, unit=0, lowest=0, highest=52)
    outcomes, totals, sums = fast_without_compiling(rules, 120, count, 2)
    tenths = np.arange(totals.size) - totals.size // 2
    assert outcomes.sum() == totals.sum() == sums[0].sum() == 120
    assert sums[1].sum() == totals @ tenths
    assert sums[2].sum() == totals @ tenths**2
    begun = np.flatnonzero(sums[0])
    assert begun[0] == 0 and begun[1] >= 4
    assert 30 < begun[-1] <= 52 - max(rules.fewest_cards, 1)
    assert sums[0, 0] > 8 or rules.fewest_cards < 2, "many shoes were made fresh"
    other = fast_without_compiling(rules, 120, None, 2)
    assert [each.tolist() for each in other[:2]] == [outcomes.tolist(), totals.tolist()]


def test_without_compiling_a_hole_card_that_stays_hidden_is_not_counted() -> None:
    """As SPEC has it: at a table of HIT and STAND nothing is turned over when every hand is bust.

    Whoever always hits is bust in every round. With insurance on offer the same cards are dealt, and the hole
    card is turned over.
    """
    hides = replace(PRESETS["casino"], decks=8, reshuffle=Cutoff(1))
    shows = replace(hides, insurance=True)
    count = Count(tags=(1,) * 10, unit=0, lowest=0, highest=416)
    fast = [
        fast_without_compiling(rules, 20, count, 2, threshold(22))[2][0] @ np.arange(417)
        for rules in (hides, shows)
    ]
    # Two shoes of ten rounds, which begin with 0 to 9 hole cards that were not seen.
    assert fast[1] - fast[0] == 2 * sum(range(10))
    counted = uncompiled("twentyone.kernels.counted").play_counted
    with wrapping():
        found = [
            counted(rules, [compile_policy(threshold(22), rules)], count, 10, 3).rounds @ np.arange(417)
            for rules in (hides, shows)
        ]
    assert found[1] - found[0] == sum(range(10))


def test_without_compiling_an_infinite_deck_is_played_for_as_many_rounds_as_are_asked_for() -> None:
    rules = replace(VEGAS, decks=None, reshuffle=EveryRound())
    outcomes, totals, _ = fast_without_compiling(rules, 301, None, 3)
    assert outcomes.sum() == totals.sum() == 301
    assert all(outcomes) and np.count_nonzero(totals) > 5, "hands were split and doubled"


def test_which_kernel_plays() -> None:
    policy = compile_policy(any_policy(1), VEGAS)
    sure, chance = (policy.decisions.tobytes(),), (by_chance(policy).decisions.tobytes(),)
    assert is_fast(VEGAS, sure, LONG_RUN)
    assert not is_fast(VEGAS, sure, LONG_RUN - 1), "a few rounds in a row are those of one shoe"
    assert is_fast(replace(VEGAS, reshuffle=EveryRound()), sure, 1)
    assert not is_fast(VEGAS, chance, LONG_RUN)
    assert not is_fast(replace(VEGAS, seats=2), sure * 2, LONG_RUN)
