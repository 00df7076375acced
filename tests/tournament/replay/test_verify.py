"""Histories verified: what is as it should be, and whatever was changed in one place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cards import PRESETS, Bets
from dealer.tables.history import HIDDEN, chained, hide_unseen
from tests.helpers.schema import faults as schema_faults
from tests.tournament.replay.made import dealers_lines, results_of, settings_of
from tests.tournament.replay.playing import rules_drawn
from tournament.replay.history import lines
from tournament.replay.verify import verify_file, verify_lines

VEGAS = replace(PRESETS["vegas"], seats=2)
RULES = [PRESETS["course"], VEGAS, replace(VEGAS, bets=Bets(10, 80)), PRESETS["showdown"]]
SCHEMA = json.loads((Path(__file__).parents[3] / "docs/reference/history.schema.json").read_text())


CHECK = pytest.mark.check
KINDS = ("course", "bets", "kept", "showdown")


def encoded(texts: list[str]) -> list[bytes]:
    return [text.encode() + b"\n" for text in texts]


@cache
def dealers() -> list[str]:
    return dealers_lines(RULES, 12)


@cache
def tournaments() -> dict[str, list[str]]:
    """Histories of tournaments of several kinds."""
    one = replace(VEGAS, seats=1)
    kinds = {
        "course": settings_of(PRESETS["course"]),
        "bets": settings_of(replace(one, bets=Bets(10, 500), bankroll=30), rounds=30),
        "kept": settings_of(replace(one, decks=1), kept_shoe=True, rounds=30),
        "showdown": settings_of(replace(PRESETS["showdown"], seats=3), entrants=4, rounds=7),
    }
    return {name: list(lines(results_of(settings), costs=False)) for name, settings in kinds.items()}


@settings(max_examples=50)
@given(st.integers(0, 2**32))
def test_what_a_dealer_writes_is_verified(seed: int) -> None:
    random = Random(seed)
    written = dealers_lines([rules_drawn(random) for _ in range(3)], 3, seed)
    verdict = verify_lines(encoded(written))
    assert (verdict.rounds, verdict.faults) == (3, [])
    assert verdict.chain == json.loads(written[-1])["chain"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_tournament_writes_is_verified(kind: str) -> None:
    """Lines of every kind are as the schema says, and follow from seed and decisions."""
    written = tournaments()[kind]
    for line in written[::5]:
        assert schema_faults(json.loads(line), SCHEMA) == []
    verdict = verify_lines(encoded(written))
    assert (verdict.rounds, verdict.faults) == (len(written), [])


def test_lines_that_were_told_to_a_player_are_verified() -> None:
    """Those of HISTORY: some rounds are missing, and so is a hole card that nobody saw."""
    told = [json.loads(line) for line in dealers_lines([replace(VEGAS, seats=1), PRESETS["casino"]], 60)]
    hidden = 0
    for line in told:
        del line["chain"]
        hide_unseen(line)
        hidden += HIDDEN in line["records"]
        line |= {"you": 0, "your_round": line["round"]}
    assert hidden > 0
    gappy = [json.dumps(line) for line in told[::3]]
    for line in gappy:
        assert schema_faults(json.loads(line), SCHEMA) == []
    assert verify_lines(encoded(gappy)).faults == []
    for impossible, sentence in (
        ({"you": 9}, "you is 9: expected the place of a seat"),
        ({"you": None}, "your_round is 1 where you is null: expected null too"),
        ({"your_round": 0}, "your_round is 0: expected a whole number from 1 on"),
    ):
        (fault,) = verify_lines(encoded([json.dumps(told[0] | impossible)])).faults
        assert sentence in fault.text


@pytest.mark.parametrize(
    ("key", "kind"), [("bankroll", "bets"), ("entrant", "showdown"), ("name", "kept"), ("bankroll", "first")]
)
def test_entrants_follow_from_the_round_before_though_the_chain_fits(key: str, kind: str) -> None:
    """Entrants change places by the schedule, keep their names, and have what they won."""
    chain, forged = "", []
    for number, text in enumerate(tournaments()["bets" if kind == "first" else kind]):
        told = json.loads(text)
        del told["chain"]
        if number == (0 if kind == "first" else 3):
            (seat, *_) = told["seats"]
            richer = str(int(seat["bankroll"] or 0) + 5)
            seat[key] = {"bankroll": richer, "entrant": 77, "name": "mallory"}[key]
            told["names"][0] = seat["name"]
        line, chain = chained(told, chain)
        forged.append(line)
    first = verify_lines(encoded(forged)).faults[0]
    assert (first.line, f"seats[0].{key} is " in first.text) == (1 if kind == "first" else 4, True)


def test_another_version_is_refused_by_its_name() -> None:
    told = json.loads(dealers()[0])
    for version in (1, 3, "2", 2.0, True):
        (fault,) = verify_lines([json.dumps({**told, "version": version}).encode()]).faults
        assert fault.text == f"version is {json.dumps(version)}: expected 2"
    del told["version"]
    (fault,) = verify_lines([json.dumps(told).encode()]).faults
    assert fault.text == "version is missing: expected 2"


def changed_once(told: Any) -> Iterator[Any]:
    """A value of JSON with one place changed, each in turn: another value, one more key, one less."""
    if isinstance(told, dict):
        for key, value in told.items():
            for changed in changed_once(value):
                yield {**told, key: changed}
            yield {other: kept for other, kept in told.items() if other != key}
        yield {**told, "more": 1}
    elif isinstance(told, list):
        for place, value in enumerate(told):
            for changed in changed_once(value):
                yield [*told[:place], changed, *told[place + 1 :]]
            yield told[:place] + told[place + 1 :]
        yield [*told, deepcopy(told[-1]) if told else 0]
    elif isinstance(told, bool) or told is None:
        yield from (not told, 0, "x")
    elif isinstance(told, int | float):
        yield from (told + 1, -told - 1, str(told), float(told) if isinstance(told, int) else "x", told == 1)
    else:
        turned = told.swapcase() if told.swapcase() != told else "HIT"
        yield from (told + "x", told[:-1], turned, other(told), None, 1)


def other(text: str) -> str:
    """Another text of the same kind."""
    words = {"HIT": "STAND", "STAND": "HIT", "WIN": "LOSE", "LOSE": "BUST", "Hearts": "Spades"}
    words |= {"Clubs": "Spades", "Diamonds": "Spades", "Spades": "Hearts"}
    words |= {"+1": "-1", "-1": "+1", "1": "2", "2": "1", "0": "+1"}
    first, _, last = text.rpartition(" ")
    if last in words:
        return f"{first} {words[last]}".strip()
    return text[:-1] + ("1" if text[-1:] == "0" else "0")


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        *(pytest.param("dealer", place, marks=() if place == 1 else CHECK) for place in range(4)),
        *(pytest.param(kind, 4, marks=() if kind == "kept" else CHECK) for kind in KINDS),
    ],
)
def test_every_change_of_a_line_is_found(kind: str, place: int) -> None:
    """Each value, key and entry of a line, one after the other; only the chain sees some of them."""
    numbered = encoded(dealers() if kind == "dealer" else tournaments()[kind])
    before = numbered[place - 1] if place else None
    count = 0
    for changed in changed_once(json.loads(numbered[place])):
        text = json.dumps(changed).encode() + b"\n"
        if text != numbered[place]:
            count += 1
            assert verify_lines([text, numbered[place + 1]], before).faulty >= 1, text
    assert count > 100


@given(st.integers(0, 10**6), st.integers(0, 127))
@example(at=200, byte=ord("-"))
@example(at=202, byte=ord(" "))
def test_any_byte_that_is_changed_is_found(at: int, byte: int) -> None:
    """But for blanks around a line, which are no part of it."""
    whole = b"".join(encoded(dealers()[:4]))
    at %= len(whole)
    changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
    assert bool(verify_lines(changed.split(b"\n")).faulty) != (_stripped(changed) == _stripped(whole))


def test_a_blank_that_says_nothing_is_a_change_too() -> None:
    """For readers of JSON " 0" and "-0" are the same number, and a tab is a blank."""
    first, second = encoded(dealers()[:2])
    for at in (at for at in range(len(first)) if first[at] == ord(" ")):
        changed = first[:at] + (b"-" if first[at + 1 : at + 2] == b"0" else b"\t") + first[at + 1 :]
        assert verify_lines([changed, second]).faulty == 1, changed


def _stripped(text: bytes) -> list[bytes]:
    return [line.strip() for line in text.split(b"\n") if line.strip()]


@settings(max_examples=30)
@given(st.data())
def test_lines_taken_out_repeated_or_moved_are_found(data: st.DataObject) -> None:
    written = encoded(dealers())
    place = data.draw(st.integers(0, len(written) - 2))
    to = data.draw(st.integers(0, len(written) - 1).filter(lambda to: to != place))
    without = written[:place] + written[place + 1 :]
    repeated = [*written[:to], written[place], *written[to:]]
    for changed in (repeated, [*without[:to], written[place], *without[to:]]):
        assert verify_lines(changed).faulty >= 1
    verdict = verify_lines(without)
    if place == 0:  # it may be in another part
        assert (verdict.faulty, verdict.begins is not None) == (0, True)
    else:
        assert verdict.faulty >= 1


def test_parts_of_a_history_are_verified_each_and_in_a_row(tmp_path: Path) -> None:
    """As after a rotation. A tournament's file has no parts."""
    written = encoded(dealers())
    row = written[:5], written[5:9], written[9:]
    verdicts = [verify_lines(part) for part in row]
    assert [(verdict.rounds, verdict.faults) for verdict in verdicts] == [(5, []), (4, []), (3, [])]
    assert [each.begins and each.begins.round for each in verdicts] == [None, 6, 10]
    assert verify_lines(row[1] + row[2]).faults == []
    (fault,) = verify_lines(row[0] + row[2]).faults
    assert (fault.line, "chain does not follow" in fault.text) == (6, True)
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"\n" + b"".join(row[1] + row[0]))
    for size in (700, 100_000):
        verdict = verify_file(path, processes=1, size=size)
        assert [(fault.line, fault.text[:29]) for fault in verdict.faults] == [
            (2, "it follows the last line: exp")
        ]
        assert (verdict.rounds, verdict.faulty) == (8, 1)
    for size in (700, 100_000):
        path.write_bytes(b"".join([written[5], *written]))
        assert [str(fault) for fault in verify_file(path, processes=1, size=size).faults] == [
            "line 7: it is the first line once more"
        ]
    told = json.loads(written[5])
    told["table"] += 1
    (fault,) = verify_lines(row[0] + [json.dumps(told).encode(), *row[1][1:]]).faults
    assert fault.line == 6
    (fault, *_) = verify_lines(encoded(tournaments()["course"])[1:]).faults
    assert fault.line == 1


