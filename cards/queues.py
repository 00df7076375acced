"""Shoes from which everybody is dealt the same cards, made from a seed and a number.

The order of a shoe is Fisher and Yates' shuffle, from the front on, of its cards in the order of `CARDS`, one
deck after the other: position i is exchanged with i + (high(i) x (n - i)) // 2^32, where n is the number of
cards and high(i) the upper 32 bits of random number i (see `cards.splitmix`) under the key of the shoe. That
is random number k under the key of the seed, where k is the number of the shoe.
"""

from __future__ import annotations

from itertools import count

from cards.card import CARDS, Card
from cards.rules import DECK, Rules
from cards.shoe import DEALER, FiniteShoe, OneByOne, ShoeError
from cards.splitmix import random_number, seed_key


class Order:
    """The order of the cards of a finite shoe, shuffled only as far as it is looked at.

    Args:
        key: the key of the shoe.
        decks: the number of decks.
    """

    __slots__ = ("_cards", "_key", "_shuffled")

    def __init__(self, key: int, decks: int) -> None:
        self._cards = list(CARDS) * decks
        self._key = key
        self._shuffled = 0

    def __getitem__(self, position: int) -> Card:
        """The card at a position, from 0."""
        cards = self._cards
        if position < self._shuffled:
            return cards[position]
        key, size = self._key, len(cards)
        for here in range(self._shuffled, position + 1):
            picked = here + ((random_number(key, here) >> 32) * (size - here) >> 32)
            cards[here], cards[picked] = cards[picked], cards[here]
        self._shuffled = position + 1
        return cards[position]


class QueuedShoe:
    """Deals each round from a fresh shoe, in which every hand and the dealer have cards of their own.

    So what a hand draws does not depend on what others decide, nor on the other hands of its seat. With Q
    queues (number 0 is the dealer's, and 1 + s x H + h that of hand h of seat s, where H is the most hands of
    a seat) card j of queue q lies at position j x Q + q. A queue for which nothing is left there is dealt the
    last position that is left: so the cards are always those of one shoe, and only then do queues meet. In an
    infinite deck card j of queue q is 52 x high(q x 2^32 + j) // 2^32.

    Args:
        rules: the rules, of which the decks, the seats and the most hands of a seat count.
        seed: what all cards are made from.
        number: the number of the round that comes first.

    Attributes:
        number: the number of the round in play, or before its first card of the next one.
    """

    __slots__ = (
        "_cards",
        "_dealt",
        "_decks",
        "_from_end",
        "_hands",
        "_key",
        "_order",
        "_queues",
        "_round_key",
        "number",
    )

    def __init__(self, rules: Rules, seed: int, number: int = 0) -> None:
        self._hands = rules.split
        self._queues = 1 + rules.seats * rules.split
        self._decks = rules.decks
        self._cards = DECK * (rules.decks or 0)
        self._key = seed_key(seed)
        self.go_to(number)

    def go_to(self, number: int) -> None:
        """Let the next round be that of a number."""
        self.number = number
        self._dealt = [0] * self._queues
        self._round_key = random_number(self._key, number)
        self._order = Order(self._round_key, self._decks or 0)
        self._from_end: list[int] = []

    def begin_round(self) -> bool:
        """Go on to the next round, if a card of this one has been dealt.

        Returns:
            Whether it went on.
        """
        if not any(self._dealt):
            return False
        self.go_to(self.number + 1)
        return True

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card for a hand of a seat, or for the dealer.

        Raises:
            ShoeError: if all cards are on the table.
        """
        queue = 0 if seat == DEALER else 1 + seat * self._hands + hand
        nth = self._dealt[queue]
        self._dealt[queue] = nth + 1
        if self._decks is None:
            return CARDS[(random_number(self._round_key, queue << 32 | nth) >> 32) * DECK >> 32]
        position = nth * self._queues + queue
        if position >= self._cards or position in self._from_end:
            position = self._last_left()
        return self._order[position]

    def deal_several(self, count: int) -> list[Card]:
        """The first cards of a round: two for each seat, in order, and at last two for the dealer."""
        seats = (self._queues - 1) // self._hands
        places = [*range(seats), DEALER][: count // 2]
        return [self.deal(place) for place in places for _ in range(2)]

    def _last_left(self) -> int:
        """The last position that is not dealt."""
        for position in range(self._cards - 1, -1, -1):
            nth, queue = divmod(position, self._queues)
            if nth >= self._dealt[queue] and position not in self._from_end:
                self._from_end.append(position)
                return position
        raise ShoeError(f"all {self._cards} cards of the shoe are on the table")


class NumberedShoes:
    """Deals one shoe after the other, each made from the seed and its number, and kept as the rules say.

    A shoe that was refilled within a round is not kept for another one.

    Args:
        rules: the rules, with a finite number of decks.
        seed: what all cards are made from.
        number: the number of the shoe that comes first.
        dealt: how many cards of it have been dealt.

    Attributes:
        number: the number of the shoe.
        dealt: how many cards of it have been dealt.
    """

    __slots__ = ("_cards", "_fewest", "_key", "_shoe", "dealt", "number")

    def __init__(self, rules: Rules, seed: int, number: int = 0, dealt: int = 0) -> None:
        if rules.decks is None:
            raise ValueError("an infinite deck is never used up: expected 1 to 8 decks")
        self._cards = CARDS * rules.decks
        self._fewest = rules.fewest_cards
        self._key = seed_key(seed)
        self.go_to(number, dealt)

    def go_to(self, number: int, dealt: int = 0) -> None:
        """Go to the shoe of a number, of which some cards have been dealt."""
        key = random_number(self._key, number)
        draws = count()

        def rand_below(n: int) -> int:
            return (random_number(key, next(draws)) >> 32) * n >> 32

        self._shoe = FiniteShoe(self._cards, OneByOne(rand_below), self._fewest)
        self._shoe.deal_several(dealt)
        self.number, self.dealt = number, dealt

    def begin_round(self) -> bool:
        """Take the cards of the previous round off the table; go on to the next shoe if too few are left.

        Returns:
            Whether the shoe is a fresh one.
        """
        was_refilled = self.dealt > len(self._cards)
        if len(self._shoe) < self._fewest or was_refilled:
            self.go_to(self.number + 1)
            return True
        self._shoe.begin_round()
        return False

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card of the shoe.

        Raises:
            ShoeError: if all its cards are on the table.
        """
        self.dealt += 1
        return self._shoe.deal()

    def deal_several(self, count: int) -> list[Card]:
        """The next cards of the shoe.

        Raises:
            ShoeError: if fewer are left.
        """
        self.dealt += count
        return self._shoe.deal_several(count)
