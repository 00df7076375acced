"""Work of the kinds that `benchmarks.builds` compares, done by whatever build of the project runs this.

    python -m benchmarks.built HISTORY      HISTORY: a file

It prints the name of the build, and then, whenever a kind is named on standard input, how much was done in
a slice of time and how long that took, as JSON. It ends with its standard input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import gymnasium

from benchmarks.dealing import deal
from benchmarks.devs import games_here, ping_pong
from benchmarks.environments import OURS, measured
from benchmarks.peers import SLICE, Work, repeated, steps_alone, timed
from tournament.replay.verify import verify_file
from twentyone.mancala.model.checks import CHECKS
from twentyone.mancala.model.checks.answer import answer
from twentyone.support.build import build_name

ROUNDS: Final = 1_000
"""The rounds of `cards.Round` that are played at a time."""

GROUP: Final = "move"
"""The checks of Mancala's model that are answered: most of their time is the search through its boards."""


def _rounds(kind: str) -> Work:
    return lambda: (ROUNDS, deal(kind, ROUNDS))


def _checks() -> Work:
    chosen = [check for check in CHECKS if check.group == GROUP]

    def work() -> int:
        assert all(answer(check).is_as_expected for check in chosen)
        return len(chosen)

    return timed(work)


KINDS: Final[dict[str, Callable[[Path], Work]]] = {
    "cards.Round, course, rounds": lambda _: _rounds("course"),
    "cards.Round, vegas, rounds": lambda _: _rounds("vegas"),
    "DEVS, games": lambda _: games_here(),
    "DEVS, ping-pong, messages": lambda _: ping_pong(),
    "history verified, vegas, lines": lambda history: timed(lambda: verify_file(history, processes=1).rounds),
    "environment of one seat, steps": lambda _: measured(OURS, steps_alone(gymnasium.make(OURS))),
    "Mancala's model, checks": lambda _: _checks(),
}
"""The work by its name, with its unit; each is given the history."""


def main(arguments: list[str]) -> None:
    """Do as the module says."""
    history = Path(arguments[0])
    works: dict[str, Work] = {}
    print(json.dumps(build_name()), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in works:
            works[name] = KINDS[name](history)
            works[name]()  # caches are full after it
        print(json.dumps(repeated(works[name], SLICE)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
