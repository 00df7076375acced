"""Small games of any rules: every round that a small shoe can give, played by `cards.Round`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from cards import CARDS, Card, Decision, Round, Rules, rules_from
from tests.helpers.drawn import covering
from twentyone.exact.values.game import FIRST, SeatGame, seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.chances import Chances, MixedPolicy
from twentyone.policies.policy import Observation, Policy, observation

Left: TypeAlias = tuple[int, ...]
"""How many cards of each value, 2 to 11 (an ace), are left."""

Decide: TypeAlias = Callable[[Round], Chances]
"""A policy of the only seat of a round: the chance of each decision."""


def shoe_of(**counts: int) -> Left:
    """So many cards of each value: `shoe_of(v5=3, v11=4)`."""
    return tuple(counts.get(f"v{value}", 0) for value in range(2, 12))


SHOES: Final = (shoe_of(v8=4, v10=18, v11=4), shoe_of(v5=4, v6=5, v10=18), shoe_of(v3=3, v10=22, v11=3))
"""Shoes of three ranks that cannot run out; with each further rank the rounds are many more."""

OF_FOUR_HANDS: Final = (shoe_of(v10=14, v11=4), shoe_of(v5=6, v10=18))
"""Shoes of two ranks, as rounds of many hands are many already."""

AGAIN: Final = {"decks": "1", "double": "any", "double-after-split": "yes", "split": "4"}
"""Hands of a split may be split again, and doubled."""

RULES: Final = [*(rules_from(fields) for seed in (8, 1) for fields in covering(seed)), rules_from(AGAIN)]
"""Of each seven of the first fourteen together, every value of every rule."""

GAMES: Final = range(len(RULES))

COVERING: Final = 7
"""How many of them have every value of every rule."""


@cache
def a_game(number: int) -> SeatGame:
    """The exact values of a game of one seat from a small shoe."""
    shoes = OF_FOUR_HANDS if RULES[number].split == 4 else SHOES
    return seat_game(RULES[number], Shoe(shoes[number % len(shoes)]))


# Policies.


def random_policy(seed: int) -> MixedPolicy:
    """Any chances for each question by itself, whatever it tells apart; some decisions are certain."""

    @cache
    def decide(seen: Observation, hands: int) -> Chances:
        random = Random(f"{seed} {seen} {hands}")
        weights = [random.random() * (random.random() < 0.7) for _ in seen.options]
        if not sum(weights):
            weights[-1] = 1.0
        return {each: weight / sum(weights) for each, weight in zip(seen.options, weights, strict=True)}

    return decide


def mixed(policy: MixedPolicy) -> Decide:
    """A policy of chances as it decides in a round."""
    return lambda round_: policy(observation(round_, 0), len(round_.hands_of(0)))


def seeing(policy: Policy) -> Decide:
    """A policy as it decides in a round."""
    return lambda round_: {policy(observation(round_, 0)): 1.0}


_PLAINEST: Final = (Decision.DECLINE, *FIRST, Decision.INSURE)
"""All decisions, the plainer ones first."""


def best_by(game: SeatGame) -> Decide:
    """The best of what `SeatGame.options` says of the very cards, as it decides in a round.

    A hand of a split is split again where it may be, and of decisions that are worth the same the plainer one
    is taken, as the best play is defined: the mean is the same by either, but not the variance.
    """

    def decide(round_: Round) -> Chances:
        options, (cards, upcard, is_split) = sorted(round_.options, key=_PLAINEST.index), held(round_)
        if is_split and Decision.SPLIT in options:
            return {Decision.SPLIT: 1.0}
        if Decision.DECLINE in options:
            values = {Decision.DECLINE: 0.0} | game.before_peek(cards, upcard)
        else:
            values = game.options(cards, upcard, is_split=is_split)
        return {max(options, key=lambda option: values[option]): 1.0}

    return decide


def held(round_: Round) -> tuple[tuple[int, ...], int, bool]:
    """The values of the hand that is asked, the upcard, and whether a split made the hand."""
    assert round_.upcard is not None
    played = round_.hands_of(0)[round_.turn_hand]
    return tuple(map(value_of, played.hand.cards)), value_of(round_.upcard), played.is_split


# Rounds.

BY_VALUE: Final = {11 if card.is_ace else card.points: card for card in CARDS}
"""A card of each value."""


def value_of(card: Card) -> int:
    """The value of a card, an ace as 11."""
    return 11 if card.is_ace else card.points


class NoCardError(Exception):
    """The next card is not given yet."""


class Given:
    """A shoe of given cards, until they are used up."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self._cards = iter([BY_VALUE[value] for value in values])

    def begin_round(self) -> bool:
        return False

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        for card in self._cards:
            return card
        raise NoCardError

    def deal_several(self, count: int) -> list[Card]:
        return [self.deal() for _ in range(count)]


class Paid(NamedTuple):
    """A round of a small shoe: its chance, its upcard, what it pays, and how much of that is insurance."""

    chance: float
    upcard: int
    payoff: float
    insurance: float
    round: Round


def every_round(rules: Rules, shoe: Left, decide: Decide) -> Iterator[Paid]:
    """Rounds with the cards of a shoe in every order, and with every decision that has a chance."""
    open_: list[tuple[tuple[int, ...], tuple[Decision, ...], float, Left]] = [((), (), 1.0, shoe)]
    while open_:
        values, decisions, chance, left = open_.pop()
        try:
            round_ = Round(rules, Given(values))
            round_.deal()
            for decision in decisions:
                round_.decide(0, decision)
            while not round_.is_over:
                (first, *others) = ((each, share) for each, share in decide(round_).items() if share)
                open_ += [(values, (*decisions, each), chance * share, left) for each, share in others]
                decisions, chance = (*decisions, first[0]), chance * first[1]
                round_.decide(0, first[0])
        except NoCardError:
            open_ += [
                ((*values, value), decisions, chance * count / sum(left), without(left, value))
                for value, count in enumerate(left, 2)
                if count
            ]
        else:
            payoff, hands = round_.payoffs[0], [hand.payoff for hand in round_.hands_of(0)]
            assert payoff is not None
            insurance = payoff - sum(each for each in hands if each is not None)
            yield Paid(chance, values[2], float(payoff), float(insurance), round_)


def without(left: Left, value: int) -> Left:
    """The cards left without one of a value."""
    return tuple(count - (each == value) for each, count in enumerate(left, 2))


def mean_by_upcard(rounds: Iterable[Paid]) -> dict[int, float]:
    """What rounds pay on average without insurance, given the upcard."""
    chances: dict[int, float] = {}
    payoffs: dict[int, float] = {}
    for paid in rounds:
        chances[paid.upcard] = chances.get(paid.upcard, 0) + paid.chance
        payoffs[paid.upcard] = payoffs.get(paid.upcard, 0) + paid.chance * (paid.payoff - paid.insurance)
    return {upcard: payoffs[upcard] / chances[upcard] for upcard in payoffs}
