"""Rounds of `cards.Round` by a simple policy, records included, by the `cards` of any version or build.

python benchmarks/dealing.py      prints rounds a second of processor time by preset, as JSON
"""

from __future__ import annotations

import json
import time
from typing import Final

from cards import PRESETS, Decision, Round, seeded, shoe_for

KINDS: Final = ("course", "casino", "vegas")
ROUNDS: Final = 20_000


def decide(round_: Round) -> Decision:
    """Draw below 16, double on 10 and 11, and split aces and eights, where the rules have it."""
    hand = round_.hands_of(0)[round_.turn_hand].hand
    if Decision.SPLIT in round_.options and hand.cards[0].points in (1, 8):
        return Decision.SPLIT
    if Decision.DOUBLE in round_.options and hand.total in (10, 11):
        return Decision.DOUBLE
    return Decision.HIT if hand.total < 16 else Decision.STAND


def deal(kind: str, rounds: int) -> float:
    """Play rounds by a preset; return the seconds of processor time that they took."""
    rules = PRESETS[kind]
    shoe = shoe_for(rules, seeded(1))
    began = time.process_time()
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            round_.decide(0, decide(round_))
    return time.process_time() - began


if __name__ == "__main__":
    print(json.dumps({kind: ROUNDS / deal(kind, ROUNDS) for kind in KINDS}))
