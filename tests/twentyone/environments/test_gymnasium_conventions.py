"""The conventions of Gymnasium's Blackjack-v1: its numbers of actions, and its own environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from cards import PRESETS
from twentyone.environments.encoding import to_box, to_number
from twentyone.environments.view import rules_for
from twentyone.exact import solving
from twentyone.policies.qtable import dealer_column

NAME = "twentyone/Blackjack-v0"

make: Any = gymnasium.make
make_vec: Any = gymnasium.make_vec
"""Without the types of their keywords, of which each environment has its own."""

HIT, STAND, SURRENDER = 0, 1, 4


def test_exchanged_actions_play_the_same_rounds() -> None:
    own = make(NAME, rules="vegas")
    theirs = make(NAME, rules="vegas", actions="gymnasium")
    for seed in range(60):
        (seen, told), (again, said) = own.reset(seed=seed), theirs.reset(seed=seed)
        is_over = False
        while not is_over:
            assert seen == again
            assert told["action_mask"][[1, 0, 2, 3, 4, 5]].tolist() == said["action_mask"].tolist()
            action = int(np.flatnonzero(told["action_mask"])[seed % told["action_mask"].sum()])
            exchanged = 1 - action if action < 2 else action
            (seen, paid, is_over, _, told), (again, gained, *_, said) = (
                own.step(action),
                theirs.step(exchanged),
            )
            assert paid == gained


def test_thousands_at_once_exchange_actions_and_masks_too() -> None:
    keywords: dict[str, Any] = {"num_envs": 64, "rules": "vegas"}
    own, theirs = (make_vec(NAME, **keywords, **more) for more in ({}, {"actions": "gymnasium"}))
    (_, told), (_, said) = own.reset(seed=3), theirs.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(40):
        assert told["action_mask"][:, [1, 0, 2, 3, 4, 5]].tolist() == said["action_mask"].tolist()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in told["action_mask"]])
        (seen, paid, *_, told), (again, gained, *_, said) = (
            own.step(actions),
            theirs.step(np.where(actions < 2, 1 - actions, actions)),
        )
        assert paid.tolist() == gained.tolist()
        assert [part.tolist() for part in seen] == [part.tolist() for part in again]


@pytest.mark.parametrize("actions", ["twentyone", "gymnasium"])
def test_an_action_that_is_not_allowed_stands_if_that_is_wished(actions: str) -> None:
    stand = int(actions == "twentyone")
    rules = {"rules": "vegas", "surrender": "none", "actions": actions}
    strict, lenient, other = (make(NAME, **rules, **more) for more in ({}, {"illegal": "stand"}, {}))
    for seed in range(20):
        for env in (strict, lenient, other):
            env.reset(seed=seed)
        with pytest.raises(ValueError, match=r"4 \(surrender\), which is not allowed now: expected"):
            strict.step(SURRENDER)
        assert lenient.step(SURRENDER)[1:3] == other.step(stand)[1:3]
    many, same = (make_vec(NAME, num_envs=32, **rules, illegal=illegal) for illegal in ("stand", "raise"))
    many.reset(seed=1)
    same.reset(seed=1)
    assert many.step(np.full(32, SURRENDER))[1].tolist() == same.step(np.full(32, stand))[1].tolist()
    same.reset(seed=1)
    with pytest.raises(ValueError, match=r"is 4 \(surrender\), which is not allowed now"):
        same.step(np.full(32, SURRENDER))


def test_other_words_are_refused() -> None:
    wrong: list[dict[str, Any]] = [{"actions": "own"}, {"illegal": "ignore"}]
    for keyword in wrong:
        with pytest.raises(ValueError, match="expected '"):
            make(NAME, **keyword)


def test_rows_of_observations_are_taken_as_grading_hands_them_over() -> None:
    rows = np.array([[16, 10, 0], [13, 11, 1], [20, 2, 0], [12, 3, 1]])
    assert to_number(rows).tolist() == [to_number(tuple(row)) for row in rows.tolist()]
    assert to_box(rows).tolist() == [to_box(tuple(row)).tolist() for row in rows.tolist()]
    assert to_box(rows[:3]).tolist() == to_box(rows)[:3].tolist()


@pytest.mark.check
@pytest.mark.parametrize(("keywords", "naturals"), [({"sab": True}, "player"), ({"sab": False}, "equal")])
def test_gymnasiums_own_environment_pays_what_ours_is_worth(keywords: dict[str, bool], naturals: str) -> None:
    """The best chart of the infinite deck, played in Blackjack-v1: within four standard errors of it."""
    rules = rules_for("textbook", {"naturals": naturals})
    best = solving.solve(rules)
    env = make("Blackjack-v1", **keywords)
    rewards = []
    for round_number in range(20_000):
        (total, upcard, ace), _ = env.reset(seed=5 if round_number == 0 else None)
        is_over, reward = False, 0.0
        while not is_over:
            column = dealer_column(11 if upcard == 1 else upcard, bool(ace))
            (total, upcard, ace), reward, is_over, *_ = env.step(int(best.policy[total, column]))
        rewards.append(reward)
    error = float(np.std(rewards)) / len(rewards) ** 0.5
    assert np.mean(rewards) == pytest.approx(best.value, abs=4 * error)
    assert PRESETS["textbook"].decks is None
