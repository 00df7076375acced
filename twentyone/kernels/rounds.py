"""The compiled round against a dealer, for any rules, seats and policies.

Without a dealer it is that of `twentyone.kernels.showdown`. The cards come in the order of `cards.round`, and
the questions too. After a split all hands that wait have one card of the same points, so only their number
has to be known.

All parts are put in the place of their calls: handing on the tables, a hundred words, takes longer than they.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Outcome
from cards.asking import MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER
from cards.rules import MAX_HANDS
from twentyone.kernels.decisions import (
    DOUBLE,
    EARLY_SURRENDER,
    HIT,
    INSURANCE,
    INSURE,
    SPLIT,
    STAND,
    STAND_OR_SPLIT,
    SURRENDER,
)
from twentyone.kernels.draws import deal_in_order, deal_paired
from twentyone.kernels.shoe import CHOICES, DEALT, KEY, ROUND_START, SHARD, SHOE, SHORT, Deal, Shoe
from twentyone.kernels.streams import DECISIONS, HALF, LOW, U64, index_of, number
from twentyone.kernels.tables import (
    BUST_HAND,
    EMPTY,
    FIRST_PAIR,
    NATURAL,
    ONCE,
    PLAY,
    TENTHS,
    RuleTables,
)
from twentyone.support.compiling import inlined, part

OUTCOMES: Final = tuple(Outcome)
"""The outcomes in the order of their numbers."""

WIN: Final = OUTCOMES.index(Outcome.WIN)
LOSE: Final = OUTCOMES.index(Outcome.LOSE)
PUSH: Final = OUTCOMES.index(Outcome.PUSH)
BUST: Final = OUTCOMES.index(Outcome.BUST)
GIVEN_UP: Final = OUTCOMES.index(Outcome.SURRENDER)

TEN: Final = 9
"""The rank of a ten, and the place of its upcard."""

HALF_BET: Final = TENTHS // 2
MOST_TENTHS: Final = TENTHS * (2 * MAX_HANDS + 1)
"""The most that a seat can win or lose: all hands, doubled, and the insurance."""


class Seats(NamedTuple):
    """The seats of a round.

    Attributes:
        strengths: uint8 (seats, 4): of each hand that is over; 0 if it is bust, 22 for a natural that beats.
        stakes: uint8 (seats, 4): the stake of each hand in initial bets.
        hands: int64 (seats,): how many hands; 0 if the seat has surrendered.
        insured: bool (seats,): whether it has taken insurance.
        first: uint8 (seats,): the hand of its first two cards.
        pair: uint8 (seats,): the points of a pair, or 0.
        outcomes: int64 (seats,): the outcome of each at the end.
        payoffs: int64 (seats,): its payoff at the end, in tenths.
    """

    strengths: NDArray[np.uint8]
    stakes: NDArray[np.uint8]
    hands: NDArray[np.int64]
    insured: NDArray[np.bool_]
    first: NDArray[np.uint8]
    pair: NDArray[np.uint8]
    outcomes: NDArray[np.int64]
    payoffs: NDArray[np.int64]


Log = NDArray[np.int64]
Note = Callable[[Log, int], None]
"""Notes a decision."""

AtCount = Callable[[Any, Shoe], int]
"""The number of the table of a policy that holds now, by what is counted and the shoe."""

Ask = Callable[[Any, int, Any, int, int, int, int, Shoe, Any], int]
"""Asks a seat for a decision. It takes the players, the number of the seat, what is counted, the number of
the question, the row and the upcard's place (see `twentyone.kernels.decisions`), the hand that is asked
about, from 0, the shoe and the log."""

PlayHands = Callable[..., int]
PlayDealer = Callable[[RuleTables, np.uint8, bool, Shoe], int]
PlayRound = Callable[[RuleTables, Any, Any, Shoe, Seats, Any], int]


def new_seats(seats: int) -> Seats:
    """Empty seats."""
    return Seats(
        np.zeros((seats, MAX_HANDS), np.uint8),
        np.zeros((seats, MAX_HANDS), np.uint8),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.bool_),
        np.zeros(seats, np.uint8),
        np.zeros(seats, np.uint8),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
    )


@inlined
def note_nothing(log: Log, decision: int) -> None:
    """Note nothing, in simulations."""


@inlined
def at_no_count(counting: Any, shoe: Shoe) -> int:
    """The only table of a policy that does not count."""
    return 0


@inlined
def note_decision(log: Log, decision: int) -> None:
    """Write a decision into the log; its first place says how many there are."""
    log[0] += 1
    if log[0] < log.size:
        log[log[0]] = decision


def compile_safe_deal(deal: Deal) -> Deal:
    """Compile the function that deals the next card, if there is one.

    Many hands from a small shoe can use it up. Then a mark is set, and an ace is dealt for all further cards,
    so that the round ends; it must not be counted.
    """

    @inlined
    def safe_deal(shoe: Shoe) -> np.uint8:
        at = shoe.at
        if at[DEALT] == shoe.cards.size and shoe.cards.size and at[ROUND_START] == 0:
            at[SHORT] = 1
            return np.uint8(0)
        return deal(shoe)

    return safe_deal


@inlined
def choose(decide: NDArray[np.int32], question: int, row: int, upcard: int, shoe: Shoe) -> int:
    """The decision of a policy."""
    decision = int(decide[question, row, upcard])
    if decision < 0:
        return HIT if draw_hit(-decision, shoe) else STAND
    return decision


@part
def draw_hit(chance: int, shoe: Shoe) -> bool:
    """Decide whether to hit, by a chance in units of 1 / `twentyone.kernels.decisions.CHANCES`."""
    at = shoe.at
    choice = at[CHOICES]
    at[CHOICES] = choice + 1
    bits = number(shoe.words[KEY], index_of(DECISIONS + (choice >> 1), at[SHARD], at[SHOE]))
    return bool((bits >> HALF if choice & 1 == 0 else bits & LOW) < U64(chance) << U64(1))


def compile_ask(note: Note, at_count: AtCount = at_no_count) -> Ask:
    """Compile the function that asks a policy.

    Its players are the policies of the seats: int32 (seats, counts, questions, rows, upcards).

    Args:
        note: notes a decision.
        at_count: says which table of a policy holds.
    """

    @inlined
    def ask(
        policies: NDArray[np.int32],
        seat: int,
        counting: Any,
        question: int,
        row: int,
        upcard: int,
        place: int,
        shoe: Shoe,
        log: Log,
    ) -> int:
        decision = choose(policies[seat, at_count(counting, shoe)], question, row, upcard, shoe)
        note(log, decision)
        return decision

    return ask


@inlined
def question_of(
    tables: RuleTables, hand: np.uint8, is_pair: bool, more: int, hands: int, is_split: int, surrenders: bool
) -> int:
    """The number of the question about a hand, see `twentyone.kernels.decisions`.

    Args:
        tables: the rules.
        hand: the hand.
        is_pair: whether it is a pair of two cards.
        more: whether it has more than two cards.
        hands: how many hands the seat has.
        is_split: whether it was made by a split.
        surrenders: whether surrender is offered in the first decision.
    """
    question = MAY_DOUBLE if tables.doubles[2 * is_split + more, hand] else 0
    if is_pair and hands < tables.most_hands:
        question |= MAY_SPLIT
    if surrenders and more == 0 and is_split == 0:
        question |= MAY_SURRENDER
    return question


def compile_play_hands(deal: Deal, ask: Ask, *, has_short_way: bool = True) -> PlayHands:
    """Compile the function that plays the hands of a seat.

    It takes the rules, the players, the number of the seat, what is counted, the upcard's place, the first
    hand, the points of its pair or 0, whether surrender is offered, the shoe, the log, and the seat's
    strengths and stakes, which it writes. It returns how many hands there are; 0 if the seat has surrendered.

    Args:
        deal: deals a card.
        ask: asks for a decision.
        has_short_way: whether HIT and STAND alone have a loop of their own. `ask` then stands in two places,
            which slows down one that is long.
    """

    @inlined
    def play_hands(
        tables: RuleTables,
        players: Any,
        seat: int,
        counting: Any,
        upcard: int,
        hand: np.uint8,
        pair: int,
        surrenders: bool,
        shoe: Shoe,
        log: Any,
        strengths: NDArray[np.uint8],
        stakes: NDArray[np.uint8],
    ) -> int:
        after = tables.after
        if has_short_way and not tables.offers_more:  # for five seats 1.2 times as fast as the loop below
            strength = strength_as_dealt(tables, hand)
            while ask(players, seat, counting, 0, tables.row[hand], upcard, 0, shoe, log) != STAND:
                hand = after[hand, deal(shoe)]
                strength = tables.strength[hand]
                if hand == BUST_HAND:
                    break
            strengths[0], stakes[0] = strength, 1
            return 1
        hands, place, is_split, more, is_pair = 1, 0, 0, 0, pair > 0
        is_fixed = False  # a split ace gets one card only
        again = not (pair == 1 and tables.split_aces == ONCE)
        single = after[EMPTY, pair - 1] if pair else np.uint8(EMPTY)
        while True:
            stake = 1
            while True:
                question = question_of(tables, hand, is_pair, more, hands, is_split, surrenders)
                if is_fixed:
                    if question & MAY_SPLIT == 0:
                        break
                    question = STAND_OR_SPLIT
                row = FIRST_PAIR + pair - 1 if question & (MAY_SPLIT | STAND_OR_SPLIT) else tables.row[hand]
                decision = ask(players, seat, counting, question, row, upcard, place, shoe, log)
                if decision == STAND:
                    break
                if decision == SURRENDER:
                    return 0
                card = deal(shoe)
                if decision == SPLIT:
                    hands += 1
                    is_split = 1
                    is_fixed = pair == 1 and tables.split_aces != PLAY
                    hand = after[single, card]
                    is_pair = tables.points[card] == pair and again
                    continue
                hand = after[hand, card]
                more, is_pair = 1, False
                if decision == DOUBLE:
                    stake = 2
                if decision == DOUBLE or hand == BUST_HAND:
                    break
            strength = tables.strength[hand]
            if tables.beats and strength == NATURAL - 1 and more == 0 and is_split == 0:
                strength = np.uint8(NATURAL)
            strengths[place] = strength
            stakes[place] = stake
            place += 1
            if place == hands:
                return hands
            card = deal(shoe)
            hand, more = after[single, card], 0
            is_pair = tables.points[card] == pair and again

    return play_hands


def compile_play_dealer(deal: Deal) -> PlayDealer:
    """Compile the function that draws to the dealer's hand, if it is to draw, and returns its strength.

    It takes the rules, the hand, whether it is to draw, and the shoe; the hand is no natural.
    """

    @inlined
    def play_dealer(tables: RuleTables, dealer: np.uint8, is_to_draw: bool, shoe: Shoe) -> int:
        while is_to_draw and tables.draws[dealer]:
            dealer = tables.after[dealer, deal(shoe)]
        return int(tables.strength[dealer])

    return play_dealer


def compile_play_round(
    deal: Deal, ask: Ask, deal_dealer: Deal | None = None, *, has_short_way: bool = True
) -> PlayRound:
    """Compile the function that plays a round.

    It takes the rules, the players, what is counted, the shoe, in which the round has begun, the seats, which
    it writes, and the log. It returns the strength of the dealer's hand.

    Args:
        deal: deals a card.
        ask: asks for a decision.
        deal_dealer: deals the dealer a card, if `deal` does not.
        has_short_way: see `compile_play_hands`.
    """
    deal_dealer = deal_dealer or deal
    play_hands = compile_play_hands(deal, ask, has_short_way=has_short_way)
    play_dealer = compile_play_dealer(deal_dealer)

    @inlined
    def play_round(
        tables: RuleTables,
        players: Any,
        counting: Any,
        shoe: Shoe,
        seats: Seats,
        log: Any,
    ) -> int:
        after, points, rows = tables.after, tables.points, tables.row
        many = seats.hands.size
        for seat in range(many):
            first, second = deal(shoe), deal(shoe)
            seats.first[seat] = after[after[EMPTY, first], second]
            seats.pair[seat] = points[first] if points[first] == points[second] else 0
            seats.hands[seat] = 1
            seats.insured[seat] = False
        up, hole = deal_dealer(shoe), deal_dealer(shoe)
        dealer, upcard = after[after[EMPTY, up], hole], int(points[up]) - 1
        has_natural = tables.beats and tables.strength[dealer] == NATURAL - 1
        is_peek_due = peeks_at(tables, upcard)
        if tables.insures and upcard == 0:
            for seat in range(many):
                if seats.first[seat] != BUST_HAND:
                    row = int(rows[seats.first[seat]])
                    decision = ask(players, seat, counting, INSURANCE, row, upcard, 0, shoe, log)
                    seats.insured[seat] = decision == INSURE
        if is_peek_due and tables.is_early:
            for seat in range(many):
                if is_playing(tables, seats.first[seat]):
                    pair = seats.pair[seat]
                    splits = pair > 0 and tables.most_hands > 1
                    row = FIRST_PAIR + int(pair) - 1 if splits else int(rows[seats.first[seat]])
                    decision = ask(players, seat, counting, EARLY_SURRENDER, row, upcard, 0, shoe, log)
                    if decision == SURRENDER:
                        seats.hands[seat] = 0
        surrenders = offers_surrender(tables, upcard)
        is_over = is_peek_due and has_natural
        is_to_draw = False
        for seat in range(many):
            hand = seats.first[seat]
            if seats.hands[seat] == 0:
                continue
            if is_over or not is_playing(tables, hand):
                seats.strengths[seat, 0] = strength_as_dealt(tables, hand)
                seats.stakes[seat, 0] = 1
            else:
                seats.hands[seat] = play_hands(
                    tables,
                    players,
                    seat,
                    counting,
                    upcard,
                    hand,
                    int(seats.pair[seat]),
                    surrenders,
                    shoe,
                    log,
                    seats.strengths[seat],
                    seats.stakes[seat],
                )
            for place in range(seats.hands[seat]):
                is_to_draw |= draws_against(tables, seats.strengths[seat, place])
        theirs = NATURAL if has_natural else play_dealer(tables, dealer, is_to_draw, shoe)
        for seat in range(many):
            outcome, payoff = settle(
                tables,
                seats.strengths[seat],
                seats.stakes[seat],
                seats.hands[seat],
                seats.insured[seat],
                theirs,
            )
            seats.outcomes[seat] = outcome
            seats.payoffs[seat] = payoff
        return int(theirs)

    return play_round


@inlined
def strength_as_dealt(tables: RuleTables, hand: np.uint8) -> np.uint8:
    """The strength of a hand of two cards that no split has made."""
    strength: np.uint8 = tables.strength[hand]
    return np.uint8(NATURAL) if tables.beats and strength == NATURAL - 1 else strength


@inlined
def is_playing(tables: RuleTables, hand: np.uint8) -> bool:
    """Whether a hand of two cards is asked for decisions: not if it is bust, or a natural paid at a ratio."""
    return hand != BUST_HAND and not (tables.is_ratio and tables.strength[hand] == NATURAL - 1)


@inlined
def peeks_at(tables: RuleTables, upcard: int) -> bool:
    """Whether the dealer peeks with this upcard, by its place: an ace or a ten."""
    return tables.peeks and (upcard == 0 or upcard == TEN)


@inlined
def offers_surrender(tables: RuleTables, upcard: int) -> bool:
    """Whether surrender is offered in the first decision, and was not before."""
    return tables.is_late or (tables.is_early and not peeks_at(tables, upcard))


@inlined
def draws_against(tables: RuleTables, strength: int) -> bool:
    """Whether the dealer has to play against a hand: one that stands, and is no natural paid at a ratio."""
    return strength > 0 and not (tables.is_ratio and strength == NATURAL)


@inlined
def compare(tables: RuleTables, mine: int, theirs: int) -> int:
    """1 if a hand wins against the dealer's, 0 if they push, -1 if it loses, by the strengths of both."""
    if mine == 0 or mine < theirs:
        return 0 if mine == NATURAL - 1 and not tables.dealers_beats else -1
    return 1 if mine > theirs else 0


