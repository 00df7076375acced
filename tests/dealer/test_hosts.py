"""START and BOT: who begins a game before everybody has come, who adds bots, and what that changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS
from tests.dealer.conftest import Open
from tests.dealer.seen import look, look_until_seated
from tests.dealer.test_tables import tables
from tests.helpers.house import House, kinds, sit
from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer

CASINO = replace(PRESETS["casino"], seats=3)
VEGAS = replace(PRESETS["vegas"], seats=5)
SHOWDOWN = replace(PRESETS["showdown"], seats=3)

LEAD = ("may_start", "may_add_bot")


def lead(shown: dict[str, object]) -> list[str]:
    """What a TABLE says that its receiver may ask for; it never says that something may not be asked for."""
    assert all(shown.get(key, True) is True for key in LEAD)
    return [key for key in LEAD if key in shown]


def opener(house: House, options: str = "preset=casino seats=3 bots=0") -> BlockingPeer:
    """Somebody who sits at a table that they have opened."""
    peer = house.join(f"OPEN {options}", "JOIN ann")
    look_until_seated(peer)
    return peer


def visitor(house: House, name: str) -> BlockingPeer:
    peer = house.join("WATCH 1", f"JOIN {name}")
    look_until_seated(peer)
    return peer


def newest(peer: BlockingPeer) -> dict[str, object]:
    """The table as it stands: a WATCH is answered after whatever came before."""
    peer.say("RULES", "WATCH 1")
    peer.hear_until("RULES")
    return look(peer)


def test_at_a_table_of_the_dealers_anybody_begins_and_the_others_come_later(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann = house.join("WATCH", "JOIN ann")
    shown = look_until_seated(ann)
    assert (shown["waits_for"], lead(shown)) == (2, ["may_start", "may_add_bot"])
    ann.say("START")
    assert ann.hear_until("DECISION")[0] == "BEGIN"
    shown = look(ann)
    assert (shown["phase"], lead(shown)) == ("playing", ["may_add_bot"])
    bob = house.join("JOIN bob")
    assert eventually(lambda: house.server.players == 2)
    ann.say("STAND")
    assert bob.hear_until("BEGIN") == ["BEGIN"]


def test_a_player_in_lines_begins_and_adds_bots_too(opened: Open) -> None:
    house = opened(rules=VEGAS)
    ann = house.join("JOIN ann", "bot", "bot", "start")
    assert ann.hear_until("DECISION")[0] == "BEGIN"
    assert [each and each.name for each in house.server.rooms[1].table.seats] == [
        *("ann", None, None, "bot-2", "bot-1")
    ]


def test_a_bot_that_takes_the_last_seat_begins_the_round_and_plays_it(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=2), rounds=2)
    ann = house.join("JOIN ann", "BOT")
    assert kinds(ann.play()).count("RESULT") == 2
    house.wait()
    rows = {row.name: row.tally.rounds for row in house.server.ledger.rows()}
    assert rows == {"ann": 2, "bot-1": 2}


def test_bots_are_named_on_and_never_as_somebody_who_sits_there(opened: Open) -> None:
    house = opened(rules=VEGAS)
    (bot,) = sit(house, "Bot-2")
    bot.say("BOT", "BOT")
    seats = house.server.rooms[1].table.seats
    assert eventually(lambda: [each.name for each in seats if each] == ["Bot-2", "bot-3", "bot-1"])
    assert "is kept for the dealer's bots" in house.join("JOIN bot-7").hear()


def test_whoever_opened_a_table_leads_it_then_whoever_has_sat_there_longest(opened: Open) -> None:
    house = opened()
    ann = house.join("OPEN preset=casino seats=4 bots=0")
    ann.hear_until("TABLE")
    bob, carl = visitor(house, "bob"), visitor(house, "carl")
    assert (lead(newest(bob)), lead(newest(carl))) == (list(LEAD), [])
    ann.say("JOIN ann")
    look_until_seated(ann)
    assert [lead(newest(each)) for each in (ann, bob, carl)] == [list(LEAD), [], []]
    for peer, word in ((bob, "START"), (carl, "BOT")):
        peer.say(word)
        assert "this is for the player who opened the table" in peer.hear_until("REFUSED")[-1]
    ann.say("QUIT")
    ann.rest()
    assert [lead(newest(each)) for each in (bob, carl)] == [list(LEAD), []]
    bob.say("START")
    assert carl.hear_until("BEGIN")[-1] == "BEGIN"


def test_while_the_connection_of_whoever_leads_is_lost_another_one_does(opened: Open) -> None:
    house = opened()
    ann = opener(house)
    ann.say("KEEP 0123456789abcdefghijkl")
    bob = visitor(house, "bob")
    ann.close()
    while "may_start" not in (shown := look(bob)):
        pass
    assert shown["seats"][0]["away"]
    back = house.join("RESUME 0123456789abcdefghijkl", "WATCH 1")
    assert lead(look(back)) == list(LEAD)
    assert lead(newest(bob)) == []


@pytest.mark.parametrize(
    ("options", "said", "reason"),
    [
        ({"rules": CASINO, "players": 2}, "START", "this dealer decides on its own"),
        ({"rules": CASINO, "players": 2}, "BOT", "this dealer decides on its own"),
        ({"rules": SHOWDOWN}, "START", "a round takes two players here"),
        ({"rules": PRESETS["course"]}, "START", "this table waits for nobody"),
        ({"rules": PRESETS["course"]}, "BOT", "no seat is free"),
    ],
    ids=["START with --players", "BOT with --players", "alone without a dealer", "begun", "full"],
)
def test_what_cannot_be_is_refused_and_nobody_is_blamed(
    opened: Open, options: dict[str, object], said: str, reason: str
) -> None:
    house = opened(**options)
    peer = house.join("WATCH", "JOIN ann", *[said] * 5, "RULES")
    refusals = [line for line in peer.hear_until("RULES") if line.startswith("REFUSED")]
    assert len(refusals) == 5
    assert all(f"REFUSED not-allowed {reason}" in line for line in refusals)
    assert house.server.refusals == 0


def test_a_classic_player_leads_no_table(opened: Open) -> None:
    house = opened(rules=CASINO)
    classic = house.connect()
    classic.send(b"JOIN old\0START\0BOT\0")
    assert "not for classic players" in classic.hear()
    assert "not for classic players" in classic.hear()


def test_without_a_seat_there_is_nothing_to_begin(opened: Open) -> None:
    peer = opened(rules=CASINO).join("WATCH", "START", "BOT")
    refused = [line for line in (peer.hear() for _ in range(3)) if line.startswith("REFUSED")]
    assert [line.split()[1] for line in refused] == ["not-allowed", "not-allowed"]


def test_a_table_that_waits_again_is_begun_again(opened: Open) -> None:
    house = opened()
    ann = opener(house, "preset=casino seats=4 bots=1 bot-delay=0 pause=0")
    ann.say("START")
    ann.hear_until("BEGIN")
    bob = visitor(house, "bob")
    ann.say("QUIT")
    ann.rest()
    assert bob.hear_until("DECISION")  # the table plays on
    carl = house.join("WATCH 1")
    bob.say("QUIT")
    bob.rest()
    while (shown := look(carl))["phase"] != "waiting":
        pass
    carl.say("JOIN carl")
    shown = look_until_seated(carl)
    assert (shown["waits_for"], lead(shown)) == (2, list(LEAD))
    carl.say("START")
    carl.hear_until("BEGIN")


def test_tables_says_where_somebody_who_sits_down_could_start(opened: Open) -> None:
    def said(**options: object) -> list[object]:
        house = opened(**options)
        ann = house.connect()
        found = [tables(ann)["tables"][0].get("may_start")]
        ann.say("JOIN ann", "START")
        assert eventually(lambda: house.server.players == 1)
        return [*found, tables(ann)["tables"][0].get("may_start")]

    assert said(rules=CASINO) == [True, None]
    assert said(rules=CASINO, players=2) == [None, None]
    assert said(rules=SHOWDOWN) == [None, True]  # two are needed
    house = opened()
    opener(house)
    assert "may_start" not in tables(house.connect())["tables"][0]


def test_bots_that_come_change_no_card_of_the_dealers(opened: Open) -> None:
    def dealt(*said: str) -> list[str]:
        peer = opened(rules=CASINO, seed=5, rounds=1).join("JOIN ann", *said, "START")
        return peer.hear_until("DECISION")

    alone, with_bot = dealt(), dealt("BOT")
    assert [line for line in alone if line.startswith("CARD")] == [
        line for line in with_bot if line.startswith("CARD")
    ]


# A bot gives way to a person.


def seated(house: House, number: int = 1) -> list[str | None]:
    return [each.name if each else None for each in house.server.rooms[number].table.seats]


def test_a_bot_between_rounds_gives_its_seat_at_once(opened: Open) -> None:
    house = opened()
    ann = opener(house, "preset=casino seats=3 bots=0 pause=600 bot-delay=0")
    ann.say("BOT", "BOT")
    ann.answer("STAND")
    while (shown := look(ann))["phase"] != "results":
        pass
    assert [each.get("gives_way") for each in shown["seats"]] == [None, True, True]
    assert tables(ann)["tables"][0]["free"] == 2
    bob = house.join("WATCH 1", "JOIN bob")
    shown = look_until_seated(bob)
    assert (shown["phase"], shown["you"], seated(house)) == ("results", 1, ["ann", "bob", "bot-1"])
    for peer in (ann, bob):
        peer.say("NEXT")
    assert bob.hear_until("BEGIN")[-1] == "BEGIN"


def test_a_bot_in_a_round_gives_its_seat_when_that_is_over(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=2), tables=1)
    ann = house.join("WATCH", "JOIN ann", "BOT")
    ann.hear_until("DECISION")
    bob = house.join("WATCH 1", "JOIN bob")
    while "gets_seat" not in (shown := look(bob)):
        pass
    assert (shown["you"], [each["name"] for each in shown["seats"]]) == (None, ["ann", "bot-1"])
    assert "gives_way" not in shown["seats"][1]
    assert tables(ann)["tables"][0]["free"] == 0
    assert house.join("JOIN carl").rest() == ["ERROR every seat is taken"]
    ann.say("STAND")
    assert bob.hear_until("BEGIN")[-1] == "BEGIN"
    assert (seated(house), look(bob)["you"]) == (["ann", "bob"], 1)
    assert house.tally("bot-1").rounds == house.tally("ann").rounds == 1


@pytest.mark.parametrize("leaves", ["ann", "bob"])
def test_who_waits_for_a_bots_seat_may_leave_and_gets_any_that_is_freed(opened: Open, leaves: str) -> None:
    house = opened(rules=replace(CASINO, seats=2), tables=1)
    ann = house.join("JOIN ann", "BOT")
    ann.hear_until("DECISION")
    bob = house.join("WATCH 1", "JOIN bob")
    while "gets_seat" not in look(bob):
        pass
    if leaves == "ann":
        ann.say("QUIT")
        assert bob.hear_until("BEGIN")[-1] == "BEGIN"
        assert seated(house) == ["bob", "bot-1"]
    else:
        bob.say("QUIT")
        assert bob.rest()[-1] == "QUIT"
        ann.say("STAND")
        ann.hear_until("BEGIN")
        assert seated(house) == ["ann", "bot-1"]


def test_a_seat_that_is_kept_comes_to_whoever_waits_for_it(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=2), tables=1)
    ann = house.join("JOIN ann", "BOT")
    ann.hear_until("DECISION")
    bob = house.join("JOIN bob", "KEEP 0123456789abcdefghijkl")
    assert eventually(lambda: house.server.players == 2)
    bob.close()
    assert eventually(lambda: house.server.players == 1)
    ann.say("STAND")
    ann.hear_until("BEGIN")
    assert seated(house) == ["ann", "bob"]
    back = house.join("RESUME 0123456789abcdefghijkl")
    assert back.hear_until("DEALER")[0] == "BEGIN"


def sit_at(house: House, name: str, number: int) -> None:
    """Join, and see that the seat is at the table of this number."""
    house.join(f"JOIN {name}")
    assert eventually(lambda: number in house.server.rooms and name in seated(house, number))


def test_an_empty_seat_comes_before_that_of_a_bot(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=2))
    ann = house.join("JOIN ann", "BOT")
    ann.hear_until("DECISION")
    bob = house.join("JOIN bob")  # waits for the bot's seat
    assert eventually(lambda: house.server.players == 2)
    sit_at(house, "carl", 2)
    bob.say("QUIT")
    bob.rest()
    assert house.server.rooms[1].table.free_seats == 1
    sit_at(house, "dora", 2)


def test_the_bots_that_came_for_people_leave_with_the_last_of_them(opened: Open) -> None:
    house = opened(rules=CASINO, bots=1)
    ann = house.join("JOIN ann", "BOT")
    ann.hear_until("DECISION")
    assert seated(house) == ["ann", "bot-2", "bot-1"]
    ann.say("QUIT")
    ann.rest()
    assert eventually(lambda: seated(house) == [None, None, "bot-1"])
    assert house.server.budget.dealt == 1
