"""The kernel of betting: sessions of rounds, the count of the shoe, stakes by what is known before a round.

A stake changes no card. So all plans of staking are played on the same rounds: those of the session's own
random stream, which begins with a fresh shoe.

The count is the High-Low: +1 for each 2 to 6 that has been seen since the shoe was made fresh, -1 for each
card that counts 10 and each ace (Wong, S., "Professional Blackjack", 1994; the count of Dubner and Braun in
Thorp, E. O., "Beat the Dealer", 1966). The true count is the count divided by the decks left in the shoe,
rounded down. Cards that were not seen are not counted: the hole card stays hidden in a round in which the
player is bust. When a shoe has run empty within a round, all cards but those of the round are in it again.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards.rules import DECK
from kernels.hand_tables import HandTables
from kernels.rounds import BUST, PUSH, WIN, payoff_of, play_round
from kernels.shoe import DEALT, ROUND_START, SHOE, Shoe, begin_ordered_round, new_shoe
from support.compiling import compiled, part

MOST_COUNT: Final = 20
"""True counts beyond this, positive or negative, are treated as this."""

COUNTS: Final = 2 * MOST_COUNT + 1
"""The number of true counts."""

HOLE_CARD: Final = 3
"""The place of the hole card among the cards of a round of one seat."""

# The state of a counter, as places in an array of int64.
RUNNING: Final = 0  # the running count
OF_SHOE: Final = 1  # the number of the shoe that it counts

# The result of a session, as places in an array of int64.
BANKROLL: Final = 0  # at the end, in units of money
STAKED: Final = 1  # the sum of all stakes
PLAYED: Final = 2  # rounds
WINS: Final = 3
LOSSES: Final = 4
FIGURES: Final = 5


@part
def tag(rank: int) -> int:
    """What a card adds to the count, by the index of its rank: 0 ace, 1 to 5 for 2 to 6, 9 to 12 tens."""
    if rank == 0 or rank >= 9:
        return -1
    return 1 if rank <= 5 else 0


@part
def true_count(running: int, left: int) -> int:
    """The running count by decks left, rounded down, from -MOST_COUNT to MOST_COUNT; 0 if no card is left."""
    if left <= 0:
        return 0
    return min(max(running * DECK // left, -MOST_COUNT), MOST_COUNT)


@part
def begin_counted_round(full: NDArray[np.uint8], shoe: Shoe, counter: NDArray[np.int64]) -> int:
    """Begin a round, with a fresh shoe if one is due; return the true count before the first card.

    The true count of an infinite deck is always 0.
    """
    begin_ordered_round(full, shoe)
    follow_shoe(shoe, counter)
    return true_count(counter[RUNNING], full.size - shoe.at[DEALT])


@part
def follow_shoe(shoe: Shoe, counter: NDArray[np.int64]) -> None:
    """Reset the count if the shoe is another than the one counted."""
    if counter[OF_SHOE] != shoe.at[SHOE]:
        counter[RUNNING] = 0
        counter[OF_SHOE] = shoe.at[SHOE]


@part
def count_round(shoe: Shoe, counter: NDArray[np.int64], is_bust: bool) -> None:
    """Count the cards of the round that has been played, except a hole card that stayed hidden."""
    follow_shoe(shoe, counter)
    cards, at = shoe.cards, shoe.at
    for place in range(at[ROUND_START], at[DEALT]):
        if not (is_bust and place == at[ROUND_START] + HOLE_CARD):
            counter[RUNNING] += tag(cards[place])


@compiled
def play_sessions(
    tables: HandTables,
    chances: NDArray[np.uint64],
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    first: int,
    rounds: int,
    money: NDArray[np.int64],
    shares: NDArray[np.float64],
    doubles: NDArray[np.bool_],
    bankroll: int,
    minimum: int,
    maximum: int,
    marks: NDArray[np.int64],
    payoffs: NDArray[np.int64],
    figures: NDArray[np.int64],
    paths: NDArray[np.int64],
) -> None:
    """Play sessions under all plans of staking at once; without plans, only count their rounds.

    The stake of a plan is its amount of money for the true count, or its share of the bankroll for that
    count, rounded down, whichever is more. A plan that doubles stakes twice the last stake after a loss and
    the last stake again after a push, if that is more. No stake exceeds `maximum` or the bankroll. A session
    is over when the bankroll does not cover `minimum`.

    Args:
        tables: the rules, of one seat and a dealer.
        chances: uint64 (1, hands, 16): the policy.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        first: the number of the first session, which is also that of its random stream.
        rounds: how many rounds a session has at most.
        money: int64 (plans, COUNTS): stakes by true count, from -MOST_COUNT on; none below `minimum`.
        shares: float64 (plans, COUNTS): stakes as parts of the bankroll.
        doubles: bool (plans,): whether a plan doubles.
        bankroll: the bankroll at the beginning of every session.
        minimum: the least stake of the table.
        maximum: the greatest stake of the table.
        marks: int64 (marks,): the rounds after which the bankroll is recorded, in order, from 1 on.
        payoffs: int64 (COUNTS, 3): is added to: rounds by true count and by payoff, -1, 0 or +1.
        figures: int64 (plans, sessions, FIGURES): is written, the sessions in order.
        paths: int64 (plans, sessions, marks): is written: the bankroll, which stays the same after the end.
    """
    plans, sessions = figures.shape[0], figures.shape[1]
    hands = np.zeros(2, np.uint8)
    outcomes = np.zeros(1, np.int64)
    counter = np.zeros(2, np.int64)
    pending = np.zeros(plans, np.int64)
    stakes = np.zeros(plans, np.int64)
    for session in range(sessions):
        shoe = new_shoe(full, fewest, key, first + session)
        counter[OF_SHOE] = -1
        mark = 0
        for plan in range(plans):
            pending[plan] = 0
            figures[plan, session, BANKROLL] = bankroll
        playing = plans
        for played in range(1, rounds + 1):
            if plans > 0 and playing == 0:
                break
            count = begin_counted_round(full, shoe, counter) + MOST_COUNT
            choose_stakes(count, money, shares, minimum, maximum, 1, pending, figures, session, stakes)
            play_round(tables, chances, True, shoe, hands, outcomes)
            outcome = outcomes[0]
            count_round(shoe, counter, outcome == BUST)
            payoffs[count, payoff_of(outcome) + 1] += 1
            playing -= settle_stakes(outcome, stakes, doubles, minimum, pending, figures, session)
            if mark < marks.size and marks[mark] == played:
                for plan in range(plans):
                    paths[plan, session, mark] = figures[plan, session, BANKROLL]
                mark += 1
        for plan in range(plans):  # all plans may have ended before
            paths[plan, session, mark:] = figures[plan, session, BANKROLL]


@part
def choose_stakes(
    count: int,
    money: NDArray[np.int64],
    shares: NDArray[np.float64],
    minimum: int,
    maximum: int,
    unit: int,
    pending: NDArray[np.int64],
    figures: NDArray[np.int64],
    session: int,
    stakes: NDArray[np.int64],
) -> None:
    """Write the stake of each plan on the next round, 0 if its session is over.

    The count is from 0 on. Bankrolls are in so many parts of a unit of money as `unit` says, stakes are whole
    units.
    """
    for plan in range(stakes.size):
        held = figures[plan, session, BANKROLL] // unit
        wanted = max(money[plan, count], pending[plan], np.int64(shares[plan, count] * held))
        stakes[plan] = min(wanted, maximum, held) if held >= minimum else 0


@part
def settle_stakes(
    outcome: int,
    stakes: NDArray[np.int64],
    doubles: NDArray[np.bool_],
    minimum: int,
    pending: NDArray[np.int64],
    figures: NDArray[np.int64],
    session: int,
) -> int:
    """Settle the stakes on a round, and record it; return for how many plans the session is over now."""
    ended = 0
    for plan in range(stakes.size):
        stake = stakes[plan]
        if stake == 0:
            continue
        figures[plan, session, STAKED] += stake
        figures[plan, session, PLAYED] += 1
        if outcome == WIN:
            figures[plan, session, BANKROLL] += stake
            figures[plan, session, WINS] += 1
        elif outcome != PUSH:
            figures[plan, session, BANKROLL] -= stake
            figures[plan, session, LOSSES] += 1
        if figures[plan, session, BANKROLL] < minimum:
            ended += 1
        if doubles[plan]:
            pending[plan] = next_stake(outcome, stake)
    return ended


@part
def next_stake(outcome: int, stake: int) -> int:
    """What a plan that doubles wants to stake after a round; 0 means the least stake."""
    return 0 if outcome == WIN else stake if outcome == PUSH else 2 * stake
