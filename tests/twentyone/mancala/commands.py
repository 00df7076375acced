"""The commands of `mancala` as tests run them, from one line of words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.helpers.inside import inside
from tests.helpers.processes import Finished
from twentyone.mancala.cli import main


def mancala(folder: Path, words: str) -> Finished:
    """How a command ends, in this process."""
    return inside(main, "mancala", *words.split(), cwd=folder)


def document(folder: Path, words: str, status: int = 0) -> Any:
    """What a command prints as JSON, without a word of warning."""
    done = mancala(folder, f"{words} --json")
    assert (done.status, done.err) == (status, "")
    return json.loads(done.out)