def test_a_history_that_an_editor_saved_is_verified() -> None:
    """A byte order mark, and lines that end in CR LF, are no part of a line."""
    saved = b"\xef\xbb\xbf" + b"".join(encoded(dealers())).replace(b"\n", b"\r\n")
    assert verify_lines(saved.splitlines(keepends=True)).rounds == len(dealers())


def test_a_second_run_begins_a_chain_of_its_own() -> None:
    """A dealer adds to the file of the one before; the same run is not there twice."""
    first, second = encoded(dealers()), encoded(dealers_lines(RULES, 4, seed=2))
    assert verify_lines(first + second).faults == []
    verdict = verify_lines(first + second + first)
    assert [str(fault) for fault in verdict.faults] == ["line 17: it is line 1 once more"]


def test_the_faults_say_what_differs() -> None:
    told = json.loads(dealers()[0])
    told["seats"][0]["payoff"] = "+7"
    fault = verify_lines([json.dumps(told).encode()]).faults[0]
    payoff = json.loads(dealers()[0])["seats"][0]["payoff"]
    assert str(fault) == f'line 1: seats[0].payoff is "+7": expected "{payoff}"'
    cut = verify_lines([dealers()[0].encode()[:-9], *encoded(dealers()[1:3])])
    assert [str(fault) for fault in cut.faults] == ["line 1: it is not JSON: it was cut or damaged"]
    told = json.loads(dealers_lines([PRESETS["course"]], 1, seed=9)[0])
    del told["chain"]  # so that the card is what is wrong
    of_seat, upcard = (
        next(one for one in told["records"] if one["record"] == kind) for kind in ("card", "upcard")
    )
    upcard["card"] = of_seat["card"]
    assert "is dealt 2 times, from 1 deck" in str(verify_lines([json.dumps(told).encode()]).faults[0])


def test_ranges_of_bytes_see_the_same(tmp_path: Path) -> None:
    right = encoded(dealers_lines(RULES, 38, seed=3))
    path = tmp_path / "rounds.jsonl"
    for place in (None, 0, 11, 37):
        written = list(right)
        if place is not None:
            written[place] = written[place].replace(b'"table": 1', b'"table": 2')
        path.write_bytes(b"".join(written))
        whole = verify_lines(written)
        for size in (700, 4000):
            assert verify_file(path, processes=1, size=size) == whole, (place, size)
        assert len(whole.faults) == (place is not None)


@pytest.mark.check
def test_a_long_file_is_verified_by_several_processes(tmp_path: Path) -> None:
    written = encoded(dealers_lines(RULES, 60, seed=3))
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(b"".join(written))
    done: list[int] = []
    assert verify_file(path, done.append, processes=2, size=20_000) == verify_lines(written)
    assert done[-1] == path.stat().st_size
