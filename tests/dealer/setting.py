"""A table without sockets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cards import Decision, Round, Rules, StackedShoe, seeded, shoe_for
from dealer.tables.budget import Budget
from dealer.tables.mail import Mail
from dealer.tables.seat import Seat
from dealer.tables.table import Table
from protocol import encode
from tests.helpers.house import stacked


@dataclass
class Setting:
    """A table, and everything that came of what was done at it."""

    table: Table
    budget: Budget
    settled: list[tuple[Round, list[str]]] = field(default_factory=list)
    heard: dict[str, list[str]] = field(default_factory=dict)

    def sit(self, *seats: Seat) -> None:
        for seat in seats:
            self.read(self.table.sit(seat))

    def decide(self, seat: Seat, *decisions: Decision) -> None:
        for decision in decisions:
            is_bet = seat in self.table.bettors
            self.read(self.table.bet(seat) if is_bet else self.table.decide(seat, decision))

    def bet(self, seat: Seat, chips: int) -> None:
        self.read(self.table.bet(seat, chips))

    def leave(self, seat: Seat) -> None:
        self.read(self.table.leave(seat))

    def read(self, mail: Mail) -> None:
        for seat, messages in mail.items():
            self.heard.setdefault(seat.name, []).extend(encode(message).decode() for message in messages)

    def news(self) -> dict[str, list[str]]:
        """What has been heard since this was last asked."""
        heard, self.heard = {name: lines for name, lines in self.heard.items() if lines}, {}
        return heard


def setting(rules: Rules, cards: str = "", rounds: int = 0, seed: int = 1) -> Setting:
    settled: list[tuple[Round, list[str]]] = []

    def settle(round_: Round, seats: Sequence[Seat]) -> None:
        settled.append((round_, [seat.name for seat in seats]))

    budget = Budget(rounds)
    shoe = StackedShoe(stacked(cards), seeded(seed)) if cards else shoe_for(rules, seeded(seed))
    return Setting(Table(rules, shoe, budget, settle), budget, settled)
