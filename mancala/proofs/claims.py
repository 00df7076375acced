"""What the theorems say, in words; `theorems` proves them."""

from __future__ import annotations

from typing import Final

THEOREMS: Final = {
    "wellformed": "The first board is wellformed, and a wellformed one is followed by such only: it is "
    "inductive.",
    "conservation": "A move neither makes nor loses marbles.",
    "nonnegative": "No count that is not negative becomes so, whatever the others are.",
    "stores": "A move takes nothing out of the mover's store, and does not touch the opponent's.",
    "rows": "A move takes nothing out of the opponent's holes.",
    "sown": "A hole of k marbles is emptied, the k cells after it but the opponent's store grow by one, and "
    "nothing else changes.",
    "turn": "The turn is kept exactly if the last marble falls in the own store: it grew, the next cell did "
    "not.",
    "relation": "The relation `move` holds of two boards exactly if sowing a hole leads from one to the "
    "other.",
    "deterministic": "The relation `move` holds of a board, a hole, and one board after it at most.",
    "wraps": "The relation `move` never holds of a hole with more than 2H marbles.",
    "ends": "Every game ends: with each move fewer marbles are out of the stores, or as many and nearer to "
    "them.",
    "final": "When either row is empty nobody can move, and doing nothing keeps it so.",
}
"""Every theorem and its statement, about the original model: its wraps are illegal."""
