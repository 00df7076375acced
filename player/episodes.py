"""Makes an `Episode` of each round that is played over a connection, from what the dealer tells of it."""

from __future__ import annotations

from functools import cache

from cards import HIT_OR_STAND, Card, Decision, Hand, Payoff, Rules
from cards.rules import HoleCard, Naturals
from learning.cells import first_of
from learning.episodes import HIT, INSURE, STAND, Episode, Steps, add_step, bits_of, new_steps
from policies.action_values import ACTIONS
from policies.policy import Observation
from policies.qtable import state_of

_bits = cache(bits_of)  # there are few lists of what is allowed
_HIT_OR_STAND = bits_of(HIT_OR_STAND)
_NUMBERS = {action: number for number, action in enumerate(ACTIONS)}

_NATURAL = 1.0
_NO_NATURAL = -0.5
"""What an insurance is paid, in initial bets."""


class EpisodeBuilder:
    """Notes one round after another, and makes an `Episode` of each.

    Args:
        rules: the rules.

    Attributes:
        decisions: in the whole game, what was decided in this round, in order.
    """

    def __init__(self, rules: Rules) -> None:
        self.decisions: list[Decision] = []
        self._rules = rules
        self._is_whole = rules.is_whole
        self.begin()

    def begin(self) -> None:
        """A round begins."""
        self._steps = new_steps()
        if not self._is_whole:
            return
        self.decisions = []
        self._place = 0
        self._paid: list[Payoff | float] = []
        self._dealer: list[Card] = []
        self._insured = self._declined = -1

    def decide(self, seen: Observation, decision: Decision) -> None:
        """A question was answered."""
        if not self._is_whole:  # a run of many rounds is as fast as this
            self._steps.firsts.append(2 * state_of(seen))
            self._steps.actions.append(HIT if decision is Decision.HIT else STAND)
            return
        self.decisions.append(decision)
        first = first_of(seen, is_whole=True)
        if Decision.DECLINE not in seen.options:
            add_step(self._steps, first, _bits(seen.options), _NUMBERS[decision], self._place)
        elif decision is Decision.INSURE:
            self._insured = first + INSURE
        elif Decision.SURRENDER in seen.options and decision is Decision.DECLINE:
            self._declined = first

    @property
    def has_begun(self) -> bool:
        """Whether there has been a decision about a hand."""
        return bool(self._steps.firsts)

    def begin_hand(self, number: int) -> None:
        """Play moves to a hand, counted from 0, of a seat that has split."""
        self._place = number

    def see_dealer(self, card: Card) -> None:
        """The dealer shows a card: the upcard first, then the hole card."""
        if self._is_whole:
            self._dealer.append(card)

    def settle_hand(self, payoff: Payoff | float) -> None:
        """A hand of several, in their order, was paid so much: in initial bets, without the insurance."""
        self._paid.append(payoff)

    def finish(self, payoff: Payoff) -> Episode:
        """The round is over; make an `Episode` of it.

        Args:
            payoff: of all hands and of the insurance, in initial bets.
        """
        if not self._is_whole:
            firsts, _, actions, _ = self._steps
            taken = len(firsts)
            return Episode(Steps(firsts, [_HIT_OR_STAND] * taken, actions, [0] * taken), (float(payoff),))
        has_natural, hole_card = self._has_natural, self._rules.hole_card
        insurance = (_NATURAL if has_natural else _NO_NATURAL) if self._insured >= 0 else 0.0
        payoffs = tuple(map(float, self._paid)) or (float(payoff) - insurance,)
        takes_one = has_natural and hole_card is HoleCard.OBO
        if takes_one and self._paid:
            payoffs = (-1.0,) * len(payoffs)  # each is an example of the same hand before a split
        return Episode(
            self._steps,
            payoffs,
            1.0 if takes_one else 0.0,
            self._insured,
            insurance,
            self._declined,
            has_natural and hole_card is HoleCard.PEEK,
        )

    @property
    def _has_natural(self) -> bool:
        """Whether the dealer has a natural that beats every other hand."""
        is_natural = Hand(self._rules.ace, self._dealer[:2]).is_natural
        return is_natural and self._rules.naturals is not Naturals.EQUAL
