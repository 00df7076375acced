"""The compiled search for perfect play: can the side to move secure a margin of at least some target?

A position is the marbles in the holes, those of the side to move first. The stores do not matter for the rest
of the game. The value of a position is what the side to move gains on the other from there on, if both play
perfectly. Its size is at most the number of marbles in play, which are those in the holes.

Positions are numbered, those with fewer marbles first (`number_of`). The number is the index of the end-game
table, which holds exact values, and gives the key of the transposition table, which holds bounds.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from twentyone.support.compiling import compiled, part

Cells: TypeAlias = NDArray[np.int8]
"""2H holes, those of the side to move first, each side in the order of the cycle."""

UNKNOWN: Final = 0
"""In both tables: an entry that has not been written."""

MIDDLE: Final = 128
"""Added to every value in a table to make it positive: values are -127..127."""

NO_HINT: Final = 15
"""No move, in the four bits that the transposition table has for one: there are at most 12 holes."""

EXACT: Final = 1000
"""A target that no value reaches: a search for it tries every move."""

# The fields of an entry of the transposition table, from the lowest bit: the lower and the upper bound, the
# move, and the part of the key that the index does not determine.
UPPER_AT: Final = 8
MOVE_AT: Final = 16
KEY_AT: Final = 20
REST: Final = (1 << (64 - KEY_AT)) - 1

MIX: Final = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4). It is odd, so
multiplying by it is one to one, and it spreads numbers that are close to each other."""


class Game(NamedTuple):
    """The rules in the form that a kernel takes.

    Attributes:
        holes: H, the holes a side.
        is_wrap_illegal: whether a hole with more than 2H marbles cannot be sown.
        is_origin_skipped: whether sowing round the board leaves out the hole that it began from.
        captures: 0 never, 1 if there are marbles opposite, 2 always.
        relays: whether a last marble in a hole with marbles sows that hole too.
        is_nonempty_extra: whether such a last marble gives another turn.
        sweeps: whether the marbles left at the end count for their side.
    """

    holes: int
    is_wrap_illegal: bool
    is_origin_skipped: bool
    captures: int
    relays: bool
    is_nonempty_extra: bool
    sweeps: bool


class Tables(NamedTuple):
    """The results of the search so far.

    Attributes:
        ways: shape (2H, marbles + 2H): binomial coefficients, [i, n] is n over i + 1.
        ends: the values + 128 of the positions with few marbles, by number.
        bounds: the bounds of other positions; the number of entries is a power of two.
        shift: 64 minus the number of bits of its index.
        few: the most marbles in play in a position of `ends`.
    """

    ways: NDArray[np.int64]
    ends: NDArray[np.uint8]
    bounds: NDArray[np.uint64]
    shift: int
    few: int


class Line(NamedTuple):
    """The line of play under search, with a row of working data for the position at each depth.

    Attributes:
        cells: shape (depth, 2H), the position.
        children: shape (depth, H, 2H), the positions after the moves that are still to be tried.
        keys: shape (depth,), the index in `ends` or the key in `bounds`.
        facts: shape (depth, 6), indexed by the constants below.
        pending: shape (depth, H, 6), the moves still to be tried, indexed by the constants below.
    """

    cells: NDArray[np.int8]
    children: NDArray[np.int8]
    keys: NDArray[np.uint64]
    facts: NDArray[np.int64]
    pending: NDArray[np.int64]


# Of a position: marbles in play, target, highest bound so far, its move, moves still to be tried, the move
# under search.
MARBLES, TARGET, BEST, BEST_MOVE, LEFT, CHOSEN = range(6)
# Of a move to be tried: its order, marbles gained, whether it gives another turn, a hint for the next move,
# the hole, the number of the position after it.
ORDER, GAIN, AGAIN, HINT, HOLE, NUMBER = range(6)


@part
def number_of(cells: Cells, ways: NDArray[np.int64]) -> int:
    """The number of a position among all with as many holes, ordered by the number of marbles first.

    This is the combinatorial number system: the sums of the first 1, 2, ... holes, plus 0, 1, ... to make
    them distinct, form a set.
    """
    total = 0
    number = 0
    for place in range(cells.size):
        total += cells[place]
        number += ways[place, total + place]
    return number


