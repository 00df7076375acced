"""The compiled shoe that deals as `cards.QueuedShoe` does, and rounds of one seat that are noted one by one.

Each hand and the dealer have cards of their own, so a function that deals has to know for whom. The round of
`twentyone.kernels.rounds` does not say it, but asks before every card that a decision brings: a card that
comes without such a question is the second one of the next hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import CARDS as DECK
from twentyone.kernels.decisions import DECISIONS, DOUBLE, HIT, SPLIT
from twentyone.kernels.rounds import TEN, Seats, compile_play_round, new_seats
from twentyone.kernels.shoe import put_in_order
from twentyone.kernels.streams import HALF, U64, number
from twentyone.kernels.tables import RANKS, RuleTables
from twentyone.support.compiling import compiled, inlined, part

# The state of a shoe, as places in an array of int64.
PLACE: Final = 0  # the hand of the seat that was dealt its last card, from 0
PENDING: Final = 1  # how many more cards that hand gets before another one does
SHUFFLED: Final = 2  # how many positions have been shuffled
SHORT: Final = 3  # whether a card was asked for when all were on the table
NOTED: Final = 4  # how much of the round has been noted
PLACES: Final = 8

NOTES: Final = 32
"""The most notes of a round: nearly none has more cards and decisions."""

FIRST_ANSWER: Final = 11
"""The least note of an answer, see `answer_of`; those from 1 to 10 are the points of a card."""

TOLD_OF_DEALER: Final = 1
"""The cards of the dealer that are noted: the upcard."""

ENDLESS: Final = len(DECK)
RANK_COUNT: Final = len(RANKS)
DECISION_COUNT: Final = len(DECISIONS)


def answer_of(question: int, decision: int) -> int:
    """The note of an answer, by the numbers of question and decision (see `twentyone.kernels.decisions`)."""
    return FIRST_ANSWER + question * DECISION_COUNT + decision


class QueuedShoe(NamedTuple):
    """A shoe.

    Attributes:
        cards: uint8 (cards,): the ranks, shuffled as far as `at` says; none for an infinite deck.
        at: int64 (PLACES,): its state, see above.
        keys: uint64 (1,): the key of the round.
        dealt: int64 (queues,): how many cards were dealt from each queue; the first is the dealer's.
        is_last: uint8 (cards,): 1 where the last card that was left has been dealt, see `cards.QueuedShoe`.
        notes: uint8 (NOTES,): what is noted of the round: the seat's cards, the upcard, and its answers.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    keys: NDArray[np.uint64]
    dealt: NDArray[np.int64]
    is_last: NDArray[np.uint8]
    notes: NDArray[np.uint8]


