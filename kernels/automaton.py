"""A round for one seat against the dealer as a finite automaton: a state and a card give the next state.

The next card of a shuffled shoe has the same distribution whether or not a card was dealt face down before
it. So the hole card is dealt here when the dealer plays, and no state has to remember it. A few hundred
states are left, and a round is a series of lookups in one table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.hand_tables import ALWAYS, RANKS, WIDTH, HandTables
from kernels.rounds import BUST, LOSE, OUTCOMES, PUSH, WIN

OVER: Final = len(OUTCOMES)
"""The states below it are the outcomes, from which the next round begins. This state leads only to itself."""

BELOW_ANY_DEALER: Final = 16
"""A hand of 16 is worth as much as a weaker one, since a dealer that is not bust has 17 or more."""

TEN: Final = 9
"""The rank of a ten: as the upcard, a jack, queen or king means the same."""

State = tuple[str, int, int]
"""A phase and two numbers, whose meaning depends on the phase; see `_Builder.following`."""

START: Final[State] = ("first cards", 0, 0)


def is_sure(chances: NDArray[np.uint64]) -> bool:
    """Whether a policy leaves nothing to chance: an automaton cannot follow one that does."""
    return bool(np.all((chances == 0) | (chances == ALWAYS)))


def round_automaton(tables: HandTables, chances: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The states that follow each state: uint32 (states, 16), by the rank of the card.

    Args:
        tables: the rules.
        chances: uint64 (hands, 16): the policy, which leaves nothing to chance.

    Returns:
        The table. States 0 to 3 are the outcomes, in the order of `OUTCOMES`; in any of them a round begins.
        State `OVER` leads to itself.
    """
    return _Builder(tables, chances).build()


@dataclass
class _Builder:
    """Finds the states by following each one, and numbers them in the order in which they are found."""

    tables: HandTables
    chances: NDArray[np.uint64]
    numbers: dict[State, int] = field(default_factory=dict)

    def build(self) -> NDArray[np.uint32]:
        rows = [[0] * WIDTH for _ in range(OVER)] + [[OVER] * WIDTH]
        pending = [START]
        self.numbers[START] = OVER + 1
        while pending:
            state = pending.pop(0)
            row = [OVER] * WIDTH
            for rank, following in enumerate(self.following(state)):
                if isinstance(following, tuple) and following not in self.numbers:
                    self.numbers[following] = OVER + 1 + len(self.numbers)
                    pending.append(following)
                row[rank] = following if isinstance(following, int) else self.numbers[following]
            rows.append(row)
        rows[:OVER] = [rows[OVER + 1]] * OVER
        return np.array(rows, np.uint32)

    def following(self, state: State) -> Iterator[State | int]:
        """Where a card of each rank leads: to another state, or to the number of an outcome."""
        phase, hand, other = state
        for rank in range(len(RANKS)):
            after = int(self.tables.after[hand, rank])
            match phase:
                case "first cards":  # `other` is how many cards there are
                    yield ("first cards", after, 1) if other == 0 else ("upcard", after, 0)
                case "upcard":
                    yield self.decision(hand, min(rank, TEN))
                case "hit":
                    yield self.decision(after, other)
                case _:  # the dealer's hand, against the strength `other`
                    yield self.dealer(after, other)

    def decision(self, hand: int, upcard: int) -> State | int:
        """Where a hand leads against the rank of an upcard."""
        if self.tables.strength[hand] == 0:
            return BUST
        if self.chances[hand, upcard] == ALWAYS:
            return ("hit", hand, upcard)
        mine = max(int(self.tables.strength[hand]), BELOW_ANY_DEALER)
        return ("dealer", int(self.tables.after[0, upcard]), mine)

    def dealer(self, hand: int, mine: int) -> State | int:
        """Where the dealer's hand of two cards or more leads against a strength."""
        if self.tables.draws[hand]:
            return ("dealer", hand, mine)
        theirs = int(self.tables.strength[hand])
        return WIN if mine > theirs else PUSH if mine == theirs else LOSE
