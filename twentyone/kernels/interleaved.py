"""The shortcut of `twentyone.kernels.rounds` for one seat: many rounds at once, 2 to 7 times as fast.

It goes through the automaton of a round.

A round is a chain of lookups, each of which has to wait for the one before, and no processor can predict when
it ends. So dozens or hundreds of rounds are played at once, one in each slot, from a shoe of its own: their
lookups overlap. Each slot plays a fixed number of rounds and then stops. If all were stopped at the same
moment instead, short rounds would be counted too often.

A round that comes to a split, one in forty, is finished at once, hand by hand; the random numbers for that
come from a stream of their own.

No other branch depends on a card: a round that is over leads on to the next one, and how often each state was
reached says in the end how the rounds ended. From a finite shoe this is counted in a loop of its own: in the
loop that looks up states, the lookups would wait for the counting, and rounds would take a third longer. The
loops that deal and look up call nothing, for the same reason: shoes are refilled and splits finished between
them, which makes a quarter more rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards.rules import MAX_HANDS
from twentyone.kernels.automaton import DEALER, INSURED, IS_SPLIT, OUTCOME, PAIR, PAYOFF, UPCARD
from twentyone.kernels.counting import FIRST, HIDES, Counting, tags_of, true_count
from twentyone.kernels.draws import INFINITE, deal_counted
from twentyone.kernels.rounds import (
    BUST,
    MOST_TENTHS,
    Log,
    choose,
    compile_play_dealer,
    compile_play_hands,
    compile_safe_deal,
    deal_given,
    draws_against,
    offers_surrender,
    peeks_at,
    settle,
)
from twentyone.kernels.shoe import (
    DEALT,
    ROUND_START,
    WORDS,
    Deal,
    Shoe,
    begin_ordered_round,
    new_shoe,
    refill,
    take,
)
from twentyone.kernels.shoe import PLACES as SHOE_PLACES
from twentyone.kernels.streams import GAMMA, HALF, LOW, U64, index_of, number
from twentyone.kernels.tables import EMPTY, NATURAL, RuleTables
from twentyone.support.compiling import compiled, inlined, part

U32 = np.uint32
ROW: Final = U64(4)
"""A row of the automaton's table has 2^4 columns."""

SLOTS: Final = 32
"""Few enough that the shoes of all slots stay in the innermost cache of the processor."""

INFINITE_SLOTS: Final = 256

CHECK_EVERY: Final = 64
"""Steps between checks whether every slot has stopped."""

LONG_RUN: Final = 1 << 16
"""The least number of rounds for shoes that are kept: each slot of the kernel has one, which is to
be dealt dozens of times, so that the incomplete last one hardly matters."""

SPLITS: Final = 512
"""The word of the random stream from which splits are played; the slots use those below."""

Finish = Callable[..., tuple[int, int]]


class Slots(NamedTuple):
    """The slots, each of which plays a round at a time.

    Attributes:
        states: uint32 (slots,): the state of each round, see `twentyone.kernels.automaton`.
        words: uint32 (slots,): random bits.
        left: uint32 (slots,): how many rounds are left to play.
        dealt: uint32 (slots,): the cards dealt of each shoe.
        starts: uint32 (slots,): how many of them before this round.
        places: uint64 (slots,): the places of the next states in the table.
        running: int64 (slots,): the running counts.
        counted: int64 (slots,): the places of the true counts when the rounds began.
        paid: int64 (slots,): the payoffs, in tenths, of the last rounds with a split.
        shoes: uint8 (slots x cards,): the shoe of each slot in turn.
        reached: int64 (states,): how often each state was reached.
    """

    states: NDArray[np.uint32]
    words: NDArray[np.uint32]
    left: NDArray[np.uint32]
    dealt: NDArray[np.uint32]
    starts: NDArray[np.uint32]
    places: NDArray[np.uint64]
    running: NDArray[np.int64]
    counted: NDArray[np.int64]
    paid: NDArray[np.int64]
    shoes: NDArray[np.uint8]
    reached: NDArray[np.int64]


