"""A shoe for `cards` that deals what the kernels deal."""

from __future__ import annotations

from cards import CARDS, Card, Rules
from twentyone.kernels.rounds import deal_safely
from twentyone.kernels.shoe import DEALT, ROUND_START, begin_ordered_round, new_shoe
from twentyone.kernels.streams import key_of
from twentyone.kernels.tables import full_shoe


class KernelShoe:
    """Deals to `cards` what the kernels deal from the same random numbers."""

    def __init__(self, rules: Rules, seed: int, shard: int = 0) -> None:
        self.full = full_shoe(rules)
        self.shoe = new_shoe(self.full, rules.fewest_cards, key_of(seed), shard)

    def begin_round(self) -> bool:
        begin_ordered_round(self.full, self.shoe)
        return bool(self.shoe.at[DEALT] == 0)

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        """As `FiniteShoe`; the suit makes no difference."""
        return CARDS[int(deal_safely(self.shoe))]

    def deal_several(self, count: int) -> list[Card]:
        return [self.deal() for _ in range(count)]

    def dealt(self, start: int = 0) -> list[Card]:
        """The cards that are out of the shoe, but for the first of them."""
        return [CARDS[int(rank)] for rank in self.shoe.cards[start : self.shoe.at[DEALT]]]

    @property
    def start(self) -> int:
        """How many of them were dealt before this round."""
        return int(self.shoe.at[ROUND_START])
