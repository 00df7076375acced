"""The commands `player` and `training` in this process, at dealers of this machine."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from player.cli import player_main, training_main
from tests.helpers.inside import inside
from tests.helpers.peer import LOCALHOST
from tests.helpers.processes import Finished

TABLE = "qtables/qtable.txt"
"""The file that `training` writes if no other is named."""


def player(folder: Path, *words: object, typed: str = "") -> Finished:
    """The command `player`, with what is typed for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(typed))
        return inside(player_main, "player", *words, cwd=folder)


def play(folder: Path, port: int, *options: object, typed: str = "") -> Finished:
    """The same at a dealer of this machine."""
    return player(folder, LOCALHOST, port, *options, typed=typed)


def training(folder: Path, *words: object) -> Finished:
    """The command `training`."""
    return inside(training_main, "training", *words, cwd=folder)


def train(folder: Path, port: int, rounds: int, *options: object) -> Finished:
    """The same at a dealer of this machine."""
    return training(folder, LOCALHOST, port, rounds, *options)


def sentence(done: Finished, status: int) -> str:
    """The one sentence of a command that has done nothing else."""
    assert (done.status, done.out) == (status, ""), done
    (said,) = done.err.splitlines()
    return said
