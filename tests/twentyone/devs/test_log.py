"""The event log, byte for byte as the original wrote it."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest

from tests.twentyone.devs.games import DATA, trace
from twentyone.devs.blackjack import MODELS, Setup
from twentyone.devs.clock import ticks
from twentyone.devs.events import ALIASES
from twentyone.devs.frame import SOURCES, Source, frame
from twentyone.devs.games import Games, stacked
from twentyone.devs.kernel import Simulator
from twentyone.devs.log import EventLog
from twentyone.devs.values import cards_of, value_of

RUNS = {
    "hand_test_cumulative": ("hand", "cumulative"),
    "hand_test_illegal": ("hand", "illegal_no_card"),
    "threshold_c_test": ("threshold-c", "threshold_15"),
    "threshold_d_test": ("threshold-d", "threshold_17"),
    "dealer_test": ("dealer", "threshold_test"),
    "players_test": ("players", "interweave"),
    "deck_test": ("deck", "full_52_draws"),
    "controller_win": ("controller", "win"),
    "controller_lose": ("controller", "lose"),
    "controller_tie": ("controller", "tie"),
}
"""The recorded run of each of the original's logs."""


def sources(kind: str, recording: dict[str, Any]) -> dict[str, Source]:
    """The sources of the original's test program, with their names: one for each port."""
    model = MODELS[kind](Setup())
    types = {port.name: port.type for port in model.inputs}
    events: dict[str, list[tuple[int, Any]]] = {}
    for event in recording["inputs"]:
        port = ALIASES[kind].get(event["port"], event["port"])
        value = value_of(types[port], str(event["value"]))
        events.setdefault(port, []).append((ticks(event["t"]), value))
    names = dict(SOURCES[kind])
    if kind == "controller":
        names["handValueInPort"] = f"hand_value_{recording['name']}"  # each of the three programs has its own
    return {port: Source(name, types[port], events[port]) for port, name in names.items()}


@pytest.mark.parametrize("name", RUNS)
def test_the_log_of_a_model_is_that_of_the_original(name: str) -> None:
    kind, run = RUNS[name]
    recording = trace(kind, run)
    order = cards_of(recording.get("deck_order_after_shuffle", ["A"]))
    model = MODELS[kind](Setup(shuffled=stacked(order)))
    text = StringIO()
    simulator = Simulator(frame(model, sources(kind, recording)))
    log = EventLog(simulator, text)
    log.write_states()
    simulator.run()
    log.write_states()
    assert text.getvalue() == (DATA / f"{name}.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["win", "lose", "tie"])
def test_the_log_of_a_game_is_that_of_the_original(name: str) -> None:
    order = cards_of(trace("game", name)["deck_order_after_shuffle"])
    games, text = Games(Setup(shuffled=stacked(order))), StringIO()
    log = EventLog(games.simulator, text)
    log.write_states()
    games.reset(0)
    games.play()
    log.write_states()
    assert text.getvalue() == (DATA / f"game_{name}.csv").read_text(encoding="utf-8")