class Aside(NamedTuple):
    """Room for rounds with a split, which are finished one at a time.

    Attributes:
        cards: uint8 (0,): the shoe of an infinite deck.
        at: int64 (PLACES,): the state of a shoe, see `twentyone.kernels.shoe`.
        stream: uint64 (WORDS,): what its random numbers are drawn from.
        log: int64 (1,): a log that is not used.
        strengths: uint8 (MAX_HANDS,): of the hands.
        stakes: uint8 (MAX_HANDS,): of the hands.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    stream: NDArray[np.uint64]
    log: Log
    strengths: NDArray[np.uint8]
    stakes: NDArray[np.uint8]


def new_slots(slots: int, cards: int, states: int) -> Slots:
    """Slots with shoes of a number of cards, for an automaton of a number of states."""
    return Slots(
        states=np.zeros(slots, np.uint32),
        words=np.zeros(slots, np.uint32),
        left=np.zeros(slots, np.uint32),
        dealt=np.zeros(slots, np.uint32),
        starts=np.zeros(slots, np.uint32),
        places=np.zeros(slots, np.uint64),
        running=np.zeros(slots, np.int64),
        counted=np.zeros(slots, np.int64),
        paid=np.zeros(slots, np.int64),
        shoes=np.zeros(slots * cards, np.uint8),
        reached=np.zeros(states, np.int64),
    )


def new_aside() -> Aside:
    """Room for a round."""
    return Aside(
        np.zeros(0, np.uint8),
        np.zeros(SHOE_PLACES, np.int64),
        np.zeros(WORDS, np.uint64),
        np.zeros(1, np.int64),
        np.zeros(MAX_HANDS, np.uint8),
        np.zeros(MAX_HANDS, np.uint8),
    )


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


@part
def all_over(left: NDArray[np.uint32]) -> bool:
    """Whether no slot has rounds left."""
    any_left = U32(0)
    for slot in range(left.size):
        any_left |= left[slot]
    return bool(any_left == U32(0))


@part
def any_used_up(dealt: NDArray[np.uint32], size: np.uint32) -> bool:
    """Whether a slot has no card left in its shoe."""
    used_up = U32(0)
    for slot in range(dealt.size):
        used_up |= U32(dealt[slot] == size)
    return bool(used_up != U32(0))


@inlined
def ask_the_only_one(
    decide: NDArray[np.int32],
    seat: int,
    counting: Any,
    question: int,
    row: int,
    upcard: int,
    place: int,
    shoe: Shoe,
    log: Log,
) -> int:
    """Ask the only policy at the table, see `twentyone.kernels.rounds.Ask`."""
    return choose(decide[0], question, row, upcard, shoe)


def compile_finish(deal: Deal) -> Finish:
    """Compile the function that finishes a round which has come to a split; `deal` deals a card.

    It takes the rules, the policy (int32 (1, questions, rows, upcards)), the row of `Automaton.ends`, the
    shoe, a log that is not used, and room for the strengths and stakes of the hands. It returns the outcome
    and the payoff in tenths. The hole card comes first if the dealer has not peeked at it.
    """
    play_hands, play_dealer = compile_play_hands(deal, ask_the_only_one), compile_play_dealer(deal)

    @part
    def finish(
        tables: RuleTables,
        decide: NDArray[np.int32],
        end: NDArray[np.int64],
        shoe: Shoe,
        log: Log,
        strengths: NDArray[np.uint8],
        stakes: NDArray[np.uint8],
    ) -> tuple[int, int]:
        pair, upcard, dealer = end[PAIR], end[UPCARD], np.uint8(end[DEALER])
        if not peeks_at(tables, upcard):
            dealer = tables.after[dealer, deal(shoe)]
        hand = tables.after[tables.after[EMPTY, pair - 1], pair - 1]
        surrenders = offers_surrender(tables, upcard)
        hands = play_hands(tables, decide, 0, 0, upcard, hand, pair, surrenders, shoe, log, strengths, stakes)
        is_to_draw = False
        for place in range(hands):
            is_to_draw |= draws_against(tables, strengths[place])
        if tables.beats and tables.strength[dealer] == NATURAL - 1:
            theirs = NATURAL
        else:
            theirs = play_dealer(tables, dealer, is_to_draw, shoe)
        return settle(tables, strengths, stakes, hands, end[INSURED] != 0, theirs)

    return finish


finish_by_chance = compile_finish(compile_safe_deal(deal_counted))
finish_in_order = compile_finish(deal_given)


@inlined
def note(sums: NDArray[np.int64], place: int, payoff: int) -> None:
    """Add a round to the sums of a true count."""
    sums[0, place] += 1
    sums[1, place] += payoff
    sums[2, place] += payoff * payoff


@inlined
def count_on(
    counting: Counting,
    running: int,
    cards: NDArray[np.uint8],
    start: np.uint32,
    end: np.uint32,
    is_fresh: bool,
) -> int:
    """The running count after the round of the cards from `start` to `end`.

    Args:
        counting: how is counted.
        running: the running count before it.
        cards: the shoe.
        start: where the round begins; at 0, also of a shoe that was refilled in it, the count begins again.
        end: where it ends.
        is_fresh: whether the shoe is made fresh now.
    """
    if is_fresh:
        return int(counting.at[FIRST])
    before = running if start else counting.at[FIRST]
    return int(before) + tags_of(counting, cards, int(start), int(end))


def play_interleaved(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    shard: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    counting: Counting,
    sums: NDArray[np.int64],
) -> None:
    """Play rounds from shoes that are kept until too few cards are left, or are fresh for every round.

    A shoe is fresh in any order of its cards, so they stay as they are when it is made fresh. No round of one
    seat uses up a deck: its five hands have at most 31 points each, and a deck has 340.

    Args:
        after: uint16 (states x 16,): the automaton.
        ends: int64 (ends, 6): its ends.
        tables: the rules.
        decide: int32 (1, questions, rows, upcards): the policy.
        full: the ranks of a full shoe.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        shard: the shard.
        rounds: how many to play, less than 2^32.
        outcomes: int64 (5,): is added to: rounds by outcome.
        totals: int64 (2 x `MOST_TENTHS` + 1,): is added to: rounds by payoff, in tenths, from the lowest up.
        counting: how is counted.
        sums: int64 (3, counts): is added to: rounds, payoffs in tenths, and their squares, by the true count
            when a round began; int64 (3, 0): nothing is counted.
    """
    slots, aside = new_slots(SLOTS, full.size, after.size >> int(ROW)), new_aside()
    game, counts = (after, ends, tables, decide, full, fewest), (outcomes, totals, counting, sums)
    interleaved_kernel(*game, key, shard, rounds, *counts, slots, aside)


@compiled
def interleaved_kernel(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    shard: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    counting: Counting,
    sums: NDArray[np.int64],
    slots: Slots,
    aside: Aside,
) -> None:
    """As `play_interleaved`, with slots and room for a round, which are written."""
    size, over, splits = U32(full.size), U32(ends.shape[0]), splits_of(ends)
    states, words, left, dealt, starts = slots.states, slots.words, slots.left, slots.dealt, slots.starts
    places, running, counted, paid = slots.places, slots.running, slots.counted, slots.paid
    shoes, reached, at, stream = slots.shoes, slots.reached, aside.at, aside.stream
    stream[0] = key + GAMMA * index_of(SPLITS, shard, 0)
    log, strengths, stakes = aside.log, aside.strengths, aside.stakes
    least, counts, hides = U32(max(fewest, 1)), sums.shape[1] > 0, counting.at[HIDES] != 0
    divide(rounds, left)
    for slot in range(SLOTS):
        states[slot] = over + U32(left[slot] > U32(0))
        for place in range(full.size):
            shoes[slot * full.size + place] = full[place]
        if counts:
            running[slot] = counting.at[FIRST]
            counted[slot] = true_count(counting, running[slot], full.size)
    step = 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(2):
            if any_used_up(dealt, size):
                for slot in range(SLOTS):
                    if dealt[slot] == size:
                        at[DEALT], at[ROUND_START] = size, starts[slot]
                        if at[ROUND_START] > 0:
                            refill(shoes[slot * full.size : (slot + 1) * full.size], at)
                        else:  # in a slot that has stopped
                            at[DEALT] = 0
                        dealt[slot], starts[slot] = at[DEALT], at[ROUND_START]
            for slot in range(SLOTS):
                top, base = dealt[slot], U64(slot * full.size)
                product = U64(words[slot]) * U64(size - top)
                words[slot] = U32(product)
                card = take(shoes, base + U64(top), base + U64(top) + (product >> HALF))
                places[slot] = (U64(states[slot]) << ROW) | U64(card)
                dealt[slot] = top + U32(1)
            for slot in range(SLOTS):
                states[slot] = after[places[slot]]
            if splits:
                for slot in range(SLOTS):
                    if states[slot] < splits:
                        at[DEALT], at[ROUND_START] = dealt[slot], starts[slot]
                        shoe = Shoe(shoes[slot * full.size : (slot + 1) * full.size], at, stream)
                        outcome, paid[slot] = finish_by_chance(
                            tables, decide, ends[states[slot]], shoe, log, strengths, stakes
                        )
                        outcomes[outcome] += 1
                        totals[MOST_TENTHS + paid[slot]] += 1
                        dealt[slot], starts[slot] = at[DEALT], at[ROUND_START]
            if not counts:
                for slot in range(SLOTS):
                    reached[states[slot]] += 1
                for slot in range(SLOTS):
                    is_over = U32(states[slot] < over)
                    is_fresh = is_over & U32(size - dealt[slot] < least)
                    dealt[slot] *= U32(1) - is_fresh
                    starts[slot] = dealt[slot] if is_over else starts[slot]
                    left[slot] -= is_over
                    states[slot] = states[slot] if left[slot] > U32(0) else over
            else:
                for slot in range(SLOTS):
                    state, end = states[slot], dealt[slot]
                    if state < over:
                        reached[state] += 1
                        note(sums, counted[slot], paid[slot] if state < splits else ends[state, PAYOFF])
                        cards = shoes[slot * full.size : (slot + 1) * full.size]
                        is_due = size - end < least
                        # The hole card that stays hidden at a bust is dealt last, see
                        # `twentyone.kernels.automaton`.
                        hidden = U32(hides and ends[state, OUTCOME] == BUST)
                        seen = end - hidden
                        running[slot] = count_on(counting, running[slot], cards, starts[slot], seen, is_due)
                        unseen = full.size if is_due else full.size - int(end)
                        counted[slot] = true_count(counting, running[slot], unseen)
                        end = U32(0) if is_due else end
                        dealt[slot], starts[slot] = end, end
                        left[slot] -= U32(1)
                        states[slot] = over + U32(left[slot] > U32(0))
    add_up(reached, ends, outcomes, totals)


def play_interleaved_endless(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    key: np.uint64,
    shard: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Play rounds from an infinite deck.

    Each 32 random bits serve three cards: what the first leaves over is used for the second, and so on. The
    relative error of the chance of three given ranks is at most 13^3 / 2^32 = 0.0000005.

    The arguments are those of `play_interleaved`.
    """
    room = new_slots(INFINITE_SLOTS, 0, after.size >> int(ROW)), new_aside()
    endless_kernel(after, ends, tables, decide, key, shard, rounds, outcomes, totals, *room)


