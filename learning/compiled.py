"""The compiled methods: the rules of `learning.textbook` and `learning.whole`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernels.shoe import CHOICES, KEY, SHARD, SHOE, Shoe
from kernels.streams import DECISIONS, U64, index_of, number
from learning import textbook, whole
from learning.arrays import Learned, RoomArrays, StepArrays
from learning.episodes import SURRENDER
from learning.textbook import PICKS, Knobs
from support.compiling import inlined, parts_of

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
    """A compiled method: its choice and its update. Each takes what has been learned, and the settings.

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


_TEXTBOOK: Final = parts_of(textbook.__name__)
_WHOLE: Final = parts_of(whole.__name__)

_choose, _insures = _TEXTBOOK["choose"], _TEXTBOOK["chooses_to_insure"]
_surrenders, _learn = _TEXTBOOK["chooses_to_surrender"], _TEXTBOOK["learn"]
_learn_insurance, _learn_surrender = _TEXTBOOK["learn_insurance"], _TEXTBOOK["learn_surrender"]


@inlined
def choose_by_textbook(
    learned: Learned, knobs: Knobs, first: int, allowed: int, is_start: bool, word: np.uint64
) -> int:
    """As `learning.textbook.choose`."""
    values, others, counts = learned.values, learned.others, learned.counts
    chance, pick = chance_of(word), pick_of(word)
    return int(_choose(values, others, counts, knobs, first, allowed, is_start, chance, pick))


@inlined
def insure_by_textbook(learned: Learned, knobs: Knobs, index: int, word: np.uint64) -> bool:
    """As `learning.textbook.chooses_to_insure`."""
    chance, pick = chance_of(word), pick_of(word)
    return bool(_insures(learned.values, learned.counts, knobs, index, chance, pick))


@inlined
def surrender_by_textbook(learned: Learned, knobs: Knobs, first: int, word: np.uint64) -> bool:
    """As `learning.textbook.chooses_to_surrender`."""
    chance, pick = chance_of(word), pick_of(word)
    return bool(_surrenders(learned.values, learned.counts, knobs, first, chance, pick))


@inlined
def learn_by_textbook(
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
    """As `learning.textbook.learn`; in double Q-learning a coin says which table learns from the round."""
    values, others, counts = learned.values, learned.others, learned.counts
    if word & U64(1):
        values, others = others, values
    _learn(values, others, counts, knobs, steps, taken, payoffs, hands, returned, room)


@inlined
def learn_insurance_by_textbook(learned: Learned, knobs: Knobs, index: int, payoff: float) -> None:
    """As `learning.textbook.learn_insurance`; both tables of double Q-learning have what it learns."""
    _learn_insurance(learned.values, learned.counts, knobs, index, payoff)
    learned.others[index] = learned.values[index]


@inlined
def learn_surrender_by_textbook(learned: Learned, knobs: Knobs, first: int, is_over: bool) -> None:
    """As `learning.textbook.learn_surrender`; both tables of double Q-learning have what it learns."""
    _learn_surrender(learned.values, learned.counts, knobs, first, is_over)
    learned.others[first + SURRENDER] = learned.values[first + SURRENDER]


BY_TEXTBOOK: Final = Method(
    choose_by_textbook,
    insure_by_textbook,
    surrender_by_textbook,
    learn_by_textbook,
    learn_insurance_by_textbook,
    learn_surrender_by_textbook,
)

_choose_own, _insures_own = _WHOLE["choose"], _WHOLE["chooses_to_insure"]
_surrenders_own, _learn_own = _WHOLE["chooses_to_surrender"], _WHOLE["learn"]
_learn_insurance_own, _learn_surrender_own = _WHOLE["learn_insurance"], _WHOLE["learn_surrender"]


@inlined
def choose_by_own(
    learned: Learned, knobs: Knobs, first: int, allowed: int, is_start: bool, word: np.uint64
) -> int:
    """As `learning.whole.choose`."""
    return int(_choose_own(learned.values, learned.counts, first, allowed, pick_of(word)))


@inlined
def insure_by_own(learned: Learned, knobs: Knobs, index: int, word: np.uint64) -> bool:
    """As `learning.whole.chooses_to_insure`."""
    return bool(_insures_own(learned.values, learned.counts, index))


@inlined
def surrender_by_own(learned: Learned, knobs: Knobs, first: int, word: np.uint64) -> bool:
    """As `learning.whole.chooses_to_surrender`."""
    return bool(_surrenders_own(learned.values, learned.counts, first))


@inlined
def learn_by_own(
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
    """As `learning.whole.learn`."""
    _learn_own(learned.values, learned.counts, steps, taken, payoffs, hands, returned, room)


@inlined
def learn_insurance_by_own(learned: Learned, knobs: Knobs, index: int, payoff: float) -> None:
    """As `learning.whole.learn_insurance`."""
    _learn_insurance_own(learned.values, learned.counts, index, payoff)


@inlined
def learn_surrender_by_own(learned: Learned, knobs: Knobs, first: int, is_over: bool) -> None:
    """As `learning.whole.learn_surrender`."""
    _learn_surrender_own(learned.values, learned.counts, first, is_over)


BY_OWN: Final = Method(
    choose_by_own,
    insure_by_own,
    surrender_by_own,
    learn_by_own,
    learn_insurance_by_own,
    learn_surrender_by_own,
)