@part
def play(before: Cells, after: Cells, hole: int, game: Any) -> int:
    """Write the position after a move.

    Returns:
        Four times the gain, plus 2 for another turn, or plus 1 if the game is over.
    """
    holes = game.holes
    for place in range(2 * holes):
        after[place] = before[place]
    gain = 0
    cell = hole  # of the cycle, where the store is cell H
    place = hole
    while True:
        origin = cell
        count = after[place]
        after[place] = 0
        while count:
            cell += 1
            if cell > 2 * holes:
                cell = 0
            if cell == holes:
                gain += 1
            elif game.is_origin_skipped and cell == origin:
                continue
            else:
                place = cell - 1 if cell > holes else cell
                after[place] += 1
            count -= 1
        if not game.relays or cell == holes or after[place] == 1:
            break
    again = cell == holes
    if cell < holes and after[cell] == 1 and game.captures:
        across = 2 * holes - 1 - cell
        if after[across] or game.captures == 2:
            gain += 1 + after[across]
            after[cell] = 0
            after[across] = 0
    elif game.is_nonempty_extra and cell != holes and after[place] > 1:
        again = True
    own = 0
    other = 0
    for place in range(holes):
        own += after[place]
        other += after[holes + place]
    if own == 0 or other == 0:
        return 4 * (gain + own - other if game.sweeps else gain) + 1
    if again:
        return 4 * gain + 2
    for place in range(holes):
        after[place], after[holes + place] = after[holes + place], after[place]
    return 4 * gain


@part
def key_of(number: int) -> np.uint64:
    """The 64-bit key of a position's number; different numbers have different keys."""
    return np.uint64(number) * np.uint64(MIX)


@part
def look_up(key: np.uint64, tables: Any) -> Any:
    """The bounds and the move of a position in the transposition table, or UNKNOWN."""
    index = key >> np.uint64(tables.shift)
    entry = tables.bounds[index]
    if entry >> np.uint64(KEY_AT) == key & np.uint64(REST):
        return np.int64(entry & np.uint64((1 << KEY_AT) - 1))  # uint64 with int64 would give a float
    return UNKNOWN


@part
def keep_bound(key: np.uint64, value: int, is_lower: bool, move: int, marbles: int, tables: Any) -> None:
    """Write a bound into the transposition table; the other bound, if it is there, is kept."""
    known = look_up(key, tables)
    if known:
        low = known & 255
        high = (known >> UPPER_AT) & 255
    else:
        low = MIDDLE - marbles
        high = MIDDLE + marbles
    if is_lower:
        low = max(low, value + MIDDLE)
    else:
        high = min(high, value + MIDDLE)
    fields = np.uint64(low | high << UPPER_AT | move << MOVE_AT)
    tables.bounds[key >> np.uint64(tables.shift)] = (key & np.uint64(REST)) << np.uint64(KEY_AT) | fields


@part
def expand(depth: int, hint: int, line: Any, tables: Any, game: Any) -> None:
    """Play every move of a position, and list those that the tables do not settle as still to be tried.

    It stops early if a move is known to reach the target.
    """
    holes = game.holes
    cells = line.cells[depth]
    facts = line.facts[depth]
    target = facts[TARGET]
    marbles = facts[MARBLES]
    best = -EXACT
    best_move = NO_HINT
    left = 0
    can_move = False
    for hole in range(holes - 1, -1, -1):
        if cells[hole] == 0 or (game.is_wrap_illegal and cells[hole] > 2 * holes):
            continue
        can_move = True
        child = line.children[depth, left]
        code = play(cells, child, hole, game)
        gain = code >> 2
        again = (code >> 1) & 1
        number = 0
        hint_of_child = NO_HINT
        if code & 1:
            low = high = 0
        else:
            high = marbles - gain
            low = -high
            number = number_of(child, tables.ways)
            if high <= tables.few:
                if tables.ends[number] != UNKNOWN:
                    low = high = tables.ends[number] - MIDDLE
            else:
                known = look_up(key_of(number), tables)
                if known:
                    low = (known & 255) - MIDDLE
                    high = ((known >> UPPER_AT) & 255) - MIDDLE
                    hint_of_child = known >> MOVE_AT
        if not again:
            low, high = -high, -low
        low += gain
        high += gain
        is_settled = low == high or (target != EXACT and high < target)
        if is_settled and high > best:
            best = high
            best_move = hole
        if low >= target:
            best = low
            best_move = hole
            left = 0
            break
        if not is_settled:
            rank = 600 + 4 * low + hole  # moves that are known to be good come early; it is never negative
            if hole == hint:
                rank = 4000
            elif again:
                rank = 1000 + hole
            elif gain > 1:
                rank = 600 + 16 * gain + 4 * low
            row = line.pending[depth, left]
            row[ORDER] = rank
            row[GAIN] = gain
            row[AGAIN] = again
            row[HINT] = hint_of_child
            row[HOLE] = hole
            row[NUMBER] = number
            left += 1
    facts[BEST] = best if can_move else 0
    facts[BEST_MOVE] = best_move
    facts[LEFT] = left


