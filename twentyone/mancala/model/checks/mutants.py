"""Wrong predicates, and which of the 92 checks notices which: a check that notices none says nothing.

A mutant gives statements another meaning, also where others are made of them. Most leave parts of a predicate
out; some add one, or make it hold of everything or of nothing, since a check that asks for an instance can
notice only a predicate that holds less often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.checks.named import Meaning, named_with
from twentyone.mancala.model.finite_domains import Formula, always, box, cell, pairs, prev
from twentyone.mancala.model.statements import HOLES, Roles, Statement
from twentyone.mancala.model.structure import INTS


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong meaning of statements.

    Attributes:
        sentence: what is wrong.
        changed: the statements that mean something else, by name.
        first: the board that `init` describes, with which games begin.
    """

    sentence: str
    changed: Mapping[str, Statement]
    first: Board = field(default_factory=initial)

    @property
    def meaning(self) -> Meaning:
        """The meaning of all statements with it."""
        return Meaning(named_with(self.changed), self.first)


PARTS: Final[dict[str, Callable[[Roles], dict[str, Formula]]]] = {
    "wellformed": lambda _: s.shape(),
    "init": lambda _: s.beginning(),
    "first_of_game": lambda roles: {"wellformed": s.wellformed(roles), "init": s.init(roles)},
    "update_marbles": s.sowing,
    "move": s.moving,
    "do_nothing": s.resting,
}
"""The predicates from which parts are left out."""


def _less(name: str, *left_out: str) -> Statement:
    """A predicate without some of its parts."""
    return lambda roles: s.whole(
        {part: each for part, each in PARTS[name](roles).items() if part not in left_out}
    )


def _without(sentence: str, name: str, *left_out: str) -> Mutant:
    return Mutant(sentence, {name: _less(name, *left_out)})


def _moved_without(sentence: str, sowing: str, *left_out: str) -> Mutant:
    """`move` without some of its parts, and without one of `update_marbles`."""

    def moved(roles: Roles) -> Formula:
        parts = s.moving(roles, sown=_less("update_marbles", sowing))
        return s.whole({part: each for part, each in parts.items() if part not in left_out})

    return Mutant(sentence, {"move": moved})


def _more(sentence: str, name: str, statement: Statement, added: Formula) -> Mutant:
    """A predicate that also asks for something else."""
    return Mutant(sentence, {name: lambda roles: (*statement(roles), *added)})


def _constant(name: str, holds: bool) -> Mutant:
    formula: Formula = (((),) if holds else (),)
    return Mutant(f"`{name}` holds of {'everything' if holds else 'nothing'}.", {name: lambda _: formula})


def _begins(sentence: str, in_hole: int, in_store: int) -> Mutant:
    """`init` asks for other counts."""
    row = (in_hole,) * len(HOLES[:3])
    board = Board((*row, in_store, *row, in_store), Player.ONE)
    return Mutant(sentence, {"init": lambda _: s.whole(s.beginning(in_hole, in_store))}, board)


def _empty(*holes: int) -> Statement:
    return lambda _: s.holds(dict.fromkeys(holes, 0))


def _some_row_empty(*rows: tuple[int, ...]) -> Statement:
    """A row is empty as far as these holes show it."""
    return lambda _: (tuple(box(*(cell(hole, s.value_before(0)) for hole in row)) for row in rows),)


def _one_row_empty(_: Roles) -> Formula:
    """Exactly one row is empty."""
    empty, full = s.value_before(0), ~s.value_before(0)
    return (
        tuple(
            box(*(cell(hole, empty) for hole in row), cell(one, full))
            for row, other in ((HOLES[:3], HOLES[3:]), (HOLES[3:], HOLES[:3]))
            for one in other
        ),
    )


