"""The whole game on real sockets: play, bets, what each fault gets, lost connections, and old clients."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

import protocol
from cards import (
    PRESETS,
    Bets,
    Decision,
    Double,
    EveryRound,
    Rules,
    SplitAces,
    StackedShoe,
    Surrender,
    seeded,
)
from dealer.tables.seat import MAX_MISSED
from exact.whole.advice import WholeAdviser, adviser_for
from policies.hands import UPCARDS
from policies.policy import Situation
from tests.dealer.conftest import Open
from tests.dealer.test_classic import TRIALS, complaint
from tests.dealer.test_watching import look
from tests.helpers.house import House, kinds, stacked
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import BlockingPeer

VEGAS: Final = PRESETS["vegas"]
BETS: Final = replace(VEGAS, bets=Bets(10, 80), bankroll=500)
SHARED: Final = replace(BETS, seats=2)

TOKEN: Final = "0123456789abcdefghijkl"

NINETEEN: Final = "Ten of Spades, Nine of Spades, Seven of Clubs, Ten of Clubs"
EIGHTS: Final = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs"
ACES: Final = "Ace of Spades, Ace of Hearts, Six of Clubs, Ten of Clubs"
ACE_UP: Final = "Ten of Spades, Nine of Spades, Ace of Clubs, King of Clubs"

QUESTION: Final = "DECISION BET 10 80 500"


def deal(house: House, cards: str) -> None:
    """Let every table deal these cards first."""
    house.server.shoes = lambda _, __: StackedShoe(stacked(cards), seeded(1))


def at_a_table(opened: Open, cards: str, rules: Rules = VEGAS, **options: Any) -> tuple[House, BlockingPeer]:
    """A player who has just been asked something for the first time, at a dealer of these cards."""
    house = opened(rules=rules, **options)
    deal(house, cards)
    return house, house.seat("JOIN ann")


def chips(house: House) -> dict[str, Any]:
    """The chips of those who sit at the only table."""
    (room,) = house.server.rooms.values()
    return {seat.name: seat.bankroll for seat in room.table.seats if seat is not None}


# Play.


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
def test_four_hands_with_a_double_in_one_of_them(opened: Open, wire_format: str) -> None:
    house = opened(rules=VEGAS, rounds=1)
    deal(
        house,
        EIGHTS + ", Eight of Clubs, Three of Spades, Ten of Hearts, Eight of Diamonds, Ten of Diamonds,"
        "Two of Spades, Nine of Spades, Five of Spades, Four of Clubs",
    )
    ann = house.connect(wire_format)
    ann.say("JOIN ann")
    heard = []
    for answer in ("SPLIT", "SPLIT", "DOUBLE", "SPLIT", "STAND", "HIT", "STAND", "STAND"):
        heard += ann.hear_until("DECISION")
        ann.say(answer)
    heard += ann.rest()
    assert [line for line in heard if line.startswith("HAND")] == [
        "HAND 1 2",
        "HAND 1 3",
        "HAND 2 3",
        "HAND 2 4",
        "HAND 3 4",
        "HAND 4 4",
        "HAND 1 4 WIN +2",
        "HAND 2 4 LOOSE -1",
        "HAND 3 4 LOOSE -1",
        "HAND 4 4 LOOSE -1",
    ]
    assert heard[-2:] == ["RESULT LOOSE -1", "QUIT"]
    house.wait()
    assert house.tally("ann").mean_payoff == -1


def test_a_round_of_bets_insurance_and_payoffs_in_chips(opened: Open) -> None:
    house, ann = at_a_table(opened, ACE_UP, BETS, rounds=1)
    ann.say("BET 25")
    assert ann.hear_until("DECISION")[-1] == "DECISION INSURE DECLINE"
    ann.say("INSURE")
    assert ann.rest() == ["DEALER King of Clubs", "RESULT PUSH 0", "QUIT"]
    house.wait()


@pytest.mark.parametrize(("bets", "follows"), [(Bets(10, 80), "DECISION BET"), (None, "BEGIN")])
def test_a_fresh_shoe_is_told_before_the_bets_that_may_go_by_its_count(
    opened: Open, bets: Bets | None, follows: str
) -> None:
    reno = replace(PRESETS["reno"], bets=bets)  # one deck, with fewer than 26 cards left made fresh
    house = opened(rules=reno, rounds=30, seed=3)
    heard = house.join("JOIN ann").play()
    after = [heard[number + 1] for number, line in enumerate(heard) if line == "SHUFFLE"]
    assert 4 <= len(after) < 15
    assert all(line.startswith(follows) for line in after)
    house.wait()


def test_no_shoe_that_is_fresh_in_every_round_is_told_of(opened: Open) -> None:
    house = opened(rules=replace(PRESETS["reno"], reshuffle=EveryRound()), rounds=10, seed=3)
    assert "SHUFFLE" not in house.join("JOIN ann").play()
    house.wait()


def test_the_dealers_cards_are_told_to_who_has_stayed_to_the_end(opened: Open) -> None:
    _, ann = at_a_table(opened, NINETEEN, VEGAS, rounds=1)
    ann.say("STAND")
    assert ann.rest() == ["DEALER Ten of Clubs", "RESULT WIN +1", "QUIT"]


def test_table_tells_hands_stakes_and_chips(opened: Open) -> None:
    house, ann = at_a_table(opened, EIGHTS + ", Three of Spades, Ten of Hearts, Ten of Diamonds", BETS)
    watcher = house.connect()
    watcher.say("WATCH")
    shown = look(watcher)
    assert (shown["phase"], shown["turn"], shown["hand"], shown["options"]) == ("betting", None, None, [])
    assert shown["seats"][0]["bankroll"] == "500"
    assert shown["seats"][0]["bet"] is None
    assert "hands" not in shown["seats"][0]
    ann.say("BET 20")
    while (shown := look(watcher))["phase"] != "playing":
        pass
    assert shown["options"] == ["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER"]
    ann.say("SPLIT")
    assert look(watcher)["hand"] == 1
    ann.say("DOUBLE")
    shown = look(watcher)
    seat = shown["seats"][0]
    assert (shown["hand"], seat["bankroll"], seat["bet"], seat["insured"]) == (2, "500", "20", False)
    assert [hand["stake"] for hand in seat["hands"]] == ["40", "20"]
    assert seat["payoff"] is None
    assert seat["hands"][1]["cards"] == ["Eight of Hearts", "Ten of Diamonds"]
    assert seat["cards"] == seat["hands"][0]["cards"]
    ann.say("STAND")
    ann.hear_until("RESULT")
    seats = []
    while shown["phase"] != "betting" or shown["round"] == 0:
        shown = look(watcher)
        seats.append(shown["seats"][0])
    ended = seats[-1]
    payoffs = [int(hand["payoff"]) for hand in ended["hands"]]
    assert int(ended["bankroll"]) == 500 + sum(payoffs)
    assert int(ended["payoff"]) == sum(payoffs)
    assert ended["score"] == sum(payoffs) / 20
    lines = shown["log"]
    assert "ann splits Eight of Spades and Eight of Hearts" in lines
    assert "ann doubles hand 1 and gets Ten of Hearts: 21" in lines


SPEC: Final = (Path(protocol.__file__).with_name("SPEC.md")).read_text(encoding="utf-8")

ROUND: Final = re.compile(r"(?:^    [<>] .*\n)+", re.MULTILINE)

CONVERSATIONS: Final = [
    block.replace("    ", "").splitlines()
    for block in ROUND.findall(SPEC.partition("## The whole game\n")[2])[:3]
]
"""The rounds that SPEC.md shows: four hands with bets, insurance that is won, and insurance that is lost."""


def cards_of(conversation: list[str]) -> str:
    """The cards of a round in the order in which they are dealt: the hole card comes behind the upcard."""
    lines = [line.removeprefix("< ") for line in conversation]
    drawn = [line.removeprefix("CARD ") for line in lines if line.startswith("CARD ")]
    upcard, hole_card, *later = [line.removeprefix("DEALER ") for line in lines if line.startswith("DEALER ")]
    return ", ".join([*drawn[:2], upcard, hole_card, *drawn[2:], *later])


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=["four hands", "insurance won", "insurance lost"])
def test_the_rounds_of_spec_are_played_by_the_dealer(
    opened: Open, conversation: list[str], wire_format: str
) -> None:
    house = opened(rules=BETS if "> BET 10" in conversation else VEGAS, rounds=1)
    deal(house, cards_of(conversation))
    ada = house.connect(wire_format)
    if conversation[0] != "> JOIN ada 1":
        ada.say("JOIN ada 1")
    for line in conversation:
        if line.startswith("> "):
            ada.say(line.removeprefix("> "))
        else:
            assert ada.hear() == line.removeprefix("< ")


# Faults. Each gets an ERROR with what is expected, and nothing changes.


def refused(peer: BlockingPeer, line: str) -> str:
    """What is said to a line that is refused, though another answer comes right behind it."""
    peer.say(line)
    answer = peer.hear()
    assert answer.startswith("ERROR "), answer
    return answer


@pytest.mark.parametrize(
    ("cards", "before", "line", "expected"),
    [
        (NINETEEN, [], "SPLIT", "expected HIT, STAND, DOUBLE, SURRENDER"),
        (NINETEEN, [], "INSURE", "expected HIT, STAND, DOUBLE, SURRENDER"),
        (NINETEEN, [], "DECLINE", "expected HIT, STAND, DOUBLE, SURRENDER"),
        (NINETEEN, [], "BET 10", "expected HIT, STAND, DOUBLE, SURRENDER"),
        (EIGHTS + ", Two of Spades", ["HIT"], "DOUBLE", "expected HIT, STAND"),
        (EIGHTS + ", Two of Spades", ["HIT"], "SURRENDER", "expected HIT, STAND"),
        (EIGHTS + ", Two of Spades", ["SPLIT"], "SURRENDER", "expected HIT, STAND, DOUBLE"),
        (
            EIGHTS + ", Eight of Clubs, Eight of Diamonds, Two of Clubs",
            ["SPLIT"] * 3,
            "SPLIT",
            "expected HIT",
        ),
        (ACES + ", Ace of Clubs", ["SPLIT"], "DOUBLE", "expected STAND"),
        (ACE_UP, [], "DOUBLE", "expected INSURE, DECLINE"),
        (ACE_UP, [], "SURRENDER", "expected INSURE, DECLINE"),
    ],
)
def test_what_is_not_offered_is_refused_and_changes_nothing(
    opened: Open, cards: str, before: list[str], line: str, expected: str
) -> None:
    house, ann = at_a_table(opened, cards)
    for answer in before:
        ann.say(answer)
        ann.hear_until("DECISION")
    (room,) = house.server.rooms.values()
    assert room.table.round is not None
    records = list(room.table.round.records)
    answer = refused(ann, line)
    assert expected in answer
    assert line.split()[0] in answer
    assert room.table.round.records == records
    ann.say("STAND")
    assert ann.hear().startswith(("HAND", "DEALER", "CARD", "DECISION"))


@pytest.mark.parametrize(
    "bet",
    [
        "BET",
        "BET 0",
        "BET 9",
        "BET 81",
        "BET 501",
        "BET -10",
        "BET +10",
        "BET 10.5",
        "BET 1e3",
        "BET 010",
        "BET 10 10",
        "BET ten",
        "BET \N{ARABIC-INDIC DIGIT ONE}\N{ARABIC-INDIC DIGIT ZERO}",
        "BET " + "1" * 200,
        "DOUBLE",
        "DECLINE",
        "INSURE",
        "10",
    ],
)
def test_a_bet_that_may_not_be_is_refused_and_changes_nothing(opened: Open, bet: str) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    assert ": expected BET <chips> from 10 to 80" in refused(ann, bet)
    (room,) = house.server.rooms.values()
    assert (house.server.rounds, chips(house)) == (0, {"ann": 500})
    assert room.table.seats[0] in room.table.bettors
    ann.say("BET 10")
    assert ann.hear() == "BEGIN"


def test_a_bet_of_300_digits_is_a_line_too_long(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    ann.say("BET " + "1" * 300)
    assert ann.hear().startswith("ERROR ")
    assert ann.rest() == ["QUIT"]
    assert house.server.rounds == 0


def test_a_bet_before_it_is_asked_is_refused(opened: Open) -> None:
    house = opened(rules=SHARED)
    deal(house, NINETEEN)
    ann = house.join("JOIN ann")
    assert "before DECISION" in refused(ann, "BET 10")
    house.join("JOIN bob")
    assert ann.hear() == QUESTION


def test_the_third_violation_before_a_round_costs_nothing(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    ann.say("BET 0", "BET 0", "BET 0")
    assert kinds(ann.rest()) == ["ERROR", "ERROR", "ERROR", "QUIT"]
    assert house.server.rounds == 0


def test_a_flood_of_bets_stakes_the_first_and_holds_up_nobody(opened: Open) -> None:
    house = opened(rules=BETS)
    flood = house.connect()
    flood.say("JOIN flood", *["BET 10"] * 500)
    honest = house.seat("JOIN honest 1")
    honest.say("BET 10")
    while not (heard := honest.hear_until("DECISION", "RESULT"))[-1].startswith("RESULT"):
        honest.say("STAND")
    assert heard
    assert "QUIT" in flood.rest()


# Practice.


def asked(cards: str, upcard: int, options: str, *, is_split: bool = False) -> Situation:
    words = tuple(Decision(word) for word in options.split())
    return Situation(tuple(map(int, cards.split())), upcard, is_split, words)


PLAY: Final = "HIT STAND DOUBLE"
EIGHT_AGAINST_SIX: Final = asked("8 8", 6, f"{PLAY} SPLIT SURRENDER")
ELEVEN_OF_A_SPLIT: Final = asked("3 8", 6, PLAY, is_split=True)
EIGHTEEN_OF_A_SPLIT: Final = asked("8 10", 6, PLAY, is_split=True)
NINETEEN_AGAINST_SEVEN: Final = asked("9 10", 7, f"{PLAY} SURRENDER")
EARLY: Final = replace(VEGAS, surrender=Surrender.EARLY)


def hinted(peer: BlockingPeer) -> tuple[str, float]:
    peer.say("HINT")
    verb, decision, cost = peer.hear().split()
    assert verb == "HINT"
    return decision, float(cost)


def advised(asked: Situation, rules: Rules = VEGAS) -> tuple[str, float]:
    decision, cost = adviser_for(rules).advise(asked)
    return decision.value, float(f"{cost:.6f}")


def test_each_decision_of_a_round_is_hinted_and_reviewed_by_exact_values(opened: Open) -> None:
    _, ann = at_a_table(opened, f"{EIGHTS}, Three of Clubs, Ten of Hearts, Ten of Spades", practice=True)
    assert hinted(ann) == advised(EIGHT_AGAINST_SIX)
    ann.say("SPLIT")
    ann.hear_until("DECISION")
    decision, lost = hinted(ann)
    assert (decision, lost) == advised(ELEVEN_OF_A_SPLIT) and decision == "DOUBLE"
    ann.say("HIT")
    ann.hear_until("DECISION")
    assert hinted(ann)[0] == "STAND"
    ann.say("STAND")
    ann.hear_until("DECISION")
    assert hinted(ann) == advised(EIGHTEEN_OF_A_SPLIT)
    ann.say("STAND", "REVIEW")
    told = ann.hear_until("REVIEW")[-1]
    cost = adviser_for(VEGAS).cost(ELEVEN_OF_A_SPLIT, Decision.HIT)
    assert told == (
        f"REVIEW 4 1 {cost:.6f} SPLIT 0.000000 SPLIT HIT {cost:.6f} DOUBLE"
        " STAND 0.000000 STAND STAND 0.000000 STAND"
    )


def test_insurance_and_surrender_before_the_peek_are_hinted_and_reviewed(opened: Open) -> None:
    sixteen = "Ten of Spades, Six of Spades, Ace of Clubs, Nine of Clubs"
    _, ann = at_a_table(opened, sixteen, EARLY, practice=True)
    assert hinted(ann) == advised(asked("6 10", 11, "INSURE DECLINE"), EARLY)
    ann.say("INSURE")
    ann.hear_until("DECISION")
    decision, _ = hinted(ann)
    assert decision == "SURRENDER"
    ann.say("SURRENDER", "REVIEW")
    words = ann.hear_until("REVIEW")[-1].split()
    assert words[:3] == ["REVIEW", "2", "1"]
    assert words[4:] == ["INSURE", words[3], "DECLINE", "SURRENDER", "0.000000", "SURRENDER"]
    assert float(words[3]) == pytest.approx(0.04, abs=0.01)  # half the house edge of insurance, about 7.4 %


def test_a_round_without_a_decision_is_reviewed_as_one(opened: Open) -> None:
    natural = "Ace of Spades, King of Spades, Seven of Clubs, Ten of Clubs"
    _, ann = at_a_table(opened, f"{natural}, {NINETEEN}")  # she is asked in the second round
    ann.say("REVIEW")
    assert ann.hear() == "REVIEW 0 0 0.000000"


def test_what_a_clock_has_decided_is_reviewed_too(opened: Open) -> None:
    house, ann = at_a_table(opened, "Five of Spades, Six of Spades, Seven of Clubs, Ten of Clubs")
    house.let_the_clock_run_out()
    ann.hear_until("RESULT")
    ann.say("REVIEW")
    words = ann.hear_until("REVIEW")[-1].split()
    assert (words[:3], words[4:]) == (["REVIEW", "1", "1"], ["STAND", words[3], "DOUBLE"])


def test_a_hint_is_for_who_is_asked_at_a_practice_table_of_the_whole_game_too(opened: Open) -> None:
    _, ann = at_a_table(opened, NINETEEN)
    assert "hints are for practice tables" in refused(ann, "HINT")
    assert "no round of yours is over yet" in refused(ann, "REVIEW")


def test_without_chips_for_more_a_hint_is_one_of_what_is_offered(opened: Open) -> None:
    rules = replace(BETS, bankroll=15)
    house = opened(rules=rules, practice=True)
    deal(house, "Five of Spades, Six of Spades, Six of Clubs, Ten of Clubs")
    ann = house.seat("JOIN ann")
    ann.say("BET 15")
    assert ann.hear_until("DECISION")[-1] == "DECISION HIT STAND SURRENDER"
    assert hinted(ann) == advised(asked("5 6", 6, "HIT STAND SURRENDER"))


def test_the_first_hint_loads_the_values_for_all_upcards(opened: Open) -> None:
    rules = replace(VEGAS, decks=5)
    _, ann = at_a_table(opened, NINETEEN, rules, practice=True)
    hinted(ann)
    adviser = adviser_for(rules)
    assert eventually(lambda: all(map(adviser.knows, UPCARDS)))
    assert adviser.unknown == []


def test_what_is_said_after_a_hint_waits_for_its_answer(
    opened: Open,
) -> None:
    """Protocol: after the peer's FIN everything already received is carried out and answered."""
    rules = replace(VEGAS, decks=4)
    house = opened(rules=rules, practice=True)
    deal(house, NINETEEN)
    ann = house.seat("JOIN ann 1")
    ann.say("HINT", "STAND")
    ann.close_side()
    decision, cost = adviser_for(rules).advise(NINETEEN_AGAINST_SEVEN)
    told = ann.rest()
    assert told[0] == f"HINT {decision.value} {cost:.6f}"
    assert told[-1] == "QUIT"
    assert [line.split()[0] for line in told[1:-1]] == ["DEALER", "RESULT"]


