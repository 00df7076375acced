"""The compiled loops of learning by any method, under any rules with a dealer.

It plays with the round of `twentyone.kernels.rounds`, and chooses and learns with the rules of
`twentyone.learning.textbook` and `twentyone.learning.own`, compiled. The cards and the choices come from
random numbers that belong to the round (see `twentyone.kernels.streams`). So where every round has a fresh
shoe, round n of a seed has the same cards, whatever is decided and wherever a run began.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.kernels.counted import at_true_count, count_after
from twentyone.kernels.counting import FIRST, RUNNING, Counting
from twentyone.kernels.decisions import DECLINE, EARLY_SURRENDER, INSURANCE
from twentyone.kernels.draws import deal_by_word, deal_paired
from twentyone.kernels.rounds import (
    MOST_TENTHS,
    AtCount,
    Seats,
    at_no_count,
    compare,
    compile_play_round,
    compile_safe_deal,
)
from twentyone.kernels.shoe import (
    CHOICES,
    DEALT,
    KEY,
    ROUND_START,
    SHARD,
    SHOE,
    SHORT,
    Deal,
    Shoe,
    begin_ordered_round,
    put_in_order,
)
from twentyone.kernels.streams import GAMMA, index_of
from twentyone.kernels.tables import NATURAL, TENTHS, RuleTables
from twentyone.learning import textbook
from twentyone.learning.arrays import DECLINED, INSURED, SHARD_ROUNDS, TAKEN, Game, Learned, Log
from twentyone.learning.compiled import BY_OWN, BY_TEXTBOOK, Method, random_word
from twentyone.learning.episodes import INSURE, SURRENDER
from twentyone.learning.textbook import Knobs
from twentyone.support.compiling import compiled, inlined, part


@inlined
def hand_payoff(tables: RuleTables, strength: int, stake: int, theirs: int) -> float:
    """The payoff of a hand, in initial bets, as an example for its decisions.

    Where a dealer's natural takes the initial bet only, it takes it from any hand here: each is an example of
    the same hand before a split.
    """
    if tables.takes_one and theirs == NATURAL:
        return 0.0 if strength == NATURAL else -1.0
    won = compare(tables, strength, theirs)
    if won < 0:
        return -float(stake)
    if won > 0:
        return tables.natural / TENTHS if strength == NATURAL else float(stake)
    return 0.0


@inlined
def note_payoffs(tables: RuleTables, seats: Seats, theirs: int, payoffs: NDArray[np.float64]) -> int:
    """Note what each hand of the seat was paid; return how many there are."""
    hands = int(seats.hands[0])
    if hands == 0:
        payoffs[0] = -textbook.HALF_BET
        return 1
    for place in range(hands):
        payoffs[place] = hand_payoff(
            tables, int(seats.strengths[0, place]), int(seats.stakes[0, place]), theirs
        )
    return hands


LearnRound = Callable[..., None]
"""It plays a round, from the game, what is learned, the settings, the count, the shoe, seats and a log."""

Loop = Callable[[LearnRound], Callable[..., None]]


def compile_learn_round(deal: Deal, method: Method, at_count: AtCount) -> LearnRound:
    """Compile the function that plays a round and learns from it.

    Args:
        deal: deals a card.
        method: chooses and learns.
        at_count: says which layer of the table holds.
    """

    @inlined
    def ask(
        learner: tuple[Game, Learned, Knobs],
        seat: int,
        counting: Any,
        question: int,
        row: int,
        upcard: int,
        place: int,
        shoe: Shoe,
        log: Log,
    ) -> int:
        game, learned, knobs = learner
        first = game.cells[row, upcard] + game.layer * at_count(counting, shoe)
        word = random_word(shoe)
        if question == INSURANCE:
            if method.insures(learned, knobs, first + INSURE, word):
                log.at[INSURED] = first + INSURE
                return INSURE
            return DECLINE
        if question == EARLY_SURRENDER:
            if method.surrenders(learned, knobs, first, word):
                return SURRENDER
            log.at[DECLINED] = first
            return DECLINE
        allowed, taken = game.allowed[question], log.at[TAKEN]
        action = method.choose(learned, knobs, first, allowed, taken == 0, word)
        steps = log.steps
        steps.firsts[taken] = first
        steps.allowed[taken] = allowed
        steps.actions[taken] = action
        steps.places[taken] = place
        log.at[TAKEN] = taken + 1
        return action

    play_round = compile_play_round(deal, ask)

    @inlined
    def learn_round(
        game: Game, learned: Learned, knobs: Knobs, counting: Any, shoe: Shoe, seats: Seats, log: Log
    ) -> None:
        at = log.at
        at[TAKEN], at[INSURED], at[DECLINED] = 0, -1, -1
        theirs = play_round(game.tables, (game, learned, knobs), counting, shoe, seats, log)
        has_natural = theirs == NATURAL
        if at[INSURED] >= 0:
            method.learn_insurance(learned, knobs, at[INSURED], 1.0 if has_natural else -textbook.HALF_BET)
        if at[DECLINED] >= 0:
            method.learn_surrender(learned, knobs, at[DECLINED], has_natural)
        if at[TAKEN] > 0:
            hands = note_payoffs(game.tables, seats, theirs, log.payoffs)
            returned = 1.0 if game.tables.takes_one and has_natural else 0.0
            word = random_word(shoe)
            method.learn(learned, knobs, log.steps, at[TAKEN], log.payoffs, hands, returned, log.room, word)
        learned.endings[seats.outcomes[0], MOST_TENTHS + seats.payoffs[0]] += 1

    return learn_round


@part
def begin_fresh_round(number_of_round: int, full: NDArray[np.uint8], shoe: Shoe) -> None:
    """Make the shoe fresh, for `deal_by_word` to deal from the random stream of the round."""
    at = shoe.at
    put_in_order(full, shoe.cards)
    at[SHARD], at[SHOE] = number_of_round // SHARD_ROUNDS, number_of_round % SHARD_ROUNDS
    at[DEALT] = at[ROUND_START] = at[CHOICES] = 0
    shoe.words[0] = shoe.words[KEY] + index_of(0, at[SHARD], at[SHOE]) * GAMMA


def compile_learn_fresh(learn_round: LearnRound) -> Callable[..., None]:
    """Compile the loop over rounds that each have a fresh shoe; `learn_round` deals by `deal_by_word`."""

    @part
    def learn_fresh(
        game: Game,
        learned: Learned,
        knobs: Knobs,
        first: int,
        rounds: int,
        shoe: Shoe,
        seats: Seats,
        log: Log,
    ) -> None:
        for number_of_round in range(first, first + rounds):
            begin_fresh_round(number_of_round, game.full, shoe)
            learn_round(game, learned, knobs, 0, shoe, seats, log)

    return learn_fresh


def compile_learn_kept(learn_round: LearnRound) -> Callable[..., None]:
    """Compile the loop over rounds from shoes that are kept; `learn_round` deals by `deal_paired`."""

    @part
    def learn_kept(
        game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe, seats: Seats, log: Log
    ) -> None:
        for _ in range(rounds):
            begin_ordered_round(game.full, shoe)
            learn_round(game, learned, knobs, 0, shoe, seats, log)

    return learn_kept


def compile_learn_counting(learn_round: LearnRound) -> Callable[..., None]:
    """Compile the loop of a learner that counts, from shoes that are kept."""

    @part
    def learn_counting(
        game: Game,
        learned: Learned,
        knobs: Knobs,
        counting: Counting,
        rounds: int,
        shoe: Shoe,
        seats: Seats,
        log: Log,
    ) -> None:
        for _ in range(rounds):
            begin_ordered_round(game.full, shoe)
            if shoe.at[DEALT] == 0:
                counting.at[RUNNING] = counting.at[FIRST]
            learn_round(game, learned, knobs, counting, shoe, seats, log)
            counting.at[RUNNING] = count_after(counting, shoe, seats.outcomes)

    return learn_counting


def _rounds(deal: Deal, at_count: AtCount, compile_loop: Loop) -> tuple[Callable[..., None], ...]:
    """The loops of both methods."""
    safe = compile_safe_deal(deal)
    return tuple(compile_loop(compile_learn_round(safe, each, at_count)) for each in (BY_TEXTBOOK, BY_OWN))


_fresh_textbook, _fresh_own = _rounds(deal_by_word, at_no_count, compile_learn_fresh)
_kept_textbook, _kept_own = _rounds(deal_paired, at_no_count, compile_learn_kept)
_counting_textbook, _counting_own = _rounds(deal_paired, at_true_count, compile_learn_counting)


@compiled
def learn_fresh_by_textbook(
    game: Game, learned: Learned, knobs: Knobs, first: int, rounds: int, shoe: Shoe, seats: Seats, log: Log
) -> bool:
    """Play rounds as a learner by the textbook chooses, each from a fresh shoe, and learn from each.

    Args:
        game: the rules.
        learned: what has been learned so far. Is added to.
        knobs: the settings of the method.
        first: the number of the first round.
        rounds: how many to play; no shard may end within them.
        shoe: the shoe. Is written.
        seats: the seat. Is written.
        log: room for a round. Is written.

    Returns:
        Whether there were always enough cards.
    """
    _fresh_textbook(game, learned, knobs, first, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_fresh_by_own(
    game: Game, learned: Learned, knobs: Knobs, first: int, rounds: int, shoe: Shoe, seats: Seats, log: Log
) -> bool:
    """As `learn_fresh_by_textbook`, by the project's own method."""
    _fresh_own(game, learned, knobs, first, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_kept_by_textbook(
    game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe, seats: Seats, log: Log
) -> bool:
    """As `learn_fresh_by_textbook`, from the shoe as the round before has left it."""
    _kept_textbook(game, learned, knobs, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_kept_by_own(
    game: Game, learned: Learned, knobs: Knobs, rounds: int, shoe: Shoe, seats: Seats, log: Log
) -> bool:
    """As `learn_kept_by_textbook`, by the project's own method."""
    _kept_own(game, learned, knobs, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_counting_by_textbook(
    game: Game,
    learned: Learned,
    knobs: Knobs,
    counting: Counting,
    rounds: int,
    shoe: Shoe,
    seats: Seats,
    log: Log,
) -> bool:
    """As `learn_kept_by_textbook`, with a layer of the table for each true count.

    The running count goes on from that in `counting`, which is written.
    """
    _counting_textbook(game, learned, knobs, counting, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)


@compiled
def learn_counting_by_own(
    game: Game,
    learned: Learned,
    knobs: Knobs,
    counting: Counting,
    rounds: int,
    shoe: Shoe,
    seats: Seats,
    log: Log,
) -> bool:
    """As `learn_counting_by_textbook`, by the project's own method."""
    _counting_own(game, learned, knobs, counting, rounds, shoe, seats, log)
    return bool(shoe.at[SHORT] == 0)
