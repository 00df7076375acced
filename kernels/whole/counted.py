"""Rounds of the whole game by a player who counts: what they pay, by the true count when they begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from kernels.hand_tables import RANKS, WIDTH, full_shoe
from kernels.shoe import DEALT, ROUND_START, Shoe, begin_ordered_round, new_shoe
from kernels.streams import key_of
from kernels.whole.decisions import WholePolicy
from kernels.whole.rounds import (
    SHORT,
    compile_play_round,
    deal_safely,
    new_seats,
    note_nothing,
)
from kernels.whole.tables import WholeTables, whole_tables
from policies.policy import upcard_value
from support.compiling import compiled, part

DECK: Final = 52
HI_LO: Final = (1, 1, 1, 1, 1, 0, 0, 0, -1, -1)

# What is counted, as places in an array of int64.
RUNNING: Final = 0  # the running count when the round began
HOLE_CARD: Final = 1  # the place of the hole card among the cards of a round
CARDS: Final = 2  # the cards of a full shoe
FIRST: Final = 3  # the running count of a fresh shoe
LOWEST: Final = 4  # the lowest true count that is told apart
HIGHEST: Final = 5  # and the highest
POLICIES: Final = 6  # how many tables a policy has
PLACES: Final = 7


@dataclass(frozen=True, slots=True)
class Count:
    """How a player counts.

    The true count is the running count by decks that were not seen, rounded down. The running count is that
    of the cards that are out of the shoe and were seen.

    Attributes:
        tags: what each card adds to the running count, by its value from 2 to 11 (an ace).
        first: the running count of a fresh shoe.
        unit: by how many cards the player knows how many were not seen: 1, exactly; 26 or 52, to the nearest
            half or full deck, but at least one of these. 0: the running count is not divided at all.
        lowest: a true count below this counts as this.
        highest: a true count above this counts as this.
    """

    tags: tuple[int, ...] = HI_LO
    first: int = 0
    unit: int = 1
    lowest: int = -10
    highest: int = 10

    @property
    def counts(self) -> range:
        """The true counts that are told apart."""
        return range(self.lowest, self.highest + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What rounds paid by the true count when they began, with one initial bet on each.

    A spread that stakes u(t) units at a true count t has won the sum of u(t) x payoffs / 10 units, and the
    sum of the squares of its results is that of u(t)^2 x squares / 100.

    Attributes:
        lowest: the true count of the first place.
        rounds: int64 (counts,): how many rounds began at this true count.
        payoffs: int64 (counts,): the sum of their payoffs, in tenths of an initial bet.
        squares: int64 (counts,): the sum of the squares of these.
    """

    lowest: int
    rounds: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    squares: NDArray[np.int64]

    def __add__(self, other: Counted) -> Counted:
        """All rounds of both, counted in the same way."""
        return Counted(
            self.lowest,
            self.rounds + other.rounds,
            self.payoffs + other.payoffs,
            self.squares + other.squares,
        )


class NotEnoughCardsError(Exception):
    """A round asked for a card when all were on the table, in one sentence."""


def play_counted(
    rules: Rules, policies: Sequence[WholePolicy], count: Count, rounds: int, seed: int, shard: int = 0
) -> Counted:
    """Play rounds from a fresh shoe on, and add up what the first seat wins, by its true count.

    Bets change nothing in what is dealt, so all spreads can be valued from the sums of one run. Seats other
    than the first play in the same way.

    Args:
        rules: the rules, with a dealer and any number of seats; of a finite shoe.
        policies: one for all true counts; or one for each from `count.lowest` to `count.highest`, which holds
            for a decision at that true count: of all cards on the table but the hole card.
        count: how the player counts.
        rounds: how many to play.
        seed: the seed; the same seed and shard give the same rounds.
        shard: which part of a run, from 0: each has its own random numbers.

    Returns:
        The sums, exact.

    Raises:
        ValueError: for an infinite deck, or another number of policies.
        NotEnoughCardsError: if a round has used up the shoe.
    """
    if rules.decks is None:
        raise ValueError("there is nothing to count in an infinite deck: expected 1 to 8 decks")
    if len(policies) not in (1, len(count.counts)):
        raise ValueError(f"{len(policies)} policies: expected one, or one for each of {len(count.counts)}")
    tables = np.stack([policy.decisions for policy in policies])
    sums = np.zeros((3, len(count.counts)), np.int64)
    is_complete = play_counted_rounds(
        whole_tables(rules),
        np.broadcast_to(tables, (rules.seats, *tables.shape)).copy(),
        counting_of(rules, count, len(policies)),
        full_shoe(rules),
        rules.fewest_cards,
        key_of(seed),
        shard,
        rounds,
        sums,
    )
    if not is_complete:
        raise NotEnoughCardsError(shortage(rules))
    return Counted(count.lowest, *sums)


