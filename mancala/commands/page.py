"""A game as one page that needs nothing else: it opens from disk, without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mancala.core.rules import Rules
from mancala.solving.games import Game, said_of


def document_of(game: Game, rules: Rules) -> dict[str, Any]:
    """A game as JSON: `holes`, and `steps`, each with `cells`, `turn`, `hole`, `changed` and `said`."""
    steps = [
        {
            "cells": step.board.cells,
            "turn": step.board.turn.value,
            "hole": step.hole,
            "changed": sorted(step.changed),
            "said": said_of(step, rules),
        }
        for step in game
    ]
    return {"holes": game[0].board.holes, "steps": steps}


def page_of(game: Game, rules: Rules) -> str:
    """The page, in HTML."""
    frame = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    return frame.replace("GAME", json.dumps(document_of(game, rules)), 1)
