"""Results of tournaments that policies have really played, in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from cards import PRESETS, EveryRound, Rules
from tournament.playing.policies import play, prepare
from tournament.settings import Entrant, Results, Settings, first_state


@cache
def played(preset: str, rounds: int, *policies: str) -> Results:
    """A tournament of policies against the dealer, by the rules of a preset with a fresh shoe every round."""
    return played_by(replace(PRESETS[preset], seats=1, reshuffle=EveryRound()), rounds, *policies)


def played_by(rules: Rules, rounds: int, *policies: str) -> Results:
    """A tournament of policies against the dealer."""
    entrants = tuple(Entrant(policy.replace(":", "-"), policy=policy) for policy in policies)
    settings = Settings(rules, rounds, 3, entrants)
    blocks = []
    for match in settings.matches:
        prepare(settings, match)
        first = play(settings, match, first_state(settings, match), rounds // 2)
        blocks.append([first, play(settings, match, first.after, rounds - rounds // 2)])
    lost = [[block.lost for block in each if block.lost is not None] for each in blocks]
    return Results(
        settings=settings,
        rounds=rounds,
        payoffs=[np.concatenate([block.payoffs for block in each]) for each in blocks],
        lost=[np.concatenate(each) for each in lost] if all(lost) else None,
        thinking=[np.zeros(0, np.float32)] * len(entrants),
        faults=(),
        is_over=True,
        sure_after=None,
        blocks=lambda match: blocks[match],
    )
