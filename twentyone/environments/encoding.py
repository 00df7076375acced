"""Observations as one number, or as an array of floats, for learners that take no tuples; and back.

One number: everything that can be seen of a hand has a *kind*, and where more than HIT and STAND is asked
there are six *situations*::

    kind = total - 2            hard totals 2 to 32: 0 to 30
           total + 19           soft totals 12 to 21: 31 to 40
           40 + pair            a pair that may be split, of 1 to 10 points: 41 to 50 (two aces are a soft 12)
           51                   two aces that may be split and count 1 each
    situation = hands - 1       which of 1 to 4 hands: 0 to 3
                4 or 5          before play: insurance is asked, or surrender before the peek
    number = (situation x 52 + kind) x 10 + upcard - 2

Where only HIT and STAND are asked there are no pairs and no situations: an observation has 3 parts, and the
numbers are below 410. Those of 6 parts are below 3,120. A hand has the same number in both.

An array: `total / 32, upcard / 11, soft` and, of 6 parts, `pair / 10, hands / 4`, 1 if insurance is asked,
and 1 if surrender is asked before the peek; each between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from cards import Rules
from cards.rules import MAX_HANDS
from twentyone.environments.view import MAX_PAIR, MAX_TOTAL, MAX_UPCARD, observation_space
from twentyone.policies.observation_tuples import INSURANCE, PLAY, SURRENDER, ObservationTuple

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]

Seen = Sequence[ArrayLike] | NDArray[Any]
"""The parts of an observation, or an array of observations."""

FORMS: Final = ("tuple", "discrete", "box")
"""The forms of an observation: the values of its keyword `observation`."""

KINDS: Final = 52
UPCARDS: Final = 10
SITUATIONS: Final = MAX_HANDS + 2

FEW: Final = 3
"""The parts of an observation where only HIT and STAND are asked."""

MANY: Final = 6
"""The parts of an observation where more is asked."""

NUMBERS: Final = {FEW: 41 * UPCARDS, MANY: SITUATIONS * KINDS * UPCARDS}
"""The count of observations, by their parts."""

ACES_OF_ONE: Final = 51
"""The kind of two aces that may be split and count 1 each."""

MOST_UNITS: Final = np.array([MAX_TOTAL, MAX_UPCARD, 1, MAX_PAIR, MAX_HANDS, 1, 1], np.float32)
"""The divisor of each number of an array."""

UNITS: Final = {FEW: MOST_UNITS[:FEW], MANY: MOST_UNITS}
"""The same, by the parts of the observation."""


def to_number(seen: Seen) -> Any:
    """An observation as one number.

    Args:
        seen: `(total, upcard, soft)` or `(total, upcard, soft, pair, hands, question)`, as an environment
            tells it: each a whole number, or an array of them. Or an array of n x 3 or n x 6, a row for each
            observation, as a function gets it that is graded.

    Returns:
        The number, below that in `NUMBERS`. For arrays, int64 of their shape.

    Raises:
        ValueError: for what cannot be seen.
    """
    rows = _rows_of(seen)
    numbers = _numbers_of(rows)
    known = _table(len(rows))
    is_known = (numbers >= 0) & (numbers < len(known))
    if not (is_known & (known[np.where(is_known, numbers, 0)] == np.moveaxis(rows, 0, -1)).all(-1)).all():
        raise ValueError(f"{_shown(seen)} cannot be seen: expected an observation of an environment")
    return numbers if numbers.ndim else int(numbers)


def from_number(number: ArrayLike, *, parts: int = FEW) -> Any:
    """The observation of a number: the inverse of `to_number`.

    Args:
        number: a number, or an array of them.
        parts: how many parts the observation has, 3 or 6.

    Returns:
        A tuple of whole numbers, or of int64 arrays of the shape of the numbers.

    Raises:
        ValueError: for what is not the number of anything seen.
    """
    numbers, known = np.asarray(number), _table(parts)
    if numbers.dtype.kind not in "iu" or ((numbers < 0) | (numbers >= len(known))).any():
        raise ValueError(f"{number!r} is no number of what is seen: expected 0 to {len(known) - 1}")
    seen = np.moveaxis(known[numbers], -1, 0)
    return tuple(seen) if numbers.ndim else tuple(map(int, seen))


def to_box(seen: Seen) -> Floats:
    """An observation as floats between 0 and 1.

    Args:
        seen: as in `to_number`.

    Returns:
        float32 (3,) or, of 6 parts, (7,). For arrays of the shape s, s + (3,) or s + (7,).

    Raises:
        ValueError: for what cannot be seen.
    """
    to_number(seen)
    return _boxes_of(_rows_of(seen))


def from_box(box: ArrayLike) -> Any:
    """The observation of an array: the inverse of `to_box`.

    Returns:
        A tuple of whole numbers, or of int64 arrays.

    Raises:
        ValueError: for an array whose last axis has neither 3 nor 7 numbers.
    """
    floats = np.asarray(box)
    width = floats.shape[-1] if floats.ndim else 0
    if width not in (FEW, len(MOST_UNITS)):
        raise ValueError(
            f"the array has the shape {floats.shape}: expected 3 or 7 numbers along its last axis"
        )
    whole = np.rint(floats * MOST_UNITS[:width]).astype(np.int64)
    parts = list(np.moveaxis(whole, -1, 0))
    if width > FEW:
        parts[5:] = [INSURANCE * parts[5] + SURRENDER * parts[6]]
    return tuple(parts) if floats.ndim > 1 else tuple(map(int, parts))


class Form(NamedTuple):
    """A form of observations.

    Attributes:
        space: the space of a single environment.
        one: `ObservationTuple` as it is told.
        many: int64 (rows, environments), a row for each part of `ObservationTuple`, as it is told.
    """

    space: spaces.Space[Any]
    one: Callable[[ObservationTuple], Any]
    many: Callable[[Numbers], Any]


def form_of(observation: str, rules: Rules) -> Form:
    """The form with a name, under some rules.

    Raises:
        ValueError: for another name.
    """
    space = observation_space(rules)
    parts = len(space)
    if observation == "tuple":
        return Form(space, _same, tuple)
    if observation == "discrete":
        return Form(spaces.Discrete(NUMBERS[parts]), _number_of, _numbers_of)
    if observation == "box":
        return Form(spaces.Box(0.0, 1.0, UNITS[parts].shape, np.float32), _box_of, _boxes_of)
    raise ValueError(f"observation is {observation!r}: expected {', '.join(FORMS[:-1])} or {FORMS[-1]}")


def _same(seen: ObservationTuple) -> ObservationTuple:
    return seen


def _number_of(seen: ObservationTuple) -> int:
    """`_numbers_of` for one, without numpy, which takes its time."""
    total, upcard, soft, *more = seen
    number = (total - 2 + 21 * soft) * UPCARDS + upcard - 2
    if not more:
        return number
    pair, hands, question = more
    if pair:
        number = (40 + pair if soft or pair > 1 else ACES_OF_ONE) * UPCARDS + upcard - 2
    return number + (hands - 1 if question == PLAY else MAX_HANDS - 1 + question) * KINDS * UPCARDS


def _numbers_of(rows: Numbers) -> Numbers:
    """The numbers of what is seen, a row for each part."""
    total, upcard, soft = rows[:3]
    kind = total - 2 + 21 * soft
    if len(rows) == FEW:
        few: Numbers = kind * UPCARDS + upcard - 2
        return few
    pair, hands, question = rows[3:]
    kind = np.where(pair > 0, np.where((soft > 0) | (pair > 1), 40 + pair, ACES_OF_ONE), kind)
    situation = np.where(question == PLAY, hands - 1, MAX_HANDS - 1 + question)
    numbers: Numbers = (situation * KINDS + kind) * UPCARDS + upcard - 2
    return numbers


def _box_of(seen: ObservationTuple) -> Floats:
    return _boxes_of(np.array(seen))


def _boxes_of(rows: Numbers) -> Floats:
    """The arrays of what is seen, a row for each part."""
    if len(rows) == FEW:
        few: Floats = np.moveaxis(rows, 0, -1).astype(np.float32, order="C") / UNITS[FEW]
        return few
    question = rows[5]
    flags = [*rows[:5], question == INSURANCE, question == SURRENDER]
    boxes: Floats = np.stack(flags, axis=-1).astype(np.float32) / MOST_UNITS
    return boxes


@cache
def _table(parts: int) -> Numbers:
    """The observation of each number, as int64 (numbers, parts)."""
    numbers = np.arange(NUMBERS[parts])
    rest, upcard = np.divmod(numbers, UPCARDS)
    situation, kind = np.divmod(rest, KINDS)
    is_soft = (kind > 30) & (kind <= 41)
    total = np.select(
        [kind <= 30, kind <= 40, kind == 41, kind <= 50], [kind + 2, kind - 19, 12, 2 * (kind - 40)], 2
    )
    columns = [total, upcard + 2, is_soft]
    if parts == MANY:
        pair = np.select([kind <= 40, kind <= 50], [0, kind - 40], 1)
        is_side = situation >= MAX_HANDS
        columns += [
            pair,
            np.where(is_side, 1, situation + 1),
            np.where(is_side, situation - MAX_HANDS + 1, PLAY),
        ]
    table = np.stack(columns, axis=-1).astype(np.int64)
    table.flags.writeable = False
    return table


def _rows_of(seen: Seen) -> Numbers:
    """The rows of what is seen, one for each part: an array of two axes has an observation in each row."""
    parts = seen.T if isinstance(seen, np.ndarray) and seen.ndim == 2 else seen
    _see_that_it_is_one(parts)
    return np.array(np.broadcast_arrays(*(np.asarray(part, np.int64) for part in parts)))


def _see_that_it_is_one(seen: Seen) -> None:
    if len(seen) not in (FEW, MANY):
        raise ValueError(f"the parts of an observation are {len(seen)}: expected 3 or 6")


def _shown(seen: Seen) -> str:
    return str(seen) if np.ndim(seen[0]) == 0 else "one of the observations"
