"""The rules of Mancala as one frozen value, and moves by them.

A move takes all marbles of a hole and sows them counter-clockwise, one into each following cell except the
opponent's store. A player whose last marble falls into the own store moves again. The game is over when
either row is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from twentyone.mancala.core.board import Board, Player, next_cell, opposite, row_of, store_of
from twentyone.support.counts import counted


class Wrap(Enum):
    """The sowing of a hole with more than 2H marbles, which is the number of other cells to sow."""

    ILLEGAL = "illegal"
    """It cannot be sown, as in the original model."""
    ALLOWED = "allowed"
    """Sowing goes round the board, including the hole that it began from."""
    SKIP = "skip"
    """Sowing goes round the board, but leaves out the hole that it began from."""


class Capture(Enum):
    """Whether a last marble in an empty own hole goes to the store, with the marbles in the opposite hole."""

    NONE = "none"
    NONEMPTY = "nonempty"
    """Only if there are marbles in the opposite hole."""
    EMPTY = "empty"
    """Also if the opposite hole is empty, as in Irving, Donkers and Uiterwijk, Solving Kalah (2000)."""


class Extra(Enum):
    """The effect of a last marble in a hole with marbles in it, on either side."""

    STORE = "store"
    """Nothing: only the own store gives another turn."""
    NONEMPTY = "nonempty"
    """It gives another turn too."""
    RELAY = "relay"
    """All marbles of that hole are sown next, in the same move."""


class Winning(Enum):
    """The winner when the game is over."""

    STORE = "store"
    """The player with more marbles in the store, as in the original's text. Equal stores are a tie."""
    ROW = "row"
    """The player whose row is empty, as in the original's model. Both may have won."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything in which the variants of the game differ.

    Attributes:
        wrap: what happens to a hole with more than 2H marbles.
        capture: what a last marble in an empty own hole captures.
        extra: what a last marble in a hole with marbles does.
        sweep: whether the marbles left at the end go to the store of their side.
        winning: the definition of winning.
        bits: the width of a count, which overflows as in the original's 4 bits (-8..7); None for unbounded.

    Raises:
        ValueError: unless `bits` is None or 2 to 32.
    """

    wrap: Wrap = Wrap.ALLOWED
    capture: Capture = Capture.NONE
    extra: Extra = Extra.STORE
    sweep: bool = False
    winning: Winning = Winning.STORE
    bits: int | None = None

    def __post_init__(self) -> None:
        if self.bits is not None and not 2 <= self.bits <= 32:
            raise ValueError(f"counts have {counted(self.bits, 'bit')}: expected 2 to 32")


MODEL: Final = Rules(wrap=Wrap.ILLEGAL, winning=Winning.ROW)
"""The original's model, but with unbounded counts."""

TEXT: Final = Rules()
"""The rules in the original's text."""

KALAH: Final = Rules(capture=Capture.EMPTY, sweep=True)
"""Kalah as solved by Irving, Donkers and Uiterwijk, Solving Kalah, 2000."""

STANDARD: Final = Rules(capture=Capture.NONEMPTY, sweep=True)
"""Kalah as it is usually played: a capture needs marbles in the opposite hole."""

PRESETS: Final = {"model": MODEL, "text": TEXT, "kalah": KALAH, "standard": STANDARD}


class Sowing(NamedTuple):
    """A hole that was emptied, and the cells that its marbles fell into, in order."""

    hole: int
    cells: tuple[int, ...]


class IllegalMoveError(ValueError):
    """A move that the rules forbid, in one sentence that says why."""


def is_over(board: Board) -> bool:
    """Whether either row is empty, whoever's turn it is."""
    return not any(board.row(Player.ONE)) or not any(board.row(Player.TWO))


def verify_move(board: Board, hole: int, rules: Rules) -> None:
    """Check that the player to move may sow a hole.

    Raises:
        IllegalMoveError: if the game is over, or the hole is not one of the player's, is empty, or is too
            full.
    """
    row = row_of(board.turn, board.holes)
    if is_over(board):
        raise IllegalMoveError("the game is over: there is no legal move")
    if hole not in row:
        raise IllegalMoveError(
            f"{hole} is not a hole of player {board.turn.value}: expected {row.start} to {row.stop - 1}"
        )
    count = board.cells[hole]
    if count <= 0:
        raise IllegalMoveError(f"hole {hole} has {counted(count, 'marble')}: expected 1 or more")
    if rules.wrap is Wrap.ILLEGAL and count > 2 * board.holes:
        raise IllegalMoveError(
            f"hole {hole} has {counted(count, 'marble')}, which would go round the board:"
            f" expected at most {2 * board.holes}"
        )