@compiled
def endless_kernel(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    key: np.uint64,
    shard: int,
    rounds: int,
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
    slots: Slots,
    aside: Aside,
) -> None:
    """As `play_interleaved_endless`, with slots and room for a round, which are written."""
    over, splits = U32(ends.shape[0]), splits_of(ends)
    # The compiler sees that nothing else writes to arrays which are made here: a quarter more rounds.
    states, words = np.zeros(INFINITE_SLOTS, U32), np.zeros(INFINITE_SLOTS, U32)
    left, reached = np.zeros(INFINITE_SLOTS, U32), slots.reached
    aside.stream[0] = key + GAMMA * index_of(SPLITS, shard, 0)
    shoe = Shoe(aside.cards, aside.at, aside.stream)
    log, strengths, stakes = aside.log, aside.strengths, aside.stakes
    divide(rounds, left)
    for slot in range(INFINITE_SLOTS):
        states[slot] = over + U32(left[slot] > U32(0))
    step = 0
    while step % CHECK_EVERY or not all_over(left):
        fill(words, key, shard, step)
        step += 1
        for _ in range(3):
            for slot in range(INFINITE_SLOTS):
                product = U64(words[slot]) * U64(INFINITE)
                words[slot] = U32(product)
                state = U32(after[(U64(states[slot]) << ROW) | (product >> HALF)])
                reached[state] += 1
                if state < splits:
                    outcome, payoff = finish_by_chance(
                        tables, decide, ends[state], shoe, log, strengths, stakes
                    )
                    outcomes[outcome] += 1
                    totals[MOST_TENTHS + payoff] += 1
                left[slot] -= U32(state < over)
                states[slot] = state if left[slot] > U32(0) else over
    add_up(reached, ends, outcomes, totals)


