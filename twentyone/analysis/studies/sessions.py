"""The kernel of betting: sessions of rounds, counted in any way, with stakes by what is known before a round.

A stake changes no card. So all plans of staking are played on the same rounds: those of the session's own
random stream, which begins with a fresh shoe. Payoffs are tenths of an initial bet, so bankrolls are tenths
of a unit of money. What is added to a stake by doubling, splitting and insurance is staked even where the
bankroll does not cover it; so a bankroll may end below 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.kernels.counted import count_after, play_counted_round
from twentyone.kernels.counting import FIRST, LOWEST, RUNNING, Counting, true_count
from twentyone.kernels.rounds import Log, Seats, new_seats
from twentyone.kernels.shoe import DEALT, SHORT, Shoe, begin_ordered_round, begin_shard, new_shoe
from twentyone.kernels.tables import TENTHS, RuleTables
from twentyone.support.compiling import compiled, part

# The result of a session, as places in an array of int64.
BANKROLL: Final = 0  # at the end, in tenths of a unit of money
STAKED: Final = 1  # the sum of all stakes
PLAYED: Final = 2  # rounds
WINS: Final = 3
LOSSES: Final = 4
PAID: Final = 5  # the sum of the payoffs, in tenths of each round's initial bet
FIGURES: Final = 6

# What rounds at a true count paid, as places in an array of int64: rounds lost, pushed and won, and then
SUM: Final = 3  # the sum of their payoffs, in tenths of an initial bet
SQUARES: Final = 4  # and that of the squares of these
SUMS: Final = 5


class Plans(NamedTuple):
    """Plans of staking.

    Attributes:
        money: int64 (plans, counts): stakes by true count, from the lowest that is told apart; none below the
            least stake of the table.
        shares: float64 (plans, counts): stakes as parts of the bankroll.
        doubles: bool (plans,): whether a plan doubles its stake after a loss.
    """

    money: NDArray[np.int64]
    shares: NDArray[np.float64]
    doubles: NDArray[np.bool_]


class Stakes(NamedTuple):
    """The bankroll at the beginning of every session, and the least and the greatest stake of the table."""

    bankroll: int
    minimum: int
    maximum: int


def play_sessions(
    tables: RuleTables,
    policies: NDArray[np.int32],
    counting: Counting,
    full: NDArray[np.uint8],
    fewest: int,
    key: np.uint64,
    first: int,
    rounds: int,
    plans: Plans,
    terms: Stakes,
    marks: NDArray[np.int64],
    payoffs: NDArray[np.int64],
    figures: NDArray[np.int64],
    paths: NDArray[np.int64],
) -> bool:
    """Play sessions under all plans of staking at once; without plans, only count their rounds.

    The stake of a plan is its amount of money for the true count, or its share of the bankroll for that
    count, rounded down, whichever is more. A plan that doubles stakes twice the last stake after a loss and
    the last stake again after a push, if that is more. No stake exceeds the maximum or the bankroll. A
    session is over when the bankroll does not cover the minimum.

    Args:
        tables: the rules, of one seat and a dealer.
        policies: int32 (1, 1 or counts, questions, rows, upcards): the policy.
        counting: how is counted; the true count of an infinite deck is always 0.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        key: the key of the random numbers.
        first: the number of the first session, which is also that of its random stream.
        rounds: how many rounds a session has at most.
        plans: the plans.
        terms: the bankroll and the bounds of stakes, in units of money.
        marks: int64 (marks,): the rounds after which the bankroll is recorded, in order, from 1 on.
        payoffs: int64 (counts, SUMS): is added to, by true count.
        figures: int64 (plans, sessions, FIGURES): is written, the sessions in order.
        paths: int64 (plans, sessions, marks): is written: the bankroll in tenths of a unit of money, which
            stays the same after the end.

    Returns:
        Whether there were always enough cards; if not, the figures are of no use.
    """
    shoe, log = new_shoe(full, fewest, key, first), np.zeros(1, np.int64)
    pending, stakes = (np.zeros(figures.shape[0], np.int64) for _ in range(2))
    given = tables, policies, counting, full, first, rounds, plans, terms, marks, payoffs, figures, paths
    return bool(sessions_kernel(*given, shoe, new_seats(1), log, pending, stakes))


@compiled
def sessions_kernel(
    tables: RuleTables,
    policies: NDArray[np.int32],
    counting: Counting,
    full: NDArray[np.uint8],
    first: int,
    rounds: int,
    plans: Plans,
    terms: Stakes,
    marks: NDArray[np.int64],
    payoffs: NDArray[np.int64],
    figures: NDArray[np.int64],
    paths: NDArray[np.int64],
    shoe: Shoe,
    seats: Seats,
    log: Log,
    pending: NDArray[np.int64],
    stakes: NDArray[np.int64],
) -> bool:
    """As `play_sessions`, with what it writes besides: a shoe, a seat, and what each plan has staked."""
    staked, sessions = figures.shape[0], figures.shape[1]
    for session in range(sessions):
        begin_shard(shoe, first + session)
        mark = 0
        for plan in range(staked):
            pending[plan] = 0
            figures[plan, session, BANKROLL] = TENTHS * terms.bankroll
        playing = staked
        for played in range(1, rounds + 1):
            if staked > 0 and playing == 0:
                break
            begin_ordered_round(full, shoe)
            count = -counting.at[LOWEST]
            if full.size:
                if shoe.at[DEALT] == 0:
                    counting.at[RUNNING] = counting.at[FIRST]
                count = true_count(counting, counting.at[RUNNING], full.size - shoe.at[DEALT])
            choose_stakes(count, plans, terms, pending, figures, session, stakes)
            play_counted_round(tables, policies, counting, shoe, seats, log)
            payoff = seats.payoffs[0]
            if full.size:
                counting.at[RUNNING] = count_after(counting, shoe, seats.outcomes)
            payoffs[count, (payoff > 0) - (payoff < 0) + 1] += 1
            payoffs[count, SUM] += payoff
            payoffs[count, SQUARES] += payoff * payoff
            playing -= settle_payoff(payoff, stakes, plans, terms, pending, figures, session)
            if mark < marks.size and marks[mark] == played:
                for plan in range(staked):
                    paths[plan, session, mark] = figures[plan, session, BANKROLL]
                mark += 1
        for plan in range(staked):  # all plans may have ended before
            paths[plan, session, mark:] = figures[plan, session, BANKROLL]
    return bool(shoe.at[SHORT] == 0)


@part
def choose_stakes(
    count: int,
    plans: Plans,
    terms: Stakes,
    pending: NDArray[np.int64],
    figures: NDArray[np.int64],
    session: int,
    stakes: NDArray[np.int64],
) -> None:
    """Write the stake of each plan on the next round, 0 if its session is over.

    The count is from 0 on. Stakes are whole units of money.
    """
    for plan in range(stakes.size):
        held = figures[plan, session, BANKROLL] // TENTHS
        wanted = max(plans.money[plan, count], pending[plan], np.int64(plans.shares[plan, count] * held))
        stakes[plan] = min(wanted, terms.maximum, held) if held >= terms.minimum else 0


@part
def settle_payoff(
    payoff: int,
    stakes: NDArray[np.int64],
    plans: Plans,
    terms: Stakes,
    pending: NDArray[np.int64],
    figures: NDArray[np.int64],
    session: int,
) -> int:
    """Settle the stakes on a round by its payoff in tenths; return the number of plans that it ended."""
    ended = 0
    for plan in range(stakes.size):
        stake = stakes[plan]
        if stake == 0:
            continue
        figures[plan, session, BANKROLL] += stake * payoff
        figures[plan, session, STAKED] += stake
        figures[plan, session, PLAYED] += 1
        figures[plan, session, WINS] += payoff > 0
        figures[plan, session, LOSSES] += payoff < 0
        figures[plan, session, PAID] += payoff
        if figures[plan, session, BANKROLL] < TENTHS * terms.minimum:
            ended += 1
        if plans.doubles[plan]:
            pending[plan] = 0 if payoff > 0 else stake if payoff == 0 else 2 * stake
    return ended
