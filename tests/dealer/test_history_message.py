"""HISTORY: rounds of a running table that are seen again, on real sockets."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Event
from typing import Any, Final, cast

import pytest

from cards import PRESETS, Bets, Round
from dealer.tables import recent
from dealer.tables.recent import Recent
from tests.dealer.conftest import Open
from tests.dealer.seen import TOKEN
from tests.helpers.house import deal, kinds, room, sit, stand
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import BlockingPeer

CASINO: Final = PRESETS["casino"]
VEGAS: Final = replace(PRESETS["vegas"], seats=1)
TWO_ROUNDS: Final = (
    "Ten of Spades, Two of Spades, Ten of Clubs, Ten of Diamonds, Four of Clubs,"
    "Ten of Hearts, Nine of Hearts, Seven of Clubs, Ten of Diamonds"
)
"""ann has 12 against a ten, hits to 16 and stands on it against 20."""


def round_of(line: str) -> tuple[int, int, dict[str, Any]]:
    """What a HISTORY says: which round, of how many, and the round."""
    verb, back, rounds, text = line.split(" ", 3)
    assert verb == "HISTORY", line
    return int(back), int(rounds), json.loads(text)


def ask(peer: BlockingPeer, back: int) -> tuple[int, int, dict[str, Any]]:
    peer.say(f"HISTORY {back}")
    return round_of(peer.hear_until("HISTORY")[-1])


def watching(opened: Open, cards: str = "", **options: Any) -> BlockingPeer:
    """A player at a table that it watches, which deals these cards first."""
    house = opened(**{"rules": CASINO} | options)
    if cards:
        deal(house, cards)
    return house.join("WATCH", "JOIN ann")


def last_round(peer: BlockingPeer) -> dict[str, Any]:
    return ask(peer, 1)[2]


def decisions(line: dict[str, Any], key: str) -> list[list[Any]]:
    """What a round says under this key of each decision, by hands."""
    hands = [hand for seat in line["seats"] for hand in seat["hands"]]
    return [[decision[key] for decision in hand["decisions"]] for hand in hands]


def test_a_round_is_told_with_what_each_decision_cost(opened: Open) -> None:
    ann = watching(opened, TWO_ROUNDS, rounds=2)
    ann.answer("HIT", "STAND", "REVIEW")
    review = ann.hear_until("REVIEW")[-1].split()
    back, rounds, line = ask(ann, 1)
    assert (back, rounds) == (1, 1)
    assert (line["round"], line["table"], line["names"]) == (1, 1, ["ann"])
    assert decisions(line, "decision") == [["HIT", "STAND"]]
    assert decisions(line, "cost") == [[0, pytest.approx(float(review[3]), abs=1e-6)]]
    assert float(review[3]) > 0
    assert decisions(line, "best") == [["HIT", "HIT"]]  # 12 and 16 against a ten: basic strategy hits both


def test_the_line_is_that_of_the_history_file_but_for_its_number_and_the_costs(opened: Open) -> None:
    """Each connection that asks gets the same, but for its own place."""
    house = opened(rules=CASINO)
    ann, onlooker = house.join("WATCH", "JOIN ann"), house.connect()
    ann.answer("STAND")
    ann.hear_until("RESULT")
    onlooker.say("WATCH 1")
    onlooker.hear_until("TABLE")
    line, of_onlooker = last_round(ann), last_round(onlooker)
    assert (line.pop("you"), of_onlooker.pop("you")) == (0, None)
    assert (line.pop("your_round"), of_onlooker.pop("your_round")) == (1, None)
    assert of_onlooker == line
    keys = "version round table time rules names records outcomes payoffs seats"
    assert set(line) == set(keys.split())


def test_the_costs_of_a_split_stand_with_their_hands(opened: Open) -> None:
    """Each hand has its own, though the questions came one after the other."""
    pair = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs"
    drawn = "Three of Hearts, Ten of Diamonds, Ten of Hearts, Six of Diamonds"
    ann = watching(opened, f"{pair}, {drawn}", rules=VEGAS)
    ann.answer("SPLIT", "HIT", "STAND", "STAND", "REVIEW")
    review = ann.hear_until("REVIEW")[-1].split()
    each = [float(cost) for cost in review[5::3]]
    line = last_round(ann)
    assert [cost for hand in decisions(line, "cost") for cost in hand] == pytest.approx(each, abs=1e-6)
    assert decisions(line, "decision") == [["SPLIT", "HIT", "STAND"], ["STAND"]]
    assert max(each) > 0.1
    assert [best for hand in decisions(line, "best") for best in hand] == review[6::3]
    assert review[6] == "SPLIT"


def test_a_round_without_a_decision_is_told_without_costs(opened: Open) -> None:
    natural = "Ace of Spades, King of Spades, Seven of Clubs, Ten of Clubs"
    ann = watching(opened, f"{natural}, Ten of Hearts, Nine of Hearts, Six of Clubs", rules=VEGAS)
    ann.hear_until("DECISION")  # of the second round
    line = last_round(ann)
    assert (line["round"], line["outcomes"], line["payoffs"]) == (1, ["WIN"], ["+1.5"])
    assert decisions(line, "cost") == [[]]


def test_you_is_the_place_of_whoever_asks_whatever_the_names(opened: Open) -> None:
    """Two players of one name at one table."""
    house = opened(rules=replace(CASINO, seats=2))
    deal(house, "Eight of Clubs, Nine of Clubs, Eight of Hearts, Nine of Hearts, Seven of Clubs")
    players = sit(house, "ann", "ann")
    house.join("WATCH").hear_until("TABLE")
    stand(*players)
    assert [last_round(peer)["you"] for peer in players] == [0, 1]


def test_who_comes_back_is_still_told_which_seat_was_theirs(opened: Open) -> None:
    """The connection is another one; the seat is the same."""
    house = opened(rules=CASINO)
    ann = house.join("WATCH", "JOIN ann", f"KEEP {TOKEN}")
    ann.answer("STAND")
    ann.hear_until("RESULT")
    ann.close()
    back = house.join(f"RESUME {TOKEN}", "WATCH")
    back.hear_until("TABLE")
    assert last_round(back)["you"] == 0


def test_the_open_round_is_not_told(opened: Open) -> None:
    ann = watching(opened)
    ann.answer("HISTORY 1")
    assert ann.hear_until("REFUSED")[-1] == (
        "REFUSED no-round no round is kept yet:"
        " a table's rounds are kept from its first WATCH, HISTORY or KEEP on"
    )
    ann.say("STAND")
    ann.hear_until("DECISION")
    assert last_round(ann)["round"] == 1
    ann.say("HISTORY 2")
    assert ann.hear_until("REFUSED")[-1] == "REFUSED no-round that round is not kept: only the last one is"


def test_a_hole_card_that_nobody_saw_is_not_told(opened: Open) -> None:
    """Where the shoe is kept it would tell of the cards to come."""
    bust = "Ten of Spades, Six of Hearts, Six of Clubs, Nine of Clubs, Ten of Hearts"
    ann = watching(opened, f"{bust}, Ten of Clubs, Six of Spades, Nine of Hearts, Nine of Diamonds")
    ann.answer("HIT")
    assert ann.hear_until("RESULT")[-1] == "RESULT BUST"
    ann.hear_until("DECISION")
    records = last_round(ann)["records"]
    assert {"record": "upcard", "card": "Six of Clubs"} in records
    assert {"record": "hole card", "card": None} in records


def test_without_a_table_there_is_no_round_and_at_one_that_nobody_watched_none_is_kept(opened: Open) -> None:
    ann = opened(rules=CASINO).join("HISTORY 1")
    assert ann.hear().startswith("ERROR HISTORY is for the table that you watch or sit at")
    ann.say("JOIN ann")
    ann.answer("STAND")
    ann.answer("HISTORY 1")
    assert ann.hear().startswith("ERROR no round is kept yet: ")
    ann.say("STAND")  # from the first HISTORY on they are kept
    ann.hear_until("DECISION")
    assert last_round(ann)["round"] == 2


def test_at_a_table_without_a_dealer_all_hands_are_told_once_it_is_over(opened: Open) -> None:
    house = opened(rules=replace(PRESETS["showdown"], seats=2))
    ann, bob = house.join("WATCH", "JOIN ann"), house.connect()
    ann.hear_until("TABLE")
    bob.say("JOIN bob")
    ann.answer("STAND")
    bob.hear_until("DECISION")
    ann.say("HISTORY 1")
    assert ann.hear_until("REFUSED")[-1].startswith("REFUSED no-round")
    bob.say("STAND")
    ann.hear_until("RESULT")
    line = last_round(ann)
    assert line["names"] == ["ann", "bob"]
    assert list(map(len, decisions(line, "cost"))) == [1, 1]


A_ROUND: Final = cast(Round, object())
"""A round at which nobody looks."""


def rounds_kept(kept: Recent, table: int) -> list[int]:
    found = [kept.get(table, back) for back in range(1, kept.count(table) + 1)]
    return [one.number for one in found if one is not None]


def test_only_the_last_rounds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one table so many, and of all together; the oldest give way."""
    monkeypatch.setattr(recent, "RECENT_ROUNDS", 3)
    monkeypatch.setattr(recent, "MAX_RECENT", 5)
    kept = Recent()
    for table in (1, 2):
        kept.begin(table)
    for number in range(1, 6):
        kept.add(1, number, A_ROUND, [])
    assert rounds_kept(kept, 1) == [5, 4, 3]
    for number in range(1, 4):
        kept.add(2, number, A_ROUND, [])
    assert (rounds_kept(kept, 1), rounds_kept(kept, 2)) == ([5, 4], [3, 2, 1])
    kept.add(3, 1, A_ROUND, [])
    assert rounds_kept(kept, 3) == []  # nobody has watched it
    kept.forget(2)
    assert (rounds_kept(kept, 1), rounds_kept(kept, 2)) == ([5, 4], [])
    assert kept.get(1, 3) is None


