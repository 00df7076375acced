"""An entrant in a match: what it has left, and whether its program is there."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING

from cards import Payoff
from cards.rules import exact
from dealer.tables.seat import Seat
from tournament.settings import Entrant, Match, Settings, State

if TYPE_CHECKING:
    from tournament.playing.programs import Program


class Place:
    """An entrant in a match.

    Attributes:
        number: its number among the entrants of the match.
        entrant: its number among all entrants.
        told: the entrant.
        port: the port at which its program joins, once it is listened on.
        program: its program, once it is started here.
        starts: how often its program was started.
        bank: what is left in its bank of time, in seconds.
        is_out: whether its program may not be started any more.
        bankroll: its chips, where bets are asked.
        bet: the chips that it staked last, 0 before the first bet.
        seat: its seat; None as long as its program has none.
        stand_in: the seat that is dealt to where it has none.
        is_awaited: whether its program may take the seat now.
        has_come: whether it had its seat before.
        refusal: what its last line was refused for since it is waited for; no text if none was.
        why_lost: why it lost its seat last; no text before.
        joined: set while it has its seat.
        lost: set once it has lost it.
    """

    def __init__(self, settings: Settings, match: Match, state: State, number: int) -> None:
        self.number = number
        self.entrant = match.entrants[number]
        self.told: Entrant = settings.entrants[self.entrant]
        self.port = 0
        self.program: Program | None = None
        self.starts = max(1, state.starts[number])
        self.bank = state.banks[number]
        self.is_out = state.out[number]
        self.bankroll: Payoff = exact(Fraction(state.bankrolls[number])) if state.bankrolls else 0
        self.bet = state.bets[number] if state.bets else 0
        self.seat: Seat | None = None
        self.stand_in = Seat(self.told.name)
        self.is_awaited = False
        self.has_come = state.round > 0
        self.refusal = self.why_lost = ""
        self.joined = asyncio.Event()
        self.lost = asyncio.Event()

    def expect(self) -> None:
        """Its program may take the seat from now on, if it has not done so already."""
        self.lost.clear()
        self.refusal = ""
        if self.seat is None:
            self.is_awaited = True
            self.joined.clear()

    def sit(self, seat: Seat) -> None:
        """Its program takes the seat."""
        self.seat, self.is_awaited, self.has_come = seat, False, True
        if self.bet:
            seat.stake(self.bet)
        self.joined.set()

    def stand_up(self) -> None:
        """Its program has lost the seat, or has not taken it. One that comes by itself may come back now."""
        self.seat, self.is_awaited = None, self.told.listen is not None
        self.joined.clear()
        self.lost.set()