def test_who_waits_for_an_answer_that_cannot_be_worked_out_plays_on(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(adviser: WholeAdviser, upcard: int) -> None:
        raise MemoryError

    rules = replace(VEGAS, decks=3)
    house, ann = at_a_table(opened, NINETEEN, rules, practice=True)
    with monkeypatch.context() as patch:
        patch.setattr(WholeAdviser, "learn", fail)
        ann.say("HINT", "STAND")
        assert ann.hear() == "ERROR the answer could not be worked out"
        ann.hear_until("RESULT")
        assert eventually(lambda: len(house.complaints) == 2)  # the upcard asked for, and one more
        assert all("MemoryError" in complaint for complaint in house.complaints)
    house.complaints.clear()
    ann.hear_until("DECISION")
    hinted(ann)


def test_many_ask_at_once_and_all_are_answered(opened: Open) -> None:
    house = opened(rules=replace(VEGAS, decks=7), practice=True)
    deal(house, NINETEEN)
    peers = [house.seat(f"JOIN p{number}") for number in range(4)]
    for peer in peers:
        peer.say("HINT", "HINT")
    assert {peer.hear() for peer in peers for _ in range(2)} == {
        "HINT STAND {1:.6f}".format(*adviser_for(replace(VEGAS, decks=7)).advise(NINETEEN_AGAINST_SEVEN))
    }


# Clocks.


def test_a_clock_that_runs_out_stakes_the_minimum(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    house.let_the_clock_run_out()
    assert ann.hear() == "ERROR no answer came in time: your bet is 10"
    assert ann.hear_until("DECISION")[0] == "BEGIN"
    assert "too late" in refused(ann, "BET 80")
    (room,) = house.server.rooms.values()
    assert room.table.dealt_in[0].bet == 10


def test_a_clock_that_runs_out_declines(opened: Open) -> None:
    house, ann = at_a_table(opened, ACE_UP, rounds=1)
    house.let_the_clock_run_out()
    assert ann.rest() == [
        "ERROR no answer came in time: that is taken as DECLINE",
        "DEALER King of Clubs",
        "RESULT LOOSE -1",
        "QUIT",
    ]


def test_a_round_waits_for_the_slowest_bet_no_longer_than_the_clock(opened: Open) -> None:
    house = opened(rules=SHARED, decision_clock=0.2)
    ann, bob = house.join("JOIN ann"), house.join("JOIN bob")
    ann.hear_until(QUESTION)
    bob.hear_until(QUESTION)
    ann.say("BET 40")
    assert ann.hear() == "BEGIN"


# Connections that are lost.


@pytest.mark.parametrize("ending", ["close", "reset", "close_side"])
def test_who_vanishes_before_the_round_has_staked_nothing(opened: Open, ending: str) -> None:
    house = opened(rules=SHARED)
    ann, bob = house.join("JOIN ann"), house.join("JOIN bob")
    ann.hear_until(QUESTION)
    bob.hear_until(QUESTION)
    bob.say("BET 30")
    getattr(ann, ending)()
    assert bob.hear() == "BEGIN"
    (room,) = house.server.rooms.values()
    assert [seat.name for seat in room.table.dealt_in] == ["bob"]


def test_who_vanishes_when_asked_for_insurance_forfeits_one_bet(opened: Open) -> None:
    house, ann = at_a_table(opened, ACE_UP, rounds=1)
    ann.reset()
    house.wait()
    assert house.tally("ann").total_payoff == -1


def test_who_vanishes_in_the_middle_of_a_split_loses_the_stakes_on_the_table(opened: Open) -> None:
    house, ann = at_a_table(opened, EIGHTS + ", Three of Spades, Ten of Hearts, Ten of Diamonds", rounds=1)
    for answer in ("SPLIT", "DOUBLE"):
        ann.say(answer)
        ann.hear_until("DECISION")
    ann.reset()
    house.wait()
    assert house.tally("ann").total_payoff == -3


def test_who_quits_in_the_middle_of_a_split_is_told_what_it_costs(opened: Open) -> None:
    _, ann = at_a_table(opened, EIGHTS, rounds=1)
    ann.say("SPLIT")
    ann.hear_until("DECISION")
    ann.say("QUIT")
    assert ann.rest() == ["HAND 1 2 LOOSE -1", "HAND 2 2 LOOSE -1", "RESULT LOOSE -2", "QUIT"]


def test_who_says_no_more_in_the_middle_of_a_split_has_forfeited_both_hands(opened: Open) -> None:
    house = opened(rules=BETS)
    deal(house, EIGHTS)
    with house.connect() as ann:
        ann.say("JOIN ann 1", "BET 10", "SPLIT")
        ann.close_side()
        assert ann.rest()[-4:] == ["HAND 1 2 LOOSE -10", "HAND 2 2 LOOSE -10", "RESULT LOOSE -20", "QUIT"]


def keep(house: House, name: str = "ann", token: str = TOKEN) -> BlockingPeer:
    peer = house.connect()
    peer.say(f"JOIN {name}", f"KEEP {token}")
    return peer


def lose(house: House, peer: BlockingPeer) -> None:
    """Lose the connection of a player whose seat is kept; return once that has been noticed."""
    players = house.server.players
    peer.reset()
    assert eventually(lambda: house.server.players == players - 1)


def back(house: House, token: str = TOKEN) -> BlockingPeer:
    peer = house.connect()
    peer.say(f"RESUME {token}")
    return peer


def test_a_player_who_is_back_has_its_chips_and_is_asked_for_its_bet_again(opened: Open) -> None:
    house = opened(rules=BETS)
    deal(house, NINETEEN)
    ann = keep(house)
    ann.hear_until("DECISION")
    ann.say("BET 80")
    ann.hear_until("DECISION")
    ann.say("STAND")
    assert ann.hear_until("DECISION")[-1] == "DECISION BET 10 80 580"
    lose(house, ann)
    again = back(house)
    assert again.hear() == "DECISION BET 10 80 580"
    again.say("HIT")  # as last time
    assert again.hear() == "BEGIN"
    (room,) = house.server.rooms.values()
    assert room.table.dealt_in[0].bet == 80


def test_a_player_who_is_back_in_the_middle_of_a_split_plays_it_on(opened: Open) -> None:
    house = opened(rules=VEGAS, rounds=1)
    deal(house, EIGHTS + ", Three of Spades, Ten of Hearts, Ten of Diamonds, Five of Clubs")
    ann = keep(house)
    for answer in ("SPLIT", "DOUBLE"):
        ann.hear_until("DECISION")
        ann.say(answer)
    ann.hear_until("DECISION")
    lose(house, ann)
    again = back(house)
    assert again.hear_until("DECISION") == [
        "BEGIN",
        "CARD Eight of Spades",
        "CARD Eight of Hearts",
        "DEALER Six of Clubs",
        "HAND 1 2",
        "CARD Three of Spades",
        "CARD Ten of Hearts",
        "HAND 2 2",
        "CARD Ten of Diamonds",
        "DECISION HIT STAND DOUBLE",
    ]
    again.say("STAND")
    assert again.rest() == [
        "DEALER Ten of Clubs",
        "DEALER Five of Clubs",
        "HAND 1 2 PUSH 0",
        "HAND 2 2 LOOSE -1",
        "RESULT LOOSE -1",
        "QUIT",
    ]


def test_a_kept_seat_that_is_away_stakes_the_minimum_until_its_chips_are_lost(
    opened: Open, tmp_path: Path
) -> None:
    always_asked = replace(PRESETS["course"], seats=2, bets=Bets(10, 80), bankroll=500)
    house = opened(rules=always_asked, log=tmp_path / "log")
    ann, bob = keep(house), house.join("JOIN bob")
    ann.hear_until(QUESTION)
    bob.hear_until(QUESTION)
    lose(house, ann)
    (room,) = house.server.rooms.values()
    seat = room.table.seats[0]
    assert seat is not None
    for missed in range(1, MAX_MISSED + 1):
        bob.say("BET 20")
        assert bob.hear() == "BEGIN"
        assert (seat.bet, room.table.turn) == (10, seat)
        house.let_the_clock_run_out()
        bob.hear_until("DECISION")
        bob.say("STAND")
        if missed < MAX_MISSED:
            bob.hear_until("DECISION BET")
    assert room.table.seats[0] is None
    assert seat.bankroll > 0
    assert f"a bankroll of {seat.bankroll} is lost" in (tmp_path / "log").read_text()


# The end.


def test_ctrl_c_closes_a_table_that_only_waits_for_bets_at_once(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    house.stop(grace=PATIENCE)
    assert ann.rest() == ["QUIT"]
    house.wait()
    assert house.server.rounds == 0


def test_ctrl_c_lets_an_open_round_of_several_hands_be_finished(opened: Open) -> None:
    house, ann = at_a_table(opened, EIGHTS)
    ann.say("SPLIT")
    ann.hear_until("DECISION")
    house.stop(grace=PATIENCE)
    heard: list[str] = []
    while not heard or heard[-1].startswith("DECISION"):
        ann.say("STAND")
        heard = ann.hear_until("DECISION", "QUIT")
    assert heard[-1] == "QUIT"
    assert heard[-2].startswith("RESULT ")


# Old clients.

TABLES: Final = {
    "vegas": VEGAS,
    "reno": PRESETS["reno"],
    "europe": PRESETS["europe"],
    "with bets": BETS,
    "early surrender": replace(VEGAS, surrender=Surrender.EARLY),
    "split aces are asked": replace(VEGAS, split_aces=SplitAces.PLAY, double=Double.ALWAYS),
}
ROUNDS: Final = 100


@pytest.mark.parametrize("rules", TABLES.values(), ids=list(TABLES))
def test_the_bot_of_the_readme_plays_every_table_to_its_end(opened: Open, rules: Rules) -> None:
    """It knows HIT and STAND only, and takes the first word of a line."""
    house = opened(rules=rules, seed=3)
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(# bot\.py\n.*?)```", readme, re.DOTALL)
    program = program.replace("8089", str(house.port)).replace("JOIN bot 1000", f"JOIN bot {ROUNDS}")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (run.returncode, run.stderr) == (0, "")
    assert house.tally("bot").rounds == ROUNDS
    assert house.server.refusals == 0


@pytest.mark.parametrize("rules", TABLES.values(), ids=list(TABLES))
def test_a_classic_program_plays_every_table_in_the_old_words(
    opened: Open, classic_player: Path, rules: Rules
) -> None:
    """It compares whole messages, and takes what one read returns for one.

    A busy machine may hand it two messages at once, which is no fault of the dealer's: it then plays again.
    """
    house = opened(rules=rules, seed=3)
    for _ in range(10):
        assert "" in (complaint(classic_player, house) for _ in range(TRIALS))
    assert house.tally("classic").rounds >= 10
    assert house.server.refusals == 0


def test_a_classic_player_is_told_the_old_words_only(opened: Open) -> None:
    house = opened(rules=BETS, seed=3)
    ann = house.connect("classic")
    ann.say("JOIN ann 40")
    heard: list[str] = []
    while line := ann.hear():
        heard.append(line)
        if line == "DECISION":
            ann.say("STAND")
    words = {"BEGIN", "DECISION", "QUIT", "RESULT WIN", "RESULT LOOSE", "RESULT PUSH"}
    assert {line for line in heard if not line.startswith(("CARD ", "DEALER "))} <= words
    assert heard.count("BEGIN") == 40
    assert sum(line.startswith("DEALER") for line in heard) == 40
