"""Watching, practice, tables that players open, and seats that are kept, on real sockets."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from cards import PRESETS
from dealer.lobby.opening import LEAST_BOT_DELAY
from dealer.tables.seat import MAX_MISSED, Seat
from protocol.conversation import MAX_VIOLATIONS
from tests.dealer.conftest import Open
from tests.helpers.house import NEVER, House, deal, kinds, room, sit, stand
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, WIRE_FORMATS, BlockingPeer

CASINO: Final = replace(PRESETS["casino"], seats=2)
TOKEN: Final = "0123456789abcdefghijkl"
UNTIL_A_HIT: Final = (
    "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds"
)
A_ROUND: Final = f"{UNTIL_A_HIT}, Nine of Clubs, Five of Clubs"
"""ann has 12, bob 18, the dealer 16; then a nine and a five."""
BUSY: Final = "OPEN preset=course seats=1 bots=1 pause=0 bot-delay=0"
"""A table at which bots play as fast as they may."""


def facts(line: str) -> dict[str, Any]:
    verb, _, text = line.partition(" ")
    assert verb == "TABLE", line
    found: dict[str, Any] = json.loads(text)
    return found


def tables(lines: list[str]) -> list[dict[str, Any]]:
    return [facts(line) for line in lines if line.startswith("TABLE")]


def look(peer: BlockingPeer) -> dict[str, Any]:
    """The next snapshot."""
    return facts(peer.hear_until("TABLE")[-1])


# Watching.


def test_a_watcher_sees_every_change_of_a_round(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1, decision_clock=30)
    deal(house, A_ROUND)
    watcher = house.connect()
    watcher.say("watch")
    assert look(watcher)["phase"] == "waiting"
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("HIT")
    ann.say("STAND")
    bob.hear_until("DECISION")
    bob.say("STAND")
    seen = tables(watcher.rest())
    assert [(shown["phase"], shown["turn"]) for shown in seen] == [
        ("waiting", None),  # ann has sat down
        ("playing", 0),
        ("playing", 0),
        ("playing", 1),
        ("results", None),
        ("closed", None),
    ]
    sequence = [shown["sequence"] for shown in seen]
    assert sequence == list(range(sequence[0], sequence[0] + len(sequence)))
    dealt, hit, _, results, closed = seen[1:]
    assert dealt["seats"][0] == {
        "name": "ann",
        "bot": False,
        "away": False,
        "kept": None,
        "ready": False,
        "cards": ["Ten of Spades", "Two of Spades"],
        "total": 12,
        "soft": False,
        "state": "playing",
        "result": None,
        "score": 0,
        "rounds": 0,
    }
    assert dealt["dealer"] == {"upcard": "Six of Clubs", "cards": ["Six of Clubs", None], "total": None}
    assert (dealt["clock"], dealt["you"], dealt["round"]) == (30, None, 1)
    assert hit["seats"][0]["total"] == 21
    assert results["dealer"] == {
        "upcard": "Six of Clubs",
        "cards": ["Six of Clubs", "Ten of Diamonds", "Five of Clubs"],
        "total": 21,
    }
    assert [(seat["result"], seat["score"]) for seat in results["seats"]] == [("PUSH", 0), ("LOSE", -1)]
    assert closed["seats"] == results["seats"]  # the last thing to be seen is how it ended
    assert results["log"] == [
        "Round 1",
        "bob sits down",
        "ann gets Ten of Spades and Two of Spades: 12",
        "bob gets Ten of Hearts and Eight of Hearts: 18",
        "The dealer shows Six of Clubs",
        "ann hits and gets Nine of Clubs: 21",
        "ann stands on 21",
        "bob stands on 18",
        "The dealer turns over Ten of Diamonds: 16",
        "The dealer draws Five of Clubs: 21",
        "ann pushes with 21",
        "bob loses with 18",
    ]


def test_players_may_watch_too_and_see_their_own_cards_in_a_showdown(opened: Open) -> None:
    house = opened(rules=PRESETS["showdown"], rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, King of Clubs")
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    for peer in (ann, bob):
        peer.say("WATCH")
    of_ann, of_bob = look(ann), look(bob)
    assert of_ann["dealer"] is None
    assert [seat["cards"] for seat in of_ann["seats"]] == [["Ten of Spades", "Two of Spades"], [None, None]]
    assert [seat["total"] for seat in of_bob["seats"]] == [None, 18]
    assert (of_ann["you"], of_bob["you"]) == (0, 1)
    ann.say("HIT")  # 22: bust, so that everybody sees it
    bust = look(bob)["seats"][0]
    assert (bust["state"], bust["cards"][2], bust["result"]) == ("bust", "King of Clubs", "BUST")


def test_a_natural_is_told_only_to_those_who_may_see_it(opened: Open) -> None:
    house = opened(rules=PRESETS["showdown"], rounds=1)
    deal(house, "Ace of Spades, King of Spades, Ten of Hearts, Eight of Hearts")
    watcher = house.connect()
    watcher.say("WATCH")
    ann, bob = sit(house, "ann", "bob")
    for peer in (ann, bob):
        peer.hear_until("DECISION")
        peer.say("STAND")
    states = [shown["seats"][0]["state"] for shown in tables(watcher.rest())]
    assert states[-4:] == ["playing", "standing", "natural", "natural"]


@pytest.mark.parametrize("wire_format", WIRE_FORMATS)
def test_a_table_is_watched_in_every_wire_format(opened: Open, wire_format: str) -> None:
    watcher = opened(rules=CASINO).connect(wire_format)
    watcher.say("WATCH 1")
    assert look(watcher)["table"] == 1


def test_a_table_that_is_not_there_cannot_be_watched(opened: Open) -> None:
    house = opened(rules=CASINO)
    watcher = house.connect()
    watcher.say("WATCH 7")
    refusal = "REFUSED no-table there is no table 7: expected JOIN <name> [<rounds>], QUIT or RULES"
    assert watcher.hear() == refusal


def test_without_a_table_a_watcher_waits_for_one(opened: Open) -> None:
    house = opened(rounds=1)
    watcher = house.connect()
    watcher.say("WATCH")
    house.seat("JOIN ann")
    assert look(watcher)["seats"][0]["name"] is None  # the table has just been opened
    assert look(watcher)["seats"][0]["name"] == "ann"


def test_a_watcher_follows_to_the_table_where_it_sits_down(opened: Open) -> None:
    house = opened(rounds=3)
    house.seat("JOIN ann")
    bob = house.connect()
    bob.say("WATCH")
    assert look(bob)["table"] == 1
    bob.say("JOIN bob")
    while (shown := look(bob))["you"] is None:
        pass
    assert (shown["table"], shown["you"]) == (2, 0)


@contextmanager
def narrow_watcher(house: House, said: bytes = b"WATCH\n") -> Iterator[socket.socket]:
    """A connection of which the system holds little: what is not read soon waits at the dealer."""
    for listening in house.server._listeners[0].sockets:  # connections have the buffers of their listener
        with socket.socket(fileno=os.dup(listening.fileno())) as same:
            same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect((LOCALHOST, house.port))
        narrow.settimeout(PATIENCE)
        narrow.sendall(said)
        yield narrow


def test_a_slow_watcher_gets_the_newest_snapshot_and_no_backlog(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.UNREAD", NEVER)
    rounds = 100
    house = opened(rules=CASINO, bots=1, bot_policy="threshold:16", rounds=rounds)
    with narrow_watcher(house) as narrow:
        assert kinds(house.join("JOIN ann").play()).count("RESULT") == rounds
        heard = b"".join(iter(lambda: narrow.recv(65_536), b"")).decode().splitlines()
    seen = tables(heard)
    assert (seen[-1]["phase"], seen[-1]["round"]) == ("closed", rounds)
    assert len(seen) < seen[-1]["sequence"] / 2  # it was not told of all that had happened meanwhile


def test_an_onlooker_who_does_not_read_is_broken_off_and_a_player_is_not(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.UNREAD", 0.1)
    house = opened(rules=CASINO)
    connections = house.server._connections
    with narrow_watcher(house), narrow_watcher(house, b"JOIN ann\nWATCH\n"):
        assert eventually(lambda: len(connections) == 2 and house.server.players == 1)

        def is_broken_off() -> bool:
            house._loop.call_soon_threadsafe(room(house).show)  # so there is always something to read
            return len(connections) == 1

        assert eventually(is_broken_off)
        assert house.server.players == 1


@pytest.fixture
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.watching.MAX_WATCHERS", 3)
    monkeypatch.setattr("dealer.lobby.watching.MAX_WATCHERS_PER_TABLE", 2)


def watch(house: House, line: str = "WATCH") -> tuple[BlockingPeer, str]:
    """Somebody who has asked to watch, and the first word of the answer, for a refusal the second."""
    peer = house.join(line)
    answer = peer.hear().split()
    return peer, answer[1] if answer[0] == "REFUSED" else answer[0]


@pytest.mark.usefixtures("few_places")
def test_one_onlooker_too_many_is_refused_and_may_still_play(opened: Open) -> None:
    house = opened()
    ann = house.seat("JOIN ann 2")
    assert [watch(house, "WATCH 1")[1] for _ in range(3)] == ["TABLE", "TABLE", "no-place"]
    refused, word = watch(house)
    assert word == "no-place"
    for _ in range(MAX_VIOLATIONS):  # it is nobody's fault
        refused.say("WATCH")
        assert refused.hear().startswith("REFUSED no-place there is no place to watch from: every table")
    refused.say("JOIN bob")
    refused.hear_until("DECISION")
    refused.say("WATCH")  # where it sits it may always watch
    assert look(refused)["you"] == 0
    ann.say("WATCH")
    assert look(ann)["you"] == 0
    refused.say("WATCH 1")
    assert refused.hear().startswith(
        "REFUSED no-place there is no place to watch from: 2 others watch table 1"
    )


@pytest.mark.usefixtures("few_places")
def test_onlookers_are_spread_over_the_tables_and_bounded_in_all(opened: Open) -> None:
    house = opened()
    house.seat("JOIN ann")
    house.seat("JOIN bob")
    peers = [watch(house) for _ in range(4)]
    assert [word for _, word in peers] == ["TABLE", "TABLE", "TABLE", "no-place"]
    assert [len(each.audience.watchers) for each in house.server.rooms.values()] == [2, 1]
    first, _ = peers[0]
    first.say("WATCH", "WATCH 1")  # who has a place keeps it
    assert [look(first)["table"], look(first)["table"]] == [1, 1]
    first.close()
    assert eventually(lambda: watch(house)[1] == "TABLE")  # its place is free


@pytest.mark.usefixtures("few_places")
def test_who_watches_nothing_any_more_still_takes_a_place_until_it_sits(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.OPENED_ROUNDS", 1)
    house = opened()
    idle = [watch(house, BUSY)[0] for _ in range(3)]
    assert eventually(lambda: not house.server.rooms)  # each table was closed after its round
    house.seat("JOIN ann")
    assert watch(house)[1] == "no-place"
    idle[0].say("JOIN bob")
    idle[0].hear_until("DECISION")
    assert watch(house)[1] == "TABLE"


@pytest.mark.usefixtures("few_places")
def test_who_opens_a_table_may_watch_it_though_every_place_is_taken(opened: Open) -> None:
    house = opened()
    waiting = [watch_for_a_table(house) for _ in range(3)]
    assert watch(house)[1] == "no-place"
    assert watch(house, "OPEN")[1] == "OPENED"
    assert [look(peer)["table"] for peer in waiting[:2]] == [1, 1]
    assert len(room(house).audience.watchers) == 3


@pytest.mark.usefixtures("few_places")
def test_who_has_opened_a_table_has_no_place_at_others(opened: Open) -> None:
    house = opened()
    house.seat("JOIN ann")
    house.seat("JOIN bob")
    assert [watch(house)[1] for _ in range(3)] == ["TABLE"] * 3
    opener, word = watch(house, "OPEN seats=1 bots=0")
    assert word == "OPENED"
    look(opener)
    opener.say("WATCH 2")
    assert opener.hear().startswith("REFUSED no-place there is no place to watch from: 3 others")


@pytest.mark.usefixtures("few_places")
def test_a_join_after_a_watch_without_a_place_is_for_that_table(opened: Open) -> None:
    house = opened()
    ann = house.connect()
    ann.say("OPEN seats=3 bots=0", "JOIN ann")
    ann.hear_until("TABLE")
    assert [watch(house, "WATCH 1")[1] for _ in range(3)] == ["TABLE", "TABLE", "no-place"]
    carl, word = watch(house, "WATCH 1")
    carl.say("JOIN carl", "WATCH")
    assert word == "no-place"
    shown = look(carl)
    assert (shown["table"], [seat["name"] for seat in shown["seats"]]) == (1, ["ann", "carl", None])


def test_who_watches_its_table_again_does_not_close_it(house: House) -> None:
    peer = house.connect()
    peer.say("OPEN seats=2 bots=1", "WATCH", "WATCH 1", "WATCH")
    assert peer.hear() == "OPENED 1"
    shown = [look(peer) for _ in range(4)]
    assert {(each["table"], each["phase"]) for each in shown} == {(1, "waiting")}
    peer.say("JOIN ann")
    peer.hear_until("DECISION")


def test_who_opens_a_table_is_shown_no_other_after_it(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=1))
    for number in range(10):
        ann, onlooker = house.seat(f"JOIN ann{number}"), house.join("WATCH")
        look(onlooker)
        with house.held():
            ann.say("STAND")
            onlooker.say("OPEN")
        onlooker.hear_until("OPENED")
        assert look(onlooker)["table"] > 1
        onlooker.close()


def watch_for_a_table(house: House) -> BlockingPeer:
    count = len(house.server._connections)
    peer = house.join("WATCH")
    assert eventually(lambda: len(house.server._connections) == count + 1)
    watching = house.server._reception._watching
    assert eventually(lambda: len(watching._onlookers) == count + 1)
    return peer


def test_onlookers_wait_for_their_turns_and_see_all_of_a_round(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.SHOWN_PER_TURN", 1)
    house = opened(rules=replace(CASINO, seats=1), bots=0, rounds=3)
    onlookers = [house.join("WATCH") for _ in range(20)]
    watching = house.server._reception._watching
    assert eventually(lambda: len(watching._onlookers) == 20)
    ann = house.join("JOIN ann")
    ann.say("WATCH", "STAND", "STAND", "STAND")
    own = tables(ann.rest())
    assert [shown["round"] for shown in own if shown["phase"] == "results"] == [1, 2, 3]
    for onlooker in onlookers:
        seen = tables(onlooker.rest())
        sequence = [shown["sequence"] for shown in seen]
        assert sequence == list(range(sequence[0], sequence[0] + len(sequence)))
        assert [shown["round"] for shown in seen if shown["phase"] == "results"] == [1, 2, 3]
        assert seen[-1]["phase"] == "closed"


# Practice.


def test_a_hint_is_the_better_decision_and_the_cost_of_the_other(opened: Open) -> None:
    house = opened(rules=replace(PRESETS["course"], seats=2), practice=True, rounds=1)
    deal(house, "Ten of Spades, Six of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds")
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("HINT")
    verb, decision, cost = ann.hear().split()
    assert (verb, decision) == ("HINT", "STAND")  # hard 16 against a six
    assert 0.2 < float(cost) < 0.6
    bob.say("HINT")
    assert bob.hear_until("ERROR")[-1].startswith(
        "ERROR a hint is for a decision, and you are not asked for one"
    )


def test_cards_are_revealed_to_who_asks_and_everybody_is_told(opened: Open) -> None:
    house = opened(rules=CASINO, practice=True, rounds=2)
    deal(house, A_ROUND)
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("WATCH")
    bob.say("WATCH")
    assert not look(ann)["revealed"]
    look(bob)
    ann.say("REVEAL")
    shown = look(ann)
    assert shown["revealed"]
    assert shown["dealer"] == {
        "upcard": "Six of Clubs",
        "cards": ["Six of Clubs", "Ten of Diamonds"],
        "total": 16,
    }
    others = look(bob)
    assert not others["revealed"]
    assert others["dealer"]["cards"] == ["Six of Clubs", None]
    assert others["log"][-1] == "ann looks at all cards"
    ann.say("STAND")
    stand(bob)
    while (shown := look(ann))["round"] == 1:
        pass
    assert not shown["revealed"]


def test_who_reveals_what_is_revealed_is_answered_without_a_word_to_the_others(opened: Open) -> None:
    house = opened(rules=CASINO, practice=True)
    ann, bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("WATCH", *["REVEAL"] * 20)
    shown = [look(ann) for _ in range(21)]
    assert [each["revealed"] for each in shown] == [False] + [True] * 20
    assert [note for _, note in room(house).table.notes] == ["bob sits down", "ann looks at all cards"]
    bob.say("WATCH")
    assert look(bob)["sequence"] == shown[-1]["sequence"] == shown[0]["sequence"] + 1


def test_who_has_bust_sees_all_cards_on_a_practice_table(opened: Open) -> None:
    house = opened(rules=PRESETS["showdown"], practice=True, rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, King of Clubs")
    ann, _bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("WATCH", "HIT")
    assert look(ann)["seats"][1]["cards"] == [None, None]
    assert look(ann)["seats"][1]["cards"] == ["Ten of Hearts", "Eight of Hearts"]


def test_no_hints_and_no_cards_where_nobody_practises(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann, _bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("WATCH", "HINT")
    assert ann.hear_until("REFUSED")[-1].startswith("REFUSED no-hint hints are for practice tables")
    ann.say("REVEAL")
    assert ann.hear_until("REFUSED")[-1].startswith(
        "REFUSED no-reveal cards are revealed to those who watch a practice table"
    )
    ann.say("STAND")
    assert "null" in ann.hear_until("TABLE")[-1]


def test_a_round_is_reviewed_against_basic_strategy(opened: Open) -> None:
    house = opened(rounds=2)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Clubs, Ten of Diamonds, Four of Clubs,"
        "Ten of Hearts, Nine of Hearts, Seven of Clubs, Ten of Diamonds",
    )
    ann = house.seat("JOIN ann")
    ann.say("REVIEW")
    assert ann.hear().startswith("ERROR no round of yours is over yet")
    ann.say("HIT", "STAND", "REVIEW")
    # Hitting 12 against a ten is right; standing on 16 is wrong by a little.
    verb, decisions, differed, cost = ann.hear_until("REVIEW")[-1].split()
    assert (verb, decisions, differed) == ("REVIEW", "2", "1")
    assert 0.0 < float(cost) < 0.1


# Tables that players open.


def test_a_player_opens_a_table_and_sits_at_it(opened: Open) -> None:
    house = opened()
    ann = house.connect()
    ann.say("OPEN rules=showdown seats=4 bots=2 players=2 bot-policy=threshold:15 pause=0 bot-delay=0")
    assert ann.hear() == "OPENED 1"
    assert look(ann)["rules"]["seats"] == "4"
    ann.say("JOIN ann")
    assert eventually(lambda: house.server.players == 1)
    friend = house.connect()
    friend.say("WATCH 1", "JOIN bob")
    stand(ann, friend)
    ann.say("RULES")
    assert "preset=showdown" in ann.hear_until("RULES")[-1]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("colour=red", "OPEN has no colour, only preset, decks"),
        ("rules=poker", "OPEN: there are no rules 'poker'"),
        ("seats=10", "OPEN: seats"),
        ("seats=3 bots=4", "OPEN: there are 4 bots for 3 seats: expected at most 3"),
        ("bots=x", "OPEN: bots is 'x': expected 0 to the number of seats"),
        ("bot-policy=clever", "OPEN: there is no policy 'clever': expected basic, threshold:N"),
        ("rules=showdown bot-policy=qtable", "OPEN: the trained table does not know hands without an upcard"),
        ("practice=maybe", "OPEN: practice is 'maybe': expected on or off"),
        ("pause=-1", "OPEN: pause is '-1': expected 0 to 600 seconds"),
        ("bot-delay=inf", "OPEN: bot-delay is 'inf': expected 0 to 600 seconds"),
        ("rules=showdown dealer-stands=all17", "OPEN: showdown has no dealer"),
    ],
)
def test_what_cannot_be_opened_is_said(house: House, options: str, fault: str) -> None:
    peer = house.connect()
    peer.say(f"OPEN {options}")
    assert peer.hear().startswith(f"REFUSED bad-table {fault}")
    assert not house.server.rooms


@pytest.fixture
def house(opened: Open) -> House:
    return opened()


def test_tables_are_opened_by_this_machine_only_unless_it_is_allowed(opened: Open) -> None:
    for options, is_allowed in (
        ({"host": "0.0.0.0"}, False),
        ({"host": "0.0.0.0", "lobby": True}, True),
        ({"host": "127.0.0.1"}, True),
    ):
        peer = opened(**options).connect()
        peer.say("OPEN")
        assert kinds([peer.hear()]) == (["OPENED"] if is_allowed else ["REFUSED"])


def test_tables_that_nobody_wants_any_more_are_closed(house: House) -> None:
    ann = house.connect()
    ann.say("OPEN", "OPEN", "OPEN")
    ann.hear_until("OPENED 3")
    assert list(house.server.rooms) == [3]
    ann.close()
    assert eventually(lambda: not house.server.rooms)


@pytest.mark.parametrize(
    "options", ["bots=5 pause=0 bot-delay=0", "rules=showdown seats=3 bots=3 bot-delay=0"]
)
def test_bots_do_not_play_on_where_nobody_watches_any_more(house: House, options: str) -> None:
    ann = house.connect()
    ann.say(f"OPEN {options}")
    ann.hear_until("OPENED 1")
    assert eventually(lambda: room(house, 1).table.number > 0)
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


def test_an_opened_table_has_so_many_rounds(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.OPENED_ROUNDS", 2)
    house = opened()
    ann = house.join("OPEN seats=1 bots=0 pause=0")
    ann.say("JOIN ann")
    heard = ann.play()
    assert kinds(heard).count("RESULT") == 2
    assert heard[-1] == "QUIT"
    assert tables(heard)[-1]["round"] == 2
    assert eventually(lambda: not house.server.rooms)


def test_an_open_round_at_an_opened_table_does_not_keep_a_dealer_from_ending(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.GRACE", 0.1)
    house = opened(rounds=1)
    ann = house.join("OPEN seats=2 bots=1 bot-delay=600")
    ann.say("JOIN ann")
    ann.hear_until("DECISION")  # and she does not answer
    house.join("JOIN honest").play()
    house.wait()


def test_bots_take_their_while_at_opened_tables(house: House) -> None:
    house.join(BUSY).hear_until("OPENED")
    assert room(house).setup.bot_delay == LEAST_BOT_DELAY > 0


def test_the_number_of_tables_is_bounded(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.MAX_OPENED", 2)
    house = opened()
    peers = [house.connect() for _ in range(3)]
    answers = []
    for peer in peers:
        peer.say("OPEN")
        answers.append(peer.hear().split()[0])
    assert answers == ["OPENED", "OPENED", "REFUSED"]


def test_a_flood_of_openings_holds_up_nobody(opened: Open) -> None:
    house = opened()
    flood = house.connect()
    flood.say(*["OPEN bots=5"] * 50)
    honest = ["BEGIN", "CARD", "CARD", "DEALER", "DECISION", "RESULT", "QUIT"]
    assert kinds(house.join("JOIN honest 1").play()) == honest
    assert flood.hear_until("OPENED 50")


# Seats that are kept.


def keep(house: House, name: str = "ann", token: str = TOKEN, **addresses: str) -> BlockingPeer:
    peer = house.connect(**addresses)
    peer.say(f"JOIN {name}", f"KEEP {token}")
    return peer


def vanish(house: House) -> None:
    """Join, keep the seat and lose the connection; return once that has been noticed."""
    keep(house).close()
    assert eventually(lambda: [seat.is_away for seat in seats_of(house)] == [True])


def look_until_seated(peer: BlockingPeer) -> dict[str, Any]:
    """The first snapshot in which the peer has a seat."""
    while (shown := look(peer))["you"] is None:
        pass
    return shown


def seats_of(house: House) -> list[Seat]:
    rooms = list(house.server.rooms.values())  # the dealer's thread may open another meanwhile
    return [seat for room in rooms for seat in room.table.seats if seat is not None]


@pytest.mark.parametrize("ending", ["close", "reset", "close_side"])
def test_a_kept_seat_waits_for_its_player(opened: Open, ending: str) -> None:
    house = opened(rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Clubs, Ten of Diamonds, Four of Clubs")
    ann = keep(house)
    ann.hear_until("DECISION")
    ann.say("HIT")
    ann.hear_until("DECISION")
    getattr(ann, ending)()
    assert eventually(lambda: house.server.players == 0)
    assert house.server.open_rounds == 1
    back = house.connect()
    back.say(f"RESUME {TOKEN}")
    assert back.hear_until("DECISION") == [
        "BEGIN",
        "CARD Ten of Spades",
        "CARD Two of Spades",
        "DEALER Ten of Clubs",
        "CARD Four of Clubs",
        "DECISION",
    ]
    back.say("STAND")
    assert back.rest() == ["RESULT LOOSE", "QUIT"]
    house.wait()


def test_others_see_that_a_player_is_away_and_the_clock_decides(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann = keep(house)
    bob = house.join("JOIN bob")
    bob.say("WATCH")
    ann.hear_until("DECISION")
    ann.close()
    assert eventually(lambda: [seat.is_away for seat in room(house).table.seats if seat] == [True, False])
    for _ in range(MAX_MISSED - 1):
        house.let_the_clock_run_out()
        bob.hear_until("DECISION")
        bob.say("STAND")
        bob.hear_until("BEGIN")  # and ann is asked again
    house.let_the_clock_run_out()
    assert eventually(lambda: room(house).table.seats[0] is None)  # at the third time it is given up
    late = house.connect()
    late.say(f"RESUME {TOKEN}")
    assert late.hear().startswith("REFUSED not-kept no seat is kept under this token: expected JOIN")


def test_of_two_connections_with_one_token_the_later_has_the_seat(opened: Open) -> None:
    house = opened()
    ann = keep(house)
    ann.hear_until("DECISION")
    other = house.connect()
    other.say(f"RESUME {TOKEN}")
    assert other.hear_until("DECISION")[0] == "BEGIN"
    assert ann.rest() == ["ERROR your seat was taken over by another connection of yours"]
    other.say("STAND")
    assert other.hear_until("RESULT")
    assert house.server.players == 1


def test_a_token_is_for_one_seat(opened: Open) -> None:
    house = opened()
    keep(house).hear_until("DECISION")
    other = keep(house, "bob")
    assert other.hear_until("ERROR")[-1].startswith("ERROR another seat is kept under this token")


def test_who_says_quit_keeps_nothing(opened: Open) -> None:
    house = opened()
    ann = keep(house)
    ann.hear_until("DECISION")
    ann.say("QUIT")
    assert ann.rest() == ["RESULT LOOSE", "QUIT"]
    back = house.connect()
    back.say(f"RESUME {TOKEN}")
    assert back.hear().startswith("REFUSED not-kept no seat is kept")
    back.say("JOIN ann")  # which is still possible
    assert back.hear_until("DECISION")


def test_only_so_many_seats_are_kept(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.seating.MAX_AWAY", 1)
    house = opened()
    for token in ("a" * 22, "b" * 22):
        peer = keep(house, token=token)
        peer.hear_until("DECISION")
        peer.close()
    assert eventually(lambda: house.server.players == 0)
    assert eventually(lambda: house.server.open_rounds == 1)


def vanish_at(house: House, number: int, **addresses: str) -> str:
    """Keep a seat and lose the connection; return the token once that has been noticed."""
    token = f"{number:022}"
    peer = keep(house, token=token, **addresses)
    peer.hear_until("DECISION")
    peer.reset()
    assert eventually(lambda: token in house.server._reception.seating._kept and not house.server.players)
    return token


def is_kept(house: House, token: str) -> bool:
    back = house.connect()
    back.say(f"RESUME {token}")
    return back.hear() == "BEGIN"


@pytest.mark.parametrize(("most", "most_of_one"), [(3, 100), (100, 2)])
def test_who_keeps_more_seats_than_there_are_loses_the_oldest_of_its_own(
    opened: Open, monkeypatch: pytest.MonkeyPatch, most: int, most_of_one: int
) -> None:
    monkeypatch.setattr("dealer.lobby.seating.MAX_AWAY", most)
    monkeypatch.setattr("dealer.lobby.seating.MAX_AWAY_PER_ADDRESS", most_of_one)
    house = opened()
    try:
        honest = vanish_at(house, 0, source="127.0.0.2")
    except OSError:
        pytest.skip("this machine has one address only")
    first, second, third = (vanish_at(house, number) for number in (1, 2, 3))
    assert [is_kept(house, token) for token in (honest, first, second, third)] == [True, False, True, True]


def test_a_dealer_ends_though_somebody_is_away(opened: Open) -> None:
    house = opened(decision_clock=600)
    vanish(house)
    house.stop(grace=0.1)
    house.wait()


def test_a_lost_connection_does_not_prolong_the_pause_of_the_others(opened: Open) -> None:
    house = opened(rules=CASINO, pause=600)
    ann = keep(house)
    bob = house.join("JOIN bob")
    stand(ann, bob)
    bob.say("NEXT")
    ann.close()
    assert bob.hear() == "BEGIN"


def test_who_comes_back_watches_the_table_of_the_seat(opened: Open) -> None:
    house = opened()
    house.seat("JOIN first")
    keep(house).close()
    assert eventually(lambda: house.server.open_rounds == 2 and house.server.players == 1)
    back = house.connect()
    back.say("WATCH", f"RESUME {TOKEN}")
    shown = look_until_seated(back)
    assert (shown["table"], shown["you"]) == (2, 0)


def test_who_comes_back_is_shown_as_back_at_once(opened: Open) -> None:
    house = opened(rules=CASINO)
    vanish(house)
    back = house.connect()
    back.say("WATCH", f"RESUME {TOKEN}")
    shown = look_until_seated(back)
    assert [seat["away"] for seat in shown["seats"] if seat["name"] == "ann"] == [False]


def test_who_comes_back_before_a_round_is_shown_the_seat_and_may_be_behind(opened: Open) -> None:
    house = opened(rules=CASINO)
    vanish(house)
    back = house.connect("classic")
    with house.held():
        back.say(*["WATCH"] * 20, f"RESUME {TOKEN}")
    assert look_until_seated(back)["you"] == 0


# What else a page counts on.


def test_a_bust_can_be_reviewed_while_the_others_play(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1)
    deal(house, f"{UNTIL_A_HIT}, King of Clubs")
    ann, _bob = sit(house, "ann", "bob")
    ann.hear_until("DECISION")
    ann.say("HIT")
    ann.hear_until("RESULT BUST")
    ann.say("REVIEW")
    verb, decisions, differed, _ = ann.hear().split()
    assert (verb, decisions, differed) == ("REVIEW", "1", "1")  # 12 against a six stands


def test_who_watched_a_table_that_is_closed_is_not_taken_to_another(opened: Open) -> None:
    house = opened()
    ann, friend = house.connect(), house.connect()
    ann.say("OPEN")
    ann.hear_until("OPENED 1")
    friend.say("WATCH 1")
    look(friend)
    ann.say("QUIT")
    friend.say("QUIT")
    assert eventually(lambda: not house.server.rooms)
    assert friend.rest()[-1] == "QUIT"


def test_tables_that_players_open_are_not_for_those_who_only_join(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann = house.connect()
    ann.say("OPEN seats=3 bots=0", "JOIN ann")
    ann.hear_until("OPENED 1")
    assert eventually(lambda: house.server.players == 1)
    house.join("JOIN bob")
    assert eventually(lambda: house.server.players == 2)
    assert [seat and seat.name for seat in room(house, 2).table.seats] == ["bob", None]


def test_the_log_tells_who_has_sat_down_though_the_round_begins_at_once(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann, bob = sit(house, "ann", "bob")
    bob.say("WATCH")
    assert look(bob)["log"][:2] == ["Round 1", "bob sits down"]
    assert ann.hear_until("DECISION")
