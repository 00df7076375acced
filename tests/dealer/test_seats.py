"""Tables with several seats on real sockets: who sits where, who is asked when, bots, and who leaves."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Final

import pytest

from cards import PRESETS, Ace, Outcome, Rules
from dealer.tables.room import TURN_TIME
from tests.dealer.conftest import Open
from tests.dealer.seen import look
from tests.helpers.house import deal, kinds, room, sit, stand
from tests.helpers.patience import eventually

CASINO: Final = replace(PRESETS["casino"], seats=3)
TWO: Final = replace(CASINO, seats=2)
NINETEEN: Final = "Ten of Spades, Nine of Spades"
SHOWDOWN: Final = replace(PRESETS["showdown"], seats=3)
VEGAS: Final = replace(PRESETS["vegas"], seats=3)


# Coming and going.


def test_a_seat_that_is_left_is_forfeited_and_the_others_play_on(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann, bob, carl = sit(house, "ann", "bob", "carl")
    ann.hear_until("DECISION")
    bob.say("QUIT")  # before it was asked
    assert bob.rest()[-2:] == ["RESULT LOOSE", "QUIT"]
    ann.say("STAND")
    assert carl.hear_until("DECISION")[-1] == "DECISION"
    dora = house.join("JOIN dora")
    assert eventually(lambda: house.server.players == 3)
    carl.say("STAND")
    assert ann.hear_until("RESULT")[-1].startswith("RESULT")
    assert dora.hear_until("DEALER")[0] == "BEGIN"  # from the next round on
    assert house.tally("bob").counts[Outcome.LOSE] == 1
    assert house.server.budget.dealt == 2


def test_no_more_tables_are_opened_than_allowed(opened: Open) -> None:
    house = opened(rules=TWO, tables=1)
    ann, _bob = sit(house, "ann", "bob")
    assert house.join("JOIN carl").rest() == ["ERROR every seat is taken"]
    assert house.server.refusals == 0  # it is nobody's fault
    ann.say("QUIT")
    ann.rest()
    house.join("JOIN carl")
    assert eventually(lambda: house.server.players == 2)


def test_players_fill_one_table_after_the_other_and_rounds_are_per_table(opened: Open) -> None:
    house = opened(rules=TWO, tables=3, rounds=3, rounds_per_table=True)
    peers = sit(house, *"abcde")
    assert [len(house.server.rooms), house.server.open_rounds] == [3, 2]
    assert [seat and seat.name for seat in room(house, 3).table.seats] == ["e", None]
    peers.append(house.join("JOIN f"))
    for _ in range(3):
        stand(*peers)
    assert [peer.rest() for peer in peers] == [["QUIT"]] * 6
    house.wait()
    assert house.server.budget.dealt == 9


def test_lines_and_a_classic_peer_play_at_one_table(opened: Open) -> None:
    house = opened(rules=CASINO, rounds=1)
    ann, bob = sit(house, "ann", "bob")
    classic = house.connect()
    classic.send(b"JOIN old\0")
    for peer in (ann, bob):
        peer.answer("STAND")
    assert kinds(classic.hear_until("DECISION")) == ["BEGIN", "CARD", "CARD", "DEALER", "DECISION"]
    classic.send(b"STAND\0")
    assert all(kinds(peer.rest()) == ["RESULT", "QUIT"] for peer in (ann, bob, classic))
    house.wait()
    assert house.server.budget.dealt == 1  # once, however many seats
    assert house.server.ledger.everybody.rounds == 3


# Bots.


@pytest.mark.parametrize("policy", ["basic", "threshold:16", "random", "qtable"])
def test_bots_take_their_seats_at_once_and_play(opened: Open, policy: str) -> None:
    house = opened(rules=replace(CASINO, seats=5), bots=4, bot_policy=policy, rounds=3, seed=2)
    assert kinds(house.join("JOIN ann").play()).count("RESULT") == 3
    house.wait()
    rows = {row.name: row.tally.rounds for row in house.server.ledger.rows()}
    assert rows == dict.fromkeys(("ann", "bot-1", "bot-2", "bot-3", "bot-4"), 3)


@pytest.mark.parametrize("rules", [CASINO, SHOWDOWN, VEGAS], ids=["casino", "showdown", "vegas"])
def test_bots_alone_play_by_themselves_to_the_last_round(opened: Open, rules: Rules) -> None:
    house = opened(rules=rules, bots=3, rounds=50)
    house.wait()
    assert house.server.budget.dealt == 50
    assert house.server.ledger.everybody.rounds == 150


def test_no_round_is_dealt_to_bots_when_the_last_person_has_left(opened: Open) -> None:
    house = opened(rules=CASINO, bots=2, bot_policy="threshold:16", rounds=10)
    ann = house.seat("JOIN ann")
    assert [seat and seat.name for seat in room(house).table.seats] == ["ann", "bot-1", "bot-2"]
    ann.say("QUIT")
    ann.rest()
    assert eventually(lambda: house.server.open_rounds == 0)
    assert house.server.budget.dealt == 1
    house.seat("JOIN bob")
    assert house.server.budget.dealt == 2


def test_players_fill_one_table_after_the_other_beside_the_bots_of_each(opened: Open) -> None:
    house = opened(rules=TWO, bots=1, bot_policy="threshold:16", tables=3)
    ann, bob, _carl = sit(house, "ann", "bob", "carl")
    names = [[seat and seat.name for seat in each.table.seats] for each in house.server.rooms.values()]
    assert names == [["ann", "bot-1"], ["bob", "bot-1"], ["carl", "bot-1"]]
    assert bob.hear_until("DECISION")[0] == "BEGIN"
    for peer in (ann, bob):
        peer.say("QUIT")
        peer.rest()
    assert eventually(lambda: list(house.server.rooms) == [1, 3])  # the first one stays


def test_a_table_closes_whose_only_player_is_through_with_the_deal(opened: Open) -> None:
    house = opened(rules=replace(PRESETS["course"], ace=Ace.ELEVEN))
    deal(house, "Ace of Spades, Ace of Hearts, Ten of Spades, Nine of Spades")  # bust as dealt
    assert house.join("JOIN ann 1").rest()[-2:] == ["RESULT BUST", "QUIT"]
    assert eventually(lambda: not house.server.rooms)


def test_bots_alone_play_at_every_table_and_pause(opened: Open) -> None:
    house = opened(rules=CASINO, bots=3, bot_policy="threshold:16", tables=3, pause=0.01)
    assert eventually(lambda: all(room(house, number).table.number > 3 for number in (1, 2, 3)))


def test_the_same_seed_deals_and_plays_the_same_at_a_table_with_bots(opened: Open) -> None:
    houses = [opened(rules=CASINO, bots=2, bot_policy="random", rounds=20, seed=11) for _ in range(2)]
    one, other = (house.join("JOIN ann").play() for house in houses)
    assert one == other


# Pauses.


def test_a_pause_ends_when_everybody_wants_to_go_on(opened: Open) -> None:
    house = opened(rules=CASINO, bots=1, bot_policy="threshold:16", pause=600)
    ann, bob = sit(house, "ann", "bob")
    stand(ann, bob)
    ann.say("NEXT")
    assert eventually(lambda: room(house).table.seats[0].is_ready)  # type: ignore[union-attr]
    assert house.server.budget.dealt == 1
    bob.say("NEXT")
    assert ann.hear() == "BEGIN"
    assert house.server.budget.dealt == 2
    ann.say("NEXT")  # crosses the next round: it changes nothing
    ann.hear_until("DECISION")
    assert house.server.refusals == 0


def test_a_pause_ends_when_its_time_is_over_or_who_was_waited_for_leaves(opened: Open) -> None:
    for pause, rounds in ((0.1, 3), (600, 0)):
        house = opened(rules=TWO, pause=pause, rounds=rounds)
        ann, bob = sit(house, "ann", "bob")
        stand(ann, bob)
        if pause == 600:
            ann.say("NEXT")
            bob.say("QUIT")
        assert ann.hear() == "BEGIN"


@pytest.mark.parametrize(
    ("rules", "cards", "turned"),
    [
        ("casino", f"{NINETEEN}, Six of Clubs, Five of Clubs, Two of Hearts, Ten of Hearts", 3),
        ("casino", f"{NINETEEN}, Ten of Clubs, Ten of Hearts", 1),
        ("showdown", f"{NINETEEN}, Ten of Clubs, Ten of Hearts", 2),
    ],
)
@pytest.mark.parametrize("does_player_watch", [True, False])
def test_a_pause_is_longer_by_what_a_page_turns_and_draws(
    opened: Open, rules: str, cards: str, turned: int, does_player_watch: bool
) -> None:
    """Strangers who watch hold up nobody who plays."""
    seats = 1 if rules == "casino" else 2
    house = opened(rules=replace(PRESETS[rules], seats=seats), pause=100)
    deal(house, cards)
    players = sit(house, *"ab"[:seats])
    watcher = house.join("WATCH 1")
    watcher.hear_until("TABLE")
    if does_player_watch:
        players[0].say("WATCH")
        assert eventually(lambda: len(room(house).audience.watchers) == 2)
    stand(*players)
    while (shown := look(watcher))["phase"] != "results":
        pass
    assert shown["clock"] == ceil(100 + (turned * TURN_TIME if does_player_watch else 0))


def test_ctrl_c_ends_tables_that_wait_or_pause_at_once(opened: Open) -> None:
    house = opened(rules=TWO, pause=600)
    ann, bob, waiting = sit(house, "ann", "bob", "carl")
    stand(ann, bob)
    house.stop(grace=60)
    assert [peer.rest()[-1:] for peer in (ann, bob, waiting)] == [["QUIT"]] * 3
    house.wait()
