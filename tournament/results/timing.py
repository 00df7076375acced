"""The owner of each decision of a script, and the times that entrants thought."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cards import DecisionTaken, QueuedShoe
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import play_script, timed
from tournament.settings import Block, Settings


def places_of(settings: Settings, round_: int, script: str) -> list[int]:
    """The place of a match's entrant to whom each timed decision of a script belongs.

    Args:
        settings: the tournament's.
        round_: the number of the round.
        script: what was decided in it.
    """
    seats = settings.rules.seats
    if seats == 1:
        return [0] * timed(script)
    order = seating(seats, round_)
    shoe = QueuedShoe(settings.rules, settings.seed, round_ // seats)
    played = play_script(settings.rules, shoe, script)
    return [order[record.seat] for record in played.records if type(record) is DecisionTaken]


def thinking_of(settings: Settings, blocks: Sequence[Sequence[Block]]) -> list[NDArray[np.float32]]:
    """The seconds of each entrant's decisions, without those that were not timed.

    Args:
        settings: the tournament's.
        blocks: those of each match.
    """
    found: list[list[NDArray[np.float32]]] = [[] for _ in settings.entrants]
    for match in settings.matches:
        for block in blocks[match.number]:
            if block.seconds is None:
                continue
            owners = _owners(settings, block)
            for place, entrant in enumerate(match.entrants):
                seconds = block.seconds[owners == place]
                found[entrant].append(seconds[~np.isnan(seconds)])
    return [np.concatenate([np.empty(0, np.float32), *each]) for each in found]


def _owners(settings: Settings, block: Block) -> NDArray[np.int64]:
    """The place of each timed decision of a block."""
    if settings.rules.seats == 1:
        return np.zeros(len(block.seconds if block.seconds is not None else ()), np.int64)
    places = [
        place
        for round_, script in enumerate(block.scripts, block.before.round)
        for place in places_of(settings, round_, script)
    ]
    return np.array(places, np.int64)
