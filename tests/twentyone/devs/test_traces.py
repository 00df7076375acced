"""Recorded runs, replayed: all of the original's agree, and every change in one is found."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.twentyone.devs.games import TRACES, trace
from twentyone.devs.blackjack import Setup
from twentyone.devs.traces import TraceError, recordings_in, replay

MEMBER = "deck_orders_after_each_shuffle"


def test_all_21_recorded_runs_of_the_original_agree() -> None:
    assert len(recordings_in({"traces": TRACES})) == len(recordings_in(TRACES)) == 21
    for recording in TRACES:
        verdict = replay(recording, Setup())
        assert verdict.difference == "", recording["name"]
        assert verdict.events == len(recording["outputs"]) + len(recording.get("internal_events", ()))


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
    within = deepcopy(trace("game", "win"))
    within["internal_events"][5]["value"] = 8
    expected = "at 13.1 s: expected hand 1, handValueOut 8; found hand 1, handValueOut 7"
    assert replay(within, Setup()).difference == expected


def test_a_run_that_ends_otherwise_differs() -> None:
    empty = {"deck_order_after_shuffle": ["5"], "internal_events": [], "outputs": []}
    assert "the deck is empty" in replay(trace("game", "win") | empty, Setup()).difference
    recording = trace("game", "win") | {}
    order = recording.pop("deck_order_after_shuffle")
    found = replay(recording | {MEMBER: [order, order]}, Setup())
    assert found.difference == "expected shuffles: 2; found 1"


def test_rounded_times_and_the_other_names_of_ports_are_understood() -> None:
    """Times are compared as tenths; `port_aliases` of the recordings lists the names."""
    recording = deepcopy(trace("hand", "cumulative"))
    for output in recording["outputs"]:
        output["t"] += 1e-13
    assert replay(recording, Setup()).difference == ""
    recording = deepcopy(trace("controller", "win"))
    for event in (*recording["inputs"], *recording["outputs"]):
        name = event["port"].removesuffix("InPort").removesuffix("OutPort")
        event["port"] = "score" if name == "handValue" else name
    assert replay(recording, Setup()).difference == ""


def two_games() -> dict[str, Any]:
    """The recorded games `win` and `lose` played by one model: the second starts 100 s after the first."""
    first, second = trace("game", "win"), trace("game", "lose")
    events = {
        member: first[member] + [event | {"t": event["t"] + 100} for event in second[member]]
        for member in ("inputs", "outputs", "internal_events")
    }
    orders = [each["deck_order_after_shuffle"] for each in (first, second)]
    return {"model": "game", "name": "win, then lose", MEMBER: orders, **events}


def test_each_shuffle_of_a_game_leads_to_its_own_order() -> None:
    recording = two_games()
    assert replay(recording, Setup()).difference == ""
    recording[MEMBER].reverse()
    assert replay(recording, Setup()).difference.startswith("at 13 s: expected deck 1, challengerCardOutPort")


def test_a_deck_is_shuffled_again_with_the_cards_that_are_left() -> None:
    order = trace("deck", "full_52_draws")["deck_order_after_shuffle"]

    def events(*told: tuple[int, str, str]) -> list[dict[str, object]]:
        return [{"t": t, "port": port, "value": value} for t, port, value in told]

    shuffles = (0, "command", "SHUFFLE"), (30, "command", "SHUFFLE")
    draws = [each for t in (20, 50) for each in ((t, "command", "DRAW"), (t, "player", "DEALER"))]
    dealt = (21, "dealerCardOutPort", order[-1]), (51, "dealerCardOutPort", order[0])
    recording = {
        "model": "deck",
        "name": "twice",
        "inputs": events(shuffles[0], *draws[:2], shuffles[1], *draws[2:]),
        "outputs": events((10, "hitOutPort", "HIT"), dealt[0], (40, "hitOutPort", "HIT"), dealt[1]),
        MEMBER: [order, order[-2::-1]],
    }
    assert replay(recording, Setup()).difference == ""


def fault_of(recording: Any) -> str:
    """Why a recording cannot be replayed."""
    verdict = replay(recording, Setup())
    assert verdict.events == 0
    return verdict.difference


def test_orders_that_do_not_fit_are_refused() -> None:
    recording = two_games()
    first, second = recording[MEMBER]
    for orders, fault in (
        ([first], f"'{MEMBER}' has no order for shuffle 2: expected one"),
        ([first, second[1:]], f"order 2 of '{MEMBER}' is invalid"),
        ([["A"] * 52, second], "expected an order of the 52 cards that the deck has"),
        ([first, [*second, "A"]], "the deck has 53 cards: expected 1 to 52"),
        ([first, ["11"]], "the value '11' is invalid: expected a card"),
        (first, "is invalid: expected a list of lists of cards"),
        (None, "is invalid: expected a list of lists of cards"),
    ):
        said = fault_of(recording | {MEMBER: orders})
        assert said.startswith("cannot be replayed: ") and fault in said


def test_a_fault_of_a_recording_is_its_verdict() -> None:
    def inputs(**event: Any) -> dict[str, Any]:
        return {"inputs": [{"t": 0, "port": "start", "value": 1} | event]}

    changes: list[tuple[dict[str, Any], str]] = [
        ({"model": "shoe"}, "there is no model 'shoe': expected hand, "),
        ({"outputs": [{"t": 1, "port": "x", "value": 1}]}, "game has no port 'x' here"),
        (inputs(t=-1), "the time is '-1'"),
        (inputs(t="soon"), "the time is 'soon': expected 0 or more seconds"),
        (inputs(t=float("inf")), "the time is 'inf': expected 0 or more seconds"),
        (inputs(t=None), "the time is 'None': expected 0 or more seconds"),
        ({"inputs": [{"t": 0, "port": "start"}]}, "'value' is missing"),
        (inputs(value="go"), "'go' is invalid: expected a whole number"),
        ({"inputs": None}, "expected 'inputs' and 'outputs' as lists of objects"),
        ({"inputs": [3]}, "expected 'inputs' and 'outputs' as lists of objects"),
        ({"params": {"threshold": "high"}}, "'high' is invalid: expected a whole number"),
        ({MEMBER: []}, "it has both 'deck_order_after_shuffle' and 'deck_orders"),
        ({"deck_order_after_shuffle": ["11"]}, "the value '11' is invalid: expected a card"),
    ]
    for change, fault in changes:
        said = fault_of(trace("game", "win") | change)
        assert said.startswith("cannot be replayed: ") and fault in said, said
    assert "it is no JSON object" in fault_of(3)


def test_a_document_without_recordings_is_refused() -> None:
    for document in ({}, 3, None, {"traces": 3}):
        with pytest.raises(TraceError, match="it has no recorded runs: expected a list"):
            recordings_in(document)
