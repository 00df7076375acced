"""Plans for bets: always the same, or more when the cards that were not seen are better ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cards import Rules
from player.counting import CardCount, has_count
from protocol import BetRequest
from twentyone.policies.counting import HI_LO, MOST_UNITS, Spread, spread_in
from twentyone.support.command import USAGE, CommandError

EXPECTED: Final = (
    f"N chips, or count:LOW-HIGH in units of the least bet, such as count:1-8 (1 to {MOST_UNITS})"
)


@dataclass(frozen=True, slots=True)
class BetPlan:
    """The meaning of `--bet`.

    Attributes:
        text: as typed.
        stake: a fixed number of chips, or a spread by the count, in units of the least bet.
    """

    text: str
    stake: int | Spread

    @property
    def counts(self) -> bool:
        """Whether it bets by the count."""
        return isinstance(self.stake, Spread)


def parse_bet(text: str) -> BetPlan:
    """The plan that was typed.

    Raises:
        CommandError: if it is none.
    """
    if re.fullmatch("[1-9][0-9]{0,12}", text):
        return BetPlan(text, int(text))
    if spread := spread_in(text):
        return BetPlan(text, spread)
    raise CommandError(f"--bet {text} is not a bet: expected {EXPECTED}", USAGE)


def check_bet(plan: BetPlan, rules: Rules) -> None:
    """Check that a plan can be followed at a table.

    Raises:
        CommandError: if the table asks for no bets, or for others.
    """
    bets = rules.bets
    if bets is None:
        raise CommandError(
            f"--bet {plan.text} makes no sense at this table: it asks for no bets, everybody stakes one unit"
        )
    if isinstance(plan.stake, int) and not bets.minimum <= plan.stake <= bets.maximum:
        raise CommandError(
            f"--bet {plan.text} is not a bet of this table: expected {bets.minimum} to {bets.maximum}"
        )


def better_for(plan: BetPlan, notice: Callable[[str], None], rules: Rules) -> Better:
    """The object that bets by a plan at a table; says so if there is nothing to count.

    Raises:
        CommandError: if the table asks for no bets, or for others.
    """
    check_bet(plan, rules)
    if plan.counts and not has_count(rules):
        notice(f"the shoe is fresh for every round, so there is nothing to count: {plan.text} bets its least")
    return Better(plan, rules)


class Better(CardCount):
    """Bets by a plan, and counts the cards for it.

    The count is Hi-Lo, of all cards that this player has seen; the studies of counting count by the same
    `twentyone.policies.counting`.

    Args:
        plan: what to bet; None for the least bet.
        rules: what is played.
    """

    def __init__(self, plan: BetPlan | None, rules: Rules) -> None:
        super().__init__(HI_LO, rules, is_kept=has_count(rules))
        self._plan = plan
        self._counts = plan is not None and plan.counts and has_count(rules)

    def bet(self, request: BetRequest) -> int:
        """The bet of the next round: that of the plan, but at most what may be bet."""
        plan = self._plan
        if plan is None:
            return request.minimum
        stake = plan.stake
        true_count = self.true_count if self._counts else 0
        chips = request.minimum * stake.units(true_count) if isinstance(stake, Spread) else stake
        return min(max(chips, request.minimum), request.maximum)
