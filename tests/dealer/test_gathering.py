"""Tables that somebody else runs: who is dealt in, in which order, and with what chips."""

from __future__ import annotations

from collections.abc import Sequence

from cards import CARDS, PRESETS, Decision, Payoff, Round, StackedShoe
from dealer.tables.budget import Budget
from dealer.tables.gathering import Gathering
from dealer.tables.seat import Seat
from dealer.tables.table import Table


class Backwards(Gathering):
    """Deals the last who sat down in first, and to a stand-in for whoever is absent."""

    def __init__(self) -> None:
        super().__init__(PRESETS["showdown"])
        self.absent: list[Seat] = []
        self.waits = False

    def players(self, seats: Sequence[Seat | None]) -> Sequence[Seat]:
        present = [seat for seat in reversed(seats) if seat is not None]
        return () if self.waits or len(present) + len(self.absent) < 2 else [*present, *self.absent]

    def chips_of(self, seat: Seat) -> Payoff:
        return 77


def table_of(gathering: Backwards) -> tuple[Table, list[tuple[Round, list[str]]]]:
    settled: list[tuple[Round, list[str]]] = []

    def settle(round_: Round, seats: Sequence[Seat]) -> None:
        settled.append((round_, [seat.name for seat in seats]))

    shoe = StackedShoe(list(CARDS) * 4)
    return Table(PRESETS["showdown"], shoe, Budget(2), settle, gathering=gathering), settled


def test_players_are_dealt_to_in_the_order_that_was_told() -> None:
    table, settled = table_of(Backwards())
    first, second = Seat("a"), Seat("b")
    table.sit(first)
    table.sit(second)
    assert table.turn is second
    table.decide(second, Decision.STAND)
    assert table.turn is first
    table.decide(first, Decision.STAND)
    assert settled[0][1] == ["b", "a"]
    assert first.bankroll == 77


def test_who_does_not_sit_there_forfeits_what_it_is_dealt() -> None:
    gathering = Backwards()
    gathering.absent = [Seat("gone")]
    table, settled = table_of(gathering)
    player = Seat("a")
    table.sit(player)
    assert table.turn is player
    table.decide(player, Decision.STAND)
    ((round_, names),) = settled
    assert (names, round_.payoffs) == (["a", "gone"], [1, -1])


def test_a_round_waits_until_it_may_begin() -> None:
    gathering = Backwards()
    gathering.waits = True
    table, _ = table_of(gathering)
    for name in "ab":
        table.sit(Seat(name))
    assert not table.is_open_round
    gathering.waits = False
    table.go_on()
    assert table.is_open_round