def new_queued_shoe(full: NDArray[np.uint8], hands: int) -> QueuedShoe:
    """A shoe for one seat.

    Args:
        full: the ranks of a full shoe in the order of `cards.CARDS`; none for an infinite deck.
        hands: the most hands of a seat.
    """
    return QueuedShoe(
        full.copy(),
        np.zeros(PLACES, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(1 + hands, np.int64),
        np.zeros(full.size, np.uint8),
        np.zeros(NOTES, np.uint8),
    )


@part
def begin_queued_round(full: NDArray[np.uint8], shoe: QueuedShoe, key: np.uint64) -> None:
    """Begin a round, by its key: the next two cards of the seat are for its first hand."""
    put_in_order(full, shoe.cards)
    shoe.at[:] = 0
    shoe.at[PENDING] = 2
    shoe.keys[0] = key
    shoe.dealt[:] = 0
    shoe.is_last[:] = 0
    shoe.notes[:] = 0


@part
def note(shoe: QueuedShoe, what: int) -> None:
    """Note a card or a decision, if there is room."""
    noted = shoe.at[NOTED]
    shoe.at[NOTED] = noted + 1
    if noted < NOTES:
        shoe.notes[noted] = np.uint8(what)


@part
def last_left(shoe: QueuedShoe) -> int:
    """The last position that is not dealt; -1 if there is none."""
    queues = shoe.dealt.size
    for position in range(shoe.cards.size - 1, -1, -1):
        if position // queues >= shoe.dealt[position % queues] and shoe.is_last[position] == 0:
            shoe.is_last[position] = 1
            return position
    return -1


@part
def card_at(shoe: QueuedShoe, position: int) -> np.uint8:
    """The rank at a position of the shuffled shoe."""
    cards, size = shoe.cards, shoe.cards.size
    for here in range(shoe.at[SHUFFLED], position + 1):
        high = number(shoe.keys[0], U64(here)) >> HALF
        picked = here + int((high * U64(size - here)) >> HALF)
        cards[here], cards[picked] = cards[picked], cards[here]
        shoe.at[SHUFFLED] = here + 1
    card: np.uint8 = cards[position]
    return card


@part
def deal_from(shoe: QueuedShoe, queue: int) -> np.uint8:
    """Deal the next card of a queue; return its rank. If all are on the table, it is an ace, and marked."""
    nth = shoe.dealt[queue]
    shoe.dealt[queue] = nth + 1
    if shoe.cards.size == 0:
        high = number(shoe.keys[0], (U64(queue) << HALF) | U64(nth)) >> HALF
        return np.uint8(((high * U64(ENDLESS)) >> HALF) % U64(RANK_COUNT))
    position = nth * shoe.dealt.size + queue
    if position >= shoe.cards.size or shoe.is_last[position] != 0:
        position = last_left(shoe)
    if position < 0:
        shoe.at[SHORT] = 1
        return np.uint8(0)
    return card_at(shoe, position)


note_of = part(answer_of)


@inlined
def deal_seat(shoe: Any) -> np.uint8:
    """Deal the hand that was asked about, otherwise the next one, and note the card."""
    at = shoe.at
    if at[PENDING] == 0:
        at[PLACE] += 1
    else:
        at[PENDING] -= 1
    rank = deal_from(shoe, 1 + at[PLACE])
    note(shoe, min(int(rank), TEN) + 1)
    return rank


@inlined
def deal_dealer(shoe: Any) -> np.uint8:
    """Deal the dealer a card, and note the upcard."""
    rank = deal_from(shoe, 0)
    if shoe.dealt[0] <= TOLD_OF_DEALER:
        note(shoe, min(int(rank), TEN) + 1)
    return rank


@inlined
def ask(
    policies: NDArray[np.int32],
    seat: int,
    counting: Any,
    question: int,
    row: int,
    upcard: int,
    place: int,
    shoe: Any,
    log: Any,
) -> int:
    """Ask the policy of a seat, and note what it decides and which hand is dealt the next card."""
    decision = int(policies[seat, 0, question, row, upcard])
    shoe.at[PLACE] = place
    shoe.at[PENDING] = 1 if decision in (HIT, DOUBLE, SPLIT) else 0
    note(shoe, note_of(question, decision))
    return decision


play_round: Callable[..., int] = compile_play_round(deal_seat, ask, deal_dealer)


def play_queued(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    seed_key: np.uint64,
    first: int,
    payoffs: NDArray[np.int32],
    notes: NDArray[np.uint8],
    is_noted: NDArray[np.bool_],
) -> None:
    """Play rounds of one seat, each from the shoe of its number.

    Args:
        tables: the rules.
        policies: int32 (1, 1, questions, rows, upcards): the policy, which leaves nothing to chance.
        full: the ranks of a full shoe in the order of `cards.CARDS`; none for an infinite deck.
        seed_key: the key of the seed, see `cards.splitmix.seed_key`.
        first: the number of the first round.
        payoffs: int32 (rounds,): is written, in tenths of an initial bet.
        notes: uint8 (rounds, NOTES): is written: the seat's cards by their points, the upcard, and the
            answers, as they came; but the lower of the first two cards comes first.
        is_noted: bool (rounds,): is written: False where there was no room for all of it, or no card was
            left; the rest is then of no use.
    """
    shoe = new_queued_shoe(full, tables.most_hands)
    queued_kernel(tables, policies, full, seed_key, first, payoffs, notes, is_noted, new_seats(1), shoe)


@compiled
def queued_kernel(
    tables: RuleTables,
    policies: NDArray[np.int32],
    full: NDArray[np.uint8],
    seed_key: np.uint64,
    first: int,
    payoffs: NDArray[np.int32],
    notes: NDArray[np.uint8],
    is_noted: NDArray[np.bool_],
    seats: Seats,
    shoe: QueuedShoe,
) -> None:
    """As `play_queued`, with a seat and a shoe, which are written."""
    for place in range(payoffs.size):
        begin_queued_round(full, shoe, number(seed_key, U64(first + place)))
        play_round(tables, policies, 0, shoe, seats, 0)
        payoffs[place] = seats.payoffs[0]
        if shoe.notes[0] > shoe.notes[1]:
            shoe.notes[0], shoe.notes[1] = shoe.notes[1], shoe.notes[0]
        notes[place] = shoe.notes
        is_noted[place] = shoe.at[SHORT] == 0 and shoe.at[NOTED] <= NOTES
