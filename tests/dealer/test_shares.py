"""What each address has a share of: tables that its players open, and places to watch."""

from __future__ import annotations

import json
from typing import Final

import pytest

from cards import Rules, seeded, shoe_for
from dealer.lobby.guest import Guest
from dealer.lobby.opened import UNOCCUPIED
from dealer.lobby.reception import Reception
from dealer.lobby.rooms import Supplies
from dealer.tables.budget import Budget
from dealer.tables.config import Config
from protocol import DealerMessage, RefusalError, TableUpdate, Word, encode
from protocol.codec import decode_player
from tests.dealer.conftest import Open
from tests.helpers.hand_turned import HandTurned
from tests.helpers.patience import eventually

TOKEN: Final = "x7Rk2mQ9vTz4LbW1cYp8Ns"

FOR_FRIENDS: Final = "OPEN seats=3 bots=0 players=2"
BOTS_ALONE: Final = "OPEN seats=1 bots=1 bot-policy=random bot-delay=600"


class Heard:
    """An outbox that keeps what is said."""

    is_classic = False

    def __init__(self) -> None:
        self.lines: list[str] = []

    def send(self, *messages: DealerMessage) -> None:
        self.lines += [encode(message).decode() for message in messages]

    is_waiting = False

    def wait(self) -> bool:
        return False

    def go_on(self) -> None:
        pass

    def complain(self, word: Word, sentence: str) -> None:
        self.lines.append(f"REFUSED {word} {sentence}")

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        self.send(update)

    def grant_seat(self, rules: Rules) -> None:
        pass

    def take_decision(self) -> bool:
        return True

    hold = release = close = lambda self: None

    def turn_away(self, word: Word, sentence: str) -> None:
        self.complain(word, sentence)


class Visitor:
    """Somebody who is connected from an address."""

    def __init__(self, reception: Reception, address: str) -> None:
        self.heard = Heard()
        self.guest = Guest(self.heard, address, 1)
        self._reception = reception

    def say(self, *lines: str) -> str:
        """Say lines; return the refusal of the last one, without the word that programs read, or nothing."""
        refusal = ""
        for line in lines:
            message, refusal = decode_player(line.encode()), ""
            try:
                self._reception.handlers[type(message)](self.guest, message)
            except RefusalError as error:
                assert not error.is_violation
                assert error.word is (Word.CANNOT_OPEN if line.startswith("OPEN") else Word.NO_PLACE)
                refusal = str(error)
        return refusal

    def vanish(self) -> None:
        self._reception.forget(self.guest)

    @property
    def is_full(self) -> bool:
        """Whether TABLES says that no further table can be opened."""
        self.say("TABLES")
        return bool(json.loads(self.heard.lines[-1].removeprefix("TABLES "))["full"])

    @property
    def phase(self) -> str:
        """The phase of the table, as it was shown last."""
        (*_, last) = [line for line in self.heard.lines if line.startswith("TABLE ")]
        return str(json.loads(last.removeprefix("TABLE "))["phase"])


class Lobby:
    """A dealer without sockets, whose time the test moves on."""

    def __init__(self, loop: HandTurned, tables: int = 2, watchers: int = 2) -> None:
        supplies = Supplies(
            Budget(0),
            Budget(0),
            lambda rules, _: shoe_for(rules, seeded(1)),
            lambda _, table: seeded(table),
            lambda table, round_, seats: self.settled.append(table),
        )
        config = Config(0, 0, lobby=True, max_tables_per_address=tables, max_watchers_per_address=watchers)
        self.settled: list[int] = []  # the tables of the rounds that are over
        self.reception = Reception(config, loop, supplies, refused=lambda _: None, over=lambda: None)

    @property
    def tables(self) -> list[int]:
        """The numbers of the open tables."""
        return list(self.reception.rooms.by_number)

    def visit(self, *lines: str, address: str = "127.0.0.1") -> Visitor:
        visitor = Visitor(self.reception, address)
        assert visitor.say(*lines) == ""
        return visitor


# Tables.


def test_an_address_has_so_many_tables_and_is_told_when_to_try_again(loop: HandTurned) -> None:
    lobby = Lobby(loop)
    for _ in range(2):
        lobby.visit(FOR_FRIENDS)
        loop.pass_time(30)
    late, elsewhere = lobby.visit("TABLES"), lobby.visit("TABLES", address="2001:db8:1:2::/64")
    assert late.say("OPEN") == (
        "your address has 2 tables open, as many as it may: try again in 60 s, when one of them is closed"
        " unless somebody sits down there"
    )
    assert (late.is_full, elsewhere.is_full) == (True, False)
    assert elsewhere.say("OPEN") == ""
    loop.pass_time(60)
    assert lobby.tables == [2, 3]
    assert not late.is_full
    assert late.say("OPEN", "JOIN ann") == ""


def test_where_people_sit_they_have_to_leave_first(loop: HandTurned) -> None:
    lobby = Lobby(loop, tables=1)
    ann, bob = lobby.visit(FOR_FRIENDS, "JOIN ann"), lobby.visit("TABLES")
    refusal = "your address has 1 table open, as many as it may: try again when the last player has left it"
    assert bob.say("OPEN") == refusal
    ann.vanish()
    assert bob.say("OPEN") == ""


