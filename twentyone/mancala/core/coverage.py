"""The reach of an answer: a claim that was only tested on some boards is never presented as a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from twentyone.support.counts import counted


@dataclass(frozen=True, slots=True)
class Coverage:
    """The reach of an answer.

    Attributes:
        text: what it covers, in words, as printed.
        is_proof: whether it holds for everything that the text names, and not only for what was searched.
    """

    text: str
    is_proof: bool


REACHABLE: Final = Coverage("all reachable boards", is_proof=True)
ANY_MARBLES: Final = Coverage("every board with this many holes and any number of marbles", is_proof=True)
ANY_SIZE: Final = Coverage("every board of any size", is_proof=True)
ANY_SIZE_AND_LAPS: Final = Coverage("every board of any size, also if moves may go round it", is_proof=True)
A_BOARD: Final = Coverage("the board that is shown", is_proof=True)
NOTHING: Final = Coverage("nothing", is_proof=False)


def traces_up_to(boards: int) -> Coverage:
    """Traces of at most this many boards."""
    return Coverage(f"traces of up to {counted(boards, 'board')}", is_proof=False)
