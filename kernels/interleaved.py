"""The fast kernels: one seat, a fresh shoe every round, many rounds abreast through the automaton of a round.

A round is a chain of lookups, each waiting for the one before, and its end cannot be foreseen. So dozens or
hundreds of rounds are played at once, one in each lane: their lookups overlap, and no branch depends on a
card. Each lane plays a fixed number of rounds and is then over; were all stopped at the same moment instead,
short rounds would be counted too often.
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
from support.compiling import compiled, part

U32 = np.uint32
ROW: Final = U64(4)
"""A row of the automaton's table has 2^4 columns."""

INFINITE_LANES: Final = 256
DECK_LANES: Final = 32
"""The decks of all lanes are to stay in the innermost cache."""

CHECK_EVERY: Final = 64
"""Steps between looks at whether every lane is over."""


@part
def fill(words: NDArray[np.uint32], key: np.uint64, shard: int, step: int) -> None:
    """32 random bits for each lane."""
    for pair in range(words.size // 2):
        bits = number(key, index_of(pair, shard, step))
        words[2 * pair] = U32(bits >> HALF)
        words[2 * pair + 1] = U32(bits & LOW)


@part
def share(rounds: int, left: NDArray[np.uint32]) -> None:
    """Divide rounds among lanes."""
    for lane in range(left.size):
        left[lane] = U32((rounds + lane) // left.size)


@part
def all_over(left: NDArray[np.uint32]) -> bool:
    """Whether no lane has rounds left."""
    any_left = U32(0)
    for lane in range(left.size):
        any_left |= left[lane]
    return bool(any_left == U32(0))


@compiled
def play_infinite(
    automaton: NDArray[np.uint32], rounds: int, key: np.uint64, shard: int, counts: NDArray[np.int64]
) -> None:
    """Play rounds from an infinite deck.

    Each 32 random bits serve three cards: what the first leaves over is the second's, and so on. No three
    ranks have a chance that differs from its due by more than 13^3 / 2^32 = 0.0000005 of it.

    Args:
        automaton: uint32 (states x 16,): the states that follow each state.
        rounds: how many to play, less than 2^32.
        key: the key of the random numbers.
        shard: the shard.
        counts: int64 (outcomes,): is added to.
    """
    states, words = np.zeros(INFINITE_LANES, U32), np.zeros(INFINITE_LANES, U32)
    left, ended = np.zeros(INFINITE_LANES, U32), np.zeros((3, INFINITE_LANES), U32)
    share(rounds, left)
    for lane in range(INFINITE_LANES):
        states[lane] = WIN if left[lane] > U32(0) else OVER
    step = 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(3):
            for lane in range(INFINITE_LANES):
                product = U64(words[lane]) * U64(INFINITE)
                words[lane] = U32(product)
                state = automaton[(U64(states[lane]) << ROW) | (product >> HALF)]
                left[lane] -= U32(state < U32(OVER))
                ended[0, lane] += U32(state == U32(WIN))
                ended[1, lane] += U32(state == U32(LOSE))
                ended[2, lane] += U32(state == U32(PUSH))
                states[lane] = state if left[lane] > U32(0) else U32(OVER)
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
    states, words = np.zeros(DECK_LANES, U32), np.zeros(DECK_LANES, U32)
    left, ended = np.zeros(DECK_LANES, U32), np.zeros((3, DECK_LANES), U32)
    dealt = np.zeros(DECK_LANES, U32)
    shoes = np.zeros(DECK_LANES * full.size, np.uint8)  # one behind the other
    share(rounds, left)
    for lane in range(DECK_LANES):
        states[lane] = WIN if left[lane] > U32(0) else OVER
        for place in range(full.size):
            shoes[lane * full.size + place] = full[place]
    size, step = U32(full.size), 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(2):
            for lane in range(DECK_LANES):
                top = U64(lane * full.size) + U64(dealt[lane])
                product = U64(words[lane]) * U64(size - dealt[lane])
                words[lane] = U32(product)
                picked = top + (product >> HALF)
                card = take(shoes, top, picked)
                state = automaton[(U64(states[lane]) << ROW) | U64(card)]
                goes_on = U32(state > U32(OVER))
                dealt[lane] = (dealt[lane] + U32(1)) * goes_on
                left[lane] -= U32(state < U32(OVER))
                ended[0, lane] += U32(state == U32(WIN))
                ended[1, lane] += U32(state == U32(LOSE))
                ended[2, lane] += U32(state == U32(PUSH))
                states[lane] = state if left[lane] > U32(0) else U32(OVER)
    add_up(ended, rounds, counts)


@part
def add_up(ended: NDArray[np.uint32], rounds: int, counts: NDArray[np.int64]) -> None:
    """Add the rounds that ended in all lanes to the counts; those that are none of three were busts."""
    won, lost, pushed = 0, 0, 0
    for lane in range(ended.shape[1]):
        won += ended[0, lane]
        lost += ended[1, lane]
        pushed += ended[2, lane]
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
