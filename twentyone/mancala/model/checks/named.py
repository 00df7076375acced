"""The statements that checks are made of, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.core.board import Board, initial
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.checks import changes as c
from twentyone.mancala.model.checks import moves as m
from twentyone.mancala.model.checks import situations as b
from twentyone.mancala.model.statements import Statement


def _by_name(*functions: Statement) -> dict[str, Statement]:
    return {each.__name__: each for each in functions}


PREDICATES: Final = _by_name(
    s.wellformed,
    s.wellformed_after,
    s.init,
    s.first_of_game,
    s.player1_win,
    s.player2_win,
    s.end_game,
    s.end_game_after,
    s.check_turn,
    s.update_marbles,
    s.move,
    s.do_nothing,
    s.nothing_changes,
)
"""The predicates of the original. Two of them also exist for the board after the step."""

SITUATIONS: Final = _by_name(
    b.right_cells,
    b.ordered,
    b.empty_board,
    b.full_board,
    b.negative_count,
    b.negative_cell,
    b.missing_store,
    b.stores_empty,
    b.holes_hold_2,
    b.player1_to_move,
    b.player2_to_move,
    b.init_and_more,
    b.bad_order,
    b.store_of_minus_1,
    b.three_empty,
    b.all_negative,
    b.holes_012_empty,
    b.holes_456_empty,
    b.some_of_012_full,
    b.some_of_456_full,
    b.marbles_in_both_rows,
    b.not_over,
    b.below_7,
)

CHANGES: Final = _by_name(
    c.no_gain_switches,
    c.kept_means_gain,
    c.passed_and_kept,
    c.landed_and_lost,
    c.fell_and_kept,
    c.start_empty,
    c.other_store_kept,
    c.as_many_grew,
    c.gap_before_3,
    c.all_grew,
    c.start_on_row,
    c.start_not_empty,
    c.some_change,
    c.turn_kept,
    c.turn_switched,
    c.win_kept,
    c.transition,
)

MOVES: Final = _by_name(
    m.one_into_store,
    m.three_past_store,
    m.two_from_5,
    m.one_from_0,
    m.four_from_0,
    m.wrong_turn,
    m.wrong_amount,
    m.moved_when_over,
    m.wrong_way,
    m.tiny_end,
)

NAMED: Final = PREDICATES | SITUATIONS | CHANGES | MOVES
"""All statements, except those about whole games, which are in `traces`."""


def named_with(changed: Mapping[str, Statement]) -> dict[str, Statement]:
    """All statements, where some mean something else, and with them those that are made of them."""
    named = NAMED | dict(changed)
    over, sown, turned = (named[name] for name in ("end_game", "update_marbles", "check_turn"))
    made: dict[str, Statement] = {
        "move": lambda roles: s.whole(s.moving(roles, over, sown, turned)),
        "do_nothing": lambda roles: s.whole(s.resting(roles, over)),
        "not_over": lambda roles: b.not_over(roles, over),
        "first_of_game": lambda roles: (*named["wellformed"](roles), *named["init"](roles)),
        "transition": lambda roles: c.transition(roles, named["move"], named["do_nothing"]),
    }
    named |= {name: statement for name, statement in made.items() if name not in changed}
    return named


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of the checks' statements: as in the original, or not.

    Attributes:
        named: the statements, by name.
        first: the board that `init` describes, with which games begin.
    """

    named: Mapping[str, Statement]
    first: Board


ORIGINAL: Final = Meaning(NAMED, initial())