def test_a_round_that_is_forgotten_while_its_costs_are_found_is_told_all_the_same(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "MAX_RECENT", 1)
    house = opened(rules=CASINO)
    ann = house.join("WATCH", "JOIN ann")
    background, may_go_on = house.server._reception._background, Event()
    background._worker.submit(may_go_on.wait, PATIENCE)
    ann.answer("STAND", "HISTORY 1")
    assert eventually(lambda: background._results)
    bob = house.join("OPEN seats=1 bots=0", "WATCH 2", "JOIN bob")
    bob.answer("STAND")
    bob.hear_until("RESULT")
    assert room(house, 1).recent.count(1) == 0
    may_go_on.set()
    back, rounds, line = round_of(ann.hear_until("HISTORY")[-1])
    assert (back, rounds, line["round"], line["table"]) == (1, 1, 1, 1)


def test_a_round_that_is_over_while_costs_are_found_is_the_last_one(opened: Open) -> None:
    """Whoever comes back subtracts the RESULTs before the answer: it must know of the same rounds."""
    house = opened(rules=replace(CASINO, seats=2))
    ann, bob = sit(house, "ann", "bob")
    ann.answer(f"KEEP {TOKEN}", "STAND")
    stand(bob)
    ann.hear_until("RESULT")
    background, may_go_on = house.server._reception._background, Event()
    background._worker.submit(may_go_on.wait, PATIENCE)
    ann.answer("STAND", "HISTORY 1")
    assert eventually(lambda: background._results)
    bob.answer("STAND")
    ann.hear_until("RESULT")
    may_go_on.set()
    _, rounds, line = round_of(ann.hear_until("HISTORY")[-1])
    assert (rounds, line["round"], line["your_round"]) == (2, 2, 2)


