"""The theorems in words. `theorems` proves them."""

from __future__ import annotations

from typing import Final

THEOREMS: Final = {
    "wellformed": "The first board is wellformed, and every step from a wellformed board leads to another: "
    "it is inductive.",
    "conservation": "A move neither adds nor removes marbles.",
    "nonnegative": "A count that is not negative stays so, whatever the others are.",
    "stores": "A move takes nothing out of the mover's store, and does not change the opponent's.",
    "rows": "A move takes nothing out of the opponent's holes.",
    "sown": "A hole of k marbles is emptied, the next k cells except the opponent's store grow by one, and "
    "nothing else changes.",
    "turn": "The turn is kept exactly if the last marble falls into the mover's store: it grew, and the next "
    "cell did not.",
    "relation": "The relation `move` holds of two boards exactly if sowing a hole leads from one to the "
    "other.",
    "deterministic": "For a board and a hole, the relation `move` holds of at most one board after it.",
    "wraps": "The relation `move` never holds of a hole with more than 2H marbles.",
    "ends": "Every game ends: each move leaves fewer marbles outside the stores, or as many but nearer to "
    "them.",
    "final": "When either row is empty, nobody can move, and doing nothing keeps it so.",
}
"""Every theorem and its statement, about the original model, in which no hole is sown round the board."""
