"""A round that is played while what each seat sees and does is written down, as the environments tell it.

An episode is the round of one seat. Its steps are those of an environment of one seat: what others are asked
in between is not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from cards import Decision, HoleCard, Naturals, Payoff, Round, Rules
from policies.action_values import ACTIONS
from policies.policy import observation, seen_of
from policies.seen import Seen, is_allowed, whole_seen

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE = range(6)
"""The actions by their numbers, as in the environments: the places in `ACTIONS`."""

_NUMBERS: Final = {decision: number for number, decision in enumerate(ACTIONS)} | {Decision.DECLINE: STAND}


class Step(NamedTuple):
    """A decision of a seat.

    Attributes:
        seen: what it saw, six numbers (see `policies.seen`).
        action: what it did; to decline is to stand.
        mask: what was allowed: the sum of 2 ** action.
        hand: the hand that was asked about, by a number that it keeps; the first is 0.
        made: the number of the hand that a split has made; else None.
    """

    seen: Seen
    action: int
    mask: int
    hand: int
    made: int | None


class Transition(NamedTuple):
    """A step and what came of it.

    Attributes:
        seen: what was seen, six numbers.
        action: what was done.
        reward: 0, or at the end of the round its payoff in initial bets.
        after: what was seen next, or at the end of the round.
        done: whether the round was over.
        mask: what was allowed: the sum of 2 ** action.
        credit: the payoff, in initial bets, of the hands that this step led to and that were asked nothing
            more; after INSURE that of the insurance alone. Where a dealer's natural takes the initial bet
            only, each hand after a split loses it, as it would have without one, and each split gets one
            back.
        follows: how many steps later the next one about the same hand is, and after a split the first one
            about the hand that it made; 0 where there is none.
    """

    seen: Seen
    action: int
    reward: float
    after: Seen
    done: bool
    mask: int
    credit: float
    follows: tuple[int, int]


Episode = list[Transition]


def as_environment(rules: Rules) -> Rules:
    """The same rules for one seat that stakes one unit, as an environment plays them."""
    return replace(rules, seats=1, bets=None, bankroll=None)


@cache
def mask_of(options: tuple[Decision, ...]) -> int:
    """What is allowed, as the sum of 2 ** action; where nothing is asked, STAND alone."""
    return sum(1 << number for number, decision in enumerate(ACTIONS) if is_allowed(decision, options))


class WatchedRound:
    """A round whose decisions are written down.

    Args:
        round_: a round against a dealer, dealt and not decided on.
        is_whole: whether the observations are those of the whole game. A round in which bets were asked may
            be one of HIT and STAND else.
    """

    def __init__(self, round_: Round, is_whole: bool) -> None:
        seats = range(round_.rules.seats)
        self.round = round_
        self._is_whole = is_whole
        self._steps: list[list[Step]] = [[] for _ in seats]
        self._hands = [[0] for _ in seats]
        self._made = [0 for _ in seats]
        self._asked = [0 for _ in seats]
        self._given_up: set[int] = set()
        self._dealt = [self._unasked(seat) for seat in seats]

    def decide(self, seat: int, decision: Decision) -> None:
        """Carry out a decision.

        Raises:
            RoundError: if it is not allowed.
        """
        game = self.round
        game.verify_decide(seat, decision)
        place, options = game.turn_hand, game.options
        hands, hand, made = self._hands[seat], self._hands[seat][place], None
        seen = self._seen(whole_seen(observation(game, seat), len(hands)))
        if decision is Decision.SPLIT:
            self._made[seat] = made = self._made[seat] + 1
            hands.insert(place + 1, made)
        self._asked[seat] = place
        action = _NUMBERS[decision] if decision in options else STAND  # HIT declines, or stands with an ace
        self._steps[seat].append(Step(seen, action, mask_of(options), hand, made))
        game.decide(seat, decision)

    def forfeit(self, seat: int) -> None:
        """Give up a seat, which then has no episode.

        Raises:
            RoundError: if it is settled.
        """
        self.round.forfeit(seat)
        self._given_up.add(seat)

    def episodes(self) -> list[Episode]:
        """The episode of each seat that was not given up. The round is over."""
        return [self._episode(seat) for seat in range(self.round.rules.seats) if seat not in self._given_up]

    def _seen(self, seen: Seen) -> Seen:
        return seen if self._is_whole else (*seen[:3], 0, 1, 0)

    def _unasked(self, seat: int) -> Seen:
        """What is seen of the hand that was asked about last, when nothing is asked."""
        hands = self.round.hands_of(seat)
        seen = seen_of(hands[self._asked[seat]].hand, self.round.upcard, ())
        return self._seen(whole_seen(seen, len(hands)))

    def _episode(self, seat: int) -> Episode:
        # Where the cards as dealt decide, an environment takes STAND, the only action that it allows.
        steps = self._steps[seat] or [Step(self._dealt[seat], STAND, mask_of(()), 0, None)]
        total = self.round.payoffs[seat]
        played = [hand.payoff for hand in self.round.hands_of(seat)]
        of_hands = {
            hand: payoff for hand, payoff in zip(self._hands[seat], played, strict=True) if payoff is not None
        }
        assert total is not None and len(of_hands) == len(played), "the round is over"
        insurance = total - sum(of_hands.values())
        returned = 0
        if len(played) > 1 and self._takes_one_bet():
            of_hands, returned = dict.fromkeys(of_hands, -1), 1
        after = [*(step.seen for step in steps[1:]), self._unasked(seat)]
        last = len(steps) - 1
        return [
            Transition(
                step.seen,
                step.action,
                float(total) if place == last else 0.0,
                after[place],
                place == last,
                step.mask,
                *_credited(steps, place, of_hands, insurance, returned),
            )
            for place, step in enumerate(steps)
        ]

    def _takes_one_bet(self) -> bool:
        """Whether the dealer has a natural that takes the initial bet only."""
        dealer, rules = self.round.dealer, self.round.rules
        assert dealer is not None, "the round has a dealer"
        return dealer.is_natural and rules.naturals is not Naturals.EQUAL and rules.hole_card is HoleCard.OBO


def _credited(
    steps: Sequence[Step], place: int, of_hands: dict[int, Payoff], insurance: Payoff, returned: int
) -> tuple[float, tuple[int, int]]:
    """The credit of a step, and the steps that follow it; `returned` is what comes back for a split."""
    step = steps[place]
    if step.action == INSURE:
        return float(insurance), (0, 0)
    first = _next_about(steps, place, step.hand)
    second = 0 if step.made is None else _next_about(steps, place, step.made)
    credit: Payoff = 0 if first else of_hands[step.hand]
    if step.made is not None:
        credit += returned if second else returned + of_hands[step.made]
    return float(credit), (first, second)


def _next_about(steps: Sequence[Step], place: int, hand: int) -> int:
    """How many steps later the next one about a hand is; 0 if there is none."""
    return next((later - place for later in range(place + 1, len(steps)) if steps[later].hand == hand), 0)
