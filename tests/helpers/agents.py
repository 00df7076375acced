"""The shared parts of tests of environments: rules of every kind, and play by a mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Rules, rules_from
from tests.helpers.drawn import legal_fields
from tests.helpers.reference import VALUES, tells_payoffs
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.policy import Observation, Policy

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE = range(6)

NAMES: Final = [action.value for action in ACTIONS]
"""What the actions are called, by their numbers."""

WEIGHTS: Final = np.array([1.0, 1.0, 1.2, 4.0, 0.5, 1.0])
"""How much each action is favoured by `pick`: who splits more often sees more."""

SHOES: Final = ("round", "cutoff:1", "cutoff:26", "penetration:0.75")


def any_new_fields(seed: int, count: int) -> Iterator[dict[str, str]]:
    """Rules with payoffs and without bets, as options: together they have every value of every rule."""
    random = Random(seed)
    met: set[tuple[str, str]] = set()
    for _ in range(count):
        fields = {"bets": "5-50"}
        while fields["bets"] != "1" or not tells_payoffs(fields):
            fields = legal_fields(random)
        fields["decks"] = random.choice(("1", "2", "6", "8", "inf"))
        fields["reshuffle"] = "round" if fields["decks"] == "inf" else random.choice(SHOES)
        met.update(fields.items())
        yield fields
    legal = {(name, value) for name, values in VALUES.items() if name != "bets" for value in values}
    assert legal <= met, f"no rules have {legal - met}"


def any_new_rules(seed: int, count: int) -> Iterator[Rules]:
    """The same as rules."""
    return map(rules_from, any_new_fields(seed, count))


def pick(mask: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """An action at random for each row of a mask, of those that are allowed."""
    wanted = random.random(mask.shape) * WEIGHTS[: mask.shape[-1]]
    chosen: NDArray[np.int64] = np.where(mask == 1, wanted, -1.0).argmax(axis=-1)
    return chosen


def observation_of(seen: Sequence[int], allowed: Sequence[int]) -> Observation | None:
    """What a policy is asked, by what an environment shows and its mask; None if nothing is asked."""
    total, upcard, soft, pair = seen[:4]
    options = tuple(action for action, is_allowed in zip(ACTIONS, allowed, strict=True) if is_allowed)
    if options == (Decision.STAND,):
        return None
    for side in (Decision.SURRENDER, Decision.INSURE):
        if options == (Decision.STAND, side):
            options = (side, Decision.DECLINE)
    return Observation(total, bool(soft), upcard, pair, options)


def action_of(policy: Policy, seen: Sequence[int], allowed: Sequence[int]) -> int:
    """The action of a policy, by what an environment shows and its mask."""
    asked = observation_of(seen, allowed)
    decision = Decision.STAND if asked is None else policy(asked)
    return STAND if decision is Decision.DECLINE else NAMES.index(decision.value)
