"""How much to bet: always the same, or more when the cards that were not seen are better ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cards import Card, EveryRound, Rules
from protocol import BetRequest
from support.command import USAGE, CommandError

MOST_UNITS: Final = 1000
"""The largest bet by the count, in units of the least bet: beyond what any table takes."""

FIRST_COUNT: Final = 1
"""Up to this true count the least units are bet: below it the house has the edge."""

FULL_COUNT: Final = 5
"""From this true count on the most units are bet; between the two in a straight line, as by hi-lo in
`analysis betting`."""

DECK: Final = 52

EXPECTED: Final = (
    f"N chips, or count:LOW-HIGH in units of the least bet, such as count:1-8 (1 to {MOST_UNITS})"
)


@dataclass(frozen=True, slots=True)
class BetPlan:
    """What `--bet` says.

    Attributes:
        text: as typed.
        chips: always so many; None for a spread by the count.
        low: what is bet up to a true count of 1, in units of the least bet.
        high: what is bet from a true count of 5 on.
    """

    text: str
    chips: int | None
    low: int = 1
    high: int = 1

    @property
    def counts(self) -> bool:
        """Whether it bets by the count."""
        return self.chips is None

    def units(self, true_count: int) -> int:
        """The bet at a true count, in units of the least bet."""
        steps = min(max(true_count, FIRST_COUNT), FULL_COUNT) - FIRST_COUNT
        return self.low + (self.high - self.low) * steps // (FULL_COUNT - FIRST_COUNT)


def parse_bet(text: str) -> BetPlan:
    """The plan that was typed.

    Raises:
        CommandError: if it is none.
    """
    if re.fullmatch("[1-9][0-9]{0,12}", text):
        return BetPlan(text, int(text))
    spread = re.fullmatch("count:([1-9][0-9]{0,3})-([1-9][0-9]{0,3})", text)
    if spread and int(spread[1]) <= int(spread[2]) <= MOST_UNITS:
        return BetPlan(text, None, int(spread[1]), int(spread[2]))
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
    if plan.chips is not None and not bets.minimum <= plan.chips <= bets.maximum:
        raise CommandError(
            f"--bet {plan.text} is not a bet of this table: expected {bets.minimum} to {bets.maximum}"
        )


def better_for(plan: BetPlan, notice: Callable[[str], None], rules: Rules) -> Better:
    """What bets by a plan at a table; says so if there is nothing to count.

    Raises:
        CommandError: if the table asks for no bets, or for others.
    """
    check_bet(plan, rules)
    if plan.counts and not has_count(rules):
        notice(f"the shoe is fresh for every round, so there is nothing to count: {plan.text} bets its least")
    return Better(plan, rules)


def has_count(rules: Rules) -> bool:
    """Whether cards that were seen tell anything about the next round."""
    return not isinstance(rules.reshuffle, EveryRound)


class Better:
    """Bets by a plan, and counts the cards for it.

    The count is Hi-Lo: 2 to 6 count +1, tens and aces -1. The true count is that of all cards that this
    player has seen, divided by the decks that it has not seen, rounded down.

    Args:
        plan: what to bet; None for the least bet.
        rules: what is played.

    Attributes:
        running: the running count.
        seen: the cards that were seen since the shoe was fresh.
    """

    def __init__(self, plan: BetPlan | None, rules: Rules) -> None:
        self.running = 0
        self.seen = 0
        self._plan = plan
        self._cards = DECK * (rules.decks or 0)
        self._counts = plan is not None and plan.counts and has_count(rules)

    def shuffled(self) -> None:
        """Begin to count again."""
        self.running = self.seen = 0

    def saw(self, card: Card) -> None:
        """Count a card."""
        self.seen += 1
        self.running += _worth(card)

    @property
    def true_count(self) -> int:
        """The running count by decks that were not seen; 0 where there is no count."""
        left = self._cards - self.seen
        return self.running * DECK // left if self._counts and left > 0 else 0

    def bet(self, request: BetRequest) -> int:
        """The bet of the next round: that of the plan, but at most what may be bet."""
        plan = self._plan
        if plan is None:
            return request.minimum
        chips = request.minimum * plan.units(self.true_count) if plan.chips is None else plan.chips
        return min(max(chips, request.minimum), request.maximum)


def _worth(card: Card) -> int:
    """What a card adds to the count."""
    if card.is_ace or card.points == 10:
        return -1
    return 1 if card.points <= 6 else 0
