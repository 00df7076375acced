"""Perfect play on large boards: the compiled search, repeated until its bounds meet."""

from __future__ import annotations

from concurrent.futures import Future
from functools import lru_cache
from math import comb
from threading import Thread
from typing import Final

import numpy as np

from twentyone.mancala.core.board import Board, Player
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.core.rules import Capture, Extra, Rules, Wrap, is_over, move, moves
from twentyone.mancala.solving.kernel import Cells, Game, Line, Tables, search
from twentyone.mancala.solving.space import TooLargeError
from twentyone.support.counts import counted

MOST_MARBLES: Final = 127
"""Values and counts are kept in a byte."""

MOST_NUMBER: Final = 1 << 62
"""Positions are numbered by signed 64-bit integers."""

MOST_ENDS: Final = 3_000_000
"""Entries of the end-game table: with six holes a side, all positions of up to 12 marbles. Many more would
take longer to compute than they save, and on smaller boards much longer."""

LEAST_BITS: Final = 20
"""Of the index of the transposition table: the fewest for which index and entry together hold the whole
key."""

MOST_BITS: Final = 25
"""Of that index: a table of 256 MiB."""

POLL_EVERY: Final = 0.1
"""Seconds between reports of progress."""


def game_of(holes: int, rules: Rules) -> Game:
    """The rules in the form that a kernel takes."""
    return Game(
        holes=holes,
        is_wrap_illegal=rules.wrap is Wrap.ILLEGAL,
        is_origin_skipped=rules.wrap is Wrap.SKIP,
        captures=list(Capture).index(rules.capture),
        relays=rules.extra is Extra.RELAY,
        is_nonempty_extra=rules.extra is Extra.NONEMPTY,
        sweeps=rules.sweep,
    )


def cells_of(board: Board) -> Cells:
    """The holes of a board as kernels take them, those of the player to move first."""
    return np.array(board.row(board.turn) + board.row(board.turn.other), np.int8)


class Solver:
    """The compiled search for one game. It keeps what it finds, so later answers take less time.

    Args:
        holes: holes a side.
        marbles: the total number of marbles.
        rules: the rules, with unbounded counts.

    Raises:
        TooLargeError: if there are too many marbles or positions to number.
    """

    def __init__(self, holes: int, marbles: int, rules: Rules) -> None:
        cells = 2 * holes
        positions = comb(marbles + cells, cells)
        if marbles > MOST_MARBLES or positions > MOST_NUMBER:
            raise TooLargeError(
                f"{counted(holes, 'hole')} a side and {counted(marbles, 'marble')} are too many for"
                " perfect play: expected a smaller board"
            )
        self._rules = rules
        self._game = game_of(holes, rules)
        self._tables = _tables(cells, marbles)
        self._line = _line(holes, marbles)
        self._work = np.zeros(2, np.int64)
        self._on_progress: OnProgress = ignore_progress

    def report_to(self, on_progress: OnProgress) -> None:
        """Report progress to this function from now on: the number of positions visited so far."""
        self._on_progress = on_progress

    def margin(self, board: Board, guess: int = 0) -> int:
        """Player 1's store minus player 2's at the end, under perfect play from a board of the game.

        Args:
            board: the board.
            guess: the expected margin. A good guess saves time; the answer does not depend on it.
        """
        if is_over(board):
            return board.margin
        sign = 1 if board.turn is Player.ONE else -1
        return board.margin + sign * self._value(cells_of(board), sign * (guess - board.margin))

    def margins(self, board: Board) -> dict[int, int]:
        """The margin after each move, by its hole."""
        guess = self.margin(board)
        return {
            hole: self.margin(move(board, hole, self._rules), guess) for hole in moves(board, self._rules)
        }

    def best_move(self, board: Board) -> int:
        """The lowest hole whose margin is that of the board. The margins of other moves are not computed.

        Raises:
            ValueError: if there is no move.
        """
        margin = self.margin(board)
        holes = moves(board, self._rules)
        for hole in holes[:-1]:
            if self._reaches(move(board, hole, self._rules), margin, board.turn):
                return hole
        if not holes:
            raise ValueError("there is no move on this board")
        return holes[-1]

    def _reaches(self, board: Board, margin: int, player: Player) -> bool:
        """Whether perfect play from a board reaches a margin that is at least as good for a player."""
        if is_over(board):
            return board.margin == margin
        sign = 1 if board.turn is Player.ONE else -1
        target = sign * (margin - board.margin)
        if board.turn is player:
            return self._search(cells_of(board), target) >= target
        return self._search(cells_of(board), target + 1) <= target

    def _value(self, cells: Cells, guess: int) -> int:
        """MTD(f): Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms, 1996."""
        high = int(cells.sum())
        low, target = -high, guess
        while low < high:
            target = min(max(target, low + 1), high)
            bound = self._search(cells, target)
            if bound >= target:
                low, target = bound, bound + 1
            else:
                high = target = bound
        return low

    def _search(self, cells: Cells, target: int) -> int:
        """Search on a thread, so that this one can report progress, and stop the search if interrupted."""
        found: Future[int] = Future()

        def run() -> None:
            try:
                bound = int(search(cells, target, self._line, self._tables, self._game, self._work))
            except BaseException as error:  # raised again by the thread that waits
                found.set_exception(error)
            else:
                found.set_result(bound)

        thread = Thread(target=run, name="search", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(POLL_EVERY)
                self._on_progress(int(self._work[0]))
        except BaseException:
            self._work[1] = 1
            thread.join()
            self._work[1] = 0
            raise
        return found.result()


@lru_cache(maxsize=1)
def solver_for(holes: int, marbles: int, rules: Rules) -> Solver:
    """The solver of a game. The last one is kept, since its tables are large and help later questions."""
    return Solver(holes, marbles, rules)


def _tables(cells: int, marbles: int) -> Tables:
    few = max(count for count in range(marbles + 1) if comb(count + cells, cells) <= MOST_ENDS)
    positions = comb(marbles + cells, cells)
    bits = min(MOST_BITS, max(LEAST_BITS, positions.bit_length()))
    ways = [[min(comb(n, i + 1), MOST_NUMBER) for n in range(marbles + cells)] for i in range(cells)]
    return Tables(
        ways=np.array(ways, np.int64),
        ends=np.zeros(comb(few + cells, cells), np.uint8),
        bounds=np.zeros(1 << bits, np.uint64),
        shift=64 - bits,
        few=few,
    )


def _line(holes: int, marbles: int) -> Line:
    """Room for the longest game.

    Between two moves that put a marble into a store, every move brings marbles nearer to the end of their
    row, so with n marbles in play there are at most n * H such moves.
    """
    depth = holes * marbles * (marbles + 1) // 2 + marbles + 1
    return Line(
        cells=np.zeros((depth, 2 * holes), np.int8),
        children=np.zeros((depth, holes, 2 * holes), np.int8),
        keys=np.zeros(depth, np.uint64),
        facts=np.zeros((depth, 6), np.int64),
        pending=np.zeros((depth, holes, 6), np.int64),
    )
