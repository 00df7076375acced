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
    "sown": "A hole of k marbles is emptied, the next k cells except the opponent's store grow by one, again "
    "with each lap, and nothing else changes.",
    "turn": "The turn is kept exactly if the last marble falls into the mover's store: it grew, and the next "
    "cell did not.",
    "relation": "The relation `move` holds of two boards exactly if sowing a hole leads from one to the "
    "other.",
    "deterministic": "For a board and a hole, the relation `move` holds of at most one board after it.",
    "wraps": "The relation `move` never holds of a hole with more than 2H marbles.",
    "ends": "If no count is negative, every game ends: each move leaves none negative, and fewer marbles "
    "outside the stores, or as many but nearer to them.",
    "final": "Where the end of the game forbids neither sowing nor the relation `move`, and no count is "
    "negative, the mover has a hole with marbles.",
}
"""Every theorem and its statement, about the original model, in which no hole is sown round the board."""

MARBLE_BY_MARBLE: Final = "marble by marble"
CELL_BY_CELL: Final = "cell by cell"
DESCENT: Final = "descent"

SCHEMES: Final = {
    MARBLE_BY_MARBLE: "What holds before the first marble of a move, and after each one if before it, holds "
    "after the last.",
    CELL_BY_CELL: "What holds of no cells, and of one cell more if of the cells before it, holds of all.",
    DESCENT: "Of two whole numbers that are never negative, the first cannot fall, or stay while the second "
    "falls, for ever.",
}
"""The steps of a proof that z3 is given: it checks what each of them needs, and what follows from it."""

BY_HAND: Final = (
    "What an induction cell by cell proves is written again as a premise of the lemmas after it, or put "
    "together with them in words. z3 does not check that this is what it proves."
)
"""The step that is left to the reader in the proofs that use `CELL_BY_CELL`."""
