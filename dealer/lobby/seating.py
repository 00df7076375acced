"""The seats: they are taken, kept for players whose connection is lost, and given back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from dealer.lobby.guest import Guest
from dealer.lobby.keeper import Keeper
from dealer.lobby.log import Entry, Log, Reason
from dealer.tables.room import Room
from dealer.tables.seat import Seat
from protocol import DealerMessage, HistoryReply, RefusalError, Word, chips_text

MAX_AWAY: Final = 1000
"""Seats that are kept at once for players whose connection is lost.

For a further one the oldest is given up of the address that has most: so whoever takes all of them loses
their own.
"""

MAX_AWAY_PER_ADDRESS: Final = 100
"""The most of them from one address, a class behind one router; for a further one its oldest is given up."""

MAX_ENDED: Final = 1000
"""Seats whose last round is remembered, for players who have lost the connection with it; some 2 KB each."""


@dataclass(slots=True)
class Absence:
    """A player whose connection is lost, and whose seat is kept.

    Attributes:
        room: where the seat is.
        address: where the player came from.
        is_counted: whether the seat is one of those of which only so many are kept; not if its player lost
            the connection to another dealer.
    """

    room: Room
    address: str
    is_counted: bool = True


class Held(NamedTuple):
    """A seat that is kept for its player, as long as there is a connection and after that.

    Attributes:
        token: SHA-256 of its token, in hex.
        address: where the player comes from, or came from last.
    """

    token: str
    address: str


class Seating:
    """The seats that are taken by people.

    Args:
        log: notes who comes, who goes, and why.
        last_round: what tells a player of the last round at a seat.
        keeper: told of changes that a dealer has to know which goes on after this one; None for nobody.
    """

    def __init__(
        self,
        log: Log,
        last_round: Callable[[Room, Seat], Sequence[HistoryReply]] = lambda *_: (),
        keeper: Keeper | None = None,
    ) -> None:
        self._log = log
        self._keeper = keeper or Keeper()
        self._last_round = last_round
        self._guests: dict[Seat, Guest] = {}
        self._away: dict[Seat, Absence] = {}
        self._away_from: dict[str, dict[Seat, None]] = {}  # by their addresses, the oldest first
        self._tokens: dict[Seat, str] = {}  # each as its SHA-256, here and below
        self._kept: dict[str, Seat] = {}
        self._ended: dict[str, Sequence[DealerMessage]] = {}  # by their tokens, the oldest first

    @property
    def players(self) -> int:
        """The number of players who are connected and have a seat."""
        return len(self._guests)

    @property
    def away(self) -> int:
        """The number of seats that are kept for players whose connection is lost."""
        return len(self._away)

    def take(self, guest: Guest, seat: Seat, room: Room) -> None:
        """Note that a guest takes a seat, which the room is to be told next."""
        guest.sit(seat, room)
        seat.connect(guest.number, guest.outbox)
        self._guests[seat] = guest
        guest.outbox.grant_seat(room.table.rules)

    def guest_of(self, seat: Seat) -> Guest | None:
        """The guest who is connected and has this seat."""
        return self._guests.get(seat)

    def free(self, seat: Seat) -> None:
        """The player of a seat has been sent away."""
        guest = self._guests.get(seat)
        if guest is not None and guest.room is not None:
            self._remember_end(seat, guest.room)
            self._log.note(Entry.LEFT, guest, _why_sent_away(seat, guest.room))
            guest.stand_up()
        elif (absence := self._away.get(seat)) is not None:
            self._remember_end(seat, absence.room)
            reason = _why_sent_away(seat, absence.room)
            self._log.note_seat(Entry.LEFT, seat, absence.address, absence.room.number, reason)
        self._forget(seat)

    def leave(self, guest: Guest, reason: Reason) -> None:
        """Free a guest's seat, if there is one; an open hand is forfeited."""
        seat, room = guest.seat, guest.room
        if seat is None or room is None:
            return
        self._log.note(Entry.LEFT, guest, reason)
        guest.stand_up()
        room.leave(seat)
        self._forget(seat)

    def lose(self, guest: Guest) -> None:
        """The connection is gone: the seat is kept if that was asked for, otherwise freed."""
        if not self.keep_away(guest):
            self.leave(guest, Reason.CONNECTION_LOST)

    def keep_away(self, guest: Guest) -> bool:
        """Keep the seat of a lost connection, if that was asked for; its decisions are left to the clock."""
        if not self.is_kept(guest):
            return False
        self._keep_away(guest, Reason.CONNECTION_LOST)
        self._give_up_if_too_many(guest.address)
        return True

    def keep_for_next(self, guest: Guest) -> None:
        """Keep a seat for the process that goes on after this one, however many are kept."""
        self._keep_away(guest, Reason.ENDED)

    def is_kept(self, guest: Guest) -> bool:
        """Whether a guest has a seat that is kept if the connection is lost."""
        return guest.seat is not None and guest.seat in self._tokens

    def take_decision(self, seat: Seat) -> None:
        """The clock has run out for a seat: the room answers for it."""
        guest = self._guests.get(seat)
        if guest is not None:
            if guest.room is None or not guest.room.table.awaits(seat):
                return
            if guest.outbox.is_waiting:  # the question has not been sent
                guest.room.give_time(seat)
                return
            self._log.note(Entry.CLOCK_RAN_OUT, guest)
            if guest.outbox.take_decision():
                guest.room.time_out(seat)
            return
        absence = self._away.get(seat)
        if absence is None or not absence.room.table.awaits(seat):
            return
        self._log.note_seat(Entry.CLOCK_RAN_OUT, seat, absence.address, absence.room.number)
        if seat.miss():
            absence.room.time_out(seat)
        else:
            self._give_up(seat, Reason.NO_ANSWER)

    def keep(self, guest: Guest, token: str) -> None:
        """Keep a guest's seat under a token from now on, if the connection is lost.

        Raises:
            RefusalError: if another seat is kept under it.
        """
        seat, room, token = guest.seat, guest.room, _hashed(token)
        if seat is None or room is None:
            return
        if self._kept.get(token, seat) is not seat:
            raise RefusalError(Word.TOKEN_IN_USE, "another seat is kept under this token")
        if (before := self._tokens.get(seat)) is not None:
            del self._kept[before]
        self._keep_under(token, seat)
        self._keeper.changed(room.number)

    def end_of(self, token: str) -> Sequence[DealerMessage] | None:
        """The last round at a seat that was kept under a token, if its player has been sent away."""
        token = _hashed(token)
        return None if token in self._kept else self._ended.get(token)

    def held(self, seat: Seat) -> Held | None:
        """A seat's token and address; None if it is not kept."""
        token = self._tokens.get(seat)
        if token is None:
            return None
        guest = self._guests.get(seat)
        return Held(token, self._away[seat].address if guest is None else guest.address)

    def expect(self, seat: Seat, room: Room, held: Held) -> None:
        """Keep a seat for a player who lost the connection to another dealer."""
        self._keep_under(held.token, seat)
        self._away[seat] = Absence(room, held.address, is_counted=False)

    def remember(self, token: str, last_round: Sequence[DealerMessage]) -> None:
        """Remember the last round of a player whom another dealer has sent away, by SHA-256 of the token."""
        self._ended[token] = last_round

    def give_time(self, seat: Seat) -> None:
        """Begin the time of a seat for an answer again: the question is sent only now."""
        guest = self._guests.get(seat)
        if guest is not None and guest.room is not None:
            guest.room.give_time(seat)

    def give_up(self, seat: Seat) -> None:
        """Free the seat of a player who was expected and is not back."""
        if seat in self._away and seat.is_expected:
            self._give_up(seat, Reason.NOT_BACK)

    def resume(self, guest: Guest, token: str) -> Room:
        """Give a guest the seat that is kept under a token, even from another connection; return its room.

        Raises:
            RefusalError: if no seat is.
        """
        seat = self._kept.get(_hashed(token))
        if seat is None:
            raise RefusalError(Word.NOT_KEPT, "no seat is kept under this token")
        holder = self._guests.get(seat)
        room = holder.room if holder is not None else self._away[seat].room
        assert room is not None
        if guest.outbox.is_classic and room.table.tells_payoffs and not seat.is_plain:
            raise RefusalError(
                Word.NOT_KEPT, "the player of this seat may be asked what your wire format has no words for"
            )
        if holder is None:
            self._come_back(seat)
        else:
            sentence = "your seat was taken over by another connection of yours"
            self._log.note(Entry.TURNED_AWAY, holder, sentence)
            holder.stand_up()
            holder.outbox.turn_away(Word.TAKEN_OVER, sentence)
        self.take(guest, seat, room)
        seat.mark_away(False)
        self._keeper.came_back(room.number, seat)
        guest.outbox.send(*room.table.replay(seat))
        return room

    def _keep_away(self, guest: Guest, reason: Reason) -> None:
        seat, room = guest.seat, guest.room
        assert seat is not None
        assert room is not None
        self._log.note(Entry.KEPT, guest, reason)
        guest.stand_up()
        seat.reach_by(None)
        del self._guests[seat]
        self._away[seat] = Absence(room, guest.address)
        self._away_from.setdefault(guest.address, {})[seat] = None
        self._keeper.changed(room.number)
        room.mark_away(seat)

    def _remember_end(self, seat: Seat, room: Room) -> None:
        """Remember the last round of a seat that is kept: its RESULT and the QUIT may not arrive."""
        if (token := self._tokens.get(seat)) is not None:
            last = self._last_round(room, seat)
            self._ended.pop(token, None)  # it is the newest now
            self._ended[token] = last
            self._keeper.ended(token, last[0].json if last else None)
            if len(self._ended) > MAX_ENDED:
                del self._ended[next(iter(self._ended))]

    def _give_up_if_too_many(self, address: str) -> None:
        """Keep no more seats than may be kept, now that there is another from this address."""
        mine = self._away_from.get(address, {})
        if len(mine) > MAX_AWAY_PER_ADDRESS:
            self._give_up(next(iter(mine)), Reason.TOO_MANY_KEPT)
        elif sum(map(len, self._away_from.values())) > MAX_AWAY:
            most = max(self._away_from, key=lambda each: len(self._away_from[each]))
            self._give_up(next(iter(self._away_from[most])), Reason.TOO_MANY_KEPT)

    def _give_up(self, seat: Seat, reason: Reason) -> None:
        """Free the seat of a player who is away: an open hand is forfeited, and all chips are lost."""
        absence = self._away[seat]
        absence.room.leave(seat)
        lost = f"; a bankroll of {chips_text(seat.bankroll)} is lost" if seat.bankroll else ""
        self._log.note_seat(Entry.GIVEN_UP, seat, absence.address, absence.room.number, f"{reason}{lost}")
        self._forget(seat)

    def _come_back(self, seat: Seat) -> Absence:
        """The player of a seat is away no more."""
        absence = self._away.pop(seat)
        if not absence.is_counted:
            return absence
        same = self._away_from[absence.address]
        del same[seat]
        if not same:
            del self._away_from[absence.address]
        return absence

    def _keep_under(self, token: str, seat: Seat) -> None:
        self._tokens[seat] = token
        self._kept[token] = seat

    def _forget(self, seat: Seat) -> None:
        """Free a seat: its player cannot come back to it, and gets no more messages."""
        seat.reach_by(None)
        self._guests.pop(seat, None)
        if seat in self._away:
            self._come_back(seat)
        token = self._tokens.pop(seat, None)
        if token is not None:
            del self._kept[token]


def _hashed(token: str) -> str:
    """A token as it is kept: nobody who sees it can take the seat."""
    return sha256(token.encode()).hexdigest()


def _why_sent_away(seat: Seat, room: Room) -> Reason:
    """The reason why a table sent QUIT to the player of a seat."""
    bets = room.table.rules.bets
    if seat.rounds_left == 0:
        return Reason.ROUNDS_PLAYED
    if bets is not None and seat.bankroll < bets.minimum:
        return Reason.TOO_FEW_CHIPS
    return Reason.NO_MORE_ROUNDS
