"""The compiled round without a dealer: the seats are asked in turn, and settled against each other.

The cards come in the order of `cards.round`: two to each seat, then a card for each HIT as the turn goes
round the table.
"""

from __future__ import annotations

from typing import Any, Final

from twentyone.kernels.decisions import STAND
from twentyone.kernels.rounds import BUST, LOSE, PUSH, WIN, Ask, PlayRound, Seats, strength_as_dealt
from twentyone.kernels.shoe import Deal, Shoe
from twentyone.kernels.tables import BUST_HAND, EMPTY, TENTHS, RuleTables
from twentyone.support.compiling import inlined, part

PLAYING: Final = -1
STANDING: Final = -2
"""The states of a seat that has no outcome yet, in the place of one."""

HIT_OR_STAND: Final = 0
"""The number of the only question, see `twentyone.kernels.decisions`."""

NO_UPCARD: Final = 0
"""The place of the upcard in a policy: without a dealer all places say the same."""


def compile_play_showdown(deal: Deal, ask: Ask) -> PlayRound:
    """Compile the function that plays a round without a dealer, as `compile_play_round` does with one."""

    @inlined
    def play_showdown(
        tables: RuleTables, players: Any, counting: Any, shoe: Shoe, seats: Seats, log: Any
    ) -> int:
        after, many = tables.after, seats.hands.size
        for seat in range(many):
            first = deal(shoe)
            seats.first[seat] = after[after[EMPTY, first], deal(shoe)]
            seats.strengths[seat, 0] = strength_as_dealt(tables, seats.first[seat])
            seats.outcomes[seat] = PLAYING if seats.first[seat] != BUST_HAND else BUST
        is_open = True
        while is_open:
            is_open = False
            for seat in range(many):
                if seats.outcomes[seat] != PLAYING:
                    continue
                hand = seats.first[seat]
                row = int(tables.row[hand])
                if ask(players, seat, counting, HIT_OR_STAND, row, NO_UPCARD, 0, shoe, log) == STAND:
                    seats.outcomes[seat] = STANDING
                    continue
                hand = after[hand, deal(shoe)]
                seats.first[seat] = hand
                seats.strengths[seat, 0] = tables.strength[hand]
                if hand == BUST_HAND:
                    seats.outcomes[seat] = BUST
                else:
                    is_open = True
        settle_showdown(seats)
        return 0

    return play_showdown


@part
def settle_showdown(seats: Seats) -> None:
    """Settle the seats that stand against each other: the strongest hand wins, equally strong ones push."""
    best, how_many = 0, 0
    for seat in range(seats.outcomes.size):
        mine = int(seats.strengths[seat, 0])
        if mine > best:
            best, how_many = mine, 0
        how_many += mine == best
    for seat in range(seats.outcomes.size):
        if seats.outcomes[seat] == STANDING:
            is_best = seats.strengths[seat, 0] == best
            seats.outcomes[seat] = LOSE if not is_best else WIN if how_many == 1 else PUSH
        outcome = seats.outcomes[seat]
        seats.payoffs[seat] = TENTHS if outcome == WIN else 0 if outcome == PUSH else -TENTHS
