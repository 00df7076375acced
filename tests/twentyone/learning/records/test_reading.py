"""Histories are read whatever is in them: rounds are believed or counted, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Decision, Round, Rules, asking, seeded, shoe_for
from tests.helpers.recorded import SEVERAL_SEATS, VEGAS, line_of, lines_at_random, rounds_at_random
from tests.helpers.rounds import played
from twentyone.learning.records import reading
from twentyone.learning.records.lines import (
    CONTRADICTORY,
    DAMAGED,
    NO_DEALER,
    OTHER_VERSION,
    LineError,
    played_again,
)

LINE = line_of(played(SEVERAL_SEATS[2], 3, "ohoo", means=[8, 2]))
TOLD: dict[str, Any] = json.loads(LINE)


def changed(**other: Any) -> bytes:
    return json.dumps({**TOLD, **other}).encode()


SEATS, RECORDS = TOLD["seats"], TOLD["records"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (LINE[:-20], DAMAGED),
        (b"\xff\xfe", DAMAGED),
        (b"[" * 100_000, DAMAGED),
        (b"17", DAMAGED),
        (changed(version=1), OTHER_VERSION),
        (changed(version=3), OTHER_VERSION),
        (changed(version=True), OTHER_VERSION),
        (json.dumps({key: TOLD[key] for key in TOLD if key != "version"}).encode(), OTHER_VERSION),
        (changed(payoffs=[1, 0]), DAMAGED),
        (changed(rules={}), CONTRADICTORY),
        (changed(rules={"decks": "0"}), DAMAGED),
        (changed(rules=PRESETS["showdown"].fields()), NO_DEALER),
        (changed(records=RECORDS[:-1]), CONTRADICTORY),
        (changed(payoffs=["+9", "0"]), CONTRADICTORY),
        (changed(payoffs=["1e999999999", "0"]), DAMAGED),
        (changed(seats=[]), DAMAGED),
        (changed(seats=[{**seat, "bet": "0"} for seat in SEATS]), DAMAGED),
        (
            changed(records=[*RECORDS, {"record": "decided", "seat": 0, "hand": 0, "decision": "HIT"}]),
            CONTRADICTORY,
        ),
        (changed(records=[*RECORDS, {"record": "forfeited", "seat": -1}]), DAMAGED),
    ],
)
def test_a_line_that_tells_no_round_is_left_out_with_a_reason(line: bytes, expected: str) -> None:
    with pytest.raises(LineError) as refused:
        played_again(line)
    assert str(refused.value) == expected


def test_rounds_of_several_tables_are_told_apart_and_the_rest_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    two, one = lines_at_random(Rules(seats=2), 20, 1), lines_at_random(Rules(), 10, 2)
    vegas, showdown = lines_at_random(VEGAS, 30, 3), lines_at_random(PRESETS["showdown"], 2, 4)
    given_up = Round(Rules(seats=2), shoe_for(Rules(), seeded(1)))
    given_up.deal()
    given_up.forfeit(1)
    given_up.decide(0, Decision.STAND)
    path.write_bytes(two + vegas + b"\n" + showdown + one + line_of(given_up) + vegas[:700])
    transitions, account = reading.read([path])
    assert account.rounds == {0: 31, 1: 30}
    assert [asking.asks_more(rules) for rules in transitions.rules] == [False, True]
    assert (transitions.of_rules(0).episodes, transitions.of_rules(1).episodes) == (51, 30)
    assert account.sentences() == [
        f"2 lines are left out that are {NO_DEALER}; the first is line 52 of {path}",
        f"1 line is left out that is {DAMAGED}; the first is line 65 of {path}",
        "1 seat that was given up in its round: left out",
    ]


def test_a_line_of_any_length_takes_no_more_memory_than_the_longest(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    good = lines_at_random(Rules(), 1, 1)
    path.write_bytes(b"x" * (3 * reading.LONGEST + 5) + b"\n" + good)
    transitions, account = reading.read([path])
    assert (transitions.episodes, account.left_out) == (1, {DAMAGED: 1})


def test_blocks_of_arrays_are_joined_in_order(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(lines_at_random(Rules(), 300, 5))
    whole, _ = reading.read([path])
    twice, account = reading.read([path, path])
    assert account.rounds == {0: 600}
    assert np.array_equal(twice.observations, np.concatenate([whole.observations] * 2))
    payoffs = [float(round_.payoffs[0] or 0) for round_ in rounds_at_random(Rules(), 300, 5)]
    assert whole.rewards[whole.dones].tolist() == payoffs


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def spoilt(value: Any, random: Random, other: Any) -> Any:
    """A document with something else in one place of it."""
    if not value or not isinstance(value, dict | list) or random.random() < 0.1:
        return other
    place = random.choice([*value] if isinstance(value, dict) else range(len(value)))
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[place] = spoilt(value[place], random, other)
    return copy


def is_round_or_error(line: bytes) -> bool:
    try:
        played_again(line)
    except LineError as error:
        reasons = {DAMAGED, OTHER_VERSION, NO_DEALER, CONTRADICTORY}
        return str(error) in reasons
    return True


@given(random=st.randoms(use_true_random=False), other=JSON_VALUES)
def test_whatever_stands_in_a_line_it_is_a_round_or_an_error(random: Random, other: Any) -> None:
    assert is_round_or_error(json.dumps(spoilt(TOLD, random, other)).encode())


@given(cut=st.integers(0, len(LINE)), place=st.integers(0, len(LINE) - 1), byte=st.integers(0, 255))
def test_whatever_bytes_are_in_a_line_it_is_a_round_or_an_error(cut: int, place: int, byte: int) -> None:
    assert is_round_or_error(LINE[:cut])
    assert is_round_or_error(LINE[:place] + bytes([byte]) + LINE[place + 1 :])
