"""Small games of the whole rules: by force, by `cards.Round` with cards in every order, by exact values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Final, NamedTuple

from cards import Card, Decision, Round, Rules, rules_from
from exact.whole.game import WholeGame, whole_game
from exact.whole.shoe import Shoe
from policies.chances import Chances, MixedPolicy
from policies.policy import Observation, Policy, observation
from tests.exact.by_force import BY_VALUE, card_value
from tests.exact.whole.brute import Brute, Cards, Left, Options, Play, points_of, without
from tests.helpers.drawn import covering


def shoe_of(**counts: int) -> Left:
    """So many cards of each value: `shoe_of(v5=3, v11=4)`."""
    return tuple(counts.get(f"v{value}", 0) for value in range(2, 12))


SHOES: Final = (
    shoe_of(v5=4, v6=4, v10=14, v11=4),
    shoe_of(v6=4, v8=4, v10=14, v11=4),
    shoe_of(v2=3, v7=4, v10=14, v11=3),
    shoe_of(v3=3, v8=4, v10=14, v11=3),
    shoe_of(v4=3, v7=4, v9=3, v10=14),
)
"""Shoes of four ranks that cannot run out."""

OF_MANY_HANDS: Final = (
    shoe_of(v8=4, v10=18, v11=4),
    shoe_of(v6=5, v8=4, v10=18),
    shoe_of(v3=3, v10=22, v11=3),
)
"""Shoes of three ranks: with each further hand the number of rounds grows tenfold."""

RULES: Final = [rules_from(fields) for seed in (1, 2) for fields in covering(seed)]
"""Of each six rules together, every value of every rule."""

GAMES: Final = range(len(RULES))

COVERING: Final = 6
"""How many of them have every value of every rule."""


def few_cards(rules: Rules) -> Left:
    """Pairs, naturals, soft and stiff hands, and few enough orders of the cards to play them all."""
    return shoe_of(v10=14, v11=4) if rules.split == 4 else shoe_of(v8=3, v10=14, v11=3)


@cache
def a_game(number: int) -> tuple[Brute, WholeGame]:
    """The same game twice: by force, and by the exact values.

    From a shoe in which no two decisions after a split are as good: which of them is taken may change what
    the split is worth.
    """
    rules = RULES[number]
    shoes = OF_MANY_HANDS if rules.split > 2 else SHOES
    for place in range(len(shoes)):
        brute = Brute(rules, shoes[(number + place) % len(shoes)])
        brute.best()
        if not brute.ties:
            return brute, whole_game(rules, Shoe(brute.shoe))
    raise AssertionError(f"in each shoe two decisions are as good under {rules}")


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


def follow(policy: MixedPolicy, game: Brute) -> Play:
    """A policy as one of `Brute`."""

    def play(cards: Cards, upcard: int, _: bool, options: Options, hands: int) -> Chances:
        is_pair = len(cards) == 2 and cards[0] == cards[1]
        asked_first = options == (Decision.SURRENDER, Decision.DECLINE) and game.rules.split > 1
        pair = points_of(cards[0]) if is_pair and (Decision.SPLIT in options or asked_first) else 0
        return policy(Observation(*game.total(cards), upcard, pair, options), hands)

    return play


def seeing(policy: Policy) -> Callable[[Round], Decision]:
    """A policy as it decides in a round of one seat."""
    return lambda round_: policy(observation(round_, 0))


def best_by(game: Brute) -> Callable[[Round], Decision]:
    """The best policy of a game, which sees the very cards and never insures, as it decides in a round."""

    def decide(round_: Round) -> Decision:
        if Decision.INSURE in round_.options:
            return Decision.DECLINE
        return game.decide_best(*held(round_), round_.options)

    return decide


def held(round_: Round) -> tuple[Cards, int, bool]:
    """The values of the hand that is asked, the upcard, and whether a split made the hand."""
    assert round_.upcard is not None
    played = round_.hands_of(0)[round_.turn_hand]
    cards = sorted(card_value(card) for card in played.hand.cards)
    return tuple(cards), card_value(round_.upcard), played.is_split


# Rounds.


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
    """A round of a small shoe: its chance, its upcard, and what it pays."""

    chance: Fraction
    upcard: int
    payoff: Fraction


def every_round(rules: Rules, shoe: Left, decide: Callable[[Round], Decision]) -> Iterator[Paid]:
    """Rounds by `cards.Round` with the cards of a shoe in every order."""
    open_: list[tuple[tuple[int, ...], Fraction, Left]] = [((), Fraction(1), shoe)]
    while open_:
        values, chance, left = open_.pop()
        try:
            payoff = payoff_of(rules, values, decide)
        except NoCardError:
            cards = sum(left)
            open_ += [
                ((*values, value), chance * left[value - 2] / cards, without(left, value))
                for value in range(2, 12)
                if left[value - 2]
            ]
        else:
            yield Paid(chance, values[2], payoff)


def payoff_of(rules: Rules, values: tuple[int, ...], decide: Callable[[Round], Decision]) -> Fraction:
    """What a round pays that is dealt these cards; `NoCardError` if it wants more."""
    if len(values) < 4:
        raise NoCardError
    round_ = Round(rules, Given(values))
    round_.deal()
    while not round_.is_over:
        round_.decide(0, decide(round_))
    (payoff,) = round_.payoffs
    assert payoff is not None
    return Fraction(payoff)


def by_upcard(rounds: Iterator[Paid]) -> dict[int, Fraction]:
    """What rounds pay on average, given the upcard."""
    chances: dict[int, Fraction] = {}
    payoffs: dict[int, Fraction] = {}
    for chance, upcard, payoff in rounds:
        chances[upcard] = chances.get(upcard, Fraction(0)) + chance
        payoffs[upcard] = payoffs.get(upcard, Fraction(0)) + chance * payoff
    assert sum(chances.values()) == 1
    return {upcard: payoffs[upcard] / chances[upcard] for upcard in payoffs}
