"""The sowing rule as choices that can be got wrong, and six wrong rules that the theorems must refute.

A theorem that no wrong rule can break says nothing. Deleting every marble, for one, satisfies the induction
property of the original, since no board without negative counts becomes one with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Sowing:
    """How a move is made; the rule of the game unless a field says otherwise.

    Attributes:
        skips: the opponent's store gets no marble.
        empties: the chosen hole is emptied.
        too_many: marbles that are sown beside those that were taken up.
        gives_extra_turn: a last marble in the own store gives another turn.
        is_own_side: the chosen hole is the mover's.
        stops: there is no move when either row is empty.
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
        sentence: what is wrong about it.
        sowing: the rule.
    """

    sentence: str
    sowing: Sowing


RULE: Final = Sowing()

MUTANTS: Final = {
    "no-skip": Mutant("The opponent's store gets a marble like any other cell.", Sowing(skips=False)),
    "no-empty": Mutant("The chosen hole keeps its marbles.", Sowing(empties=False)),
    "too-far": Mutant("One marble more is sown, so that sowing ends a cell too far.", Sowing(too_many=1)),
    "no-extra": Mutant("A last marble in the own store gives no other turn.", Sowing(gives_extra_turn=False)),
    "wrong-side": Mutant("The chosen hole is one of the opponent's.", Sowing(is_own_side=False)),
    "no-end": Mutant("Play goes on when a row is empty.", Sowing(stops=False)),
}
"""The wrong rules, by name."""
