"""TABLES, and how many people the first round of a table waits for, on real sockets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS, Decision, EveryRound, Round, Rules, rules_from, seeded, shoe_for
from dealer.lobby.listing import MAX_LIST_BYTES, MAX_LISTED
from dealer.lobby.opening import setup_from
from dealer.tables.budget import Budget
from dealer.tables.gathering import Gathering
from dealer.tables.seat import MAX_MISSED, Seat
from dealer.tables.table import Phase, Settled, Table
from protocol import Open as OpenMessage
from protocol import RefusalError
from tests.dealer import seen
from tests.dealer.conftest import Open
from tests.dealer.seen import CASINO, TOKEN, keep, look
from tests.helpers.house import NEVER
from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer


def tables(peer: BlockingPeer) -> dict[str, Any]:
    """The answer to TABLES."""
    peer.say("TABLES")
    verb, _, text = peer.hear_until("TABLES")[-1].partition(" ")
    assert verb == "TABLES"
    found: dict[str, Any] = json.loads(text)
    return found


def test_tables_before_and_after_a_table_is_opened(opened: Open) -> None:
    house = opened()
    ann, bob = house.connect(), house.connect()
    assert tables(bob) == {"opens": True, "full": False, "more": 0, "tables": []}
    ann.say("OPEN preset=casino seats=3 bots=1 bot-policy=random players=2 practice=on", "JOIN ann")
    ann.hear_until("TABLE")
    assert eventually(lambda: house.server.players == 1)
    rules = replace(PRESETS["casino"], seats=3).fields()
    opening = {"table": 1, "rules": rules, "practice": True, "opened": True}
    waiting = {"phase": "waiting", "round": 0, "people": ["ann"], "free": 1, "waits_for": 1, "watchers": 0}
    (shown,) = tables(bob)["tables"]
    assert shown == {**opening, **waiting, "seats": 3, "bots": 1, "away": 0}  # ann sits where she watches
    bob.say("WATCH 1")
    look(bob)
    assert tables(bob)["tables"][0]["watchers"] == 1
    bob.say("JOIN bob")
    ann.hear_until("BEGIN")
    (table,) = tables(bob)["tables"]
    playing = {"phase": "playing", "round": 1, "people": ["ann", "bob"], "free": 0, "waits_for": 0}
    assert table == {**shown, **playing}


def test_tables_with_free_seats_come_first_and_those_of_one_player_each_last(opened: Open) -> None:
    house = opened()
    house.seat("JOIN ann")
    for seats in (1, 2, 3):
        house.join(f"OPEN seats={seats} bots=0 players=1", "JOIN a").hear_until("DECISION")
    assert [each["table"] for each in tables(house.connect())["tables"]] == [3, 4, 2, 1]


def test_a_dealer_whose_players_sit_together_shows_its_first_table(opened: Open) -> None:
    peer = opened(rules=CASINO, lobby=False).connect()
    shown = tables(peer)
    assert tables(peer) == shown
    assert (shown["opens"], [each["free"] for each in shown["tables"]]) == (False, [2])


def test_a_dealer_that_has_a_name_among_several_tells_it(opened: Open) -> None:
    for name in ("b2", None):
        peer = opened(name=name, rules=CASINO).connect()
        peer.say("WATCH")
        assert [each.get("dealer_name") for each in (look(peer), tables(peer))] == [name, name]


def test_the_answer_is_bounded_however_many_tables_there_are(opened: Open) -> None:
    house = opened()
    peers = [house.join("JOIN " + "x" * 32) for _ in range(MAX_LISTED + 5)]
    assert eventually(lambda: house.server.players == len(peers))
    line = house.join("TABLES").hear()
    shown = json.loads(line.removeprefix("TABLES "))
    assert len(line) < MAX_LIST_BYTES + 100
    assert len(shown["tables"]) + shown["more"] == len(peers)
    assert 30 < len(shown["tables"]) <= MAX_LISTED


def test_who_looks_at_the_tables_has_more_time_to_join(opened: Open) -> None:
    house = opened()
    peer = house.connect()
    tables(peer)
    clock = house.server._join_clock
    (before,) = clock._due.values()
    assert eventually(lambda: tables(peer) and next(iter(clock._due.values())) > before)
    peer.say("WATCH", "JOIN a")
    peer.hear_until("BEGIN")
    assert not clock._due


# How many people the first round waits for.


def test_the_first_round_waits_for_three_people(opened: Open) -> None:
    house = opened()
    ann = house.join("OPEN seats=5 bots=1 bot-policy=random players=3", "JOIN ann")
    shown = look(ann)
    assert shown["waits_for"] == 3
    while shown["waits_for"] == 3:
        shown = look(ann)
    assert shown["waits_for"] == 2
    bob = house.join("WATCH 1", "JOIN bob")
    assert look(ann)["waits_for"] == 1
    bob.say("QUIT")
    assert look(ann)["waits_for"] == 2  # who leaves before the first round is missing again
    bob = house.join("WATCH 1", "JOIN bob")
    assert look(ann)["waits_for"] == 1
    carl = house.join("WATCH 1", "JOIN carl")
    shown = look(ann)
    assert (shown["waits_for"], shown["phase"], shown["round"]) == (0, "playing", 1)
    assert [seat["name"] for seat in shown["seats"]] == ["ann", "bob", "carl", None, "bot-1"]
    for peer in (bob, carl):
        peer.hear_until("BEGIN")


def test_who_is_away_before_the_first_round_is_not_missing(opened: Open) -> None:
    house = opened()
    ann = house.join("OPEN seats=3 bots=0 players=2", "JOIN ann", f"KEEP {TOKEN}")
    assert eventually(lambda: house.server.players == 1)
    bob = house.join("WATCH 1")
    ann.close()
    assert eventually(lambda: tables(bob)["tables"][0]["away"] == 1)
    bob.say("JOIN bob")
    bob.hear_until("BEGIN")


def table_of(rules: Rules, people: int | None = None, settled: Settled = lambda *_: None) -> Table:
    return Table(rules, shoe_for(rules, seeded(1)), Budget(0), settled, gathering=Gathering(rules, people))


def test_a_table_waits_for_every_seat_unless_it_is_told_how_many_people() -> None:
    table = table_of(replace(PRESETS["casino"], seats=3))
    missing = [table.waits_for]
    for name in "abc":
        table.sit(Seat(name))
        missing.append(table.waits_for)
    assert missing == [3, 2, 1, 0]
    assert table.phase is Phase.PLAYING


def test_players_who_do_not_play_against_a_dealer_are_two_at_least() -> None:
    table, ann, bob = table_of(replace(PRESETS["showdown"], seats=3), 1), Seat("ann"), Seat("bob")
    table.sit(ann)
    assert (table.waits_for, table.phase) == (1, Phase.WAITING)
    table.sit(bob)
    assert (table.waits_for, table.phase) == (0, Phase.PLAYING)
    table.leave(bob)
    assert table.waits_for == 1  # for another round
    table.leave(ann)
    assert table.waits_for == 2


def test_bots_are_not_the_people_that_a_table_waits_for_and_only_people_start_it_again() -> None:
    table, ann, bob = table_of(replace(PRESETS["casino"], seats=4), 2), Seat("ann"), Seat("bob")
    table.sit(Seat("bot-1", is_bot=True))
    table.sit(ann)
    assert (table.waits_for, table.phase) == (1, Phase.WAITING)
    table.sit(bob)
    assert table.phase is Phase.PLAYING
    table.leave(ann)
    assert table.waits_for == 0  # it plays on with bob
    table.leave(bob)
    assert table.waits_for == 2


@pytest.mark.parametrize("players", ["0", "4", "x", "10", "-1"])
def test_no_more_people_than_seats_without_bots_can_be_waited_for(players: str) -> None:
    options = (("seats", "5"), ("bots", "2"), ("players", players))
    with pytest.raises(RefusalError, match="expected 1 to"):
        setup_from(OpenMessage(options))
    assert setup_from(OpenMessage((*options, ("players", "3")))).people == 3
    assert setup_from(OpenMessage(options[:2])).people == 3


# How long a seat is kept, and the shoe.


def test_how_long_the_table_waits_for_a_player_who_is_away_counts_down(opened: Open) -> None:
    house = opened(rules=CASINO, decision_clock=NEVER)
    ann, bob = keep(house), house.join("JOIN bob")
    ann.hear_until("DECISION")
    bob.say("WATCH")
    assert look(bob)["seats"][0]["kept"] is None
    ann.close()
    kept = [look(bob)["seats"][0]["kept"]]  # ann is asked
    for _ in range(MAX_MISSED - 1):
        house.let_the_clock_run_out()
        bob.hear_until("DECISION")
        kept.append(look(bob)["seats"][0]["kept"])
        bob.say("STAND")
        while (shown := look(bob))["turn"] != 0:
            pass
        kept.append(shown["seats"][0]["kept"])
    assert [round(seconds / NEVER, 1) for seconds in kept] == [MAX_MISSED, 2, 2, 1, 1]
    house.let_the_clock_run_out()
    seat = look(bob)["seats"][0]
    assert (seat["name"], seat["kept"]) == (None, None)


def test_a_seat_is_kept_without_end_where_the_table_waits_for_players(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann, bob = keep(house), house.join("WATCH")
    look(bob)
    assert eventually(lambda: house.server.players == 1)
    ann.close()
    while not (seat := look(bob)["seats"][0])["away"]:
        pass
    assert seat["kept"] is None


def dealt(round_: Round | None) -> int:
    """The cards on the table."""
    assert round_ is not None
    assert round_.dealer is not None
    return sum(len(hand.cards) for hand in round_.hands) + len(round_.dealer.cards)


def test_of_a_shoe_that_is_fresh_for_every_round_the_cards_of_the_round_are_gone() -> None:
    table, ann = table_of(replace(PRESETS["casino"], seats=1, decks=6, reshuffle=EveryRound())), Seat("ann")
    assert table.shoe == (312, 312, 1)
    table.sit(ann)
    for number in range(1, 6):
        while table.number == number:
            assert table.shoe == (312 - 4, 312, number)
            table.decide(ann, Decision.STAND)


def test_an_infinite_deck_has_no_number_of_cards() -> None:
    table = table_of(replace(PRESETS["course"], decks=None, reshuffle=EveryRound()))
    table.sit(Seat("ann"))
    assert table.shoe == (None, None, 1)


@pytest.mark.parametrize("reshuffle", ["penetration:0.75", "cutoff:5"])
def test_the_cards_since_a_shoe_was_fresh_are_those_that_it_lacks(reshuffle: str) -> None:
    rules = {"preset": "casino", "decks": "1", "seats": "1", "reshuffle": reshuffle}
    over: list[int] = []  # cards of each round that is over
    table = table_of(rules_from(rules), settled=lambda round_, _: over.append(dealt(round_)))
    ann = Seat("ann")
    table.sit(ann)
    firsts = set()
    while table.number < 100:
        left, size, fresh = table.shoe
        assert (left, size) == (52 - sum([*over, dealt(table.round)][fresh - 1 :]), 52)
        firsts.add(fresh)
        table.decide(ann, Decision.HIT)
    assert len(firsts) > 5


# Names.


def test_a_name_of_any_letters_is_text_to_those_who_watch_and_a_word_in_a_message(
    opened: Open, tmp_path: Path
) -> None:
    history, log = tmp_path / "history.jsonl", tmp_path / "log.jsonl"
    files = {"history": history, "log": log, "tokens": {"ann lee": "s3cret"}}
    house = opened(rules=replace(PRESETS["showdown"], seats=2), rounds=1, **files)
    watcher = house.join("WATCH")
    look(watcher)
    thief = house.join("JOIN ann%20lee")
    assert "the name ann lee is kept for its owner: expected JOIN ann%20lee token=" in thief.hear()
    ann = house.join("JOIN ann%20lee token=s3cret")
    assert [seat["name"] for seat in look(watcher)["seats"]] == ["ann lee", None]
    bob = house.join("SHOW", "JOIN %D0%91%D0%BE%D0%B1")
    ann.answer("STAND")
    bob.answer("STAND")
    (seat,) = [line for line in bob.rest() if line.startswith("SEAT")]
    assert seat.startswith("SEAT 1 ann%20lee ")
    assert any("Боб sits down" in table["log"] for table in seen.tables(watcher.rest()))
    assert [row.name for row in house.server.ledger.rows()] == ["ann lee", "Боб"]
    house.wait()
    assert json.loads(history.read_text())["names"] == ["ann lee", "Боб"]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["name"] for line in lines if line["event"] == "joined"] == ["ann lee", "Боб"]
