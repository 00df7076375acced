"""The file of transitions, an `.npz` that numpy alone reads: `docs/reference/files.md` lists its keys."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cards import Rules, RulesError, asking
from twentyone.learning.records.transitions import COLUMNS, DTYPES, Transitions
from twentyone.learning.records.watching import INSURE, SPLIT, as_environment
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.files import rules_in
from twentyone.policies.observation_tuples import INSURANCE, QUESTIONS
from twentyone.support.counts import counted
from twentyone.support.files import write_atomically

FORMAT: Final = 1
"""The version of the file."""

ZIP: Final = b"PK"
"""The first bytes of an `.npz`."""

FEWEST_COLUMNS: Final = 3
FEWEST_ACTIONS: Final = 2
NO_MORE: Final = (0, 1, 0)
"""No pair, one hand, the question of play: what an observation of HIT and STAND leaves out."""

NEEDED: Final = ("observations", "actions", "rewards", "next_observations", "dones", "rules")
"""The keys that a file must have."""

LOWEST: Final = (2, 2, 0, 0, 1, 0)
HIGHEST: Final = (32, 11, 1, 10, 4, len(QUESTIONS) - 1)
"""The range of each number of an observation."""

MOST_BYTES: Final = 1 << 31
"""Of all arrays: fifty million transitions. A small file that was packed to fill memory is not unpacked."""

MOST_PAYOFF: Final = 100.0
"""Initial bets: no round comes near it."""

Arrays = dict[str, Any]


class ArchiveError(Exception):
    """A file that holds no transitions, in one sentence that says where it is wrong."""


def save(transitions: Transitions, path: Path) -> None:
    """Write an `.npz`, atomically. Where all rules are of HIT and STAND, without what these have not.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    columns, actions = _sizes(transitions.asks_more)
    arrays = {name: getattr(transitions, name) for name in DTYPES}
    arrays["observations"] = transitions.observations[:, :columns]
    arrays["next_observations"] = transitions.next_observations[:, :columns]
    arrays["masks"] = (transitions.masks[:, np.newaxis] >> np.arange(actions) & 1).astype(np.int8)
    content = io.BytesIO()
    rules = np.array([str(each) for each in transitions.rules], np.str_)
    np.savez_compressed(content, format=np.array(FORMAT), **arrays, rules=rules)
    write_atomically(path, content.getvalue())


def load(path: Path) -> Transitions:
    """Read an `.npz`, one of `save` or one that was recorded from an environment.

    Without `masks` everything was allowed, but insurance only where it was asked about; without `rule` all is
    of the first rules; without `credits` and `follows` there must be no split and no insurance.

    Raises:
        OSError: if the file cannot be read.
        ArchiveError: if it does not hold transitions.
    """
    arrays = _unpacked(path)
    try:
        return _checked(arrays)
    except (ValueError, TypeError, OverflowError, RulesError) as error:
        raise ArchiveError(f"{path} holds no transitions: {error}") from None


def _sizes(asks_more: bool) -> tuple[int, int]:
    """The numbers of an observation, and of the actions."""
    return (COLUMNS, len(ACTIONS)) if asks_more else (FEWEST_COLUMNS, FEWEST_ACTIONS)


def _unpacked(path: Path) -> Arrays:
    content = path.open("rb")
    with content:
        try:
            with np.load(content, allow_pickle=False) as packed:
                if sum(member.file_size for member in packed.zip.infolist()) > MOST_BYTES:
                    raise ArchiveError(
                        f"{path} is too large: expected at most {MOST_BYTES:,} bytes when it is unpacked"
                    )
                return {name: np.asarray(packed[name]) for name in packed.files}  # a part may be bytes
        except ArchiveError:
            raise
        except Exception:  # zipfile and numpy raise many kinds of errors for a damaged or foreign file
            raise ArchiveError(f"{path} begins as an .npz file, but is damaged, or holds objects") from None


def _checked(arrays: Arrays) -> Transitions:
    """The transitions of some arrays.

    Raises:
        ValueError: what is wrong with them.
    """
    if missing := [name for name in NEEDED if name not in arrays]:
        raise ValueError(f"it has no {missing[0]}: expected {', '.join(NEEDED)}")
    if (version := arrays.get("format", np.array(FORMAT)).tolist()) != FORMAT:
        raise ValueError(f"its format is {str(version)[:20]}: expected {FORMAT}")
    rules = _rules(arrays["rules"])
    columns, actions = _sizes(any(map(asking.asks_more, rules)))
    taken = _integers(arrays, "actions", (), 0, actions - 1)
    size = len(taken)
    found = {
        "observations": _observations(arrays, "observations", columns),
        "actions": taken,
        "rewards": _numbers(arrays, "rewards", size),
        "next_observations": _observations(arrays, "next_observations", columns),
        "dones": _integers(arrays, "dones", (), 0, 1).astype(np.bool_),
    }
    found["masks"] = _masks(arrays, found["observations"], actions)
    found["rule"] = (
        _integers(arrays, "rule", (), 0, len(rules) - 1) if "rule" in arrays else np.zeros(size, np.int16)
    )
    found |= _credits(arrays, found)
    for name, array in found.items():
        if len(array) != size:
            raise ValueError(f"{name} has {counted(len(array), 'row')}: expected {size}, as many as actions")
    _check_order(found)
    return Transitions(**{name: found[name].astype(kind) for name, kind in DTYPES.items()}, rules=rules)