def shortage(rules: Rules) -> str:
    """What to say where a round has used up the shoe."""
    return (
        f"all cards of {rules.decks} deck{'s' if rules.decks != 1 else ''} were on the table in a round of"
        f" {rules.seats} seats: expected fewer seats or more decks"
    )


class Counting(NamedTuple):
    """How a player counts, for kernels.

    Attributes:
        tags: int64 (16,): what a card of each rank adds.
        divisors: int64 (cards + 2,): by how many cards the running count is divided, by those not seen.
        at: int64 (PLACES,): see above.
    """

    tags: NDArray[np.int64]
    divisors: NDArray[np.int64]
    at: NDArray[np.int64]


def counting_of(rules: Rules, count: Count, policies: int) -> Counting:
    """The tables of a way to count, under some rules."""
    cards = DECK * (rules.decks or 0)
    tags = [count.tags[upcard_value(card) - 2] for card in RANKS]
    unseen = np.arange(cards + 2)
    if count.unit:
        divisors = np.maximum((2 * unseen + count.unit) // (2 * count.unit), 1) * count.unit
    else:
        divisors = np.full(cards + 2, DECK)
    at = np.zeros(PLACES, np.int64)
    at[HOLE_CARD] = 2 * rules.seats + 1
    at[CARDS] = cards
    at[FIRST] = count.first
    at[LOWEST], at[HIGHEST], at[POLICIES] = count.lowest, count.highest, policies
    return Counting(np.array(tags + [0] * (WIDTH - len(tags)), np.int64), divisors.astype(np.int64), at)


@part
def running_count(counting: Counting, shoe: Shoe) -> int:
    """The running count of all cards that are out of the shoe; the shoe may have been refilled."""
    start = shoe.at[ROUND_START]
    running = counting.at[RUNNING] if start else counting.at[FIRST]
    for place in range(start, shoe.at[DEALT]):
        running += counting.tags[shoe.cards[place]]
    return int(running)


@part
def true_count(counting: Counting, running: int, unseen: int) -> int:
    """The place of the true count."""
    count = running * DECK // counting.divisors[unseen]
    return int(min(max(count, counting.at[LOWEST]), counting.at[HIGHEST]) - counting.at[LOWEST])


@part
def at_true_count(counting: Counting, shoe: Shoe) -> int:
    """The place of the true count in the middle of a round, before the hole card is seen."""
    if counting.at[POLICIES] == 1:
        return 0
    hole = shoe.cards[shoe.at[ROUND_START] + counting.at[HOLE_CARD]]
    running = running_count(counting, shoe) - counting.tags[hole]
    return true_count(counting, running, counting.at[CARDS] - shoe.at[DEALT] + 1)


play_counted_round = compile_play_round(deal_safely, note_nothing, at_true_count)


@compiled
def play_counted_rounds(
    tables: WholeTables,
    policies: NDArray[np.int8],
    counting: Counting,
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    shard: int,
    rounds: int,
    sums: NDArray[np.int64],
) -> bool:
    """Play rounds from a fresh shoe on.

    Args:
        tables: the rules.
        policies: int8 (seats, counts, questions, rows, upcards): each seat's policy; one for all true counts,
            or one for each.
        counting: how is counted.
        full: the ranks of a full shoe, in any order.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        shard: the shard.
        rounds: how many to play.
        sums: int64 (3, counts): is added to: rounds, payoffs of the first seat in tenths, and their squares.

    Returns:
        Whether there were always enough cards.
    """
    seats = new_seats(policies.shape[0])
    shoe, log = new_shoe(full, fewest, key, shard), np.zeros(1, np.int64)
    for _ in range(rounds):
        begin_ordered_round(full, shoe)
        if shoe.at[DEALT] == 0:
            counting.at[RUNNING] = counting.at[FIRST]
        place = true_count(counting, counting.at[RUNNING], full.size - shoe.at[DEALT])
        play_counted_round(tables, policies, counting, shoe, seats, log)
        payoff = seats.payoffs[0]
        sums[0, place] += 1
        sums[1, place] += payoff
        sums[2, place] += payoff * payoff
        counting.at[RUNNING] = running_count(counting, shoe)
    return bool(shoe.at[SHORT] == 0)
