"""KEEP and RESUME on real sockets: seats that are kept for players whose connections are lost."""

from __future__ import annotations

import json

import pytest

from cards import Rules
from dealer.tables.seat import MAX_MISSED
from tests.dealer.conftest import Open, on_each_loop
from tests.dealer.seen import CASINO, TOKEN, back, keep, look_until_seated, seats_of
from tests.helpers.house import House, deal, room, stand
from tests.helpers.patience import eventually


def vanish(house: House) -> None:
    """Join, keep the seat and lose the connection; return once that has been noticed."""
    keep(house).close()
    assert eventually(lambda: [seat.is_away for seat in seats_of(house)] == [True])


@on_each_loop
@pytest.mark.parametrize("ending", ["close", "reset", "close_side"])
def test_a_kept_seat_waits_for_its_player(opened: Open, ending: str) -> None:
    house = opened(rounds=1)
    deal(house, "Ten of Spades, Two of Spades, Ten of Clubs, Ten of Diamonds, Four of Clubs")
    ann = keep(house)
    ann.answer("HIT")
    ann.hear_until("DECISION")
    getattr(ann, ending)()
    assert eventually(lambda: house.server.players == 0)
    assert house.server.open_rounds == 1
    again = back(house)
    cards = ["CARD Ten of Spades", "CARD Two of Spades", "DEALER Ten of Clubs", "CARD Four of Clubs"]
    assert again.hear_until("DECISION") == ["BEGIN", *cards, "DECISION"]
    again.say("STAND")
    assert again.rest() == ["RESULT LOOSE", "QUIT"]
    house.wait()


def test_others_see_that_a_player_is_away_and_the_clock_decides(opened: Open) -> None:
    house = opened(rules=CASINO)
    ann = keep(house)
    assert eventually(lambda: house.server.players == 1)
    bob = house.join("JOIN bob", "WATCH")
    ann.hear_until("DECISION")
    ann.close()
    assert eventually(lambda: [seat.is_away for seat in room(house).table.seats if seat] == [True, False])
    for _ in range(MAX_MISSED - 1):
        house.let_the_clock_run_out()
        bob.answer("STAND")
        bob.hear_until("BEGIN")  # and ann is asked again
    house.let_the_clock_run_out()
    assert eventually(lambda: room(house).table.seats[0] is None)  # at the third time it is given up
    late = back(house)
    assert late.hear().startswith("REFUSED not-kept no seat is kept under this token: expected JOIN")


def test_of_two_connections_with_one_token_the_later_has_the_seat(opened: Open) -> None:
    house = opened()
    ann = keep(house)
    ann.hear_until("DECISION")
    other = back(house)
    assert other.hear_until("DECISION")[0] == "BEGIN"
    assert ann.rest() == ["ERROR your seat was taken over by another connection of yours"]
    other.say("STAND")
    assert other.hear_until("RESULT")[-1].startswith("RESULT")
    assert house.server.players == 1
    bob = keep(house, "bob")  # a token is for one seat
    assert bob.hear_until("ERROR")[-1].startswith("ERROR another seat is kept under this token")


def test_who_says_quit_keeps_nothing(opened: Open) -> None:
    house = opened()
    ann = keep(house)
    ann.answer("QUIT")
    assert ann.rest() == ["RESULT LOOSE", "QUIT"]
    again = back(house)
    assert again.hear().startswith("REFUSED not-kept no seat is kept")
    again.say("JOIN ann")  # which is still possible
    assert again.hear_until("DECISION")[-1] == "DECISION"


def vanish_at(house: House, number: int, **addresses: str) -> str:
    """Keep a seat and lose the connection; return the token once that has been noticed."""
    token = f"{number:022}"
    peer = keep(house, token=token, **addresses)
    peer.hear_until("DECISION")
    peer.reset()
    assert eventually(lambda: house.server._reception.seating._away and not house.server.players)
    return token


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
    tokens = [honest, *(vanish_at(house, number) for number in (1, 2, 3))]
    assert house.server.open_rounds == 3
    assert [back(house, token).hear() == "BEGIN" for token in tokens] == [True, False, True, True]


def test_a_dealer_ends_though_somebody_is_away(opened: Open) -> None:
    house = opened(decision_clock=600)
    vanish(house)
    house.stop(grace=0.1)
    house.wait()


def test_a_lost_connection_does_not_prolong_the_pause_of_the_others(opened: Open) -> None:
    house = opened(rules=CASINO, pause=600)
    ann = keep(house)
    assert eventually(lambda: house.server.players == 1)
    bob = house.join("JOIN bob")
    stand(ann, bob)
    bob.say("NEXT")
    ann.close()
    assert bob.hear() == "BEGIN"


def test_who_comes_back_watches_the_table_of_the_seat_and_is_shown_as_back_at_once(opened: Open) -> None:
    house = opened()
    house.seat("JOIN first")
    keep(house).close()
    assert eventually(lambda: house.server.open_rounds == 2 and house.server.players == 1)
    shown = look_until_seated(house.join("WATCH", f"RESUME {TOKEN}"))
    assert (shown["table"], shown["you"]) == (2, 0)
    assert [(seat["name"], seat["away"]) for seat in shown["seats"]] == [("ann", False)]


def test_who_comes_back_before_a_round_is_shown_the_seat_and_may_be_behind(opened: Open) -> None:
    house = opened(rules=CASINO)
    vanish(house)
    back = house.connect("classic")
    with house.held():
        back.say(*["WATCH"] * 20, f"RESUME {TOKEN}")
    shown = look_until_seated(back)
    assert (shown["you"], shown["seats"][0]["away"]) == (0, False)


def test_the_last_round_of_a_player_who_was_sent_away_is_told_once_more(opened: Open) -> None:
    """Its RESULT and the QUIT may be lost with the connection."""
    house = opened()
    peer = house.join("JOIN a 2", f"KEEP {TOKEN}")
    for _ in range(2):
        peer.hear_until("DECISION")
        peer.say("STAND")
    peer.hear_until("QUIT")
    for _ in range(2):  # and again, if the answer is lost too
        line, *rest = house.join(f"RESUME {TOKEN}", "HISTORY 1").rest()
        assert (line.split()[:3], rest) == (["HISTORY", "1", "2"], ["QUIT"])
        told = json.loads(line.split(" ", 3)[3])
        assert (told["you"], told["your_round"]) == (0, 2)


def test_rounds_are_kept_from_keep_on_and_are_numbered_by_the_seat(opened: Open) -> None:
    """The second player of a table has rounds of its own, whatever the table has dealt."""
    house = opened(rules=Rules(seats=2), players=1)
    first = house.join("JOIN a", f"KEEP {TOKEN}")
    first.hear_until("DECISION")
    second = house.join("JOIN b")
    assert eventually(lambda: house.server.players == 2)
    first.say("STAND")
    stand(first, second)
    for peer, number in ((first, 2), (second, 1)):
        peer.say("HISTORY 1")
        (line,) = [line for line in peer.hear_until("HISTORY") if line.startswith("HISTORY")]
        told = json.loads(line.split(" ", 3)[3])
        assert (told["round"], told["your_round"]) == (2, number)