@part
def next_move(depth: int, line: Any) -> int:
    """The place among the pending moves of the one to try next; -1 if no move is left."""
    chosen = -1
    order = -1
    pending = line.pending[depth]
    for place in range(line.facts[depth, LEFT]):
        if pending[place, ORDER] > order:
            order = pending[place, ORDER]
            chosen = place
    return chosen


@compiled
def search(cells: Cells, target: int, line: Line, tables: Tables, game: Game, work: NDArray[np.int64]) -> int:
    """A bound on the value of a position: a lower one if it is at least the target, otherwise an upper one.

    Args:
        cells: the position; the game is not over.
        target: the question is whether the value is at least this.
        line: room for the longest game.
        tables: what has been found so far; the search adds to it.
        game: the rules.
        work: [0] counts the positions visited, and [1] is set by another thread to stop the search, whose
            result is then meaningless.
    """
    marbles = 0
    for place in range(cells.size):
        line.cells[0, place] = cells[place]
        marbles += cells[place]
    number = number_of(cells, tables.ways)
    line.keys[0] = np.uint64(number) if marbles <= tables.few else key_of(number)
    line.facts[0, MARBLES] = marbles
    line.facts[0, TARGET] = EXACT if marbles <= tables.few else target
    expand(0, NO_HINT, line, tables, game)
    depth = 0
    work[0] += 1
    while not work[1]:
        facts = line.facts[depth]
        chosen = -1 if facts[BEST] >= facts[TARGET] else next_move(depth, line)
        if chosen >= 0:
            row = line.pending[depth, chosen]
            row[ORDER] = -1
            left = facts[MARBLES] - row[GAIN]
            aim = facts[TARGET] - row[GAIN] if row[AGAIN] else row[GAIN] - facts[TARGET] + 1
            facts[CHOSEN] = chosen
            child = line.children[depth, chosen]
            depth += 1
            for place in range(cells.size):
                line.cells[depth, place] = child[place]
            is_few = left <= tables.few
            line.keys[depth] = np.uint64(row[NUMBER]) if is_few else key_of(row[NUMBER])
            line.facts[depth, MARBLES] = left
            line.facts[depth, TARGET] = EXACT if is_few else aim
            expand(depth, row[HINT], line, tables, game)
            work[0] += 1
            continue
        value: int = facts[BEST]
        if facts[MARBLES] <= tables.few:
            tables.ends[np.int64(line.keys[depth])] = np.uint8(value + MIDDLE)
        else:
            is_lower = value >= facts[TARGET]
            keep_bound(line.keys[depth], value, is_lower, facts[BEST_MOVE], facts[MARBLES], tables)
        if depth == 0:
            return value
        depth -= 1
        row = line.pending[depth, line.facts[depth, CHOSEN]]
        above = line.facts[depth]
        value = row[GAIN] + value if row[AGAIN] else row[GAIN] - value
        if value > above[BEST]:
            above[BEST] = value
            above[BEST_MOVE] = row[HOLE]
    return 0
