"""What the dealer shows while it runs, as rows: who sits where, and no more of them than fit."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cards import PRESETS
from dealer import status
from dealer.network.server import DealerServer
from dealer.status import HEADINGS, SHOWN_SEATS, Status, seats_shown
from dealer.tables.config import Config
from tests.dealer.conftest import Open
from tests.helpers.house import serving, sit, stand
from tests.helpers.patience import eventually

CASINO = replace(PRESETS["casino"], seats=3)


def cells(line: str) -> list[str]:
    return re.split(r"  +", line)


def test_each_seat_that_is_taken_is_a_row(opened: Open) -> None:
    house = opened(rules=CASINO, bots=1, bot_policy="threshold:17", times_decisions=True)
    ann, other = sit(house, "ann", "ann")
    other.say("KEEP 0123456789abcdefghijkl")
    stand(ann, other)
    assert eventually(lambda: house.server.ledger.rows())
    ann.hear_until("DECISION")
    other.close()
    assert eventually(lambda: house.server.players == 1)
    headings, *rows = map(cells, seats_shown(house.server))
    assert tuple(headings) == HEADINGS
    assert [row[:5] for row in rows] == [
        ["ann", "player", "1", "1", "1"],
        ["ann (2)", "away", "1", "2", "1"],
        ["bot-1", "bot", "1", "3", "1"],
    ]
    assert all(re.fullmatch(r"[+-]\d\.\d{4}", row[5]) for row in rows)
    assert [bool(re.fullmatch(r"\d+\.\d{3} s", row[6])) for row in rows] == [True, True, False]
    assert [row[7] for row in rows] == ["0", "0", "-"]


def test_players_of_one_name_are_told_apart_before_their_first_round_is_over(opened: Open) -> None:
    house = opened(rules=replace(CASINO, seats=2))
    one, two = sit(house, "ann", "ann")
    house.join("JOIN ann")
    assert eventually(lambda: house.server.players == 3)
    named = [cells(row)[0] for row in seats_shown(house.server)[1:]]
    assert named == ["ann", "ann (2)", "ann (3)"]
    assert house.server.ledger.rows() == []
    stand(one, two)
    assert eventually(lambda: len(house.server.ledger.rows()) == 2)
    assert [cells(row)[0] for row in seats_shown(house.server)[1:]] == named


def test_refusals_are_counted_and_how_long_decisions_take_is_noted_only_where_it_is_shown(
    opened: Open,
) -> None:
    house = opened()
    peer = house.seat("JOIN ann")
    peer.say("FOLD", "FOLD", "STAND")
    peer.hear_until("DECISION")
    row = cells(seats_shown(house.server)[1])
    assert (row[4], row[6:]) == ("1", ["-", "2"])


async def test_there_are_no_more_rows_than_fit() -> None:
    rules = replace(PRESETS["casino"], seats=9)
    config = Config(port=0, rounds=0, rules=rules, bots=9, bot_policy="threshold:17", tables=4, bot_delay=600)
    async with serving(config) as server:
        assert len(server.rooms) == 4
        _, *rows, last = seats_shown(server)
        assert last == "and more"
        assert len(rows) == SHOWN_SEATS
        assert [cells(row)[2] for row in rows] == ["1"] * 9 + ["2"] * 9 + ["3"] * 2


async def test_elsewhere_it_says_a_line_when_there_is_news(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(status, "is_live", lambda: False)
    async with serving(Config(port=0, rounds=0)) as server:
        assert seats_shown(server) == []
        shown = Status(server)
        shown._show()
        assert capsys.readouterr().err == ""
        server.budget.charge()
        shown._show()
        shown._show()
    assert re.fullmatch(r"dealer: 0 players, 1 round, [\d,]+ rounds/s\n", capsys.readouterr().err)


def test_a_warning_stays(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Status(DealerServer(Config(port=0, rounds=0))).warn("the disk is full\x1b[2J")
    assert capsys.readouterr().err == "dealer: the disk is full\\x1b[2J\n"
