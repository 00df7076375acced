"""The kernel of betting in the whole game: sessions of rounds, counted in any way, with stakes by the count.

As in `analysis.studies.sessions`, a stake changes no card, so all plans of staking are played on the same
rounds. Payoffs are tenths of an initial bet, so bankrolls are tenths of a unit of money. What is added to a
stake by doubling, splitting and insurance is staked even where the bankroll does not cover it; so a bankroll
may end below 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.studies.sessions import BANKROLL, FIGURES, LOSSES, PLAYED, STAKED, WINS, choose_stakes
from kernels.shoe import DEALT, SHORT, begin_ordered_round, new_shoe
from kernels.whole.counted import play_counted_round, running_count
from kernels.whole.counting import FIRST, LOWEST, RUNNING, Counting, true_count
from kernels.whole.rounds import new_seats
from kernels.whole.tables import TENTHS, WholeTables
from support.compiling import compiled, part

PAID: Final = FIGURES
"""The place of the sum of payoffs, in tenths of each round's initial bet, after those of `FIGURES`."""

WHOLE_FIGURES: Final = FIGURES + 1

SUM: Final = 3
"""The place of the sum of payoffs in tenths, after the rounds lost, pushed and won at a true count."""

SQUARES: Final = 4
"""The place of the sum of their squares."""

SUMS: Final = 5


@compiled
def play_whole_sessions(
    tables: WholeTables,
    policies: NDArray[np.int8],
    counting: Counting,
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
) -> bool:
    """Play sessions under all plans of staking at once; without plans, only count their rounds.

    Stakes are chosen as `play_sessions` does.

    Args:
        tables: the rules.
        policies: int8 (1, 1 or counts, questions, rows, upcards): the policy.
        counting: how is counted; the true count of an infinite deck is always 0.
        full: as for `play_sessions`, and so all that is not named here.
        fewest: likewise.
        key: likewise.
        first: likewise.
        rounds: likewise.
        money: int64 (plans, counts): stakes by true count, from the lowest that is told apart.
        shares: float64 (plans, counts): stakes as parts of the bankroll.
        doubles: bool (plans,).
        bankroll: in units of money, as the least and the greatest stake.
        minimum: likewise.
        maximum: likewise.
        marks: int64 (marks,).
        payoffs: int64 (counts, SUMS): is added to: by true count the rounds lost, pushed and won, the sum of
            their payoffs in tenths of an initial bet, and that of the squares of these.
        figures: int64 (plans, sessions, WHOLE_FIGURES): is written; bankrolls in tenths of a unit of money.
        paths: int64 (plans, sessions, marks): is written, likewise.

    Returns:
        Whether there were always enough cards; if not, the figures are of no use.
    """
    plans, sessions = figures.shape[0], figures.shape[1]
    seats, log = new_seats(1), np.zeros(1, np.int64)
    pending, stakes = np.zeros(plans, np.int64), np.zeros(plans, np.int64)
    is_complete = True
    for session in range(sessions):
        shoe = new_shoe(full, fewest, key, first + session)
        mark = 0
        for plan in range(plans):
            pending[plan] = 0
            figures[plan, session, BANKROLL] = TENTHS * bankroll
        playing = plans
        for played in range(1, rounds + 1):
            if plans > 0 and playing == 0:
                break
            begin_ordered_round(full, shoe)
            count = -counting.at[LOWEST]
            if full.size:
                if shoe.at[DEALT] == 0:
                    counting.at[RUNNING] = counting.at[FIRST]
                count = true_count(counting, counting.at[RUNNING], full.size - shoe.at[DEALT])
            choose_stakes(count, money, shares, minimum, maximum, TENTHS, pending, figures, session, stakes)
            play_counted_round(tables, policies, counting, shoe, seats, log)
            payoff = seats.payoffs[0]
            if full.size:
                counting.at[RUNNING] = running_count(counting, shoe)
            payoffs[count, (payoff > 0) - (payoff < 0) + 1] += 1
            payoffs[count, SUM] += payoff
            payoffs[count, SQUARES] += payoff * payoff
            playing -= settle_payoff(payoff, stakes, doubles, minimum, pending, figures, session)
            if mark < marks.size and marks[mark] == played:
                for plan in range(plans):
                    paths[plan, session, mark] = figures[plan, session, BANKROLL]
                mark += 1
        for plan in range(plans):  # all plans may have ended before
            paths[plan, session, mark:] = figures[plan, session, BANKROLL]
        is_complete &= shoe.at[SHORT] == 0
    return is_complete


@part
def settle_payoff(
    payoff: int,
    stakes: NDArray[np.int64],
    doubles: NDArray[np.bool_],
    minimum: int,
    pending: NDArray[np.int64],
    figures: NDArray[np.int64],
    session: int,
) -> int:
    """Settle the stakes on a round that pays so many tenths; return for how many plans it was the last."""
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
        if figures[plan, session, BANKROLL] < TENTHS * minimum:
            ended += 1
        if doubles[plan]:
            pending[plan] = 0 if payoff > 0 else stake if payoff == 0 else 2 * stake
    return ended
