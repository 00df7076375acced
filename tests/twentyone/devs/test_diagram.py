"""Diagrams: the components and couplings of a coupled model, the states of an atomic one."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.helpers.tiers import first_of
from twentyone.devs.blackjack import MODELS, Setup
from twentyone.devs.diagram import Edge, as_dot, as_mermaid, graph_of


def edges(model: str) -> set[tuple[str, str, str]]:
    return {(edge.source, edge.target, edge.text) for edge in graph_of(MODELS[model](Setup())).edges}


def test_a_challenger_is_a_hand_with_a_threshold() -> None:
    assert edges("challenger") == {
        ("challenger.cardIn", "challenger.hand", "card"),
        ("challenger.reset", "challenger.hand", "reset"),
        ("challenger.reset", "challenger.threshold-c", "reset"),
        ("challenger.hand", "challenger.threshold-c", "handValueOut to valueIn"),
        ("challenger.threshold-c", "challenger.decisionOut", "decisionOut"),
        ("challenger.threshold-c", "challenger.scoreOut", "valueOut"),
    }


def test_a_game_has_every_coupling_of_every_model_in_it() -> None:
    found = edges("game")
    assert ("game.deck", "game.players.challengerIn", "challengerCardOutPort") in found
    assert ("game.players.challengerIn", "game.players.challenger.cardIn", "") in found
    assert len(found) == 11 + 8 + 2 * 6


def test_a_deck_has_four_states() -> None:
    graph = graph_of(MODELS["deck"](Setup()))
    titles = {box.key: box.text for box in graph.boxes}
    assert titles == {
        "IDLE": "IDLE, for ever",
        "SHUFFLE": "SHUFFLE, 10 s",
        "DRAW_CHALLENGER": "DRAW_CHALLENGER, 1 s",
        "DRAW_DEALER": "DRAW_DEALER, 1 s",
    }
    assert graph.start == "IDLE"
    for edge in (
        Edge("IDLE", "SHUFFLE", "command?SHUFFLE"),
        Edge("IDLE", "DRAW_DEALER", "command?DRAW + player?DEALER"),
        Edge("SHUFFLE", "IDLE", "hitOutPort!HIT", is_dotted=True),
        Edge("DRAW_DEALER", "IDLE", "dealerCardOutPort!", is_dotted=True),
    ):
        assert edge in graph.edges


def test_a_controller_goes_from_stand_to_the_dealers_turn_or_the_end() -> None:
    graph = graph_of(MODELS["controller"](Setup()))
    leaving = {edge.target: edge.text for edge in graph.edges if edge.source == "STAND" and edge.is_dotted}
    assert leaving["HIT"] == "outcomeOutPort!CONTINUE"
    assert set(leaving["IDLE"].split("; ")) == {f"outcomeOutPort!{word}" for word in ("WIN", "LOSE", "TIE")}


def test_every_model_can_be_written_both_ways() -> None:
    for model, make in MODELS.items():
        graph = graph_of(make(Setup()))
        mermaid, dot = as_mermaid(graph), as_dot(graph)
        ends = [line for line in mermaid.splitlines() if line.strip() == "end"]
        assert mermaid.count("subgraph") == len(ends), model
        assert dot.count("{") == dot.count("}"), model
        arrows = len(graph.edges) + (graph.start is not None)
        assert mermaid.count("-->") + mermaid.count("-.->") == arrows, model
        assert dot.count(" -> ") == arrows, model


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("model", first_of(["game", *(model for model in MODELS if model != "game")]))
def test_graphviz_understands_it(model: str) -> None:
    text = as_dot(graph_of(MODELS[model](Setup())))
    done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "<svg" in done.stdout
