"""A game as one web page, which needs no other file and no network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from twentyone.mancala.core.rules import Rules, moves
from twentyone.mancala.solving.games import Game, describe_step
from twentyone.support.sheets import header, shared_style


def document_of(game: Game, rules: Rules) -> dict[str, Any]:
    """A game as a JSON document, with the keys that the help of `mancala trace` lists."""
    steps = [
        {
            "cells": step.board.cells,
            "turn": step.board.turn.value,
            "over": not moves(step.board, rules),
            "hole": step.hole,
            "changed": sorted(step.changed),
            "sowings": [sowing._asdict() for sowing in step.sowings],
            "said": describe_step(step, rules),
        }
        for step in game
    ]
    return {"holes": game[0].board.holes, "steps": steps}


def page_of(game: Game, rules: Rules) -> str:
    """A game as an HTML page."""
    parts = {
        "STYLE": shared_style() + _beside("page.css"),
        "HEADER": header("Mancala"),
        "SCRIPT": _beside("page.js"),
        "GAME": json.dumps(document_of(game, rules)),
    }
    return re.sub("|".join(parts), lambda found: parts[found[0]], _beside("page.html"))


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
