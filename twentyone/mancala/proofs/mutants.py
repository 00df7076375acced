"""The rule as a set of choices, and its mutants: wrong rules for which theorems must fail.

A theorem that holds for every wrong rule says nothing. For example, a rule that deletes every marble
satisfies the induction property of the original, since it never makes a count negative.

There are two kinds of mutants, since theorems are about two things: how a hole is sown, and what the relation
`move` asks of two boards. A mutant of the relation leaves one of its conjuncts out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


@dataclass(frozen=True, slots=True)
class Drop:
    """The fall of one marble of a move. The defaults are the rule of the game.

    Attributes:
        size: by how much its cell grows.
        stride: how many cells further than the last marble it falls.
        skips: whether the opponent's store is no such cell.
        feeds: by how much the opponent's store grows besides.
    """

    size: int = 1
    stride: int = 1
    skips: bool = True
    feeds: int = 0


@dataclass(frozen=True, slots=True)
class Sowing:
    """The sowing of a hole. The defaults are the rule of the game.

    Attributes:
        drop: what happens to each of the first 2H marbles, which go to different cells.
        later: what happens to each marble after them, if sowing goes round the board.
        empties: whether the chosen hole is emptied.
        too_many: the number of marbles sown in addition to those taken up.
        gives_extra_turn: whether a last marble in the own store gives another turn.
        is_own_side: whether the chosen hole is the mover's.
        stops: whether there is no move when either row is empty.
    """

    drop: Drop = Drop()
    later: Drop = Drop()
    empties: bool = True
    too_many: int = 0
    gives_extra_turn: bool = True
    is_own_side: bool = True
    stops: bool = True


class Conjunct(Enum):
    """The conjuncts of the relation `move`, in words."""

    NOT_OVER = "neither row is empty before the move"
    OWN_ROW = "the hole is in the mover's row"
    NOT_EMPTY = "the hole has marbles"
    START_EMPTY = "the hole is empty after the move"
    OTHER_STORE = "the opponent's store does not change"
    AS_MANY = "as many cells grow as the hole had marbles"
    NO_MORE = "no cell grows by more than one"
    NO_LESS = "no other cell loses marbles"
    NO_GAP = "the cell before one that grows is the hole or the opponent's store, or grows too"
    PAST_STORE = "the cell before the opponent's store grows if the one after it does"
    TURN_KEPT = "the turn is kept if the last marble fell into the own store"
    TURN_SWITCHED = "the turn switches if it did not"

    @property
    def label(self) -> str:
        """Its name in the name of the mutant that leaves it out."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Rule:
    """The subject of theorems. The defaults are the rule of the game.

    Attributes:
        sowing: how a hole is sown.
        left_out: what the relation `move` does not ask.
    """

    sowing: Sowing = Sowing()
    left_out: Conjunct | None = None

    def stops(self) -> dict[str, bool]:
        """Whether sowing, and whether the relation, asks that neither row is empty."""
        return {"sowing": self.sowing.stops, "the relation": self.left_out is not Conjunct.NOT_OVER}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong rule.

    Attributes:
        sentence: what is wrong with it.
        rule: the rule.
    """

    sentence: str
    rule: Rule


RULE: Final = Rule()


def _always(drop: Drop) -> Rule:
    return Rule(Sowing(drop=drop, later=drop))


def _late(drop: Drop) -> Rule:
    return Rule(Sowing(later=drop))


def _sowing(sentence: str, sowing: Sowing) -> Mutant:
    return Mutant(sentence, Rule(sowing))


MUTANTS: Final = {
    "no-skip": Mutant("The opponent's store gets a marble like any other cell.", _always(Drop(skips=False))),
    "no-empty": _sowing("The chosen hole keeps its marbles.", Sowing(empties=False)),
    "too-far": _sowing("One marble too many is sown, so sowing ends a cell too far.", Sowing(too_many=1)),
    "no-extra": _sowing(
        "A last marble in the own store gives no extra turn.", Sowing(gives_extra_turn=False)
    ),
    "wrong-side": _sowing("The chosen hole is one of the opponent's.", Sowing(is_own_side=False)),
    "no-end": _sowing("Play goes on when a row is empty.", Sowing(stops=False)),
    "drop-two": Mutant("Each cell that is sown grows by two.", _always(Drop(size=2))),
    "drop-none": Mutant("The marbles that are sown vanish.", _always(Drop(size=0))),
    "drop-takes": Mutant("Each cell that is sown loses a marble.", _always(Drop(size=-1))),
    "drop-leaps": Mutant("Every other cell is left out.", _always(Drop(stride=2))),
    "drop-feeds": Mutant(
        "With each marble that is sown, the opponent's store grows too.", _always(Drop(feeds=1))
    ),
    "late-hundred": Mutant(
        "After the first lap, each cell that is sown grows by 100.", _late(Drop(size=100))
    ),
    "late-takes": Mutant("After the first lap, each cell that is sown loses a marble.", _late(Drop(size=-1))),
    "late-leaps": Mutant("After the first lap, every other cell is left out.", _late(Drop(stride=2))),
    "late-no-skip": Mutant(
        "After the first lap, the opponent's store gets a marble like any other cell.",
        _late(Drop(skips=False)),
    ),
    "late-feeds": Mutant(
        "After the first lap, the opponent's store grows with each marble that is sown.",
        _late(Drop(feeds=1)),
    ),
} | {
    f"without-{each.label}": Mutant(
        f"The relation `move` does not ask that {each.value}.", Rule(left_out=each)
    )
    for each in Conjunct
}
"""The wrong rules, by name: those of sowing, and one for each conjunct of the relation."""