@part
def splits_of(ends: NDArray[np.int64]) -> np.uint32:
    """The number of ends that are splits: they come first."""
    splits = 0
    while splits < ends.shape[0] and ends[splits, OUTCOME] == IS_SPLIT:
        splits += 1
    return U32(splits)


@part
def add_up(
    reached: NDArray[np.int64],
    ends: NDArray[np.int64],
    outcomes: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Add the rounds without splits to the counts, by how often each state was reached."""
    for end in range(ends.shape[0]):
        if ends[end, OUTCOME] != IS_SPLIT:
            outcomes[ends[end, OUTCOME]] += reached[end]
            totals[MOST_TENTHS + ends[end, PAYOFF]] += reached[end]


def follow(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    order: NDArray[np.uint8],
) -> tuple[int, int, int]:
    """Play a round with given cards: its outcome, its payoff in tenths, and how many cards it took."""
    shoe = new_shoe(order, 0, U64(0), 0)
    outcome, payoff, dealt = follow_kernel(after, ends, tables, decide, order, shoe, new_aside())
    return outcome, payoff, dealt


@compiled
def follow_kernel(
    after: NDArray[np.uint16],
    ends: NDArray[np.int64],
    tables: RuleTables,
    decide: NDArray[np.int32],
    order: NDArray[np.uint8],
    shoe: Shoe,
    aside: Aside,
) -> tuple[int, int, int]:
    """As `follow`, with a shoe and room for a round, which are written."""
    begin_ordered_round(order, shoe)
    over = ends.shape[0]
    state = over + 1
    while state > over:
        state = int(after[(state << int(ROW)) | int(deal_given(shoe))])
    outcome, payoff = ends[state, OUTCOME], ends[state, PAYOFF]
    if outcome == IS_SPLIT:
        outcome, payoff = finish_in_order(
            tables, decide, ends[state], shoe, aside.log, aside.strengths, aside.stakes
        )
    return int(outcome), int(payoff), int(shoe.at[DEALT])
