"""Many rounds, one after another, counted: the kernels of simulation for any rules, seats and policies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.kernels.rounds import (
    MOST_TENTHS,
    Ask,
    Log,
    PlayRound,
    Seats,
    compile_ask,
    compile_play_round,
    deal_given,
    deal_safely,
    new_seats,
    note_decision,
    note_nothing,
)
from twentyone.kernels.shoe import DEALT, SHORT, Deal, Shoe, begin_ordered_round, new_shoe
from twentyone.kernels.showdown import compile_play_showdown
from twentyone.kernels.streams import U64
from twentyone.kernels.tables import RuleTables
from twentyone.support.compiling import compiled, inlined


def compile_play_any_round(deal: Deal, ask: Ask) -> PlayRound:
    """Compile the function that plays a round, with a dealer or without one."""
    play_round, play_showdown = compile_play_round(deal, ask), compile_play_showdown(deal, ask)

    @inlined
    def play_any_round(
        tables: RuleTables, players: Any, counting: Any, shoe: Shoe, seats: Seats, log: Any
    ) -> int:
        if tables.has_dealer:
            return play_round(tables, players, counting, shoe, seats, log)
        return play_showdown(tables, players, counting, shoe, seats, log)

    return play_any_round


play_round = compile_play_any_round(deal_safely, compile_ask(note_nothing))
play_in_order = compile_play_any_round(deal_given, compile_ask(note_decision))


@compiled
def play_rounds(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    shard: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> bool:
    """Play rounds from a fresh shoe on, and count how they end.

    Args:
        tables: the rules.
        policies: int32 (seats, 1, questions, rows, upcards): each seat's policy.
        full: the ranks of a full shoe, in any order; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        shard: the shard; each has its own random numbers.
        rounds: how many to play.
        outcomes: int64 (seats, 5): is added to: rounds by seat and outcome.
        totals: int64 (2 x seats x `MOST_TENTHS` + 1,): is added to: rounds by the sum of the seats' payoffs,
            in tenths, from the lowest up.
        sums: int64 (seats, 2): is added to: each seat's payoffs, in tenths, and their squares.

    Returns:
        Whether there were always enough cards; if not, the counts are of no use.
    """
    seats = new_seats(policies.shape[0])
    shoe, log = new_shoe(full, fewest, key, shard), np.zeros(1, np.int64)
    for _ in range(rounds):
        begin_ordered_round(full, shoe)
        play_round(tables, policies, 0, shoe, seats, log)
        total = MOST_TENTHS * policies.shape[0]
        for seat in range(policies.shape[0]):
            payoff = seats.payoffs[seat]
            outcomes[seat, seats.outcomes[seat]] += 1
            sums[seat, 0] += payoff
            sums[seat, 1] += payoff * payoff
            total += payoff
        totals[total] += 1
    return bool(shoe.at[SHORT] == 0)


@compiled
def play_batches(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    first: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> bool:
    """Play batches of rounds, each from a fresh shoe on and with the random numbers of a shard of its own.

    Args:
        tables: the rules.
        policies: int32 (seats, 1, questions, rows, upcards): each seat's policy.
        full: the ranks of a full shoe, in any order; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        first: the shard of the first batch.
        rounds: how many rounds a batch has.
        outcomes: int64 (batches, seats, 5): is added to: rounds by batch, seat and outcome.
        sums: int64 (batches, seats, 2): is added to: payoffs in tenths, and their squares.

    Returns:
        Whether there were always enough cards; if not, the counts are of no use.
    """
    totals = np.zeros(2 * MOST_TENTHS * policies.shape[0] + 1, np.int64)
    for batch in range(outcomes.shape[0]):
        counts, shard = outcomes[batch], first + batch
        if not play_rounds(tables, policies, full, fewest, key, shard, rounds, counts, totals, sums[batch]):
            return False
    return True


@compiled
def replay(
    tables: RuleTables,
    policies: NDArray[np.int32],
    fewest: int,
    order: NDArray[np.uint8],
    outcomes: NDArray[np.int64],
    payoffs: NDArray[np.int64],
    dealt: NDArray[np.int64],
    log: Log,
) -> bool:
    """Play rounds with the cards in a given order, dealt from its front after every fresh shoe.

    Args:
        tables: the rules.
        policies: int32 (seats, 1, questions, rows, upcards): each seat's policy; nothing is left to chance.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        order: the ranks of a full shoe.
        outcomes: int64 (rounds, seats): is written.
        payoffs: int64 (rounds, seats): is written, in tenths.
        dealt: int64 (rounds,): is written: how many cards were dealt since the shoe was fresh or refilled.
        log: int64 (places,): is written: how many decisions there were, and each of them by its number.

    Returns:
        Whether there were always enough cards.
    """
    seats = new_seats(policies.shape[0])
    shoe = new_shoe(order, fewest, U64(0), 0)
    for number in range(outcomes.shape[0]):
        begin_ordered_round(order, shoe)
        play_in_order(tables, policies, 0, shoe, seats, log)
        outcomes[number] = seats.outcomes
        payoffs[number] = seats.payoffs
        dealt[number] = shoe.at[DEALT]
    return bool(shoe.at[SHORT] == 0)