def test_who_opens_one_table_after_another_has_one(loop: HandTurned) -> None:
    lobby = Lobby(loop, tables=1)
    ann = lobby.visit(FOR_FRIENDS, FOR_FRIENDS, FOR_FRIENDS)
    assert lobby.tables == [3]
    assert not ann.is_full
    lobby.visit("WATCH 3", address="192.0.2.7")  # so the table is left open
    assert ann.is_full
    assert "as many as it may" in ann.say(FOR_FRIENDS)
    assert lobby.tables == [3]  # what is refused changes nothing
    assert ann.guest.watched is not None


def test_the_tables_of_all_addresses_are_bounded_too(
    loop: HandTurned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.MAX_OPENED", 1)
    lobby = Lobby(loop)
    lobby.visit(FOR_FRIENDS)
    assert lobby.visit(address="192.0.2.7").say("OPEN").startswith("players have 1 table open")


def test_a_seat_that_is_taken_or_kept_keeps_a_table_open_and_then_it_has_its_time_again(
    loop: HandTurned,
) -> None:
    lobby = Lobby(loop)
    ann = lobby.visit(FOR_FRIENDS)
    loop.pass_time(UNOCCUPIED - 1)
    ann.say("JOIN ann", f"KEEP {TOKEN}")
    watcher = lobby.visit("WATCH 1")
    loop.pass_time(10 * UNOCCUPIED)
    ann.vanish()
    loop.pass_time(10 * UNOCCUPIED)
    back = lobby.visit(f"RESUME {TOKEN}")
    back.say("QUIT")
    loop.pass_time(UNOCCUPIED - 1)
    assert (lobby.tables, watcher.phase) == ([1], "waiting")
    loop.pass_time(1)
    assert (lobby.tables, watcher.phase) == ([], "closed")
    assert loop.timers == []


@pytest.mark.parametrize("options", ["", " pause=0", " preset=vegas bets=10-80"])
def test_bots_keep_no_table_open_and_end_their_round_at_once(loop: HandTurned, options: str) -> None:
    lobby = Lobby(loop)
    watcher = lobby.visit(BOTS_ALONE + options)
    loop.pass_time(UNOCCUPIED - 1)
    assert watcher.phase == "playing"
    assert lobby.settled == []
    loop.pass_time(1)
    assert (lobby.tables, watcher.phase) == ([], "closed")
    assert lobby.settled == [1]
    assert loop.timers == []


def test_no_share_and_no_time_is_for_the_dealers_own_tables(loop: HandTurned) -> None:
    lobby = Lobby(loop, tables=1)
    players = [lobby.visit(f"JOIN {name}") for name in ("ann", "bob", "carl")]
    loop.pass_time(UNOCCUPIED)
    assert lobby.tables == [1, 2, 3]
    for player in players:
        player.vanish()
    assert lobby.tables == []


# Places to watch.


def test_an_address_has_so_many_places_to_watch_and_gets_back_what_it_leaves(loop: HandTurned) -> None:
    lobby = Lobby(loop)
    player = lobby.visit("JOIN ann", "WATCH")  # who sits there needs no place
    first, second = lobby.visit("WATCH 1"), lobby.visit("WATCH")
    third = lobby.visit("TABLES")
    refusal = "there is no place to watch from: 2 others from your address watch: try again when one of them "
    assert third.say("WATCH 1") == third.say("WATCH") == f"{refusal}has left"
    lobby.visit("WATCH 1", address="192.0.2.7")
    assert second.say("WATCH 1") == player.say("WATCH") == ""
    first.vanish()
    assert third.say("WATCH") == ""
    assert lobby.visit("TABLES").say("WATCH") == f"{refusal}has left"


def test_who_opens_a_table_watches_it_and_keeps_the_place_once_it_is_closed(loop: HandTurned) -> None:
    lobby = Lobby(loop, tables=1, watchers=1)
    lobby.visit("WATCH")
    opener, other = lobby.visit(FOR_FRIENDS), lobby.visit("TABLES")
    loop.pass_time(UNOCCUPIED)
    assert lobby.tables == []
    assert other.say("OPEN").startswith("there is no place to watch from: 2 others from your address watch")
    opener.vanish()
    assert other.say("OPEN") == ""


def test_the_shares_are_the_dealers_by_default_and_each_address_has_its_own(opened: Open) -> None:
    house = opened()
    for number in range(1, 6):
        assert house.join("OPEN").hear() == f"OPENED {number}"
    assert house.join("OPEN").hear().startswith("REFUSED cannot-open your address has 5 tables open")
    elsewhere = house.connect(source="127.0.0.2")
    elsewhere.say("OPEN")
    assert elsewhere.hear() == "OPENED 6"
    onlookers = house.server._reception._watching._onlookers
    for count in range(7, 52):
        house.join("WATCH")
        assert eventually(lambda count=count: len(onlookers) == count)  # type: ignore[misc]
    assert (
        house.join("WATCH").hear().startswith("REFUSED no-place there is no place to watch from: 50 others")
    )
