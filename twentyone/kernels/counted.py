"""Rounds by a player who counts, and their payoffs by the true count when they begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cards import Outcome, Rules
from twentyone.kernels.automaton import automaton_of
from twentyone.kernels.counting import (
    CARDS,
    FIRST,
    HIDES,
    HOLE_CARD,
    POLICIES,
    RUNNING,
    Count,
    Counting,
    counting_of,
    tags_of,
    true_count,
)
from twentyone.kernels.decisions import CompiledPolicy, is_for, is_sure
from twentyone.kernels.interleaved import LONG_RUN, play_interleaved
from twentyone.kernels.rounds import (
    BUST,
    MOST_TENTHS,
    Log,
    Seats,
    compile_ask,
    compile_play_round,
    deal_safely,
    new_seats,
    note_nothing,
)
from twentyone.kernels.shoe import DEALT, ROUND_START, SHORT, Shoe, begin_ordered_round, new_shoe
from twentyone.kernels.streams import key_of
from twentyone.kernels.tables import RuleTables, full_shoe, rule_tables
from twentyone.support.compiling import compiled, part


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Payoffs of rounds by the true count when they began, with one initial bet on each.

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
        """The sums of both, which were counted in the same way."""
        return Counted(
            self.lowest,
            self.rounds + other.rounds,
            self.payoffs + other.payoffs,
            self.squares + other.squares,
        )


class NotEnoughCardsError(Exception):
    """A round asked for a card when all were on the table, in one sentence."""


def play_counted(
    rules: Rules, policies: Sequence[CompiledPolicy], count: Count, rounds: int, seed: int, shard: int = 0
) -> Counted:
    """Play rounds from a fresh shoe on, and add up what the first seat wins, by its true count.

    A long run of one seat and one policy begins with a fresh shoe for each slot of the fast kernel.
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
        ValueError: for an infinite deck, another number of policies, or one that is compiled for other rules.
        NotEnoughCardsError: if a round has used up the shoe.
    """
    return counted_player(rules, policies, count)(rounds, seed, shard)


def counted_player(
    rules: Rules, policies: Sequence[CompiledPolicy], count: Count
) -> Callable[[int, int, int], Counted]:
    """The function of rounds, seed and shard that plays as `play_counted`, for many short runs.

    Raises:
        ValueError: as `play_counted`.
    """
    if rules.decks is None:
        raise ValueError("there is nothing to count in an infinite deck: expected 1 to 8 decks")
    if len(policies) not in (1, len(count.counts)):
        raise ValueError(f"{len(policies)} policies: expected one, or one for each of {len(count.counts)}")
    for policy in policies:
        if not is_for(policy, rules):
            raise ValueError(
                f"the policy {policy.name!r} does not answer all that is asked under these rules: expected"
                " one compiled for them"
            )
    tables = np.stack([policy.decisions for policy in policies])
    counting, given = counting_of(rules, count, len(policies)), rule_tables(rules)
    full, fewest = full_shoe(rules), rules.fewest_cards
    can_be_long = rules.seats == len(policies) == 1 and is_sure(tables)
    seats = np.broadcast_to(tables, (rules.seats, *tables.shape)).copy()

    def play(rounds: int, seed: int, shard: int) -> Counted:
        key, sums = key_of(seed), np.zeros((3, len(count.counts)), np.int64)
        if can_be_long and rounds >= LONG_RUN:
            automaton = automaton_of(rules, tables.tobytes())
            outcomes, totals = np.zeros(len(Outcome), np.int64), np.zeros(2 * MOST_TENTHS + 1, np.int64)
            play_interleaved(
                *automaton, given, tables, full, fewest, key, shard, rounds, outcomes, totals, counting, sums
            )
        else:
            shoe = new_shoe(full, fewest, key, shard)
            room = new_seats(rules.seats), np.zeros(1, np.int64)
            if not play_counted_rounds(given, seats, counting, full, shoe, rounds, sums, *room):
                raise NotEnoughCardsError(shortage(rules))
        return Counted(count.lowest, *sums)

    return play


def shortage(rules: Rules) -> str:
    """The sentence about a round that has used up the shoe."""
    return (
        f"all cards of {rules.decks} deck{'s' if rules.decks != 1 else ''} were on the table in a round of"
        f" {rules.seats} seats: expected fewer seats or more decks"
    )


@part
def running_count(counting: Counting, shoe: Shoe) -> int:
    """The running count of all cards that are out of the shoe; the shoe may have been refilled."""
    start = shoe.at[ROUND_START]
    running = counting.at[RUNNING] if start else counting.at[FIRST]
    return int(running) + tags_of(counting, shoe.cards, start, shoe.at[DEALT])


@part
def count_after(counting: Counting, shoe: Shoe, outcomes: NDArray[np.int64]) -> int:
    """The running count after a round: without a hole card that stays hidden when every seat is bust."""
    running = running_count(counting, shoe)
    if not counting.at[HIDES]:
        return running
    for seat in range(outcomes.size):
        if outcomes[seat] != BUST:
            return running
    return int(running - counting.tags[hole_card(counting, shoe)])


@part
def hole_card(counting: Counting, shoe: Shoe) -> int:
    """The rank of the hole card."""
    return int(shoe.cards[shoe.at[ROUND_START] + counting.at[HOLE_CARD]])


@part
def at_true_count(counting: Counting, shoe: Shoe) -> int:
    """The place of the true count in the middle of a round, before the hole card is seen."""
    if counting.at[POLICIES] == 1:
        return 0
    running = running_count(counting, shoe) - counting.tags[hole_card(counting, shoe)]
    return true_count(counting, running, counting.at[CARDS] - shoe.at[DEALT] + 1)


play_counted_round = compile_play_round(
    deal_safely, compile_ask(note_nothing, at_true_count), has_short_way=False
)


@compiled
def play_counted_rounds(
    tables: RuleTables,
    policies: NDArray[np.int32],
    counting: Counting,
    full: NDArray[np.uint8],
    shoe: Shoe,
    rounds: int,
    sums: NDArray[np.int64],
    seats: Seats,
    log: Log,
) -> bool:
    """Play rounds from a fresh shoe on.

    Args:
        tables: the rules.
        policies: int32 (seats, counts, questions, rows, upcards): each seat's policy; one for all true
            counts, or one for each.
        counting: how is counted.
        full: the ranks of a full shoe, in any order.
        shoe: the shoe. Is written.
        rounds: how many to play.
        sums: int64 (3, counts): is added to: rounds, payoffs of the first seat in tenths, and their squares.
        seats: the seats. Are written.
        log: a log that is not used.

    Returns:
        Whether there were always enough cards.
    """
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
        counting.at[RUNNING] = count_after(counting, shoe, seats.outcomes)
    return bool(shoe.at[SHORT] == 0)
