"""The exact value of a policy that leaves decisions to chance, by the chances.

Every decision is drawn by itself, by what the player sees: the total, softness, the upcard, the pair, what is
allowed, and how many hands there are. The payoffs of the hands add up, so the value of a hand is the mean
over the cards and the draws of its own decisions; of the other hands of a split it needs only how many there
are (`twentyone.exact.best.mixed_splits`). A policy that leaves nothing to chance is the case of chances 0 and
1.

A policy decides on insurance itself, so its own bets are in the value, whether they pay or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from cards import HIT_OR_STAND, Decision, asking
from twentyone.exact.best.mixed_splits import SplitPlan, split_values
from twentyone.exact.values.charts import cells_of
from twentyone.exact.values.compositions import ACE, POINTS, Bools, Floats, Ints
from twentyone.exact.values.game import FIRST, UPCARDS, SeatGame, Values, insurance_value
from twentyone.exact.values.splits import most_hands
from twentyone.policies.chances import MixedPolicy
from twentyone.policies.policy import Observation

BEFORE_PEEK: Final = (Decision.SURRENDER, Decision.DECLINE)
INSURANCE: Final = (Decision.INSURE, Decision.DECLINE)
LATER: Final = (Decision.STAND, Decision.HIT, Decision.DOUBLE)
"""The order of the chances of later decisions: that of `STAND`, `HIT` and `DOUBLE`."""

_HALF: Final = 0.5


class MixedPlan(NamedTuple):
    """A policy against one upcard, as arrays of chances.

    Attributes:
        given_up: (d,) the chance to surrender each hand of two cards before the dealer peeks; 0 if not asked.
        first: (5, d) of the first decisions, in the order of `FIRST`.
        unsplit: (3, n) of `LATER`, with a hand of more cards that no split has made.
        split: what is done after a split.
    """

    given_up: Floats
    first: Floats
    unsplit: Floats
    split: SplitPlan


def evaluate_policy(game: SeatGame, policy: MixedPolicy) -> Values:
    """The value of a policy, with its own bets on insurance.

    Raises:
        ValueError: if it does what is not allowed.
    """
    given = [
        mixed_value(game, upcard, mixed_plan(game, upcard, policy))
        if game.shoe.counts[upcard]
        else float("nan")
        for upcard in UPCARDS
    ]
    bets = float(insured(game, policy) @ insurance_bets(game)) if is_insurance_asked(game) else 0.0
    return Values(float(np.nansum(game.upcards * given)) + bets, bets, tuple(given))


def questions_of(game: SeatGame) -> list[tuple[Observation, int]]:
    """Everything that a policy can be asked: what is seen, and how many hands there are."""
    found: dict[tuple[Observation, int], None] = {}

    def note(seen: Observation, hands: int) -> dict[Decision, float]:
        found[seen, hands] = None
        return {seen.options[-1]: 1.0}

    for upcard in UPCARDS:
        if game.shoe.counts[upcard]:
            mixed_plan(game, upcard, note)
    if is_insurance_asked(game):
        insured(game, note)
    return [*found]


def mixed_value(game: SeatGame, upcard: int, plan: MixedPlan) -> float:
    """The value of a plan given the upcard, without insurance."""
    against = game.against(upcard)
    splits = split_values(game.splits(upcard), plan.split)
    first = game.first(upcard, against.mix(plan.unsplit).hit, splits)
    return game.mean(upcard, finals_of(plan, first.values))


def finals_of(plan: MixedPlan, values: Floats) -> Floats:
    """(d,) what each hand of two cards is worth, from (5, d) values of the first decisions."""
    played = (plan.first * np.where(plan.first > 0, values, 0)).sum(axis=0)
    finals: Floats = plan.given_up * -_HALF + (1 - plan.given_up) * played
    return finals


def mixed_plan(game: SeatGame, upcard: int, policy: MixedPolicy) -> MixedPlan:
    """The plan of a policy against an upcard, given by its index.

    Raises:
        ValueError: if it does what is not allowed.
    """
    return _Planner(game, upcard, policy).plan()


class _Planner:
    """Asks a policy about every hand against an upcard, each question once."""

    def __init__(self, game: SeatGame, upcard: int, policy: MixedPolicy) -> None:
        self._game, self._upcard, self._policy = game, upcard, policy
        self._cells = cells_of(game)
        self._pairs = {int(game.hands.pairs[card]): card for card in game.splits(upcard).pairs}

    def plan(self) -> MixedPlan:
        hands, rules, possible = self._game.hands, self._game.rules, self._game.against(self._upcard).possible
        given_up, first = self._first()
        rows = np.flatnonzero((hands.size > 2) & possible)
        unsplit = self._later(rows, hands.may_double, 1)
        pairs = self._game.splits(self._upcard).pairs
        rows = np.flatnonzero((hands.size > 1) & possible)
        may_double = hands.may_double & rules.double_after_split
        counts = range(2, max((most_hands(rules, card) for card in pairs), default=1) + 1)
        later = [self._later(rows, may_double, count) for count in counts]
        kept = np.zeros((len(later), 10, len(LATER) + 1))
        for card in pairs:
            for count in range(2, most_hands(rules, card)):
                kept[count - 2, card] = self._kept(card, count)
        return MixedPlan(given_up, first, unsplit, SplitPlan(later, kept))

    def _first(self) -> tuple[Floats, Floats]:
        """The chances before the peek, and of the first decisions."""
        game, rules, against = self._game, self._game.rules, self._game.against(self._upcard)
        asks_first = asks_before_peek(game, self._upcard)
        may_give_up = asking.may_surrender(rules, int(POINTS[self._upcard]))
        rows = against.dealt.rows.tolist()
        given_up, first = np.zeros(len(rows)), np.zeros((len(FIRST), len(rows)))
        for at, row in enumerate(rows):
            if row == against.own and rules.naturals.is_ratio:
                first[0, at] = 1
                continue
            card = self._pairs.get(row)
            if asks_first:
                given_up[at] = self._chances(row, card, BEFORE_PEEK, 1)[0]
            extra = {
                Decision.DOUBLE: bool(game.hands.may_double[row]),
                Decision.SPLIT: card is not None,
                Decision.SURRENDER: may_give_up,
            }
            options = (*HIT_OR_STAND, *(each for each, may in extra.items() if may))
            chances = dict(zip(options, self._chances(row, card, options, 1), strict=True))
            first[:, at] = [chances.get(each, 0.0) for each in FIRST]
        return given_up, first

    def _later(self, rows: Ints, may_double: Bools, count: int) -> Floats:
        """(3, n) the chances of later decisions with some of the hands; the others stand."""
        n = len(self._cells)
        keys = self._cells[rows] * 2 + may_double[rows]
        found, example, at = np.unique(keys, return_index=True, return_inverse=True)
        table = np.zeros((len(LATER), len(found)))
        for number, row in enumerate(rows[example].tolist()):
            options = (*HIT_OR_STAND, Decision.DOUBLE) if may_double[row] else HIT_OR_STAND
            chances = dict(zip(options, self._chances(row, None, options, count), strict=True))
            table[:, number] = [chances.get(each, 0.0) for each in LATER]
        later = np.zeros((len(LATER), n))
        later[0] = 1
        later[:, rows] = table[:, at]
        return later

    def _kept(self, card: int, count: int) -> Sequence[float]:
        """The chances of `LATER` and of SPLIT with a further pair that may be split again."""
        rules, row = self._game.rules, int(self._game.hands.pairs[card])
        may_double = bool(self._game.hands.may_double[row]) and rules.double_after_split
        options: tuple[Decision, ...] = HIT_OR_STAND
        if not asking.is_played(rules, int(POINTS[card])):
            options = (Decision.STAND,)
        elif may_double:
            options = (*HIT_OR_STAND, Decision.DOUBLE)
        options = (*options, Decision.SPLIT)
        chances = dict(zip(options, self._chances(row, card, options, count), strict=True))
        return [chances.get(each, 0.0) for each in (*LATER, Decision.SPLIT)]

    def _chances(self, row: int, card: int | None, options: tuple[Decision, ...], count: int) -> list[float]:
        """The chances of some options, in their order."""
        return asked(self._policy, seen_of_row(self._game, self._upcard, row, card, options), count)


def asked(policy: MixedPolicy, seen: Observation, hands: int) -> list[float]:
    """The chances of the options, in their order.

    Raises:
        ValueError: if a policy does what is not allowed.
    """
    chances = policy(seen, hands)
    for decision, chance in chances.items():
        if chance and decision not in seen.options:
            raise ValueError(f"{decision.value} is not allowed with {seen}")
    return [chances.get(option, 0.0) for option in seen.options]


def seen_of_row(
    game: SeatGame, upcard: int, row: int, card: int | None, options: tuple[Decision, ...]
) -> Observation:
    """The observation of a hand.

    Args:
        game: the game.
        upcard: the index of the upcard.
        row: the row of the hand.
        card: the index of its cards, if it is a pair that is seen as one.
        options: what is allowed.
    """
    hands = game.hands
    pair = 0 if card is None else int(POINTS[card])
    return Observation(int(hands.total[row]), bool(hands.soft[row]), upcard + 2, pair, options)


def asks_before_peek(game: SeatGame, upcard: int) -> bool:
    """Whether surrender is asked for alone, before the dealer peeks at this upcard, given by its index."""
    return asking.offers_early_surrender(game.rules, int(POINTS[upcard]))


def is_insurance_asked(game: SeatGame) -> bool:
    """Whether insurance is ever offered."""
    return bool(game.rules.insurance and game.shoe.counts[ACE])


def insurance_bets(game: SeatGame) -> Floats:
    """(d,) what insuring each hand of two cards adds to the value of a round, where it is offered."""
    against = game.against(ACE)
    values = insurance_value(against.natural[against.dealt.rows])
    bets: Floats = game.upcards[ACE] * against.dealt.chances * values
    return bets


def insured(game: SeatGame, policy: MixedPolicy) -> Floats:
    """(d,) the chance to insure each hand of two cards against an ace, where it is offered."""
    known: dict[Observation, float] = {}
    found = []
    for row in game.against(ACE).dealt.rows.tolist():
        seen = seen_of_row(game, ACE, row, None, INSURANCE)
        if seen not in known:
            known[seen] = asked(policy, seen, 1)[0]
        found.append(known[seen])
    return np.array(found)