def _rules(array: NDArray[Any]) -> tuple[Rules, ...]:
    texts = np.atleast_1d(array).tolist()
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("its rules are no texts: expected rules such as 'preset=course decks=1'")
    stated = [rules_in(text) for text in texts]
    for rules in stated:
        if not rules.has_dealer:
            raise ValueError(f"its rules are {rules.preset}, without a dealer: expected rules with a dealer")
    return tuple(map(as_environment, stated))


def _integers(arrays: Arrays, name: str, shape: tuple[int, ...], least: int, most: int) -> NDArray[Any]:
    """An array of whole numbers in a range."""
    array = arrays[name]
    if array.dtype.kind not in "iub" or array.ndim != 1 + len(shape) or array.shape[1:] != shape:
        expected = " x ".join(["n", *map(str, shape)])
        raise ValueError(
            f"{name} is {array.dtype} of shape {array.shape}: expected whole numbers, {expected}"
        )
    if array.size and (array.min() < least or array.max() > most):
        raise ValueError(f"{name} has a number outside {least} to {most}")
    return np.asarray(array)


def _observations(arrays: Arrays, name: str, columns: int) -> NDArray[Any]:
    array = _integers(arrays, name, (columns,), 0, max(HIGHEST))
    for column in range(columns):
        least, most = LOWEST[column], HIGHEST[column]
        if array.size and (array[:, column].min() < least or array[:, column].max() > most):
            raise ValueError(f"{name} has a number outside {least} to {most} in column {column}")
    rest = np.broadcast_to(NO_MORE[: COLUMNS - columns], (len(array), COLUMNS - columns))
    return np.concatenate([array, rest], axis=1)


def _numbers(arrays: Arrays, name: str, size: int) -> NDArray[Any]:
    array = arrays[name]
    if array.dtype.kind not in "iuf" or array.shape != (size,):
        raise ValueError(f"{name} is {array.dtype} of shape {array.shape}: expected numbers, ({size},)")
    if not np.all(np.abs(array) <= MOST_PAYOFF):
        raise ValueError(f"{name} has a number that is no payoff in initial bets")
    return np.asarray(array, np.float64)


def _masks(arrays: Arrays, observations: NDArray[Any], actions: int) -> NDArray[Any]:
    if "masks" not in arrays:
        # Were it allowed elsewhere, the best action of a hand could be its insurance.
        is_asked = observations[:, -1] == INSURANCE
        everything = (1 << actions) - 1
        return np.where(is_asked, everything, everything & ~(1 << INSURE)).astype(np.uint8)
    return _integers(arrays, "masks", (actions,), 0, 1).astype(np.uint8) @ (1 << np.arange(actions))


def _credits(arrays: Arrays, found: Mapping[str, NDArray[Any]]) -> Arrays:
    """The credit of each decision: as the file says, or derived where each round has one hand."""
    size = len(found["actions"])
    if "credits" in arrays and "follows" in arrays:
        follows = _integers(arrays, "follows", (2,), 0, np.iinfo(np.int8).max)
        return {"credits": _numbers(arrays, "credits", size), "follows": follows}
    if np.isin(found["actions"], (SPLIT, INSURE)).any():
        raise ValueError("hands are split or insured: expected also the keys credits and follows")
    follows = np.zeros((size, 2), np.int8)
    follows[:, 0] = ~found["dones"][:size] if len(found["dones"]) == size else 0
    return {"credits": found["rewards"], "follows": follows}


def _check_order(found: Mapping[str, NDArray[Any]]) -> None:
    """See that each episode ends, what was done was allowed, and what follows is of the same episode."""
    dones, actions, size = found["dones"], found["actions"], len(found["actions"])
    if size and not dones[-1]:
        raise ValueError("its last episode does not end: expected dones to end with a true one")
    if not np.all(found["masks"].astype(np.int64) >> actions.astype(np.int64) & 1):
        raise ValueError("an action was taken that is not allowed there")
    episode = np.concatenate([[0], np.cumsum(dones)[:-1]])
    later = np.arange(size)[:, np.newaxis] + found["follows"]
    if size and (later.max() >= size or np.any(episode[later] != episode[:, np.newaxis])):
        raise ValueError("follows leads out of an episode")