def can_move(board: Board, hole: int, rules: Rules) -> bool:
    """Whether the player to move may sow a hole."""
    try:
        verify_move(board, hole, rules)
    except IllegalMoveError:
        return False
    return True


def moves(board: Board, rules: Rules) -> tuple[int, ...]:
    """The holes that the player to move may sow, in order; empty if the game is over or stuck."""
    return tuple(hole for hole in row_of(board.turn, board.holes) if can_move(board, hole, rules))


def move(board: Board, hole: int, rules: Rules) -> Board:
    """The board after the player to move has sown a hole.

    Raises:
        IllegalMoveError: as `verify_move`.
    """
    verify_move(board, hole, rules)
    cells = list(board.cells)
    last = sow_all(cells, hole, board.turn, rules)[-1].cells[-1]
    capture(cells, last, board.turn, rules)
    turn = board.turn if has_another_turn(cells, last, board.turn, rules) else board.turn.other
    after = Board(tuple(in_bits(count, rules.bits) for count in cells), turn)
    return settled(after, rules)


def sowings(board: Board, hole: int, rules: Rules) -> tuple[Sowing, ...]:
    """The cells into which the marbles of a move fall: one sowing, or several with relays.

    Captures and sweeps come after them and are left out.

    Raises:
        IllegalMoveError: as `verify_move`.
    """
    verify_move(board, hole, rules)
    return tuple(sow_all(list(board.cells), hole, board.turn, rules))


def is_hole(cell: int, holes: int) -> bool:
    """Whether a cell is a hole and not a store."""
    return cell not in (holes, 2 * holes + 1)


def sow_all(cells: list[int], hole: int, player: Player, rules: Rules) -> list[Sowing]:
    """Sow a hole, in place, and with relays every further hole of the same move."""
    done = [Sowing(hole, tuple(sow(cells, hole, player, rules)))]
    last = done[-1].cells[-1]
    while rules.extra is Extra.RELAY and is_hole(last, len(cells) // 2 - 1) and cells[last] > 1:
        done.append(Sowing(last, tuple(sow(cells, last, player, rules))))
        last = done[-1].cells[-1]
    return done


def sow(cells: list[int], hole: int, player: Player, rules: Rules) -> list[int]:
    """Sow a hole that has marbles, in place.

    Returns:
        The cells that its marbles fell into, in order.
    """
    holes = len(cells) // 2 - 1
    left_out = {store_of(player.other, holes)} | ({hole} if rules.wrap is Wrap.SKIP else set())
    count, cells[hole] = cells[hole], 0
    cell, reached = hole, list[int]()
    while len(reached) < count:
        cell = next_cell(cell, holes)
        if cell not in left_out:
            cells[cell] += 1
            reached.append(cell)
    return reached


def capture(cells: list[int], last: int, player: Player, rules: Rules) -> None:
    """Move what a last marble captures into the store, in place."""
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
    """The board after the marbles left in the rows have gone to the stores of their sides."""
    sides = ((0,) * board.holes + (sum(board.row(player)) + board.store(player),) for player in Player)
    return Board(tuple(count for side in sides for count in side), board.turn)


def settled(board: Board, rules: Rules) -> Board:
    """The same board, or what the sweep leaves of it if it is over and the rules have a sweep.

    A move ends with this. A board that does not come from a move, such as one that was typed, needs it too.
    """
    return swept(board) if rules.sweep and is_over(board) else board


def in_bits(count: int, bits: int | None) -> int:
    """A count as this many bits hold it, in two's complement: in 4 bits, 7 + 1 is -8."""
    if bits is None:
        return count
    half = 1 << (bits - 1)
    return (count + half) % (2 * half) - half


def winners(board: Board, rules: Rules) -> frozenset[Player]:
    """The winners of a game that is over or stuck: none for a tie, and perhaps both by `Winning.ROW`."""
    if rules.winning is Winning.ROW:
        return frozenset(player for player in Player if not any(board.row(player)))
    if board.margin == 0:
        return frozenset()
    return frozenset({Player.ONE if board.margin > 0 else Player.TWO})
