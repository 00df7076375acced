"""A game as one web page, which needs no other file and no network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mancala.core.rules import Rules
from mancala.solving.games import Game, describe_step


def document_of(game: Game, rules: Rules) -> dict[str, Any]:
    """A game as a JSON document: `holes`, and `steps` with `cells`, `turn`, `hole`, `changed` and `said`."""
    steps = [
        {
            "cells": step.board.cells,
            "turn": step.board.turn.value,
            "hole": step.hole,
            "changed": sorted(step.changed),
            "said": describe_step(step, rules),
        }
        for step in game
    ]
    return {"holes": game[0].board.holes, "steps": steps}


def page_of(game: Game, rules: Rules) -> str:
    """A game as an HTML page."""
    frame = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    return frame.replace("GAME", json.dumps(document_of(game, rules)), 1)
