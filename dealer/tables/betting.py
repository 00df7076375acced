"""The bets of the next round, where bets are asked: the seats that are asked, and their stakes."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

from cards import Bets
from dealer.tables.mail import Mail
from dealer.tables.seat import Seat
from protocol import BetRequest


class Betting:
    """The bets of one round after the other.

    Bots and classic players stake the minimum and are not asked. The table does not wait for a player who is
    away, as long as another person is there: the seat then stakes the minimum too.

    Args:
        bets: what may be staked.

    Attributes:
        players: the seats that the next round is for, in order, without those who have left.
        asked: those of them who have been asked and have not bet.
    """

    __slots__ = ("_bets", "asked", "players")

    def __init__(self, bets: Bets) -> None:
        self._bets = bets
        self.players: list[Seat] = []
        self.asked: dict[Seat, None] = {}

    @property
    def has_people(self) -> bool:
        """Whether one of the players is not a bot."""
        return any(not seat.is_bot for seat in self.players)

    @property
    def is_over(self) -> bool:
        """Whether all who are there have bet, and at least one person is there."""
        if any(not seat.is_away for seat in self.asked):
            return False
        return not self.asked or any(not (seat.is_bot or seat.is_away) for seat in self.players)

    def can_pay(self, seat: Seat) -> bool:
        """Whether a player has enough chips for the least bet."""
        return seat.bankroll >= self._bets.minimum

    def begin(self, seats: Iterable[Seat], mail: Mail) -> None:
        """Ask the players of the next round for their bets, all at once; each can pay the least bet."""
        self.players = list(seats)
        self.asked.clear()
        for seat in self.players:
            if seat.is_bot or seat.is_plain:
                seat.stake(self._bets.minimum)
            else:
                self.asked[seat] = None
                mail[seat].append(self.question(seat))

    def question(self, seat: Seat) -> BetRequest:
        """The question for a player's bet."""
        return BetRequest(self._bets.minimum, self._most(seat), seat.bankroll)

    def place(self, seat: Seat, chips: int | None = None) -> None:
        """Stake what a player bets; without a number as much as last time, at first the minimum."""
        del self.asked[seat]
        if chips is None:
            chips = self._bets.minimum if seat.bet is None else min(seat.bet, self._most(seat))
        seat.stake(chips)

    def place_least(self, seat: Seat) -> None:
        """Stake the minimum for a player who has not bet."""
        self.place(seat, self._bets.minimum)

    def finish(self) -> None:
        """Stake the minimum for all who have not bet."""
        for seat in list(self.asked):
            self.place_least(seat)

    def leave(self, seat: Seat) -> None:
        """Go on without a player; its bet is not staked."""
        self.asked.pop(seat, None)
        if seat in self.players:
            self.players.remove(seat)

    def _most(self, seat: Seat) -> int:
        return min(self._bets.maximum, floor(seat.bankroll))
