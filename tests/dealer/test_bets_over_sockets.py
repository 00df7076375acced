"""Bets and splits on real sockets: play, faults, lost connections, the end, and old clients."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

import protocol
from cards import PRESETS, Bets, Rules
from dealer.tables.seat import MAX_MISSED
from tests.dealer.conftest import Open
from tests.dealer.seen import back, keep, look, lose
from tests.helpers.house import House, deal, kinds, room
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import BlockingPeer
from tests.helpers.processes import command

VEGAS: Final = PRESETS["vegas"]
BETS: Final = replace(VEGAS, bets=Bets(10, 80), bankroll=500)
SHARED: Final = replace(BETS, seats=2)

NINETEEN: Final = "Ten of Spades, Nine of Spades, Seven of Clubs, Ten of Clubs"
EIGHTS: Final = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs"
SPLIT_EIGHTS: Final = f"{EIGHTS}, Three of Spades, Ten of Hearts, Ten of Diamonds, Five of Clubs"
ACE_UP: Final = "Ten of Spades, Nine of Spades, Ace of Clubs, King of Clubs"

QUESTION: Final = "DECISION BET 10 80 500"


def at_a_table(opened: Open, cards: str, rules: Rules = VEGAS, **options: Any) -> tuple[House, BlockingPeer]:
    """A player who has just been asked something for the first time, at a dealer of these cards."""
    house = opened(rules=rules, **options)
    deal(house, cards)
    return house, house.seat("JOIN ann")


def two_who_bet(opened: Open, **options: Any) -> tuple[House, BlockingPeer, BlockingPeer]:
    """Two players who have just been asked for their bets."""
    house = opened(rules=SHARED, **options)
    peers = house.join("JOIN ann"), house.join("JOIN bob")
    for peer in peers:
        peer.hear_until(QUESTION)
    return house, *peers


# Play.


def test_table_tells_hands_stakes_and_chips(opened: Open) -> None:
    house, ann = at_a_table(opened, SPLIT_EIGHTS, BETS)
    watcher = house.join("WATCH")
    shown = look(watcher)
    assert (shown["phase"], shown["turn"], shown["hand"], shown["options"]) == ("betting", None, None, [])
    assert (shown["seats"][0]["bankroll"], shown["seats"][0]["bet"]) == ("500", None)
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
    while shown["phase"] != "betting" or shown["round"] == 0:
        shown = look(watcher)
    ended = shown["seats"][0]
    payoffs = [int(hand["payoff"]) for hand in ended["hands"]]
    assert int(ended["bankroll"]) == 500 + sum(payoffs)
    assert int(ended["payoff"]) == sum(payoffs)
    assert ended["score"] == sum(payoffs) / 20
    assert "ann splits Eight of Spades and Eight of Hearts" in shown["log"]
    assert "ann doubles hand 1 and gets Ten of Hearts: 21" in shown["log"]


SPEC: Final = (Path(protocol.__file__).with_name("SPEC.md")).read_text(encoding="utf-8")

ROUND: Final = re.compile(r"(?:^    [<>] .*\n)+", re.MULTILINE)

CONVERSATIONS: Final = [
    block.replace("    ", "").splitlines()
    for block in ROUND.findall(SPEC.partition("## Tables with payoffs\n")[2])[:3]
]
"""The rounds that SPEC.md shows: four hands with bets, insurance that is won, and insurance that is lost."""


def cards_of(conversation: list[str]) -> str:
    """The cards of a round in the order in which they are dealt: the hole card comes behind the upcard."""
    lines = [line.removeprefix("< ") for line in conversation]
    drawn = [line.removeprefix("CARD ") for line in lines if line.startswith("CARD ")]
    upcard, hole_card, *later = [line.removeprefix("DEALER ") for line in lines if line.startswith("DEALER ")]
    return ", ".join([*drawn[:2], upcard, hole_card, *drawn[2:], *later])


@pytest.mark.parametrize("wire_format", ["lines", "websocket"])
def test_the_rounds_of_spec_are_played_by_the_dealer(opened: Open, wire_format: str) -> None:
    for conversation in CONVERSATIONS:
        house = opened(rules=BETS if "> BET 10" in conversation else VEGAS, rounds=1)
        deal(house, cards_of(conversation))
        ada = house.connect(wire_format)
        if conversation[0] != "> JOIN ada 1":
            ada.say("JOIN ada 1")
        for side, _, line in (line.partition(" ") for line in conversation):
            if side == ">":
                ada.say(line)
            else:
                assert ada.hear() == line


# Faults. Each gets an ERROR with what is expected, and nothing changes.


def refused(peer: BlockingPeer, line: str) -> str:
    """What is said to a line that is refused, though another answer comes right behind it."""
    peer.say(line)
    answer = peer.hear()
    assert answer.startswith("ERROR "), answer
    return answer


@pytest.mark.parametrize(
    ("cards", "before", "lines", "expected"),
    [
        (NINETEEN, [], ["SPLIT", "BET 10"], "expected HIT, STAND, DOUBLE, SURRENDER"),
        (SPLIT_EIGHTS, ["SPLIT"], ["SURRENDER", "INSURE"], "expected HIT, STAND, DOUBLE"),
        (ACE_UP, [], ["DOUBLE", "SURRENDER"], "expected INSURE, DECLINE"),
    ],
)
def test_what_is_not_offered_is_refused_and_changes_nothing(
    opened: Open, cards: str, before: list[str], lines: list[str], expected: str
) -> None:
    house, ann = at_a_table(opened, cards)
    for answer in before:
        ann.say(answer)
        ann.hear_until("DECISION")
    round_ = room(house).table.round
    assert round_ is not None
    records = list(round_.records)
    for line in lines:
        answer = refused(ann, line)
        assert expected in answer
        assert line.split()[0] in answer
        assert round_.records == records
    ann.say("STAND")
    assert ann.hear().startswith(("HAND", "DEALER", "CARD", "DECISION"))


def test_a_bet_that_may_not_be_is_refused_and_changes_nothing(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    for line in ("BET 9", "BET 81", "RULES", "BET 010", "DECLINE"):
        if line == "RULES":  # sets the count of refused lines back
            ann.say(line)
            ann.hear()
        else:
            assert ": expected BET <chips> from 10 to 80" in refused(ann, line)
        assert house.server.rounds == 0
        assert [(seat.name, seat.bankroll) for seat in room(house).table.bettors] == [("ann", 500)]
    ann.say("BET 10")
    assert ann.hear() == "BEGIN"


def test_the_third_violation_before_a_round_costs_nothing(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    ann.say("BET 0", "BET 0", "BET 0")
    assert kinds(ann.rest()) == ["ERROR", "ERROR", "ERROR", "QUIT"]
    assert house.server.rounds == 0


# Clocks.


def test_a_clock_that_runs_out_stakes_the_minimum(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    house.let_the_clock_run_out()
    assert ann.hear() == "ERROR no answer came in time: your bet is 10"
    assert ann.hear_until("DECISION")[0] == "BEGIN"
    assert "too late" in refused(ann, "BET 80")
    assert room(house).table.dealt_in[0].bet == 10


def test_a_round_waits_for_the_slowest_bet_no_longer_than_the_clock(opened: Open) -> None:
    _, ann, _bob = two_who_bet(opened, decision_clock=0.2)
    ann.say("BET 40")
    assert ann.hear_until("BEGIN")[-1] == "BEGIN"


# Connections that are lost.


@pytest.mark.parametrize("ending", ["close", "reset", "close_side"])
def test_who_vanishes_before_the_round_has_staked_nothing(opened: Open, ending: str) -> None:
    house, ann, bob = two_who_bet(opened)
    bob.say("BET 30")
    getattr(ann, ending)()
    assert bob.hear() == "BEGIN"
    assert [seat.name for seat in room(house).table.dealt_in] == ["bob"]


def test_who_says_no_more_in_the_middle_of_a_split_has_forfeited_both_hands(opened: Open) -> None:
    house = opened(rules=BETS)
    deal(house, EIGHTS)
    with house.connect() as ann:
        ann.say("JOIN ann 1", "BET 10", "SPLIT")
        ann.close_side()
        assert ann.rest()[-4:] == ["HAND 1 2 LOOSE -10", "HAND 2 2 LOOSE -10", "RESULT LOOSE -20", "QUIT"]


def test_a_player_who_is_back_has_its_chips_and_is_asked_for_its_bet_again(opened: Open) -> None:
    house = opened(rules=BETS)
    deal(house, NINETEEN)
    ann = keep(house)
    ann.answer("BET 80")
    ann.answer("STAND")
    question = "DECISION BET 10 80 580"
    assert ann.hear_until("DECISION")[-1] == question
    lose(house, ann)
    again = back(house)
    assert again.hear() == question
    again.say("HIT")  # as last time
    assert again.hear() == "BEGIN"
    assert room(house).table.dealt_in[0].bet == 80


def test_a_kept_seat_that_is_away_stakes_the_minimum_until_its_chips_are_lost(
    opened: Open, tmp_path: Path
) -> None:
    always_asked = replace(PRESETS["course"], seats=2, bets=Bets(10, 80), bankroll=500)
    house = opened(rules=always_asked, log=tmp_path / "log")
    ann, bob = keep(house), house.join("JOIN bob")
    ann.hear_until(QUESTION)
    bob.hear_until(QUESTION)
    lose(house, ann)
    table = room(house).table
    seat = table.seats[0]
    assert seat is not None
    for missed in range(1, MAX_MISSED + 1):
        bob.say("BET 20")
        assert bob.hear() == "BEGIN"
        assert (seat.bet, table.turn) == (10, seat)
        house.let_the_clock_run_out()
        bob.answer("STAND")
        if missed < MAX_MISSED:
            bob.hear_until("DECISION BET")
    assert table.seats[0] is None
    assert seat.bankroll > 0
    assert f"a bankroll of {seat.bankroll} is lost" in (tmp_path / "log").read_text()


# The end.


def test_ctrl_c_closes_a_table_that_only_waits_for_bets_at_once(opened: Open) -> None:
    house, ann = at_a_table(opened, NINETEEN, BETS)
    house.stop(grace=PATIENCE)
    assert ann.rest() == ["QUIT"]
    house.wait()
    assert house.server.rounds == 0


# Old clients.


def test_the_bot_of_the_readme_plays_with_every_option_to_its_end(opened: Open, tmp_path: Path) -> None:
    """It knows HIT and STAND only, and takes the first word of a line."""
    house, rounds = opened(rules=BETS, seed=3), 50
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(# bot\.py\n.*?)```", readme, re.DOTALL)
    program = program.replace("8089", str(house.port)).replace("JOIN bot 1000", f"JOIN bot {rounds}")
    run = command("bot.py", cwd=tmp_path, code=program)
    assert (run.status, run.err) == (0, "")
    assert house.tally("bot").rounds == rounds
    assert house.server.refusals == 0
