"""The conventions of Gymnasium's Blackjack-v1: its numbers of actions, and its own environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from cards import CARDS, Card, StackedShoe
from twentyone.environments import blackjack
from twentyone.environments.encoding import to_box, to_number

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


Round = tuple[list[Card], list[tuple[tuple[int, int, int], int]], float]
"""The cards in the order in which they are dealt here, what was seen and done, and the reward."""


def their_round(env: Any, random: np.random.Generator, seed: int) -> Round:
    """A round of Blackjack-v1 at random; on 21 it sticks, since nothing is asked there here."""
    seen, _ = env.reset(seed=seed)
    turns, is_over, reward = [], False, 0.0
    while not is_over:
        action = 0 if seen[0] == 21 else int(random.integers(2))
        turns.append((seen, action))
        seen, reward, is_over, *_ = env.step(action)
    player, dealer = env.unwrapped.player, env.unwrapped.dealer
    points = [*player[:2], *dealer[:2], *player[2:], *dealer[2:]]
    return [next(card for card in CARDS if card.rank.points == each) for each in points], turns, reward


@pytest.mark.parametrize(
    ("keywords", "naturals", "ratio"),
    [
        ({"sab": True}, "player", 1.0),
        ({"sab": False}, "equal", 1.0),
        ({"sab": False, "natural": True}, "equal", 1.5),
    ],
)
def test_gymnasiums_own_environment_plays_the_same_rounds(
    monkeypatch: pytest.MonkeyPatch, keywords: dict[str, bool], naturals: str, ratio: float
) -> None:
    """The same cards and actions: of `natural=True` only what a natural that wins is paid differs."""
    theirs, random = make("Blackjack-v1", **keywords), np.random.default_rng(2)
    ours = make(NAME, rules="textbook", naturals=naturals, actions="gymnasium")
    winning_naturals = 0
    for seed in range(400):
        cards, turns, reward = their_round(theirs, random, seed)
        monkeypatch.setattr(blackjack, "shoe_for", lambda *_, cards=cards: StackedShoe(cards))
        seen, _ = ours.reset(seed=seed)
        is_natural, is_over, paid = seen[0] == 21, False, 0.0
        for (total, upcard, ace), action in turns:
            assert seen == (total, 11 if upcard == 1 else upcard, ace)
            if is_over:
                assert total == 21
                break
            seen, paid, is_over, *_ = ours.step(action)
        assert is_over
        assert reward == (ratio if is_natural and paid == 1 else paid)
        winning_naturals += is_natural and paid == 1
    assert winning_naturals > 5
