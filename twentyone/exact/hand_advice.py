"""The value of each decision by the cards of its hand, for advice and for the costs of decisions."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from cards import Decision, Rules
from twentyone.exact.advice import Advice
from twentyone.exact.values.game import SeatGame, alone, seat_game
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Situation

MAX_ADVISERS: Final = 8
"""Advisers that are kept, each with 20 MB once it knows all upcards: more rules than are mostly played."""

_PLAINEST_FIRST: Final = (
    Decision.STAND,
    Decision.HIT,
    Decision.DOUBLE,
    Decision.SPLIT,
    Decision.DECLINE,
    Decision.SURRENDER,
    Decision.INSURE,
)
"""Of decisions that are worth the same, the first of these is the better one."""


class HandAdviser:
    """The exact values of decisions under some rules.

    They are those of a fresh shoe, given the cards of the hand and the upcard, if the best play follows
    (`SeatGame.options`). What else has been dealt, also to other hands of the same player, does not count.

    Values are computed when they are first asked for, which takes up to a second for each upcard. An adviser
    may be asked in one thread for upcards that it `knows` while another one makes it `learn`.

    Args:
        rules: the rules, with a dealer.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: set[int] = set()

    def knows(self, upcard: int) -> bool:
        """Whether what is asked about an upcard is answered within milliseconds."""
        return upcard in self._known

    @property
    def unknown(self) -> list[int]:
        """The upcards that it does not know yet."""
        return [upcard for upcard in UPCARDS if upcard not in self._known]

    def learn(self, upcard: int) -> None:
        """Compute what answers about an upcard rest on."""
        self.game.options((2, 3), upcard)
        if self._rules.split > 1:
            self.game.options((2, 3), upcard, is_split=True)
        self._known.add(upcard)

    def values(self, asked: Situation) -> dict[Decision, float]:
        """The expected payoff of each option, in initial bets, given what is known when it is asked.

        Insurance is valued alone: INSURE beside 0 for DECLINE.

        Raises:
            ValueError: if the rules do not allow such a question.
        """
        if Decision.DECLINE not in asked.options:
            found = self.game.options(asked.cards, asked.upcard, is_split=asked.is_split)
        else:
            found = self.game.before_peek(asked.cards, asked.upcard)
            if Decision.INSURE in asked.options:
                found[Decision.DECLINE] = 0.0
        if not found.keys() >= set(asked.options):
            allowed = ", ".join(decision.value for decision in asked.options)
            raise ValueError(f"{allowed} are not what these rules allow with {asked.cards}")
        return {decision: found[decision] for decision in asked.options}

    def advise(self, asked: Situation) -> Advice:
        """The best decision, and what the next best would cost.

        Raises:
            ValueError: if the rules do not allow such a question.
        """
        values = self.values(asked)
        best, second = sorted(values, key=lambda each: (-values[each], _PLAINEST_FIRST.index(each)))[:2]
        return Advice(best, values[best] - values[second])

    def cost(self, asked: Situation, decision: Decision) -> float:
        """The loss by a decision against the best one, in initial bets: 0 or more.

        Raises:
            ValueError: if the rules do not allow such a question, or such an answer.
        """
        values = self.values(asked)
        if decision not in values:
            raise ValueError(f"{decision.value} is not what these rules allow with {asked.cards}")
        return max(values.values()) - values[decision]

    @cached_property
    def game(self) -> SeatGame:
        """The game of one seat whose values these are."""
        return seat_game(self._rules)


def adviser_for(rules: Rules) -> HandAdviser:
    """The adviser for some rules; the same one for all that make no difference for a decision."""
    return _adviser_for(alone(rules))


_adviser_for: Final = lru_cache(maxsize=MAX_ADVISERS)(HandAdviser)
