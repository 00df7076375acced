"""A shoe whose first cards are chosen, for a round in which something certain is to be seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from cards import CARDS, DEALER, Card, RandBelow, Rank, Rules

RANKS = {rank.title: rank for rank in Rank}


def ranks(text: str) -> list[Rank]:
    """The ranks of words such as `Ace Ten Two`."""
    return [RANKS[word] for word in text.split()]


class ChosenShoe:
    """A fresh shoe for each round; the first player's cards and the dealer's are chosen by rank.

    What is not chosen, or is not left, is any card that is. Every round could be dealt by chance.

    Args:
        rules: the rules, which say how many decks there are.
        rand_below: the random source.
    """

    def __init__(self, rules: Rules, rand_below: RandBelow) -> None:
        self._rules = rules
        self._rand_below = rand_below
        self._cards: list[Card] = []
        self._player: deque[Rank] = deque()
        self._dealer: deque[Rank] = deque()
        self._is_new = False

    def choose(self, player: Iterable[Rank], dealer: Iterable[Rank]) -> None:
        """Choose the cards of the next round: in order, as they are dealt to each."""
        self._player, self._dealer = deque(player), deque(dealer)
        self._cards = list(CARDS) * (self._rules.decks or 8)
        self._is_new = True

    def begin_round(self) -> bool:
        """Whether the shoe was made fresh since the last time."""
        is_new, self._is_new = self._is_new, False
        return is_new

    def deal(self, seat: int = DEALER, hand: int = 0) -> Card:
        """The next card for the first player, for the dealer, or for somebody else."""
        wanted = self._player if seat == 0 else self._dealer if seat == DEALER else None
        return self._take(wanted.popleft() if wanted else None)

    def deal_several(self, count: int) -> list[Card]:
        """The first cards of a round: two for each seat, and two for the dealer."""
        seats = [seat for seat in range(self._rules.seats) for _ in range(2)]
        return [self.deal(seat) for seat in [*seats, DEALER, DEALER][:count]]

    def _take(self, rank: Rank | None) -> Card:
        of_rank = [number for number, card in enumerate(self._cards) if card.rank is rank]
        places = of_rank or range(len(self._cards))
        return self._cards.pop(places[self._rand_below(len(places))])
