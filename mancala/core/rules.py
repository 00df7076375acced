"""The rules of Mancala as one frozen value, and a move by them.

A move takes all marbles of a hole and sows them counter-clockwise, one into each following cell except the
opponent's store. Who ends in the own store moves again. The game is over when either row is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from mancala.core.board import Board, Player, following, opposite, row_of, store_of


class Wrap(Enum):
    """What becomes of a hole with more marbles than there are other cells to sow, 2H of them."""

    ILLEGAL = "illegal"
    """It cannot be played, as in the original model."""
    ALLOWED = "allowed"
    """Sowing goes on round the board, and through the hole that it began from."""
    SKIP = "skip"
    """Sowing goes on round the board, and leaves out the hole that it began from."""


class Capture(Enum):
    """Whether a last marble in an empty own hole takes that marble and those opposite into the store."""

    NONE = "none"
    NONEMPTY = "nonempty"
    """Only if there are marbles opposite."""
    EMPTY = "empty"
    """Also if there are none, as in Irving, Donkers and Uiterwijk, Solving Kalah (2000)."""


class Extra(Enum):
    """What a last marble does that lands in a hole, either side's, with marbles in it."""

    STORE = "store"
    """Nothing: only the own store gives another turn."""
    NONEMPTY = "nonempty"
    """It gives another turn too."""
    RELAY = "relay"
    """All marbles of that hole are taken up and sown on."""


class Winning(Enum):
    """Who has won when the game is over."""

    STORE = "store"
    """Who has the most marbles in the store, as the text of the original says; equal stores are a tie."""
    ROW = "row"
    """Whose row is empty, as its model says: both may have won."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Every choice that the rules leave.

    Attributes:
        wrap: holes with more than 2H marbles.
        capture: a last marble in an empty hole of one's own.
        extra: a last marble in a hole that is not empty.
        sweep: whether the marbles left at the end go to the store of the side they lie on.
        winning: the definition of winning.
        bits: the width of a count, whose overflow wraps as in the original's 4 bits (-8..7); None has no end.
    """

    wrap: Wrap = Wrap.ALLOWED
    capture: Capture = Capture.NONE
    extra: Extra = Extra.STORE
    sweep: bool = False
    winning: Winning = Winning.STORE
    bits: int | None = None

    def __post_init__(self) -> None:
        if self.bits is not None and not 2 <= self.bits <= 32:
            raise ValueError(f"counts of {self.bits} bits: expected 2 to 32")


MODEL: Final = Rules(wrap=Wrap.ILLEGAL, winning=Winning.ROW)
"""The original model, but for its 4-bit counts."""

TEXT: Final = Rules()
"""What the original's text says."""

KALAH: Final = Rules(capture=Capture.EMPTY, sweep=True)
"""Kalah as it was solved: Irving, Donkers and Uiterwijk, Solving Kalah, 2000."""

STANDARD: Final = Rules(capture=Capture.NONEMPTY, sweep=True)
"""Kalah as it is mostly played: a capture needs marbles opposite."""

PRESETS: Final = {"model": MODEL, "text": TEXT, "kalah": KALAH, "standard": STANDARD}


class IllegalMoveError(ValueError):
    """A move that the rules forbid: one sentence that says why."""


def is_over(board: Board) -> bool:
    """Whether either row is empty, whoever's turn it is."""
    return not any(board.row(Player.ONE)) or not any(board.row(Player.TWO))


def verify_move(board: Board, hole: int, rules: Rules) -> None:
    """Check that the player to move may sow a hole.

    Raises:
        IllegalMoveError: if the game is over, or the hole is the opponent's, none, empty, or too full.
    """
    row = row_of(board.turn, board.holes)
    if is_over(board):
        raise IllegalMoveError("the game is over: nobody may move")
    if hole not in row:
        raise IllegalMoveError(
            f"{hole} is no hole of player {board.turn.value}: expected {row.start} to {row.stop - 1}"
        )
    count = board.cells[hole]
    if count <= 0:
        raise IllegalMoveError(f"hole {hole} has {count} marbles: expected one that has some")
    if rules.wrap is Wrap.ILLEGAL and count > 2 * board.holes:
        raise IllegalMoveError(
            f"hole {hole} has {count} marbles, which would go round the board: "
            f"expected {2 * board.holes} at most"
        )


