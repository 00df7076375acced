"""Recorded runs, replayed: all of the original's agree, and every change in one is found."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from devs.blackjack import Setup
from devs.traces import TraceError, recordings_in, replay
from tests.devs.games import TRACES, trace


@pytest.mark.parametrize("recording", TRACES, ids=lambda each: f"{each['model']}-{each['name']}")
def test_every_recorded_run_of_the_original_agrees(recording: dict[str, Any]) -> None:
    verdict = replay(recording, Setup())
    assert verdict.difference == ""
    assert verdict.events == len(recording["outputs"]) + len(recording.get("internal_events", ()))


def test_there_are_21_of_them() -> None:
    assert len(recordings_in({"traces": TRACES})) == len(recordings_in(TRACES)) == 21


def changed(model: str, name: str, **entry: Any) -> str:
    """The difference that is found when the second output of a run is changed."""
    recording = deepcopy(trace(model, name))
    recording["outputs"][1] |= entry
    return replay(recording, Setup()).difference


def test_the_first_difference_has_its_time_port_and_value() -> None:
    assert changed("hand", "cumulative", value=4) == "at 2.1 s: expected handValueOut 4; found handValueOut 3"
    assert changed("hand", "cumulative", t=2.2) == "at 2.1 s: expected nothing; found handValueOut 3"
    assert changed("hand", "cumulative", t=2.0) == "at 2 s: expected handValueOut 3; found nothing"
    found = "at 1 s: expected nothing; found commandOutPort SHUFFLE"
    first = deepcopy(trace("controller", "win"))
    del first["outputs"][0]
    assert replay(first, Setup()).difference == found


def test_what_models_send_inside_a_game_is_compared_too() -> None:
    recording = deepcopy(trace("game", "win"))
    recording["internal_events"][5]["value"] = 8
    expected = "at 13.1 s: expected hand 1, handValueOut 8; found hand 1, handValueOut 7"
    assert replay(recording, Setup()).difference == expected


def test_times_are_compared_as_tenths_in_spite_of_rounding() -> None:
    recording = deepcopy(trace("hand", "cumulative"))
    for output in recording["outputs"]:
        output["t"] += 1e-13
    assert replay(recording, Setup()).difference == ""


def test_the_ports_other_names_are_understood() -> None:
    """As `port_aliases` of the recordings lists them."""
    recording = deepcopy(trace("controller", "win"))
    for event in (*recording["inputs"], *recording["outputs"]):
        event["port"] = {"handValueInPort": "score"}.get(
            event["port"], event["port"].removesuffix("InPort").removesuffix("OutPort")
        )
    assert replay(recording, Setup()).difference == ""


def test_a_run_that_ends_in_an_error_differs() -> None:
    recording = trace("game", "win") | {
        "deck_order_after_shuffle": ["5"],
        "internal_events": [],
        "outputs": [],
    }
    assert "the deck is empty" in replay(recording, Setup()).difference


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"model": "shoe"}, "the run shoe win: there is no model 'shoe': expected hand, "),
        ({"outputs": [{"t": 1, "port": "x", "value": 1}]}, "the run game win: game has no port 'x' here"),
        ({"inputs": [{"t": -1, "port": "start", "value": 1}]}, "the run game win: the time is '-1'"),
        ({"inputs": [{"t": 0, "port": "start"}]}, "the run game win: 'value' is missing"),
        (
            {"inputs": [{"t": 0, "port": "start", "value": "go"}]},
            "the value 'go' is invalid: expected a whole number",
        ),
        ({"inputs": None}, "the run game win: "),
        ({"deck_order_after_shuffle": ["11"]}, "the value '11' is invalid: expected a card"),
    ],
)
def test_an_invalid_recording_is_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(TraceError) as raised:
        replay(trace("game", "win") | change, Setup())
    assert fault in str(raised.value)


@pytest.mark.parametrize("document", [{}, 3, None, {"traces": 3}, [3]])
def test_a_document_without_recordings_is_refused(document: Any) -> None:
    with pytest.raises(TraceError, match="it has no recorded runs: expected a list"):
        recordings_in(document)