def test_who_watches_is_told_the_last_round_before_quit(opened: Open) -> None:
    """Nothing can be asked behind QUIT. What costs the first round has is known, since it was asked for."""
    ann = watching(opened, TWO_ROUNDS, rounds=2)
    ann.answer("HIT", "STAND", "HISTORY 1")
    heard = ann.hear_until("DECISION")
    heard = heard if "HISTORY" in kinds(heard) else ann.hear_until("HISTORY")
    ann.say("STAND")
    told = [line for line in ann.hear_until("QUIT") if line.startswith("HISTORY")]
    back, rounds, line = round_of(told[-1])
    assert (back, rounds, line["round"], line["you"]) == (1, 2, 2, 0)
    assert decisions(line, "decision") == [["STAND"]]
    assert list(map(len, decisions(line, "cost"))) == [1]


def test_a_program_that_does_not_watch_hears_nothing_new_before_quit(opened: Open) -> None:
    ann = opened(rounds=1, rules=CASINO, seed=1).join("JOIN ann")
    ann.answer("STAND")
    assert kinds(ann.hear_until("QUIT")) == ["RESULT", "QUIT"]


def test_who_has_no_chips_left_is_told_the_round_that_took_them(opened: Open) -> None:
    rules = replace(VEGAS, bets=Bets(10, 80), bankroll=10)
    ann = watching(opened, "Ten of Spades, Six of Spades, Ten of Clubs, Ten of Diamonds", rules=rules)
    ann.answer("BET 10")
    ann.answer("STAND")
    heard = ann.hear_until("QUIT")
    line = round_of(next(line for line in heard if line.startswith("HISTORY")))[2]
    assert (line["you"], line["payoffs"]) == (0, ["-1"])
