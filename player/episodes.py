"""Makes an `Episode` of each round that is played over a connection, from what the dealer tells of it."""

from __future__ import annotations

from typing import Final

from cards import Card, Decision, Hand, Payoff, Rules
from cards.rules import HoleCard, Naturals
from twentyone.learning.episodes import INSURE, Episode, Steps, bits_of, new_steps
from twentyone.policies.action_values import ACTIONS

_DECLINE: Final = Decision.DECLINE
_NUMBERS = {action: number for number, action in enumerate(ACTIONS)}

_NATURAL = 1.0
_NO_NATURAL = -0.5
"""The payoffs of an insurance, in initial bets."""


class EpisodeBuilder:
    """Notes one round after another, and makes an `Episode` of each.

    Args:
        rules: the rules.

    Attributes:
        dealer: the dealer's cards, the upcard first, then the hole card.
        has_begun: whether there has been a decision about a hand.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._may_know_natural = rules.insurance or rules.hole_card is not HoleCard.LAST
        self.begin()

    def begin(self) -> None:
        """A round begins."""
        self.dealer: list[Card] = []
        self.has_begun = False
        self._answers: list[tuple[int, tuple[Decision, ...], Decision, int]] = []  # and the hand
        self._place = 0
        self._paid: list[Payoff | float] = []
        self._insured = self._declined = -1

    def decide(self, first: int, options: tuple[Decision, ...], decision: Decision) -> None:
        """A question was answered.

        Args:
            first: the index of the value of HIT of what was seen.
            options: what was allowed.
            decision: the answer.
        """
        self._answers.append((first, options, decision, self._place))
        if _DECLINE not in options:
            self.has_begun = True
        elif decision is Decision.INSURE:
            self._insured = first + INSURE
        elif Decision.SURRENDER in options and decision is _DECLINE:
            self._declined = first

    def begin_hand(self, number: int) -> None:
        """Play moves to a hand, counted from 0, of a seat that has split."""
        self._place = number

    def settle_hand(self, payoff: Payoff | float) -> None:
        """The payoff of one of several hands, in their order: in initial bets, without the insurance."""
        self._paid.append(payoff)

    def finish(self, payoff: Payoff) -> Episode:
        """The round is over; make an `Episode` of it.

        Args:
            payoff: of all hands and of the insurance, in initial bets.
        """
        has_natural, hole_card = self._may_know_natural and self._has_natural, self._rules.hole_card
        insurance = (_NATURAL if has_natural else _NO_NATURAL) if self._insured >= 0 else 0.0
        payoffs = tuple(map(float, self._paid)) or (float(payoff) - insurance,)
        takes_one = has_natural and hole_card is HoleCard.OBO
        if takes_one and self._paid:
            payoffs = (-1.0,) * len(payoffs)  # each is an example of the same hand before a split
        steps = [
            (first, bits_of(options), _NUMBERS[decision], place)
            for first, options, decision, place in self._answers
            if _DECLINE not in options
        ]
        return Episode(
            Steps(*map(list, zip(*steps, strict=True))) if steps else new_steps(),
            payoffs,
            1.0 if takes_one else 0.0,
            self._insured,
            insurance,
            self._declined,
            has_natural and hole_card is HoleCard.PEEK,
        )

    @property
    def decisions(self) -> list[Decision]:
        """The decisions of this round, in order."""
        return [decision for _, _, decision, _ in self._answers]

    @property
    def _has_natural(self) -> bool:
        """Whether the dealer has a natural that beats every other hand."""
        is_natural = Hand(self._rules.ace, self.dealer[:2]).is_natural
        return is_natural and self._rules.naturals is not Naturals.EQUAL
