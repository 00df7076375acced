"""Watching on real sockets: what is shown to whom, who may watch, and who is slow to read."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import pytest

from cards import PRESETS
from protocol.dealer import MAX_VIOLATIONS
from tests.dealer.conftest import Open, on_each_loop
from tests.dealer.seen import CASINO, look, tables
from tests.helpers.house import NEVER, House, deal, kinds, room, sit
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, WIRE_FORMATS, BlockingPeer

A_ROUND: Final = (
    "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Six of Clubs, Ten of Diamonds,"
    "Nine of Clubs, Five of Clubs"
)
"""ann has 12, bob 18, the dealer 16; then a nine and a five."""
BUSY: Final = "OPEN preset=course seats=1 bots=1 pause=0 bot-delay=0"
"""A table at which bots play as fast as they may."""


# What is shown.


def test_a_watcher_sees_every_change_of_a_round(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1, decision_clock=30)
    deal(house, A_ROUND)
    watcher = house.join("watch")
    assert look(watcher)["phase"] == "waiting"
    ann, bob = sit(house, "ann", "bob")
    ann.answer("HIT")
    ann.say("STAND")
    bob.answer("STAND")
    seen = tables(watcher.rest())
    assert [(shown["phase"], shown["turn"]) for shown in seen] == [
        ("waiting", None),  # ann has sat down
        *(("playing", 0), ("playing", 0), ("playing", 1), ("results", None), ("closed", None)),
    ]
    sequence = [shown["sequence"] for shown in seen]
    assert sequence == list(range(sequence[0], sequence[0] + len(sequence)))
    dealt, hit, _, results, closed = seen[1:]
    assert dealt["seats"][0] == {
        **{"name": "ann", "bot": False, "away": False, "kept": None, "ready": False, "state": "playing"},
        **{"cards": ["Ten of Spades", "Two of Spades"], "total": 12, "soft": False},
        **{"result": None, "score": 0, "rounds": 0},
    }
    six, ten, five = "Six of Clubs", "Ten of Diamonds", "Five of Clubs"
    assert dealt["dealer"] == {"upcard": six, "cards": [six, None], "total": None}
    assert (dealt["clock"], dealt["you"], dealt["round"]) == (30, None, 1)
    assert hit["seats"][0]["total"] == 21
    assert results["dealer"] == {"upcard": six, "cards": [six, ten, five], "total": 21}
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
    ann.say("WATCH")
    bob.say("WATCH")
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
    watcher = house.join("WATCH")
    for peer in sit(house, "ann", "bob"):
        peer.answer("STAND")
    states = [shown["seats"][0]["state"] for shown in tables(watcher.rest())]
    assert states[-4:] == ["playing", "standing", "natural", "natural"]


def test_a_table_is_watched_in_every_wire_format(opened: Open) -> None:
    house = opened(rules=CASINO)
    for wire_format in WIRE_FORMATS:
        watcher = house.connect(wire_format)
        watcher.say("WATCH 1")
        assert look(watcher)["table"] == 1


def test_a_table_that_is_not_there_cannot_be_watched(opened: Open) -> None:
    refusal = "REFUSED no-table there is no table 7: expected JOIN <name> [<rounds>], QUIT or RULES"
    assert opened(rules=CASINO).join("WATCH 7").hear() == refusal


def test_without_a_table_a_watcher_waits_for_one(opened: Open) -> None:
    house = opened(rounds=1)
    watcher = house.join("WATCH")
    house.seat("JOIN ann")
    assert look(watcher)["seats"][0]["name"] is None  # the table has just been opened
    assert look(watcher)["seats"][0]["name"] == "ann"


def test_a_watcher_follows_to_the_table_where_it_sits_down(opened: Open) -> None:
    """And sees the other table no more."""
    house = opened(rounds=3)
    ann = house.join("JOIN ann")
    bob = house.join("WATCH")
    assert look(bob)["table"] == 1
    bob.say("JOIN bob")
    while (shown := look(bob))["you"] is None:
        pass
    assert (shown["table"], shown["you"]) == (2, 0)
    assert "RESULT" in kinds(ann.play())
    bob.say("STAND")
    assert {shown["table"] for shown in tables(bob.rest())} == {2}


# Who is slow to read.


@contextmanager
def narrow_watcher(house: House, said: bytes = b"WATCH\n") -> Iterator[socket.socket]:
    """A connection of which the system holds little: what is not read soon waits at the dealer."""
    servers = house.server._accepting.servers
    for listening in servers[0].sockets:  # connections have the buffers of their listener
        with socket.socket(fileno=os.dup(listening.fileno())) as same:
            same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect((LOCALHOST, house.port))
        narrow.settimeout(PATIENCE)
        narrow.sendall(said)
        yield narrow


@on_each_loop
def test_a_slow_watcher_gets_the_newest_snapshot_and_no_backlog(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for time in ("UNREAD", "LINGER"):  # it reads when all is over
        monkeypatch.setattr(f"dealer.network.server.{time}", NEVER)
    rounds = 100
    house = opened(rules=CASINO, bots=1, bot_policy="threshold:16", rounds=rounds)
    with narrow_watcher(house) as narrow:
        assert kinds(house.join("JOIN ann").play()).count("RESULT") == rounds
        heard = b"".join(iter(lambda: narrow.recv(65_536), b"")).decode().splitlines()
    seen = tables(heard)
    assert (seen[-1]["phase"], seen[-1]["round"]) == ("closed", rounds)
    assert len(seen) < seen[-1]["sequence"] / 2  # it was not told of all that had happened meanwhile


@on_each_loop
def test_an_onlooker_who_does_not_read_is_broken_off_and_a_player_is_not(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.UNREAD", NEVER)
    house = opened(rules=CASINO)
    connections, clock = house.server._connections, house.server._unread_clock
    with narrow_watcher(house), narrow_watcher(house, b"JOIN ann\nWATCH\n"):
        assert eventually(lambda: len(connections) == 2 and house.server.players == 1)

        def are_behind() -> bool:
            house._loop.call_soon_threadsafe(room(house).show)  # so there is always something to read
            return len(clock._due) == 2

        assert eventually(are_behind)
        house.run_out(clock)
        assert eventually(lambda: len(connections) == 1)
        with house.held():
            assert (len(connections), house.server.players) == (1, 1)


def test_onlookers_wait_for_their_turns_and_see_all_of_a_round(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer.network.server.SHOWN_PER_TURN", 1)
    house = opened(rules=replace(CASINO, seats=1), bots=0, rounds=3)
    onlookers = [house.join("WATCH") for _ in range(20)]
    watching = house.server._reception._watching
    assert eventually(lambda: len(watching._onlookers) == 20)
    ann = house.join("JOIN ann", "WATCH", "STAND", "STAND", "STAND")
    seen_by_each = [tables(peer.rest()) for peer in (ann, *onlookers)]
    for seen in seen_by_each:
        assert [shown["round"] for shown in seen if shown["phase"] == "results"] == [1, 2, 3]
    for seen in seen_by_each[1:]:
        sequence = [shown["sequence"] for shown in seen]
        assert sequence == list(range(sequence[0], sequence[0] + len(sequence)))
        assert seen[-1]["phase"] == "closed"


# Who may watch.


@pytest.fixture
def few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.watching.MAX_WATCHERS", 3)
    monkeypatch.setattr("dealer.lobby.watching.MAX_WATCHERS_PER_TABLE", 2)


def watch(house: House, line: str = "WATCH") -> tuple[BlockingPeer, str]:
    """Somebody who has asked to watch, and the first word of the answer, for a refusal the second."""
    peer = house.join(line)
    answer = peer.hear().split()
    return peer, answer[1] if answer[0] == "REFUSED" else answer[0]


def words_of(house: House, count: int, line: str = "WATCH") -> list[str]:
    """The same of so many who ask, without the peers."""
    return [watch(house, line)[1] for _ in range(count)]


@pytest.mark.usefixtures("few_places")
def test_one_onlooker_too_many_is_refused_and_may_still_play(opened: Open) -> None:
    house = opened()
    ann = house.seat("JOIN ann 2")
    assert words_of(house, 3, "WATCH 1") == ["TABLE", "TABLE", "no-place"]
    refused, word = watch(house)
    assert word == "no-place"
    refusal = "REFUSED no-place there is no place to watch from: "
    for _ in range(MAX_VIOLATIONS):  # it is nobody's fault
        refused.say("WATCH")
        assert refused.hear().startswith(f"{refusal}every table")
    refused.say("JOIN bob")
    refused.hear_until("DECISION")
    for peer in (refused, ann):
        peer.say("WATCH")  # where it sits it may always watch
        assert look(peer)["you"] == 0
    refused.say("WATCH 1")
    assert refused.hear().startswith(f"{refusal}2 others watch table 1")


@pytest.mark.usefixtures("few_places")
def test_onlookers_are_spread_over_the_tables_and_bounded_in_all(opened: Open) -> None:
    house = opened()
    house.seat("JOIN ann")
    house.seat("JOIN bob")
    first, word = watch(house)
    assert [word, *words_of(house, 3)] == ["TABLE", "TABLE", "TABLE", "no-place"]
    assert [len(each.audience.watchers) for each in house.server.rooms.values()] == [2, 1]
    first.say("WATCH", "WATCH 1")  # who has a place keeps it
    assert [look(first)["table"], look(first)["table"]] == [1, 1]
    opener, word = watch(house, "OPEN seats=1 bots=0")  # who has opened a table has no place at others
    assert (word, look(opener)["table"]) == ("OPENED", 3)
    opener.say("WATCH 2")
    assert opener.hear().startswith("REFUSED no-place there is no place to watch from: 3 others")
    opener.close()
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
    waiting = []
    onlookers = house.server._reception._watching._onlookers
    for count in (1, 2, 3):
        waiting.append(house.join("WATCH"))
        assert eventually(lambda count=count: len(onlookers) == count)  # type: ignore[misc]
    assert watch(house)[1] == "no-place"
    assert watch(house, "OPEN")[1] == "OPENED"
    assert [look(peer)["table"] for peer in waiting[:2]] == [1, 1]
    assert len(room(house).audience.watchers) == 3


@pytest.mark.usefixtures("few_places")
def test_a_join_after_a_watch_without_a_place_is_for_that_table(opened: Open) -> None:
    house = opened()
    house.join("OPEN seats=3 bots=0", "JOIN ann").hear_until("TABLE")
    assert words_of(house, 2, "WATCH 1") == ["TABLE", "TABLE"]
    carl, word = watch(house, "WATCH 1")
    assert word == "no-place"
    carl.say("JOIN carl", "WATCH")
    shown = look(carl)
    assert (shown["table"], [seat["name"] for seat in shown["seats"]]) == (1, ["ann", "carl", None])
