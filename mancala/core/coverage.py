"""What an answer covers: a claim that was tested on some boards says so, and is not taken for a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far an answer reaches.

    Attributes:
        text: in words, as it is printed.
        is_proof: whether it holds for every board that the text names, not just for those looked at.
    """

    text: str
    is_proof: bool


REACHABLE: Final = Coverage("all reachable boards", is_proof=True)
ANY_MARBLES: Final = Coverage("every board with this many holes and any number of marbles", is_proof=True)
ANY_SIZE: Final = Coverage("every board of any size", is_proof=True)
ANY_SIZE_AND_LAPS: Final = Coverage(
    "every board of any size, also where a move may go round it", is_proof=True
)
A_BOARD: Final = Coverage("the board that is shown", is_proof=True)
NOTHING: Final = Coverage("nothing", is_proof=False)


def up_to(boards: int) -> Coverage:
    """Traces of so many boards at most."""
    return Coverage(f"traces of up to {boards} boards", is_proof=False)
