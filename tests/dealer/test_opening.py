"""OPEN on real sockets: tables that players open, what they may be, and how long they stay."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Final

import pytest

from dealer.lobby.opening import LEAST_BOT_DELAY
from dealer.tables.room import Room
from tests.dealer.conftest import Open
from tests.dealer.seen import CASINO, look, tables
from tests.helpers.house import House, kinds, room, stand
from tests.helpers.patience import eventually

BUSY: Final = "OPEN preset=course seats=1 bots=1 pause=0 bot-delay=0"
"""A table at which bots play as fast as they may."""


@pytest.fixture
def house(opened: Open) -> House:
    return opened()


def test_a_player_opens_a_table_and_sits_at_it(house: House) -> None:
    ann = house.join(
        "OPEN preset=showdown seats=4 bots=2 players=2 bot-policy=threshold:15 pause=0 bot-delay=0"
    )
    assert ann.hear() == "OPENED 1"
    assert look(ann)["rules"]["seats"] == "4"
    ann.say("JOIN ann")
    assert eventually(lambda: house.server.players == 1)
    friend = house.join("WATCH 1", "JOIN bob")
    stand(ann, friend)
    ann.say("RULES")
    assert "preset=showdown" in ann.hear_until("RULES")[-1]


def test_what_cannot_be_opened_is_said(house: House) -> None:
    for options, fault in {
        "colour=red": "OPEN has no colour, only preset, decks",
        "preset=poker": "OPEN: there are no rules 'poker'",
        "seats=10": "OPEN: seats",
        "seats=3 bots=4": "OPEN: there are 4 bots for 3 seats: expected at most 3",
        "bots=x": "OPEN: bots is 'x': expected 0 to the number of seats",
        "bot-policy=clever": "OPEN: there is no policy 'clever': expected basic, threshold:N",
        "preset=showdown bot-policy=qtable": "OPEN: the trained table does not know hands without an upcard",
        "practice=maybe": "OPEN: practice is 'maybe': expected on or off",
        "pause=-1": "OPEN: pause is '-1': expected 0 to 600 seconds",
        "bot-delay=inf": "OPEN: bot-delay is 'inf': expected 0 to 600 seconds",
        "preset=showdown dealer-stands=all17": "OPEN: showdown has no dealer",
    }.items():
        assert house.join(f"OPEN {options}").hear().startswith(f"REFUSED bad-table {fault}")
    assert not house.server.rooms


def test_tables_are_opened_by_this_machine_only_unless_it_is_allowed(opened: Open) -> None:
    for options, verb in (
        ({"host": "0.0.0.0"}, "REFUSED"),
        ({"host": "0.0.0.0", "lobby": True}, "OPENED"),
        ({"host": "127.0.0.1"}, "OPENED"),
    ):
        assert kinds([opened(**options).join("OPEN").hear()]) == [verb]


@pytest.mark.parametrize(
    "options", ["bots=5 pause=0 bot-delay=0", "preset=showdown seats=3 bots=3 bot-delay=0"]
)
def test_tables_that_nobody_wants_any_more_are_closed_and_bots_do_not_play_on(
    house: House, options: str
) -> None:
    ann = house.join("OPEN", "OPEN", f"OPEN {options}")
    ann.hear_until("OPENED 3")
    assert list(house.server.rooms) == [3]
    assert eventually(lambda: room(house, 3).table.number > 0)
    ann.close()
    assert eventually(lambda: not house.server.rooms)


def test_the_rounds_of_opened_tables_are_not_the_dealers(opened: Open) -> None:
    house = opened(rounds=3)
    house.join(BUSY).hear_until("OPENED 1")
    assert eventually(lambda: room(house, 1).table.number > 3)
    honest = house.join("JOIN honest")
    assert kinds(honest.play(rounds=3)).count("RESULT") == 3
    house.wait()
    assert house.server.budget.dealt == 3
    assert house.server.rounds == house.server.ledger.everybody.rounds > 6  # the summary tells of all


def test_opened_tables_take_none_of_the_dealers_tables(opened: Open) -> None:
    house = opened(rounds=1, tables=1, rounds_per_table=True)
    for number in (1, 2, 3):
        house.join(BUSY).hear_until(f"OPENED {number}")
    assert kinds(house.join("JOIN honest").play())[-2:] == ["RESULT", "QUIT"]
    house.wait()  # opened tables do not keep it from ending


def test_an_opened_table_has_so_many_rounds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.OPENED_ROUNDS", 2)
    heard = house.join("OPEN seats=1 bots=0 pause=0", "JOIN ann").play()
    assert kinds(heard).count("RESULT") == 2
    assert heard[-1] == "QUIT"
    assert tables(heard)[-1]["round"] == 2
    assert eventually(lambda: not house.server.rooms)


def test_an_open_round_at_an_opened_table_does_not_keep_a_dealer_from_ending(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.GRACE", 0.1)
    house = opened(rounds=1)
    ann = house.join("OPEN seats=2 bots=1 bot-delay=600", "JOIN ann")
    ann.hear_until("DECISION")  # and she does not answer
    house.join("JOIN honest").play()
    house.wait()


def test_bots_take_their_while_at_opened_tables(house: House) -> None:
    house.join(BUSY).hear_until("OPENED")
    assert room(house).setup.bot_delay == LEAST_BOT_DELAY > 0


def test_bots_that_are_watched_again_before_their_round_is_over_play_on(house: House) -> None:
    ann = house.join("OPEN seats=1 bots=1 pause=0 bot-delay=600")
    assert eventually(lambda: house.server.rooms and room(house).table.turn is not None)
    table, number = room(house), room(house).table.number
    ann.close()
    assert eventually(lambda: not table.audience.watchers)
    house.join("WATCH 1").hear_until("TABLE")

    def decide() -> bool:
        if table.table.turn is not None and table._bot is not None:  # what bots play by is worked out first
            table.stop_timer()
            table._let_bot_decide()
        return table.table.number == number and not table.table.is_closed

    house.each_turn(decide)
    assert eventually(lambda: table.table.number > number or table.table.is_closed)
    assert not table.table.is_closed


def test_a_table_that_is_closed_is_let_go_of(house: House) -> None:
    """A dealer that runs for months keeps nothing of it, nor how many have looked on."""

    def kept() -> int:
        gc.collect()
        return sum(type(thing) is Room for thing in gc.get_objects())

    before = kept()
    ann = house.join("OPEN seats=1 bots=0")
    ann.hear_until("OPENED")
    bob = house.join("WATCH 1")
    bob.hear_until("TABLE")
    ann.close()
    bob.close()
    assert eventually(lambda: not house.server.rooms)
    assert eventually(lambda: kept() <= before)


def test_the_number_of_tables_is_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.MAX_OPENED", 2)
    assert kinds([house.join("OPEN").hear() for _ in range(3)]) == ["OPENED", "OPENED", "REFUSED"]


def test_who_watches_its_table_again_does_not_close_it(house: House) -> None:
    peer = house.join("OPEN seats=2 bots=1", "WATCH", "WATCH 1", "WATCH")
    assert peer.hear() == "OPENED 1"
    shown = [look(peer) for _ in range(4)]
    assert {(each["table"], each["phase"]) for each in shown} == {(1, "waiting")}
    peer.say("JOIN ann")
    peer.hear_until("DECISION")


def test_who_opens_a_table_is_shown_no_other_after_it(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=1))
    for number in range(4):
        ann, onlooker = house.seat(f"JOIN ann{number}"), house.join("WATCH")
        look(onlooker)
        with house.held():
            ann.say("STAND")
            onlooker.say("OPEN")
        onlooker.hear_until("OPENED")
        assert look(onlooker)["table"] > 1
        onlooker.close()


def test_who_watched_a_table_that_is_closed_is_not_taken_to_another(house: House) -> None:
    ann = house.join("OPEN")
    ann.hear_until("OPENED 1")
    friend = house.join("WATCH 1")
    look(friend)
    ann.say("QUIT")
    friend.say("QUIT")
    assert eventually(lambda: not house.server.rooms)
    assert friend.rest()[-1] == "QUIT"


def test_tables_that_players_open_are_not_for_those_who_only_join(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann = house.join("OPEN seats=3 bots=0", "JOIN ann")
    ann.hear_until("OPENED 1")
    assert eventually(lambda: house.server.players == 1)
    house.join("JOIN bob")
    assert eventually(lambda: house.server.players == 2)
    assert [seat and seat.name for seat in room(house, 2).table.seats] == ["bob", None]
