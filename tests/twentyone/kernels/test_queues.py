"""The compiled shoe with a queue for each hand deals as `cards.QueuedShoe` does, and so the same rounds."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import cards
from cards import DEALER, PRESETS, Card, EveryRound, Round, Rules
from cards.splitmix import random_number, seed_key
from tests.helpers.kernel_rounds import covering_rules
from tests.helpers.uncompiled import uncompiled, wrapping
from twentyone.kernels.decisions import DECISIONS, CompiledPolicy, compile_policy, questions_of
from twentyone.kernels.queues import (
    NOTES,
    SHORT,
    QueuedShoe,
    answer_of,
    begin_queued_round,
    deal_from,
    new_queued_shoe,
    play_queued,
)
from twentyone.kernels.tables import RANKS, full_shoe, rule_tables
from twentyone.policies.policy import Observation, Policy, observation

HANDS = 3

TOO_LONG, LONGEST = 54_149, 187_779
"""The numbers of two rounds of eight decks, by seed 1: one is too long to be noted, the other just fits."""


def rules_of(decks: int | None) -> Rules:
    """Rules with a queue for each of three hands."""
    return replace(PRESETS["vegas"], decks=decks, split=HANDS, reshuffle=EveryRound())


def shoes_of(decks: int | None, seed: int, number: int) -> tuple[cards.QueuedShoe, QueuedShoe]:
    """The same shoe in Python and compiled."""
    full = full_shoe(rules_of(decks))
    shoe = new_queued_shoe(full, HANDS)
    begin_queued_round(full, shoe, np.uint64(random_number(seed_key(seed), number)))
    return cards.QueuedShoe(rules_of(decks), seed, number), shoe


def rank_of(card: Card) -> int:
    return RANKS.index(cards.CARDS[card.index % len(RANKS)])


def deal(shoe: cards.QueuedShoe, queue: int) -> Card:
    return shoe.deal(DEALER) if queue == 0 else shoe.deal(0, queue - 1)


@given(
    st.sampled_from([None, 1, 2, 6]),
    st.integers(0, 2**70),
    st.integers(0, 2**33),
    st.lists(st.integers(0, HANDS), max_size=51),
)
def test_it_deals_the_same_cards_in_any_order(
    decks: int | None, seed: int, number: int, queues: list[int]
) -> None:
    in_python, compiled = shoes_of(decks, seed, number)
    for queue in queues:
        assert rank_of(deal(in_python, queue)) == deal_from(compiled, queue)


@pytest.mark.parametrize("seed", range(4))
def test_one_deck_to_its_end(seed: int) -> None:
    """A queue that has come to the end takes the last cards that are left: 52 in all, and then none."""
    random = Random(seed)
    favourite = random.randrange(HANDS + 1)
    in_python, compiled = shoes_of(1, seed, 0)
    for _ in range(52):
        queue = favourite if random.random() < 0.7 else random.randrange(HANDS + 1)
        assert rank_of(deal(in_python, queue)) == deal_from(compiled, queue)
    assert not compiled.at[SHORT]
    deal_from(compiled, favourite)
    assert compiled.at[SHORT]
    with pytest.raises(cards.ShoeError):
        deal(in_python, favourite)


def hungry(seen: Observation) -> cards.Decision:
    """Splits, doubles and insures whatever it may, and hits up to 18."""
    for decision in (cards.Decision.SPLIT, cards.Decision.INSURE, cards.Decision.DOUBLE):
        if decision in seen.options and (decision is not cards.Decision.DOUBLE or seen.total % 2):
            return decision
    if cards.Decision.HIT not in seen.options:
        return seen.options[-1]
    return cards.Decision.HIT if seen.total < 19 else cards.Decision.STAND


def noted_by_engine(rules: Rules, policy: Policy, seed: int, number: int) -> tuple[int, list[int]]:
    """The payoff of a round in tenths, and what is to be noted of it."""
    round_ = Round(rules, cards.QueuedShoe(rules, seed, number))
    round_.deal()
    while round_.turn is not None:
        round_.decide(0, policy(observation(round_, 0)))
    notes: list[int] = []
    questions = {options: question for question, options in questions_of(rules)}
    for record in round_.records:
        match record:
            case cards.CardDealt(_, card) | cards.UpcardDealt(card):
                notes.append(card.points)
            case cards.DecisionAsked(_, _, options):
                question = questions[options]
            case cards.DecisionTaken(_, decision):
                notes.append(answer_of(question, DECISIONS.index(decision)))
    (payoff,) = round_.payoffs
    assert payoff is not None
    return int(10 * payoff), [*sorted(notes[:2]), *notes[2:]]


def played(
    rules: Rules, policy: CompiledPolicy, seed: int, first: int, rounds: int, play: Any = play_queued
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.bool_]]:
    payoffs, is_noted = np.zeros(rounds, np.int32), np.zeros(rounds, np.bool_)
    notes = np.zeros((rounds, NOTES), np.uint8)
    table = policy.decisions[np.newaxis, np.newaxis]
    given = rule_tables(rules), table, full_shoe(rules), np.uint64(seed_key(seed)), first
    play(*given, payoffs, notes, is_noted)
    return payoffs, notes, is_noted


def assert_same_rounds(
    rules: Rules, policy: Policy, seed: int, first: int, rounds: int, play: Any = play_queued
) -> int:
    """See that kernel and engine agree; return how many rounds could not be noted."""
    payoffs, notes, is_noted = played(rules, compile_policy(policy, rules), seed, first, rounds, play)
    for place in range(rounds):
        payoff, expected = noted_by_engine(rules, policy, seed, first + place)
        assert is_noted[place] == (len(expected) <= NOTES)
        if is_noted[place]:
            assert payoffs[place] == payoff
            assert bytes(notes[place]).rstrip(b"\0") == bytes(expected)
    return int((~is_noted).sum())


@pytest.mark.parametrize("name", ["course", "vegas", "reno", "europe"])
def test_without_compiling_it_plays_the_rounds_of_the_engine(name: str) -> None:
    rules = replace(PRESETS[name], reshuffle=EveryRound(), seats=1)
    with wrapping():
        play = uncompiled("twentyone.kernels.queues").play_queued
        assert_same_rounds(rules, hungry, 2**65 + 3, 2**31, 40, play)


def test_without_compiling_a_round_that_is_too_long_and_a_shoe_that_is_used_up_are_told() -> None:
    """Four hands of small cards that draw to 19, and a shoe of three cards."""
    rules = replace(PRESETS["vegas"], decks=8, reshuffle=EveryRound())
    policy, full = compile_policy(hungry, rules), full_shoe(rules)[:3]
    payoffs, is_noted = np.zeros(2, np.int32), np.ones(2, np.bool_)
    notes, table = np.zeros((2, NOTES), np.uint8), policy.decisions[np.newaxis, np.newaxis]
    with wrapping():
        play = uncompiled("twentyone.kernels.queues").play_queued
        assert assert_same_rounds(rules, hungry, 1, TOO_LONG - 1, 3, play) == 1
        assert assert_same_rounds(rules, hungry, 1, LONGEST, 1, play) == 0
        assert played(rules, policy, 1, LONGEST, 1, play)[1][0, -1] > 0
        play(rule_tables(rules), table, full, np.uint64(seed_key(1)), 0, payoffs, notes, is_noted)
    assert not is_noted.any()


@pytest.mark.check
def test_compiled_it_plays_the_rounds_of_the_engine_by_every_value_of_every_rule() -> None:
    for seed, rules in enumerate(covering_rules(1, seats=("1",))):
        assert_same_rounds(replace(rules, reshuffle=EveryRound()), hungry, seed, 0, 200)