@inlined
def settle(
    tables: RuleTables,
    strengths: NDArray[np.uint8],
    stakes: NDArray[np.uint8],
    hands: int,
    is_insured: bool,
    theirs: int,
) -> tuple[int, int]:
    """The outcome of a seat, and its payoff in tenths, against the strength of the dealer's hand."""
    insurance = 0
    if is_insured:
        insurance = TENTHS if theirs == NATURAL else -HALF_BET
    if hands == 0:
        return GIVEN_UP, insurance - HALF_BET
    payoff, is_bust = insurance, True
    for place in range(hands):
        strength = int(strengths[place])
        is_bust &= strength == 0
        if tables.takes_one and theirs == NATURAL:  # the initial bet was staked on the first hand
            if place == 0 and strength != NATURAL:
                payoff -= TENTHS
            continue
        won = compare(tables, strength, theirs)
        if won < 0:
            payoff -= TENTHS * int(stakes[place])
        elif won > 0:
            payoff += tables.natural if strength == NATURAL else TENTHS * int(stakes[place])
    if is_bust:
        return BUST, payoff
    return PUSH if payoff == 0 else WIN if payoff > 0 else LOSE, payoff


deal_safely = compile_safe_deal(deal_paired)
deal_given = compile_safe_deal(deal_in_order)
