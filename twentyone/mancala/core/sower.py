"""Moves on plain tuples: the same moves as `rules.move`, several times as fast, to search whole games.

A state is the tuple of a board's cells followed by the number of the player to move, 1 or 2. What sowing a
hole with a given count adds to each cell is the same on all boards, so it is computed once. Without captures
and the like, a move is one addition of tuples, turn included.
"""

from __future__ import annotations

from operator import add
from typing import Final, NamedTuple, TypeAlias

from twentyone.mancala.core.board import Board, Player, opposite, row_of, store_of
from twentyone.mancala.core.rules import Capture, Extra, Rules, Wrap, has_another_turn, in_bits, is_hole, sow

State: TypeAlias = tuple[int, ...]

TURN: Final = -1
"""The place of the player to move in a state."""


def state_of(board: Board) -> State:
    """The state of a board."""
    return (*board.cells, board.turn.value)


def board_of(state: State) -> Board:
    """The board of a state."""
    return Board(state[:TURN], Player(state[TURN]))


class Sown(NamedTuple):
    """The effect of sowing a hole with a given count.

    Attributes:
        change: what is added to each cell, and to the player to move if only the own store keeps the turn.
        last: the cell of the last marble.
    """

    change: State
    last: int


class Sower:
    """Makes moves by fixed rules on boards of a fixed size.

    Args:
        holes: holes a side.
        rules: the rules.
    """

    def __init__(self, holes: int, rules: Rules) -> None:
        self.holes = holes
        self.rules = rules
        self._rows = {player.value: row_of(player, holes) for player in Player}
        self._first, self._second = (slice(row.start, row.stop) for row in self._rows.values())
        self._sown: dict[int, list[Sown | None]] = {
            hole: [None] for row in self._rows.values() for hole in row
        }
        self._is_plain = rules.extra is Extra.STORE and rules.capture is Capture.NONE and rules.bits is None

    def is_over(self, state: State) -> bool:
        """Whether either row is empty, so that the game is over."""
        return not any(state[self._first]) or not any(state[self._second])

    def moves(self, state: State) -> list[tuple[int, State]]:
        """Every legal move: the hole, in order, and the state that it leads to."""
        if self.is_over(state):
            return []
        found = []
        for hole in self._rows[state[TURN]]:
            count = state[hole]
            if count > 0:
                known = self._sown[hole]
                sown = known[count] if count < len(known) else self._extend(hole, count)
                if sown is not None:
                    after = tuple(map(add, state, sown.change))
                    found.append((hole, after if self._is_plain else self._finish(after, sown.last)))
        return [(hole, self._swept(after)) for hole, after in found] if self.rules.sweep else found

    def _extend(self, hole: int, most: int) -> Sown | None:
        """Compute the effect of sowing a hole with each count up to `most`; return the last of them."""
        known = self._sown[hole]
        for count in range(len(known), most + 1):
            known.append(self._sow(hole, count))
        return known[most]

    def _sow(self, hole: int, count: int) -> Sown | None:
        if self.rules.wrap is Wrap.ILLEGAL and count > 2 * self.holes:
            return None
        player = Player.ONE if hole < self.holes else Player.TWO
        cells = [0] * (2 * self.holes + 2)
        cells[hole] = count
        last = sow(cells, hole, player, self.rules)[-1]
        cells[hole] -= count
        is_kept = not self._is_plain or last == store_of(player, self.holes)
        return Sown((*cells, 0 if is_kept else player.other.value - player.value), last)

    def _finish(self, after: State, last: int) -> State:
        """Apply what the last marble leads to: relays, a capture, the turn, an overflow."""
        player = Player(after[TURN])
        cells = list(after[:TURN])
        while self.rules.extra is Extra.RELAY and is_hole(last, self.holes) and cells[last] > 1:
            last = sow(cells, last, player, self.rules)[-1]
        if cells[last] == 1 and last in self._rows[player.value]:
            self._capture(cells, last, player)
        turn = player if has_another_turn(cells, last, player, self.rules) else player.other
        if self.rules.bits is not None:
            cells = [in_bits(count, self.rules.bits) for count in cells]
        return (*cells, turn.value)

    def _capture(self, cells: list[int], last: int, player: Player) -> None:
        across = opposite(last, self.holes)
        if self.rules.capture is Capture.EMPTY or (self.rules.capture is Capture.NONEMPTY and cells[across]):
            cells[store_of(player, self.holes)] += 1 + cells[across]
            cells[last] = cells[across] = 0

    def _swept(self, state: State) -> State:
        if not self.is_over(state):
            return state
        empty = (0,) * self.holes
        first, second = (sum(state[row.start : row.stop + 1]) for row in self._rows.values())
        return (*empty, first, *empty, second, state[TURN])
