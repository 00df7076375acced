"""The sowing rule as a set of choices, and six mutants: wrong rules for which theorems must fail.

A theorem that holds for every wrong rule says nothing. For example, a rule that deletes every marble
satisfies the induction property of the original, since it never makes a count negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Sowing:
    """How a move is made. The defaults are the rule of the game.

    Attributes:
        skips: whether the opponent's store gets no marble.
        empties: whether the chosen hole is emptied.
        too_many: the number of marbles sown in addition to those taken up.
        gives_extra_turn: whether a last marble in the own store gives another turn.
        is_own_side: whether the chosen hole is the mover's.
        stops: whether there is no move when either row is empty.
    """

    skips: bool = True
    empties: bool = True
    too_many: int = 0
    gives_extra_turn: bool = True
    is_own_side: bool = True
    stops: bool = True


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong rule.

    Attributes:
        sentence: what is wrong with it.
        sowing: the rule.
    """

    sentence: str
    sowing: Sowing


RULE: Final = Sowing()

MUTANTS: Final = {
    "no-skip": Mutant("The opponent's store gets a marble like any other cell.", Sowing(skips=False)),
    "no-empty": Mutant("The chosen hole keeps its marbles.", Sowing(empties=False)),
    "too-far": Mutant("One marble too many is sown, so sowing ends a cell too far.", Sowing(too_many=1)),
    "no-extra": Mutant("A last marble in the own store gives no extra turn.", Sowing(gives_extra_turn=False)),
    "wrong-side": Mutant("The chosen hole is one of the opponent's.", Sowing(is_own_side=False)),
    "no-end": Mutant("Play goes on when a row is empty.", Sowing(stops=False)),
}
"""The wrong rules, by name."""
