"""Many rounds, one after another, counted: the kernels of simulation for any rules, seats and policies."""

from __future__ import annotations

from collections.abc import Callable
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
from twentyone.kernels.shoe import DEALT, SHORT, Deal, Shoe, begin_ordered_round, begin_shard, new_shoe
from twentyone.kernels.showdown import compile_play_showdown
from twentyone.kernels.streams import U64
from twentyone.kernels.tables import RuleTables
from twentyone.support.compiling import compiled, inlined

PlayBatches = Callable[..., bool]


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


def compile_play_batches(play_round: PlayRound) -> PlayBatches:
    """Compile the function that plays batches of rounds, see `batches_kernel`."""

    @inlined
    def play(
        tables: RuleTables,
        policies: NDArray[np.int32],
        full: NDArray[np.uint8],
        first: int,
        rounds: int,
        outcomes: NDArray[np.int64],
        totals: NDArray[np.int64],
        sums: NDArray[np.int64],
        shoe: Shoe,
        seats: Seats,
        log: Log,
    ) -> bool:
        for batch in range(outcomes.shape[0]):
            begin_shard(shoe, first + batch)
            for _ in range(rounds):
                begin_ordered_round(full, shoe)
                play_round(tables, policies, 0, shoe, seats, log)
                total = MOST_TENTHS * policies.shape[0]
                for seat in range(policies.shape[0]):
                    payoff = seats.payoffs[seat]
                    outcomes[batch, seat, seats.outcomes[seat]] += 1
                    sums[batch, seat, 0] += payoff
                    sums[batch, seat, 1] += payoff * payoff
                    total += payoff
                totals[total] += 1
        return bool(shoe.at[SHORT] == 0)

    return play


_ask = compile_ask(note_nothing)
_play_batches = compile_play_batches(compile_play_round(deal_safely, _ask))
_play_showdown_batches = compile_play_batches(compile_play_showdown(deal_safely, _ask))
_play_in_order = compile_play_any_round(deal_given, compile_ask(note_decision))


@compiled
def batches_kernel(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    first: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    sums: NDArray[np.int64],
    shoe: Shoe,
    seats: Seats,
    log: Log,
) -> bool:
    """Play batches of rounds against a dealer, with what `play_rounds` and `play_batches` make for it."""
    return _play_batches(tables, policies, full, first, rounds, outcomes, totals, sums, shoe, seats, log)


@compiled
def showdown_kernel(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    first: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    sums: NDArray[np.int64],
    shoe: Shoe,
    seats: Seats,
    log: Log,
) -> bool:
    """As `batches_kernel`, without a dealer."""
    return _play_showdown_batches(
        tables, policies, full, first, rounds, outcomes, totals, sums, shoe, seats, log
    )


def kernel_for(*, has_dealer: bool) -> Callable[..., bool]:
    """The kernel that plays rounds with or without a dealer: only what is needed is compiled."""
    return batches_kernel if has_dealer else showdown_kernel


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
    shoe, log = new_shoe(full, fewest, key, shard), np.zeros(1, np.int64)
    given = outcomes[np.newaxis], totals, sums[np.newaxis], shoe, new_seats(policies.shape[0]), log
    return kernel_for(has_dealer=tables.has_dealer)(tables, policies, full, shard, rounds, *given)


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
    shoe, log = new_shoe(full, fewest, key, first), np.zeros(1, np.int64)
    given = outcomes, totals, sums, shoe, new_seats(policies.shape[0]), log
    return kernel_for(has_dealer=tables.has_dealer)(tables, policies, full, first, rounds, *given)


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
    shoe, seats = new_shoe(order, fewest, U64(0), 0), new_seats(policies.shape[0])
    return bool(replay_kernel(tables, policies, order, outcomes, payoffs, dealt, log, shoe, seats))


@compiled
def replay_kernel(
    tables: RuleTables,
    policies: NDArray[np.int32],
    order: NDArray[np.uint8],
    outcomes: NDArray[np.int64],
    payoffs: NDArray[np.int64],
    dealt: NDArray[np.int64],
    log: Log,
    shoe: Shoe,
    seats: Seats,
) -> bool:
    """As `replay`, with a shoe and seats, which are written."""
    for number in range(outcomes.shape[0]):
        begin_ordered_round(order, shoe)
        _play_in_order(tables, policies, 0, shoe, seats, log)
        outcomes[number] = seats.outcomes
        payoffs[number] = seats.payoffs
        dealt[number] = shoe.at[DEALT]
    return bool(shoe.at[SHORT] == 0)
