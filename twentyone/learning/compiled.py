"""The compiled methods: the functions of `twentyone.learning.textbook` and of `twentyone.learning.own`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.kernels.shoe import CHOICES, KEY, SHARD, SHOE, Shoe
from twentyone.kernels.streams import DECISIONS, U64, index_of, number
from twentyone.learning import own, textbook
from twentyone.learning.arrays import Learned, RoomArrays, StepArrays
from twentyone.learning.episodes import SURRENDER
from twentyone.learning.textbook import PICKS, Kind, Knobs
from twentyone.support.compiling import inlined, parts_of

PICK_BITS: Final = U64(PICKS - 1)
CHANCE_FROM: Final = U64(40)
CHANCE_UNIT: Final = 2.0**-24


@inlined
def random_word(shoe: Shoe) -> np.uint64:
    """The random number of the next choice."""
    at = shoe.at
    word: np.uint64 = number(shoe.words[KEY], index_of(DECISIONS + at[CHOICES], at[SHARD], at[SHOE]))
    at[CHOICES] += 1
    return word


@inlined
def chance_of(word: np.uint64) -> float:
    """The random number that decides whether to explore, 0 or more and less than 1."""
    return float(word >> CHANCE_FROM) * CHANCE_UNIT


@inlined
def pick_of(word: np.uint64) -> int:
    """The random number that picks an action, 0 to PICKS - 1, independent of `chance_of`."""
    return int(word & PICK_BITS)


class Method(NamedTuple):
    """A compiled method: how it chooses and learns. Each takes what has been learned, and the settings.

    Attributes:
        choose: the action, by the first index, what is allowed, whether it is the start, and a random word.
        insures: whether to insure, by the index of INSURE and a random word.
        surrenders: whether to surrender before the peek, by the first index and a random word.
        learn: learns from steps, how many, payoffs, hands, what is returned, with room and a random word.
        learn_insurance: learns from what an insurance was paid.
        learn_surrender: learns from a surrender that was declined, and whether the peek ended the round.
    """

    choose: Callable[..., int]
    insures: Callable[..., bool]
    surrenders: Callable[..., bool]
    learn: Callable[..., None]
    learn_insurance: Callable[..., None]
    learn_surrender: Callable[..., None]


def compile_method(module: str) -> Method:
    """Compile the method whose functions a module has, those of `twentyone.learning.textbook`."""
    parts = parts_of(module)
    chooses, insures, surrenders = (
        parts[name] for name in ("choose", "chooses_to_insure", "chooses_to_surrender")
    )
    learns, learns_insurance, learns_surrender = (
        parts[name] for name in ("learn", "learn_insurance", "learn_surrender")
    )

    @inlined
    def choose(
        learned: Learned, knobs: Knobs, first: int, allowed: int, is_start: bool, word: np.uint64
    ) -> int:
        values, others, counts = learned.values, learned.others, learned.counts
        chance, pick = chance_of(word), pick_of(word)
        return int(chooses(values, others, counts, knobs, first, allowed, is_start, chance, pick))

    @inlined
    def insure(learned: Learned, knobs: Knobs, index: int, word: np.uint64) -> bool:
        chance, pick = chance_of(word), pick_of(word)
        return bool(insures(learned.values, learned.counts, knobs, index, chance, pick))

    @inlined
    def surrender(learned: Learned, knobs: Knobs, first: int, word: np.uint64) -> bool:
        chance, pick = chance_of(word), pick_of(word)
        return bool(surrenders(learned.values, learned.counts, knobs, first, chance, pick))

    @inlined
    def learn(
        learned: Learned,
        knobs: Knobs,
        steps: StepArrays,
        taken: int,
        payoffs: NDArray[np.float64],
        hands: int,
        returned: float,
        room: RoomArrays,
        word: np.uint64,
    ) -> None:
        """In double Q-learning a coin says which table learns; by other methods both are the same."""
        values, others, counts = learned.values, learned.others, learned.counts
        if knobs.kind == Kind.CROSSED and word & U64(1):
            values, others = others, values
        learns(values, others, counts, knobs, steps, taken, payoffs, hands, returned, room)

    @inlined
    def learn_insurance(learned: Learned, knobs: Knobs, index: int, payoff: float) -> None:
        """Both tables of double Q-learning have what it learns."""
        learns_insurance(learned.values, learned.counts, knobs, index, payoff)
        learned.others[index] = learned.values[index]

    @inlined
    def learn_surrender(learned: Learned, knobs: Knobs, first: int, is_over: bool) -> None:
        """Both tables of double Q-learning have what it learns."""
        learns_surrender(learned.values, learned.counts, knobs, first, is_over)
        learned.others[first + SURRENDER] = learned.values[first + SURRENDER]

    return Method(choose, insure, surrender, learn, learn_insurance, learn_surrender)


BY_TEXTBOOK: Final = compile_method(textbook.__name__)
BY_OWN: Final = compile_method(own.__name__)
