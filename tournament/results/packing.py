"""Blocks as the database keeps them: arrays as bytes, and rows as blocks, cut to the rounds that count."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tournament.rounds.scripts import timed
from tournament.settings import Block, Fault, Match, state_from_json


def packed(values: NDArray[Any], kind: type[np.generic]) -> bytes:
    """The bytes of an array, the same on every machine."""
    return zlib.compress(np.ascontiguousarray(values, np.dtype(kind).newbyteorder("<")).tobytes(), 1)


def unpacked(packed: bytes, kind: type[np.generic]) -> NDArray[Any]:
    """The array of such bytes."""
    return np.frombuffer(zlib.decompress(packed), np.dtype(kind).newbyteorder("<")).astype(kind)


def block_of(row: Sequence[Any], match: Match) -> Block:
    """The block of a row of the table `blocks`, with the number of its match here."""
    _, _, rounds, _, before, after, scripts, payoffs, lost, seconds = row
    places = len(match.entrants)
    return Block(
        match=match.number,
        before=state_from_json(json.loads(before)),
        after=state_from_json(json.loads(after)),
        scripts=zlib.decompress(scripts).decode().split(),
        payoffs=unpacked(payoffs, np.int32).reshape(rounds, places),
        lost=None if lost is None else unpacked(lost, np.float64).reshape(rounds, places),
        seconds=None if seconds is None else unpacked(seconds, np.float32),
    )


def cut(block: Block, rounds: int) -> Block:
    """A block without the rounds after a number of rounds of the match."""
    count = rounds - block.before.round
    if count >= len(block.scripts):
        return block
    scripts = block.scripts[:count]
    return replace(
        block,
        after=replace(block.after, round=rounds),
        scripts=scripts,
        payoffs=block.payoffs[:count],
        lost=None if block.lost is None else block.lost[:count],
        seconds=None if block.seconds is None else block.seconds[: sum(map(timed, scripts))],
    )


def joined(arrays: Sequence[NDArray[Any]], kind: type[np.generic], match: Match) -> NDArray[Any]:
    """The arrays of the blocks of a match as one; of shape (0, places) without any."""
    empty = np.empty((0, len(match.entrants)), kind)
    return np.concatenate([empty, *arrays]) if arrays else empty


def with_faults(blocks: Sequence[Block], faults: Sequence[Fault]) -> list[Block]:
    """Each block with what went wrong in its rounds."""
    return [
        replace(
            block,
            faults=[
                each
                for each in faults
                if each.match == block.match and block.before.round <= each.round < block.after.round
            ],
        )
        for block in blocks
    ]
