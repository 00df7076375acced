"""A policy plays by name what the project's own `player` plays by it over a socket: the same rounds.

So what is played compiled, by the engine and by a program that is told the cards one by one is the same game.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Bets, EveryRound, Rules
from tests.helpers.patience import PATIENCE
from tests.tournament.playing.entrants import PATIENT
from tournament.playing import policies, tables
from tournament.settings import Block, Entrant, Settings, first_state
from twentyone.policies import table_files
from twentyone.policies.action_values import SHAPE, TRUSTED, ActionValues, Origin
from twentyone.policies.counting import SYSTEMS

ROUNDS = 120
ROOT = Path(__file__).parents[3]

VEGAS = PRESETS["vegas"]
FRESH = replace(VEGAS, reshuffle=EveryRound())


def program(policy: str) -> tuple[str, ...]:
    """The words that start the project's own player."""
    start = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from player.cli import player_main; player_main()"
    )
    return (sys.executable, "-c", start, "{host}", "{port}", "--name={name}", f"--policy={policy}")


@pytest.mark.check
@pytest.mark.parametrize(
    ("rules", "policy", "kept_shoe"),
    [
        (replace(FRESH, bets=Bets(10, 50), bankroll=200), "mimic", False),
        (PRESETS["course"], "basic", False),
        (VEGAS, "counted", True),
    ],
    ids=["bets", "course", "counted, kept shoe"],
)
async def test_the_same_rounds(rules: Rules, policy: str, kept_shoe: bool, tmp_path: Path) -> None:
    if policy == "counted":
        values = np.random.default_rng(3).normal(size=SHAPE)
        table = ActionValues(values, np.full(SHAPE, TRUSTED), Origin(VEGAS, "qlearning", 1), SYSTEMS["hi-lo"])
        table_files.save(table, tmp_path / "counted.txt")
        policy = f"counted:{tmp_path / 'counted.txt'}"
    entrants = (Entrant("one", policy=policy), Entrant("other", command=program(policy)))
    settings = Settings(rules, ROUNDS, 5, entrants, PATIENT, start=60.0, kept_shoe=kept_shoe)
    match, other = settings.matches
    by_name = policies.play(settings, match, first_state(settings, match), ROUNDS)
    blocks: list[Block] = []
    await asyncio.wait_for(
        tables.play(settings, other, first_state(settings, other), blocks.append, tmp_path), PATIENCE
    )
    assert [script for block in blocks for script in block.scripts] == list(by_name.scripts)
    assert np.concatenate([block.payoffs for block in blocks]).tolist() == by_name.payoffs.tolist()
    after, expected = blocks[-1].after, by_name.after
    assert (after.round, after.bankrolls) == (ROUNDS, expected.bankrolls)
    assert (after.shoe, after.dealt) == (expected.shoe, expected.dealt)
    if by_name.lost is not None:
        lost = [block.lost for block in blocks if block.lost is not None]
        assert np.concatenate(lost).tolist() == by_name.lost.tolist()
