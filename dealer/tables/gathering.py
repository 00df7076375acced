"""The choice of the players of the next round at a table."""

from __future__ import annotations

from collections.abc import Sequence

from mypy_extensions import mypyc_attr

from cards import Payoff, Rules
from dealer.tables.seat import Seat


@mypyc_attr(allow_interpreted_subclasses=True)
class Gathering:
    """The next round is for everybody who sits at the table, once there are enough of them.

    The first round begins when enough people sit there, or every seat is taken. After that the table plays on
    with the players who are there (without a dealer at least two), as long as one of them is not a bot. Once
    only bots are left, it waits for as many people again. A tournament puts another one in its place.

    Args:
        rules: the rules of the table.
        people: how many people have to sit here for the first round; None for every seat to be taken.

    Attributes:
        needs_people: whether bots that have all the seats begin no round on their own.
        heeds_players: whether players may begin the first round before enough have come, and add bots.
        is_started: whether it waits for no more people, as long as some are there.
        is_patient: whether it waits for everybody who is expected back.
    """

    def __init__(self, rules: Rules, people: int | None = None) -> None:
        self.needs_people = False
        self.heeds_players = True
        self._fewest = 1 if rules.has_dealer else 2
        self._people = people
        self._bankroll = rules.first_bankroll
        self.is_started = False
        self.is_patient = False

    def waits_for(self, seats: Sequence[Seat | None]) -> int:
        """The number of people who are missing for the first round, or without a dealer for another.

        People whose connection is lost, and whose seat is kept, are not missing.
        """
        free, people = seats.count(None), count_people(seats)
        missing = 0 if self._fewest == 1 else self._fewest - (len(seats) - free)
        if not self.is_started or not people:
            missing = max(missing, free if self._people is None else self._people - people)
        return min(free, max(0, missing))

    def players(self, seats: Sequence[Seat | None]) -> Sequence[Seat]:
        """The seats that are dealt in next, in the order of the round; none as long as it must not begin.

        Those of them who do not sit at the table forfeit the round once they are dealt to.

        Args:
            seats: the players by their seats; None for a free seat.
        """
        if None not in seats:
            is_ready = not self.needs_people or count_people(seats) > 0
        elif not count_people(seats):
            self.is_started = is_ready = False
        else:
            is_ready = self.waits_for(seats) == 0
        self.is_started = self.is_started or is_ready
        return self._present(seats) if is_ready else ()

    def _present(self, seats: Sequence[Seat | None]) -> Sequence[Seat]:
        """All who sit here but those who are expected back, if a round can begin without these."""
        taken = [seat for seat in seats if seat is not None]
        present = [seat for seat in taken if not seat.is_expected]
        if len(present) == len(taken):
            return present
        is_enough = len(present) >= self._fewest and count_people(present) > 0
        return present if is_enough and not self.is_patient else ()

    def can_start(self, seats: Sequence[Seat | None], *, coming: int = 0) -> bool:
        """Whether a round that waits for more people could begin without them.

        Args:
            seats: the players by their seats; None for a free seat.
            coming: how many more people are about to take a seat.
        """
        taken, people = len(seats) - seats.count(None) + coming, count_people(seats) + coming
        return self.waits_for(seats) > 0 and people > 0 and taken >= self._fewest

    def start(self) -> None:
        """Wait for no more people, as long as some are there."""
        self.is_started = True

    def chips_of(self, seat: Seat) -> Payoff:
        """The chips of a player who sits down, or buys in again, where bets are asked."""
        return self._bankroll

    def buys_in(self, seat: Seat) -> bool:
        """Whether a player gets new chips who has too few for a bet: bots are the house's."""
        return seat.is_bot


def count_people(seats: Sequence[Seat | None]) -> int:
    """The number of those at a table who are not bots."""
    return sum(seat is not None and not seat.is_bot for seat in seats)