def can_move(board: Board, hole: int, rules: Rules) -> bool:
    """Whether the player to move may sow a hole."""
    try:
        verify_move(board, hole, rules)
    except IllegalMoveError:
        return False
    return True


def moves(board: Board, rules: Rules) -> tuple[int, ...]:
    """The holes that the player to move may sow, in order; none if the game is over or stuck."""
    return tuple(hole for hole in row_of(board.turn, board.holes) if can_move(board, hole, rules))


def is_stuck(board: Board, rules: Rules) -> bool:
    """Whether the game is not over, and yet the player to move has no move."""
    return not is_over(board) and not moves(board, rules)


def move(board: Board, hole: int, rules: Rules) -> Board:
    """The board after the player to move has sown a hole.

    Raises:
        IllegalMoveError: as `verify_move`.
    """
    verify_move(board, hole, rules)
    cells = list(board.cells)
    last = sow(cells, hole, board.turn, rules)
    while rules.extra is Extra.RELAY and is_hole(last, board.holes) and cells[last] > 1:
        last = sow(cells, last, board.turn, rules)
    capture(cells, last, board.turn, rules)
    turn = board.turn if has_another_turn(cells, last, board.turn, rules) else board.turn.other
    after = Board(tuple(limited(count, rules.bits) for count in cells), turn)
    return swept(after) if rules.sweep and is_over(after) else after


def is_hole(cell: int, holes: int) -> bool:
    """Whether a cell is a hole and not a store."""
    return cell not in (holes, 2 * holes + 1)


def sow(cells: list[int], hole: int, player: Player, rules: Rules) -> int:
    """Empty a hole into the cells after it, in place; the cell of the last marble."""
    holes = len(cells) // 2 - 1
    left_out = {store_of(player.other, holes)} | ({hole} if rules.wrap is Wrap.SKIP else set())
    count, cells[hole] = cells[hole], 0
    cell = hole
    while count:
        cell = following(cell, holes)
        if cell not in left_out:
            cells[cell] += 1
            count -= 1
    return cell


def capture(cells: list[int], last: int, player: Player, rules: Rules) -> None:
    """Take what a last marble captures into the store, in place."""
    holes = len(cells) // 2 - 1
    if rules.capture is Capture.NONE or last not in row_of(player, holes) or cells[last] != 1:
        return
    across = opposite(last, holes)
    if cells[across] or rules.capture is Capture.EMPTY:
        cells[store_of(player, holes)] += cells[last] + cells[across]
        cells[last] = cells[across] = 0


def has_another_turn(cells: list[int], last: int, player: Player, rules: Rules) -> bool:
    """Whether the last marble gives the player another turn; `cells` are those after the move."""
    holes = len(cells) // 2 - 1
    if last == store_of(player, holes):
        return True
    return rules.extra is Extra.NONEMPTY and is_hole(last, holes) and cells[last] > 1


def swept(board: Board) -> Board:
    """The board when the marbles left in the rows have gone to the stores of their sides."""
    sides = ((0,) * board.holes + (sum(board.row(player)) + board.store(player),) for player in Player)
    return Board(tuple(count for side in sides for count in side), board.turn)


def limited(count: int, bits: int | None) -> int:
    """A count as so many bits hold it, in two's complement: with 4 bits 7 + 1 is -8."""
    if bits is None:
        return count
    half = 1 << (bits - 1)
    return (count + half) % (2 * half) - half


def winners(board: Board, rules: Rules) -> frozenset[Player]:
    """Who has won a game that is over or stuck: one, nobody (a tie), or by `Winning.ROW` perhaps both."""
    if rules.winning is Winning.ROW:
        return frozenset(player for player in Player if not any(board.row(player)))
    if board.margin == 0:
        return frozenset()
    return frozenset({Player.ONE if board.margin > 0 else Player.TWO})
