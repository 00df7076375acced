"""Rounds by any rules by `cards` and by the kernels, on the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from cards import (
    CARDS,
    Cutoff,
    Decision,
    DecisionTaken,
    EveryRound,
    Penetration,
    Reshuffle,
    Round,
    Rules,
    rules_from,
)
from tests.helpers.drawn import covering
from tests.helpers.played import by_cards as by_cards
from tests.helpers.played import rules_with_payoffs
from tests.helpers.reference import tells_payoffs
from twentyone.kernels.decisions import DECISIONS, CompiledPolicy, compile_policy
from twentyone.kernels.rounds import OUTCOMES
from twentyone.kernels.simulation import replay
from twentyone.kernels.tables import TENTHS, rule_tables
from twentyone.policies.policy import Observation, Policy

Cards = NDArray[np.uint8]

ENOUGH: Final = 500
"""More cards than a round can use that ends: nine seats with four hands each, and the dealer's."""


EAGER: Final = (Decision.SPLIT, Decision.DOUBLE, Decision.INSURE)


class Played(NamedTuple):
    """A round that was played.

    Attributes:
        decisions: the numbers of all decisions, in order.
        outcomes: the number of each seat's outcome.
        payoffs: each seat's payoff, in tenths.
        dealt: how many cards had been dealt at its end.
    """

    decisions: list[int]
    outcomes: list[int]
    payoffs: list[int]
    dealt: int


def some_rules(random: Random, seats: int = 3) -> Rules:
    """Rules with payoffs, each field by chance, the shoe and its reshuffle too."""
    rules = rules_with_payoffs(random)
    decks = random.choice((1, 2, 6, 8, None))
    kinds: list[Reshuffle] = [EveryRound()]
    if decks is not None:
        kinds += [Cutoff(random.randint(1, 52 * decks)), Penetration(random.uniform(0.05, 0.95))]
    return replace(rules, decks=decks, reshuffle=random.choice(kinds), seats=random.randint(1, seats))


def covering_rules(seed: int, seats: tuple[str, ...] = ("1", "2", "9")) -> list[Rules]:
    """A few rules with payoffs that together have every value of every rule, and shoes of every kind."""
    shoes = {"decks": ("1", "2", "6", "inf"), "reshuffle": ("round", "cutoff:1", "penetration:0.5")}

    def accept(fields: dict[str, str]) -> bool:
        return tells_payoffs(fields) and (fields["decks"] != "inf" or fields["reshuffle"] == "round")

    return [rules_from(fields) for fields in covering(seed, shoes | {"seats": seats}, accept)]


def any_policy(seed: int) -> Policy:
    """A policy with a decision by chance, but always the same, for each thing that it can see.

    It splits, doubles and insures more often than by pure chance.
    """

    def decide(seen: Observation) -> Decision:
        what = f"{seed} {seen.total} {seen.is_soft} {seen.upcard} {seen.pair} {len(seen.options)}"
        chance = crc32(what.encode())
        eager = [each for each in seen.options if each in EAGER]
        choices = eager if eager and chance % 5 < 2 else seen.options
        return choices[chance // 5 % len(choices)]

    return cache(decide)


def any_policies(rules: Rules, seed: int) -> list[Policy]:
    """A policy for each seat."""
    return [any_policy(10 * seed + seat) for seat in range(rules.seats)]


def compiled_for(rules: Rules, policies: Sequence[Policy]) -> list[CompiledPolicy]:
    """The tables of policies."""
    return [compile_policy(policy, rules) for policy in policies]


def record_of(game: Round, dealt: int) -> Played:
    """What `cards` says of a round."""
    taken = [each.decision for each in game.records if isinstance(each, DecisionTaken)]
    return Played(
        [DECISIONS.index(decision) for decision in taken],
        [OUTCOMES.index(outcome) for outcome in game.outcomes if outcome is not None],
        [int(TENTHS * payoff) for payoff in game.payoffs if payoff is not None],
        dealt,
    )


def by_kernel(
    rules: Rules, policies: Sequence[CompiledPolicy], cards: Cards, rounds: int = 1
) -> list[Played]:
    """Rounds played by the kernel from a shoe that deals in this order."""
    outcomes, payoffs = np.zeros((rounds, rules.seats), np.int64), np.zeros((rounds, rules.seats), np.int64)
    dealt, log = np.zeros(rounds, np.int64), np.zeros(1000 * rounds, np.int64)
    tables = np.stack([policy.decisions[np.newaxis] for policy in policies])
    fewest = rules.fewest_cards if rounds > 1 else 0
    assert replay(rule_tables(rules), tables, fewest, cards % np.uint8(13), outcomes, payoffs, dealt, log)
    decisions = log[1 : 1 + log[0]].tolist()
    # The log does not say where a round begins: each has the decisions of all.
    ends = zip(outcomes.tolist(), payoffs.tolist(), dealt.tolist(), strict=True)
    return [Played(decisions, *each) for each in ends]


def orders(rules: Rules, how_many: int, seed: int) -> Iterator[Cards]:
    """Orders of cards: shuffled shoes, and as many in which few ranks make many pairs, aces and tens."""
    random = np.random.default_rng(seed)
    full = np.array([card.index for card in CARDS] * (rules.decks or 8), np.uint8)
    for number in range(how_many):
        if number % 2:
            ranks = random.choice([0, 9, 10, *random.integers(0, 13, 3)], ENOUGH)
            yield (ranks + 13 * random.integers(0, 4, ENOUGH)).astype(np.uint8)
        else:
            yield random.permutation(full)[:ENOUGH]
