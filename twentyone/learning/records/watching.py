"""The observations and actions of each seat in a round, as the environments tell them.

An episode is the round of one seat. Its steps are those of an environment of one seat: what others are asked
in between is not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final, NamedTuple

from cards import (
    HIT_OR_STAND,
    Decision,
    DecisionAsked,
    DecisionTaken,
    HoleCard,
    Naturals,
    Payoff,
    Retelling,
    Round,
    Rules,
    SeatForfeited,
    asking,
)
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.observation_tuples import ObservationTuple, as_full_tuple, is_allowed
from twentyone.policies.policy import Observation, seen_of

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE = range(6)
"""The actions by their numbers, as in the environments: the places in `ACTIONS`."""

_NUMBERS: Final = {decision: number for number, decision in enumerate(ACTIONS)} | {Decision.DECLINE: STAND}


class Step(NamedTuple):
    """A decision of a seat.

    Attributes:
        seen: what it saw, six numbers (see `twentyone.policies.observation_tuples`).
        action: what it did; to decline is to stand.
        mask: what was allowed: the sum of 2 ** action.
        hand: the hand that was asked about, by a number that it keeps; the first is 0.
        made: the number of the hand that a split has made; otherwise None.
    """

    seen: ObservationTuple
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

    seen: ObservationTuple
    action: int
    reward: float
    after: ObservationTuple
    done: bool
    mask: int
    credit: float
    follows: tuple[int, int]


Episode = list[Transition]


@lru_cache(256)
def as_environment(rules: Rules) -> Rules:
    """The same rules for one seat that stakes one unit, as an environment plays them."""
    return replace(rules, seats=1, bets=None, bankroll=None)


@cache
def mask_of(options: tuple[Decision, ...]) -> int:
    """The options as the sum of 2 ** action; where nothing is asked, STAND alone."""
    return sum(1 << number for number, decision in enumerate(ACTIONS) if is_allowed(decision, options))


class _Seat:
    """A seat whose decisions are written down: its steps, and the numbers of its hands, which they keep."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.hands = [0]
        self.options: tuple[Decision, ...] = HIT_OR_STAND
        self.asked = 0
        self.is_given_up = False

    def decide(self, seen: ObservationTuple, decision: Decision, place: int) -> None:
        """Write down a decision about the hand at a place."""
        hand, made = self.hands[place], None
        if decision is Decision.SPLIT:
            made = len(self.hands)
            self.hands.insert(place + 1, made)
        self.steps.append(Step(seen, _NUMBERS[decision], mask_of(self.options), hand, made))


def episodes(round_: Round) -> list[Episode]:
    """The episode of each seat that was not given up.

    Args:
        round_: a round against a dealer, which is over.
    """
    asks_more = asking.asks_more(round_.rules)
    seats = [_Seat() for _ in range(round_.rules.seats)]
    retelling = Retelling(round_)
    for record in retelling:
        match record:
            case DecisionAsked(number, place, options):
                seats[number].asked, seats[number].options = place, options
            case DecisionTaken(number, decision, place):
                hands, options = retelling.hands[number], seats[number].options
                seen = seen_of(hands[place], round_.upcard, options, round_.rules.split)
                seats[number].decide(_seen(seen, len(hands), asks_more), decision, place)
            case SeatForfeited(number):
                seats[number].is_given_up = True
    return [
        _episode(round_, number, seat, asks_more) for number, seat in enumerate(seats) if not seat.is_given_up
    ]


def _seen(seen: Observation, hands: int, asks_more: bool) -> ObservationTuple:
    told = as_full_tuple(seen, hands)
    return told if asks_more else (*told[:3], 0, 1, 0)


def _episode(round_: Round, number: int, seat: _Seat, asks_more: bool) -> Episode:
    hands, total = round_.hands_of(number), round_.payoffs[number]
    # What is seen of the hand that was asked about last, when nothing is asked.
    unasked = _seen(seen_of(hands[seat.asked].hand, round_.upcard, ()), len(hands), asks_more)
    # Where the cards as dealt decide, an environment takes STAND, the only action that it allows.
    steps = seat.steps or [Step(unasked, STAND, mask_of(()), 0, None)]
    of_hands = {
        hand: played.payoff
        for hand, played in zip(seat.hands, hands, strict=True)
        if played.payoff is not None
    }
    assert total is not None and len(of_hands) == len(hands), "the round is over"
    insurance = total - sum(of_hands.values())
    returned = 0
    if len(hands) > 1 and _takes_one_bet(round_):
        of_hands, returned = dict.fromkeys(of_hands, -1), 1
    after = [*(step.seen for step in steps[1:]), unasked]
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


def _takes_one_bet(round_: Round) -> bool:
    """Whether the dealer has a natural that takes the initial bet only."""
    dealer, rules = round_.dealer, round_.rules
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
    """The steps until the next one about a hand; 0 if there is none."""
    return next((later - place for later in range(place + 1, len(steps)) if steps[later].hand == hand), 0)