def kept_if_ended(roles: Roles) -> Formula:
    """The turn is kept if the last marble fell into `mine`, and otherwise it may be kept too."""
    unless = (box(cell(roles.mine, s.NOT_GROWN)), box(s.SAME_TURN))
    return tuple(
        (box(prev(number, ~s.value_before(roles.mine))), box(cell(number, s.CHANGED)), *unless)
        for number in INTS
    )


def switched_unless_ended(roles: Roles) -> Formula:
    """The turn switches unless the last marble fell into `mine`, and otherwise it may switch too."""
    grew = cell(roles.mine, s.GREW)
    return tuple(
        (
            box(prev(number, ~s.value_before(roles.mine))),
            box(cell(number, s.KEPT), grew),
            box(s.OTHER_TURN),
        )
        for number in INTS
    )


_CELL_MINUS_1: Final = s.everywhere(s.value_before(0), (-1,))
_NO_OTHERS: Final = s.shape()["no-others"]
_ORDER: Final = s.shape()["order"]

MUTANTS: Final[dict[str, Mutant]] = {
    "wellformed-others": _without("`wellformed` allows other cells.", "wellformed", "no-others"),
    "wellformed-order": _without("`wellformed` allows any order of the cells.", "wellformed", "order"),
    "wellformed-negative": _without("`wellformed` allows negative counts.", "wellformed", "not-negative"),
    "wellformed-missing": _without("`wellformed` allows cells to be missing.", "wellformed", "all-cells"),
    "wellformed-never": _constant("wellformed", holds=False),
    "init-stores": _without("`init` allows marbles in the stores.", "init", "stores"),
    "init-holes": _without("`init` allows any counts in the holes.", "init", "holes"),
    "init-turn": _without("`init` allows player 2 to begin.", "init", "turn"),
    "init-never": _constant("init", holds=False),
    "init-cell": _more("`init` asks for a cell -1.", "init", s.init, _CELL_MINUS_1),
    "init-cells": _more("`init` allows no cells but 0 to 7.", "init", s.init, _NO_OTHERS),
    "init-order": _more("`init` asks for the order of the cells.", "init", s.init, _ORDER),
    "init-sevens": _begins("`init` asks for 7 marbles in each hole.", 7, 0),
    "init-full": _begins("`init` asks for 2 marbles in the stores too.", 2, 2),
    "init-over": _begins("`init` asks for empty holes.", 0, 0),
    "init-minus": _begins("`init` asks for -1 in the stores.", 2, -1),
    "win1-two": Mutant("`player1_win` looks at holes 0 and 1 only.", {"player1_win": _empty(0, 1)}),
    "win1-always": _constant("player1_win", holds=True),
    "win1-never": _constant("player1_win", holds=False),
    "win2-two": Mutant("`player2_win` looks at holes 4 and 5 only.", {"player2_win": _empty(4, 5)}),
    "win2-always": _constant("player2_win", holds=True),
    "win2-never": _constant("player2_win", holds=False),
    "end-two": Mutant(
        "`end_game` looks at two holes of each row.", {"end_game": _some_row_empty((1, 2), (5, 6))}
    ),
    "end-first": Mutant("`end_game` looks at player 1's row only.", {"end_game": _some_row_empty(HOLES[:3])}),
    "end-second": Mutant(
        "`end_game` looks at player 2's row only.", {"end_game": _some_row_empty(HOLES[3:])}
    ),
    "end-one": Mutant("`end_game` asks that one row is not empty.", {"end_game": _one_row_empty}),
    "end-always": _constant("end_game", holds=True),
    "turn-any-else": Mutant(
        "`check_turn` allows the turn to be kept without an end in the store.", {"check_turn": kept_if_ended}
    ),
    "turn-any-end": Mutant(
        "`check_turn` allows the turn to switch after an end in the store.",
        {"check_turn": switched_unless_ended},
    ),
    "turn-switches": Mutant(
        "`check_turn` asks that the turn always switches.", {"check_turn": lambda _: always(s.OTHER_TURN)}
    ),
    "turn-stays": Mutant(
        "`check_turn` asks that the turn is always kept.", {"check_turn": lambda _: always(s.SAME_TURN)}
    ),
    "turn-never": _constant("check_turn", holds=False),
    "sowing-start": _without(
        "`update_marbles` leaves marbles in the start.", "update_marbles", "start-empty"
    ),
    "sowing-other": _without(
        "`update_marbles` allows the other store to change.", "update_marbles", "other-store"
    ),
    "sowing-count": _without(
        "`update_marbles` allows any number of cells to grow.", "update_marbles", "as-many"
    ),
    "sowing-gap": _without("`update_marbles` allows a gap.", "update_marbles", "no-gap"),
    "sowing-count-other": _without(
        "`update_marbles` allows any cells to grow, the other store too.",
        "update_marbles",
        "as-many",
        "other-store",
    ),
    "sowing-never": _constant("update_marbles", holds=False),
    "move-row": _without("`move` allows a hole of the opponent.", "move", "own-row"),
    "move-empty": _without("`move` allows an empty hole.", "move", "not-empty"),
    "move-over": _without("`move` allows moves when the game is over.", "move", "not-over"),
    "move-row-count": _moved_without(
        "`move` allows a hole of the opponent, and any number of cells to grow.", "as-many", "own-row"
    ),
    "move-row-count-over": _moved_without(
        "`move` allows that and moves when the game is over.", "as-many", "own-row", "not-over"
    ),
    "move-never": _constant("move", holds=False),
    "nothing-cells": _without("`do_nothing` allows cells to change.", "do_nothing", "cells"),
    "nothing-turn": _without("`do_nothing` allows the turn to change.", "do_nothing", "turn"),
    "nothing-over": _without("`do_nothing` is allowed before the end.", "do_nothing", "over"),
    "nothing-any": _without(
        "`do_nothing` allows any change at any time.", "do_nothing", "over", "cells", "turn"
    ),
    "nothing-never": _constant("do_nothing", holds=False),
    "trace-first": _without("`game_trace` allows any first board.", "first_of_game", "init"),
}
"""The wrong meanings, by name."""

