"""Exact values by slow and plain enumeration, card by card and without arrays, to check the fast ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from cards import CARDS, Ace, Card, DealerStands, Hand, Rules, best_total, settle

Decide = Callable[[int, bool, int], bool]
"""Whether to hit, by total, softness and the value of the upcard."""

CHANCES = {value: Fraction(4 if value == 10 else 1, 13) for value in range(2, 12)}
"""The chance of each card value from an infinite deck; an ace is 11."""

BY_VALUE = {11 if card.is_ace else card.points: card for card in CARDS}
"""A card of each value."""

Left = tuple[int, ...]
"""The number of cards of each value, 2 to 11, that are left."""


def full_shoe(decks: int) -> Left:
    """All cards of a fresh shoe."""
    return (*[4 * decks] * 8, 16 * decks, 4 * decks)


def without(left: Left, value: int) -> Left:
    """The cards left without one card of a value."""
    return tuple(count - (at == value - 2) for at, count in enumerate(left))


def draws_from(left: Left) -> Iterator[tuple[int, float, Left]]:
    """Each possible value of the next card, its chance, and the cards left after it."""
    for at, count in enumerate(left):
        if count:
            yield at + 2, count / sum(left), without(left, at + 2)


def shoe_value(rules: Rules, decide: Decide, upcard: int) -> float:
    """The value of a round from a fresh finite shoe, given the upcard, card by card."""
    assert rules.decks is not None
    left = without(full_shoe(rules.decks), upcard)
    value = 0.0
    for first, chance, after_first in draws_from(left):
        for second, next_chance, after_second in draws_from(after_first):
            value += chance * next_chance * _hand_value(rules, decide, upcard, (first, second), after_second)
    return value


def _hand_value(rules: Rules, decide: Decide, upcard: int, values: tuple[int, ...], left: Left) -> float:
    hand = hand_of(values, rules.ace)
    if hand.is_bust:
        return -1.0
    if decide(hand.total, hand.is_soft, upcard):
        return sum(
            chance * _hand_value(rules, decide, upcard, (*values, value), after)
            for value, chance, after in draws_from(left)
        )
    return sum(
        chance * settle(hand, hand_of(dealer, rules.ace), rules.naturals).payoff
        for dealer, (chance, _) in dealer_hands(rules, upcard, left).items()
    )


@cache
def dealer_hands(rules: Rules, upcard: int, left: Left) -> Mapping[tuple[int, ...], tuple[float, int]]:
    """The dealer's final hands by their sorted values: the chance of each, and the number of its orders.

    Args:
        rules: the rules.
        upcard: the value of the upcard.
        left: the cards left beside it.
    """
    final: dict[tuple[int, ...], tuple[float, int]] = {}
    drawing: dict[tuple[int, ...], tuple[float, int, Left]] = {(upcard,): (1.0, 1, left)}
    while drawing:
        drawn: dict[tuple[int, ...], tuple[float, int, Left]] = {}
        for values, (chance, orders, remaining) in drawing.items():
            for value, share, after in draws_from(remaining):
                made = tuple(sorted((*values, value)))
                before, ways, _ = drawn.get(made, (0.0, 0, after))
                drawn[made] = (before + chance * share, ways + orders, after)
        drawing = {}
        for values, (chance, orders, remaining) in drawn.items():
            if rules.dealer_draws(hand_of(values, rules.ace)):
                drawing[values] = (chance, orders, remaining)
            else:
                final[values] = (chance, orders)
    return final


@cache
def hand_of(values: tuple[int, ...], ace: Ace) -> Hand:
    """A hand of cards of these values."""
    return Hand(ace, [BY_VALUE[value] for value in values])


def end_of(hand: Hand) -> int:
    """The index of the dealer's end, in the order of `dealer_totals`: 17 to 21, natural, bust."""
    if hand.is_bust:
        return 6
    return 5 if hand.is_natural else hand.total - 17


class InfiniteDeck:
    """Exact fractions for an infinite deck where naturals are just 21, by recursion on total and softness.

    Args:
        ace: what an ace counts.
        stands: on which 17 the dealer stands.
        decide: the policy; None takes the better decision everywhere.
    """

    def __init__(self, ace: Ace, stands: DealerStands, decide: Decide | None = None) -> None:
        self._ace = ace
        self._stands = stands
        self._decide = decide
        self.stand = cache(self._stand)
        self.worth = cache(self._worth)
        self._dealer = cache(self._dealer_from)

    def value(self) -> Fraction:
        """The value of a round."""
        value = Fraction(0)
        for first, chance in CHANCES.items():
            for second, next_chance in CHANCES.items():
                hand = self._add(self._add((0, False), first), second)
                for upcard, shown in CHANCES.items():
                    value += chance * next_chance * shown * self.worth(*hand, upcard)
        return value

    def hit(self, total: int, soft: bool, upcard: int) -> Fraction:
        """The value of a card, and of following the policy then."""
        return sum(
            (
                chance * self.worth(*self._add((total, soft), value), upcard)
                for value, chance in CHANCES.items()
            ),
            Fraction(0),
        )

    def dealer(self, upcard: int) -> Mapping[int, Fraction]:
        """The chance of each total of the dealer, 22 for a bust."""
        return self._dealer(*self._add((0, False), upcard), first=True)

    def _worth(self, total: int, soft: bool, upcard: int) -> Fraction:
        if total > 21:
            return Fraction(-1)
        if self._decide is None:
            return max(self.hit(total, soft, upcard), self.stand(total, upcard))
        if self._decide(total, soft, upcard):
            return self.hit(total, soft, upcard)
        return self.stand(total, upcard)

    def _stand(self, total: int, upcard: int) -> Fraction:
        return sum(
            (
                chance if end > 21 or end < total else -chance if end > total else Fraction(0)
                for end, chance in self.dealer(upcard).items()
            ),
            Fraction(0),
        )

    def _dealer_from(self, total: int, soft: bool, first: bool = False) -> Mapping[int, Fraction]:
        draws = total < 17 or (total == 17 and soft and self._stands is DealerStands.HARD17)
        if not first and not draws:
            return {min(total, 22): Fraction(1)}
        ends: dict[int, Fraction] = {}
        for value, chance in CHANCES.items():
            for end, share in self._dealer(*self._add((total, soft), value)).items():
                ends[end] = ends.get(end, Fraction(0)) + chance * share
        return ends

    def _add(self, hand: tuple[int, bool], value: int) -> tuple[int, bool]:
        total, soft = hand
        points = 1 if value == 11 else value
        return best_total(total - 10 * soft + points, int(soft or value == 11), self._ace)


def card_value(card: Card) -> int:
    """The value of a card, an ace as 11."""
    return 11 if card.is_ace else card.points
