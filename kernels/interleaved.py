"""The fast kernels: one seat, a fresh shoe every round, many rounds at once through the automaton of a round.

A round is a chain of lookups, each of which has to wait for the one before, and no processor can predict when
it ends. So dozens or hundreds of rounds are played at once, one in each slot: their lookups overlap, and no
branch depends on a card. Each slot plays a fixed number of rounds and then stops. If all were stopped at the
same moment instead, short rounds would be counted too often.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.automaton import OVER
from kernels.draws import INFINITE
from kernels.rounds import BUST, LOSE, PUSH, WIN
from kernels.shoe import take
from kernels.streams import HALF, LOW, U64, index_of, number
from support.compiling import compiled, inlined, part

U32 = np.uint32
ROW: Final = U64(4)
"""A row of the automaton's table has 2^4 columns."""

INFINITE_SLOTS: Final = 256
DECK_SLOTS: Final = 32
"""Few enough that the decks of all slots stay in the innermost cache of the processor."""

CHECK_EVERY: Final = 64
"""Steps between checks whether every slot has stopped."""


@part
def fill(words: NDArray[np.uint32], key: np.uint64, shard: int, step: int) -> None:
    """Write 32 random bits for each slot."""
    for pair in range(words.size // 2):
        bits = number(key, index_of(pair, shard, step))
        words[2 * pair] = U32(bits >> HALF)
        words[2 * pair + 1] = U32(bits & LOW)


@part
def divide(rounds: int, left: NDArray[np.uint32]) -> None:
    """Divide rounds among the slots: write how many each has left."""
    for slot in range(left.size):
        left[slot] = U32((rounds + slot) // left.size)


@inlined
def enter(
    state: np.uint32,
    slot: int,
    states: NDArray[np.uint32],
    left: NDArray[np.uint32],
    ended: NDArray[np.uint32],
) -> None:
    """Put a slot into its next state; count the round if it has ended, and stop if it was the last one."""
    left[slot] -= U32(state < U32(OVER))
    ended[0, slot] += U32(state == U32(WIN))
    ended[1, slot] += U32(state == U32(LOSE))
    ended[2, slot] += U32(state == U32(PUSH))
    states[slot] = state if left[slot] > U32(0) else U32(OVER)


@part
def all_over(left: NDArray[np.uint32]) -> bool:
    """Whether no slot has rounds left."""
    any_left = U32(0)
    for slot in range(left.size):
        any_left |= left[slot]
    return bool(any_left == U32(0))


@compiled
def play_infinite(
    automaton: NDArray[np.uint32], rounds: int, key: np.uint64, shard: int, counts: NDArray[np.int64]
) -> None:
    """Play rounds from an infinite deck.

    Each 32 random bits serve three cards: what the first leaves over is used for the second, and so on. The
    relative error of the chance of three given ranks is at most 13^3 / 2^32 = 0.0000005.

    Args:
        automaton: uint32 (states x 16,): the states that follow each state.
        rounds: how many to play, less than 2^32.
        key: the key of the random numbers.
        shard: the shard.
        counts: int64 (outcomes,): is added to.
    """
    states, words = np.zeros(INFINITE_SLOTS, U32), np.zeros(INFINITE_SLOTS, U32)
    left, ended = np.zeros(INFINITE_SLOTS, U32), np.zeros((3, INFINITE_SLOTS), U32)
    divide(rounds, left)
    for slot in range(INFINITE_SLOTS):
        states[slot] = WIN if left[slot] > U32(0) else OVER
    step = 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(3):
            for slot in range(INFINITE_SLOTS):
                product = U64(words[slot]) * U64(INFINITE)
                words[slot] = U32(product)
                state = automaton[(U64(states[slot]) << ROW) | (product >> HALF)]
                enter(state, slot, states, left, ended)
    add_up(ended, rounds, counts)


@compiled
def play_fresh(
    automaton: NDArray[np.uint32],
    full: NDArray[np.uint8],
    rounds: int,
    key: np.uint64,
    shard: int,
    counts: NDArray[np.int64],
) -> None:
    """Play rounds, each from a fresh shoe, shuffled as it is dealt.

    A shoe is fresh in any order of its cards, so they stay as the round before left them.

    Args:
        automaton: uint32 (states x 16,): the states that follow each state.
        full: the ranks of a full shoe.
        rounds: how many to play, less than 2^32.
        key: the key of the random numbers.
        shard: the shard.
        counts: int64 (outcomes,): is added to.
    """
    states, words = np.zeros(DECK_SLOTS, U32), np.zeros(DECK_SLOTS, U32)
    left, ended = np.zeros(DECK_SLOTS, U32), np.zeros((3, DECK_SLOTS), U32)
    dealt = np.zeros(DECK_SLOTS, U32)
    shoes = np.zeros(DECK_SLOTS * full.size, np.uint8)  # the shoe of each slot in turn
    divide(rounds, left)
    for slot in range(DECK_SLOTS):
        states[slot] = WIN if left[slot] > U32(0) else OVER
        for place in range(full.size):
            shoes[slot * full.size + place] = full[place]
    size, step = U32(full.size), 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(2):
            for slot in range(DECK_SLOTS):
                top = U64(slot * full.size) + U64(dealt[slot])
                product = U64(words[slot]) * U64(size - dealt[slot])
                words[slot] = U32(product)
                picked = top + (product >> HALF)
                card = take(shoes, top, picked)
                state = automaton[(U64(states[slot]) << ROW) | U64(card)]
                goes_on = U32(state > U32(OVER))
                dealt[slot] = (dealt[slot] + U32(1)) * goes_on
                enter(state, slot, states, left, ended)
    add_up(ended, rounds, counts)


@part
def add_up(ended: NDArray[np.uint32], rounds: int, counts: NDArray[np.int64]) -> None:
    """Add the rounds that ended in all slots to the counts; those not counted in `ended` are busts."""
    won, lost, pushed = 0, 0, 0
    for slot in range(ended.shape[1]):
        won += ended[0, slot]
        lost += ended[1, slot]
        pushed += ended[2, slot]
    counts[WIN] += won
    counts[LOSE] += lost
    counts[PUSH] += pushed
    counts[BUST] += rounds - won - lost - pushed


@compiled
def follow(automaton: NDArray[np.uint32], ranks: NDArray[np.uint8]) -> tuple[int, int]:
    """Walk a round with given cards: its outcome's number, and how many cards it took."""
    state = U32(WIN)
    for place in range(ranks.size):
        state = automaton[(U64(state) << ROW) | U64(ranks[place])]
        if state < U32(OVER):
            return int(state), place + 1
    return -1, ranks.size