_MAY_FALL: Final = pairs(
    lambda before, after: before is not None and after is not None and 0 <= after <= before
)

UNNOTICED: Final = Mutant(
    "`update_marbles` lets any cell that does not grow lose marbles.",
    {"update_marbles": lambda roles: s.whole(s.sowing(roles, s.KEPT | _MAY_FALL))},
)
"""A mutant that passes all 92 checks, since the original never tests that marbles are conserved.

Those about games are never answered for it, since games are played with the moves of the rules: that they
pass too is argued.
"""

WHY_GAMES_PASS: Final = (
    "With more moves, what is possible stays so, and every move still empties a hole; z3 finds no cell that"
    " reaches 7 sooner."
)
"""Why the checks about games pass for `UNNOTICED`. Tests ask z3, and which checks there are."""

UNNOTICED_IN_PROOFS: Final = "without-no-less"
"""The mutant of the same kind of `mancala prove --mutant`."""

NOTICES: Final[dict[str, str]] = {
    "wellformed.cells": "wellformed-others",
    "wellformed.order": "wellformed-order",
    "wellformed.possible": "wellformed-never",
    "not_wellformed.negative": "wellformed-negative",
    "not_wellformed.negative_cell": "wellformed-others",
    "not_wellformed.no_store": "wellformed-missing",
    "init.stores": "init-stores",
    "init.holes": "init-holes",
    "init.turn": "init-turn",
    "init.malformed": "init-cells",
    "init.possible": "init-never",
    "init.wellformed": "init-cell",
    "init.negative_cell": "init-cells",
    "init.bad_order": "init-order",
    "init.player2": "init-turn",
    "init.negative": "init-stores",
    "player1_win.three": "win1-two",
    "player1_win.row": "win1-two",
    "player1_win.wellformed": "win1-never",
    "not_player1_win.negative": "win1-always",
    "not_player1_win.one_full": "win1-two",
    "player2_win.three": "win2-two",
    "player2_win.row": "win2-two",
    "player2_win.wellformed": "win2-never",
    "not_player2_win.negative": "win2-always",
    "not_player2_win.one_full": "win2-two",
    "end_game.three": "end-two",
    "end_game.player1": "end-second",
    "end_game.player2": "end-first",
    "end_game.both": "end-one",
    "not_end_game.both_rows": "end-two",
    "not_end_game.init": "end-always",
    "check_turn.no_gain": "turn-any-else",
    "check_turn.kept": "turn-any-else",
    "check_turn.one_marble": "turn-switches",
    "check_turn.three_marbles": "turn-stays",
    "check_turn.possible": "turn-never",
    "not_check_turn.passed": "turn-any-else",
    "not_check_turn.landed": "turn-any-end",
    "not_check_turn.fell": "turn-any-else",
    "update_marbles.start": "sowing-start",
    "update_marbles.other": "sowing-other",
    "update_marbles.as_many": "sowing-count",
    "update_marbles.three_marbles": "sowing-never",
    "update_marbles.with_turn": "sowing-never",
    "update_marbles.possible": "sowing-never",
    "not_update_marbles.gap": "sowing-gap",
    "not_update_marbles.all_grew": "sowing-count-other",
    "not_update_marbles.gap_again": "sowing-gap",
    "move.own_row": "move-row",
    "move.not_empty": "move-empty",
    "move.change": "move-empty",
    "move.one_marble": "turn-stays",
    "move.four_marbles": "turn-stays",
    "move.wellformed": "move-never",
    "move.init": "end-always",
    "move.possible": "move-never",
    "not_move.wrong_turn": "move-row",
    "not_move.wrong_amount": "move-row-count",
    "not_move.over": "move-row-count-over",
    "do_nothing.cells": "nothing-cells",
    "do_nothing.turn": "nothing-turn",
    "do_nothing.other": "nothing-cells",
    "do_nothing.over_before": "nothing-over",
    "do_nothing.over_after": "nothing-over",
    "do_nothing.one_marble": "end-second",
    "do_nothing.wellformed": "nothing-never",
    "do_nothing.init": "nothing-over",
    "do_nothing.possible": "nothing-never",
    "not_do_nothing.change": "nothing-cells",
    "not_do_nothing.turn": "nothing-turn",
    "not_do_nothing.moved": "nothing-any",
    "game_trace.init": "trace-first",
    "game_trace.below_7": "init-sevens",
    "game_trace.win_kept": "nothing-cells",
    "game_trace.some_empty": "init-full",
    "game_trace.possible": "init-minus",
    "game_trace.first_move": "init-over",
    "game_trace.some_move": "init-over",
    "game_trace.first_nothing": "nothing-over",
    "game_trace.both": "nothing-any",
    "game_trace.move_after_end": "move-over",
    "game_trace.nothing_before_end": "nothing-over",
    "induction.first": "sowing-gap",
    "induction.step": "nothing-cells",
}
"""For every check that can notice one, a mutant that it notices."""

NO_BOARD: Final = "Its condition holds of no board, so it holds whatever the predicate is."

NOTICES_NONE: Final[dict[str, str]] = {
    "wellformed.empty_board": NO_BOARD,
    "wellformed.full_board": NO_BOARD,
    "init.empty": "No board is the empty board as it is stated, so there is none whatever `init` is.",
    "not_end_game.full_board": NO_BOARD,
    "update_marbles.two_marbles": NO_BOARD,
    "not_move.wrong_way": NO_BOARD,
    "game_trace.wellformed": "It is a tautology: it claims of wellformed boards that they are wellformed.",
}
"""The checks that notice no mutant, because none is possible, and why."""
