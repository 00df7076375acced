"""The search for basic strategy without a dealer, by simulation: the pair that no single seat can improve.

In each round, all seats except one play the same pair, and the last seat plays every pair in turn, on the
same cards. So the gain of one pair over another is measured round by round (common random numbers), without
the luck of the cards.

Here the seats play one after another, not in turns, and the deviating seat is always the last. Neither
matters with a shoe that is fresh every round: no decision depends on the cards of another seat, and all
orders of the cards are equally likely, so the order in which the seats draw does not change the chances of
their hands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.work.shards import HERE, Job
from twentyone.exact.showdown import PAIRS, Pair
from twentyone.exact.values.compositions import Bools
from twentyone.kernels.draws import deal_paired
from twentyone.kernels.rounds import strength_as_dealt
from twentyone.kernels.shoe import Shoe, begin_ordered_round, new_shoe
from twentyone.kernels.streams import MAX_SHARDS, key_of
from twentyone.kernels.tables import EMPTY, HANDS, RuleTables, full_shoe, hands_of, rule_tables
from twentyone.policies.decisions import fresh
from twentyone.support.compiling import compiled, inlined

SHARD_ROUNDS: Final = 1 << 18
"""Rounds of a shard, tenths of a second of work. The number is fixed, since the cards depend on it."""

MAX_ROUNDS: Final = SHARD_ROUNDS * MAX_SHARDS

NOISE: Final = 2.0
"""Standard errors: a smaller gain of a deviation counts as zero."""

LONGEST: Final = 32
"""More hands than a seat can have in a round, as it draws: the sum of its cards, aces as 1, is at most 31."""

# The sums for each pair.
PAYOFF: Final = 0
SQUARE: Final = 1  # of the payoff
GAIN_SQUARE: Final = 2  # of the payoff less that of the pair that all others play


class Shard(NamedTuple):
    """Some rounds, small enough to be sent anywhere.

    Attributes:
        rules: the rules, without a dealer and with a fresh shoe every round.
        others: the index of the pair that all other seats play.
        seed: the seed.
        number: the number of the shard, from 0; each has its own random numbers.
        rounds: how many rounds to play.
    """

    rules: Rules
    others: int
    seed: int
    number: int
    rounds: int


@dataclass(frozen=True, slots=True, eq=False)
class Responses:
    """The results of every pair at one seat, on the same cards, while all other seats played one pair.

    Attributes:
        pair: the pair of all others.
        rounds: how many rounds were played.
        sums: int64 (pairs, 3): the payoffs, their squares, and the squares of the gains over `pair`.
    """

    pair: Pair
    rounds: int
    sums: NDArray[np.int64]

    @property
    def payoff(self) -> Estimate:
        """The mean payoff of a seat if all seats play the pair."""
        payoff, square, _ = self.sums[PAIRS.index(self.pair)].tolist()
        return _mean(payoff, square, self.rounds)

    def gain(self, pair: Pair) -> Estimate:
        """The gain of a single seat by playing another pair."""
        payoff, _, square = self.sums[PAIRS.index(pair)].tolist()
        return _mean(payoff - int(self.sums[PAIRS.index(self.pair), PAYOFF]), square, self.rounds)

    @property
    def best(self) -> Pair:
        """The pair that gains most, of those that ended any round differently."""
        others = np.flatnonzero(self.sums[:, GAIN_SQUARE])
        if not others.size:
            return self.pair
        return PAIRS[int(others[self.sums[others, PAYOFF].argmax()])]

    @property
    def is_steady(self) -> bool:
        """Whether no other pair gains anything, within the noise."""
        gain = self.gain(self.best)
        return gain.mean <= NOISE * gain.standard_error


def search(start: Pair, respond: Callable[[Pair], Responses]) -> Responses:
    """Go from a pair to the best response to it, and so on, until a pair is its own best response.

    If the search enters a cycle, the pairs between those of the cycle are tried too. If none of them is its
    own best response either, the pair from which the best deviation gains least is returned.
    """
    seen: dict[Pair, Responses] = {}
    pair = start
    while pair not in seen:
        seen[pair] = respond(pair)
        if seen[pair].is_steady:
            return seen[pair]
        pair = seen[pair].best
    cycle = list(seen)[list(seen).index(pair) :]
    (least_hard, most_hard), (least_soft, most_soft) = (
        (min(each), max(each)) for each in zip(*cycle, strict=True)
    )
    for pair in PAIRS:
        if pair not in seen and least_hard <= pair.hard <= most_hard and least_soft <= pair.soft <= most_soft:
            seen[pair] = respond(pair)
    return min(seen.values(), key=lambda responses: responses.gain(responses.best).mean)


def responses(
    rules: Rules,
    pair: Pair,
    rounds: int,
    seed: int,
    job: Job = HERE,
) -> Responses:
    """Play rounds in which all seats except one play a pair, and the last seat plays every pair.

    Args:
        rules: the rules, without a dealer; the shoe is treated as fresh every round.
        pair: the pair of all others.
        rounds: how many rounds, 1 to `MAX_ROUNDS`.
        seed: 0 or more; the same seed gives the same cards for any pair and any number of workers.
        job: where the work is done, and who is told how far it is.

    Raises:
        ValueError: for rules with a dealer, or too many rounds.
        CommandError: if the workers are lost for good.
    """
    if rules.has_dealer or not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError(f"{rounds} rounds of {rules}: expected 1 to {MAX_ROUNDS}, without a dealer")
    others = PAIRS.index(pair)
    shards = [
        Shard(fresh(rules), others, seed, number, min(SHARD_ROUNDS, rounds - start))
        for number, start in enumerate(range(0, rounds, SHARD_ROUNDS))
    ]
    results = job.run(play_shard, shards, {}, lambda shard: shard.rounds)
    return Responses(pair, rounds, np.array(results, np.int64).sum(axis=0))


def play_shard(shard: Shard) -> list[list[int]]:
    """Play the rounds of a shard; return the sums of `Responses` over them."""
    rules = shard.rules
    full, sums = full_shoe(rules), np.zeros((len(PAIRS), 3), np.int64)
    play_responses(
        rule_tables(rules),
        hits_of(rules),
        shard.others,
        rules.seats - 1,
        full,
        shard.rounds,
        sums,
        new_shoe(full, full.size, key_of(shard.seed), shard.number),
        np.zeros(LONGEST, np.uint8),
        np.zeros(LONGEST, np.int64),
    )
    return sums.tolist()


@lru_cache(maxsize=8)
def hits_of(rules: Rules) -> Bools:
    """Whether each pair hits each hand, by the number of the hand: bool (pairs, hands)."""
    hits = np.zeros((len(PAIRS), HANDS), np.bool_)
    for number, hand in hands_of(rules).items():
        hits[:, number] = [hand.total < (pair.soft if hand.is_soft else pair.hard) for pair in PAIRS]
    return hits


@inlined
def deal_two(tables: RuleTables, shoe: Shoe) -> np.uint8:
    """Deal a hand of two cards."""
    first = deal_paired(shoe)
    hand: np.uint8 = tables.after[tables.after[EMPTY, first], deal_paired(shoe)]
    return hand


@compiled
def play_responses(
    tables: RuleTables,
    hits: Bools,
    pair_of_others: int,
    others: int,
    full: NDArray[np.uint8],
    rounds: int,
    sums: NDArray[np.int64],
    shoe: Shoe,
    held: NDArray[np.uint8],
    payoffs: NDArray[np.int64],
) -> None:
    """Play rounds from a fresh shoe each, the last seat by all pairs at once.

    Args:
        tables: the rules.
        hits: bool (pairs, hands): whether a pair hits a hand; the last hits wherever another does.
        pair_of_others: the index of the pair that all other seats play.
        others: how many other seats there are.
        full: the ranks of a full shoe, in any order; none for an infinite deck.
        rounds: how many to play.
        sums: int64 (pairs, 3): is added to, see `Responses`.
        shoe: the shoe, which is fresh every round. Is written.
        held: uint8 (LONGEST,): room for the successive hands of the last seat.
        payoffs: int64 (LONGEST,): room for its payoff if it stands on each.
    """
    after, strengths = tables.after, tables.strength
    pairs = hits.shape[0]
    for _ in range(rounds):
        begin_ordered_round(full, shoe)
        best = 0
        for _ in range(others):
            hand = deal_two(tables, shoe)
            mine = strength_as_dealt(tables, hand)
            while hits[pair_of_others, hand]:
                hand = after[hand, deal_paired(shoe)]
                mine = strengths[hand]
            best = max(best, int(mine))
        # The successive hands of the last seat, and its payoff if it stands on each.
        hand = deal_two(tables, shoe)
        mine = strength_as_dealt(tables, hand)
        last = 0
        while True:
            held[last] = hand
            payoffs[last] = -1 if mine == 0 or mine < best else 0 if mine == best else 1
            if not hits[pairs - 1, hand]:
                break
            hand = after[hand, deal_paired(shoe)]
            mine = strengths[hand]
            last += 1
        place = 0
        while hits[pair_of_others, held[place]]:
            place += 1
        usual = payoffs[place]
        for pair in range(pairs):
            place = 0
            while hits[pair, held[place]]:
                place += 1
            payoff = payoffs[place]
            sums[pair, PAYOFF] += payoff
            sums[pair, SQUARE] += payoff * payoff
            sums[pair, GAIN_SQUARE] += (payoff - usual) ** 2


def _mean(total: int, square: int, rounds: int) -> Estimate:
    """The mean of whole numbers from their sum and the sum of their squares."""
    spread = rounds * square - total**2
    error = sqrt(spread / (rounds - 1)) / rounds if rounds > 1 else float("nan")
    return Estimate(total / rounds, error)
