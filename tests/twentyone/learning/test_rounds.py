"""The compiled loop of learning: the same table, bit for bit, as by the pure rules on the same rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import (
    PRESETS,
    Cutoff,
    Decision,
    DecisionTaken,
    Double,
    EveryRound,
    HoleCard,
    Penetration,
    Round,
    Rules,
    SplitAces,
    Surrender,
)
from tests.helpers.kernel_rounds import some_rules
from tests.helpers.tiers import first_of
from tests.twentyone.learning.playing import FreshShoe, KeptShoe, layered, play, pure_learner
from twentyone.kernels.counting import Count, counting_of
from twentyone.kernels.rounds import MOST_TENTHS, OUTCOMES, Seats, new_seats
from twentyone.kernels.shoe import new_shoe
from twentyone.kernels.streams import key_of
from twentyone.kernels.tables import TENTHS
from twentyone.learning.arrays import SHARD_ROUNDS, Game, Learned, Log, begin_with, game_for, new_log
from twentyone.learning.cells import cells_for, size_of
from twentyone.learning.cells import first_of as first_of_cells
from twentyone.learning.learners import Learner
from twentyone.learning.rounds import (
    learn_counting_by_own,
    learn_counting_by_textbook,
    learn_fresh_by_own,
    learn_fresh_by_textbook,
    learn_kept_by_own,
    learn_kept_by_textbook,
)
from twentyone.learning.tables import shown
from twentyone.learning.textbook import Kind, Knobs

VEGAS: Final = replace(PRESETS["vegas"], reshuffle=EveryRound())
OBO: Final = replace(PRESETS["europe"], hole_card=HoleCard.OBO, reshuffle=EveryRound())

RULES: Final = {
    "course": PRESETS["course"],
    "vegas": VEGAS,
    "reno": replace(PRESETS["reno"], reshuffle=EveryRound()),
    "original bets only": replace(OBO, split=4, double=Double.ALWAYS, double_after_split=True),
    "early surrender, one deck": replace(VEGAS, decks=1, surrender=Surrender.EARLY),
    "infinite, double always, resplit aces": replace(
        VEGAS, decks=None, split=4, split_aces=SplitAces.PLAY, double=Double.ALWAYS, double_after_split=True
    ),
    "split aces again": replace(VEGAS, split=4, split_aces=SplitAces.AGAIN),
}

METHODS: Final = {
    "own": None,
    "double-q": Knobs(kind=Kind.CROSSED),
    "expected-sarsa": Knobs(kind=Kind.MEAN, epsilon_decay=0.4),
    "3-step": Knobs(kind=Kind.TAKEN, n=3, gamma=0.9),
    "random": Knobs(kind=Kind.RETURN, alpha=1.0, alpha_decay=1.0, epsilon=1.0),
}


def game_of_rules(rules: Rules) -> Game:
    """The rules as the kernels take them."""
    return game_for(rules, cells_for(rules), size_of(rules))


def nothing(rules: Rules, knobs: Knobs | None, layers: int = 1) -> Learned:
    """Nothing learned yet by the kernels."""
    given = knobs or Knobs()
    size = size_of(rules) * layers
    values, counts = np.full(size, given.initial), np.zeros(size, np.int64)
    return begin_with(values, counts, values.copy() if given.kind == Kind.CROSSED else None)


def room() -> tuple[Seats, Log]:
    """Room for a round."""
    return new_seats(1), new_log()


def learn_fresh(
    rules: Rules, knobs: Knobs | None, rounds: int, seed: int, first: int = 0, learned: Learned | None = None
) -> Learned:
    """Learn by the kernels from rounds that each have a fresh shoe."""
    learned = nothing(rules, knobs) if learned is None else learned
    kernel = learn_fresh_by_own if knobs is None else learn_fresh_by_textbook
    game, end = game_of_rules(rules), first + rounds
    while first < end:
        some = min(end - first, SHARD_ROUNDS - first % SHARD_ROUNDS)
        shoe = new_shoe(game.full, game.fewest, key_of(seed), first // SHARD_ROUNDS)
        assert kernel(game, learned, knobs or Knobs(), first, some, shoe, *room())
        first += some
    return learned


class Pure(NamedTuple):
    """A learner without compiled code, and the rounds that it has learned from."""

    learner: Learner
    games: list[Round]


def pure_fresh(rules: Rules, knobs: Knobs | None, rounds: int, seed: int, first: int = 0) -> Pure:
    """The same as the learners of `twentyone.learning.learners` play and learn."""
    shoe, learner = FreshShoe(rules, seed, first), pure_learner(rules, knobs)
    return Pure(learner, [play(rules, shoe, learner) for _ in range(rounds)])


def assert_same(learned: Learned, pure: Pure) -> None:
    """See that both have learned the same, bit for bit, and have counted the same rounds."""
    learner, games = pure
    assert learned.counts.tolist() == learner.counts()
    means = (learned.values + learned.others) / 2
    assert shown(means, learned.counts).tolist() == learner.values()
    assert learner.rounds == len(games)
    endings = Counter(
        (OUTCOMES.index(game.outcomes[0]), int(TENTHS * game.payoffs[0]))  # type: ignore[operator]
        for game in games
    )
    found = [(int(outcome), int(place)) for outcome, place in np.argwhere(learned.endings)]
    assert {
        (outcome, place - MOST_TENTHS): learned.endings[outcome, place] for outcome, place in found
    } == endings


PLAYED: Final = [
    *(("course", "3-step"), ("vegas", "double-q"), ("original bets only", "expected-sarsa")),
    *((name, "own") for name in RULES),
]


@pytest.mark.parametrize(("name", "method"), first_of(PLAYED, 3))
def test_fresh_shoes_teach_the_same_as_the_pure_rules(name: str, method: str) -> None:
    rules, knobs, rounds, seed = RULES[name], METHODS[method], 250, 11
    first = SHARD_ROUNDS - rounds // 2  # a shard ends within them
    assert_same(learn_fresh(rules, knobs, rounds, seed, first), pure_fresh(rules, knobs, rounds, seed, first))


def has_split_and_lost_one_bet(game: Round) -> bool:
    return game.dealer is not None and game.dealer.is_natural and len(game.hands_of(0)) > 1


def has_four_hands(game: Round) -> bool:
    return len(game.hands_of(0)) == 4


def has_split_aces_again(game: Round) -> bool:
    hands = game.hands_of(0)
    return len(hands) > 2 and hands[0].hand.cards[0].is_ace


def has_declined_before_a_natural(game: Round) -> bool:
    taken = [each.decision for each in game.records if isinstance(each, DecisionTaken)]
    ended_by_natural = game.dealer is not None and game.dealer.is_natural
    return ended_by_natural and taken.count(Decision.DECLINE) == len(taken) > 0


RARE: Final = [
    ("early surrender, one deck", has_declined_before_a_natural, "random"),
    ("original bets only", has_split_and_lost_one_bet, "random"),
    ("infinite, double always, resplit aces", has_four_hands, "random"),
    ("original bets only", has_split_and_lost_one_bet, "own"),
    ("split aces again", has_split_aces_again, "own"),
    ("early surrender, one deck", has_declined_before_a_natural, "own"),
]


@pytest.mark.parametrize(("name", "is_rare", "method"), first_of(RARE))
def test_rare_rounds_teach_the_same_as_the_pure_rules(
    name: str, is_rare: Callable[[Round], bool], method: str
) -> None:
    rules, knobs, rounds = RULES[name], METHODS[method], 5_000
    pure = pure_fresh(rules, knobs, rounds, 3)
    assert any(map(is_rare, pure.games))
    assert_same(learn_fresh(rules, knobs, rounds, 3), pure)


KNOBS: Final = st.builds(
    Knobs,
    kind=st.sampled_from([kind for kind in Kind if kind is not Kind.NOTED]),
    alpha=st.floats(0.001, 1.0),
    alpha_decay=st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0),
    epsilon=st.floats(0.0, 1.0),
    epsilon_decay=st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0),
    gamma=st.sampled_from([1.0]) | st.floats(0.0, 1.0),
    initial=st.floats(-2.0, 2.0),
    n=st.integers(1, 8),
    trace=st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0),
    explores_starts=st.booleans(),
)


@settings(max_examples=30)
@given(st.integers(0, 10**6), KNOBS)
def test_any_rules_and_any_settings_teach_the_same_as_the_pure_rules(seed: int, knobs: Knobs) -> None:
    rules = replace(some_rules(Random(seed), seats=1), reshuffle=EveryRound())
    assert_same(learn_fresh(rules, knobs, 60, seed), pure_fresh(rules, knobs, 60, seed))


KEPT: Final = {
    "casino": PRESETS["casino"],
    "vegas": PRESETS["vegas"],
    "refilled within rounds": replace(PRESETS["vegas"], decks=1, reshuffle=Cutoff(1), split=4),
    "original bets only": replace(OBO, decks=2, reshuffle=Penetration(0.5)),
}
EACH_KEPT: Final = [
    ("casino", "double-q"),
    ("casino", "3-step"),
    ("casino", "own"),
    ("vegas", "own"),
    ("refilled within rounds", "own"),
    ("refilled within rounds", "expected-sarsa"),
    ("original bets only", "double-q"),
]


@pytest.mark.check
@pytest.mark.parametrize(("name", "method"), EACH_KEPT)
@pytest.mark.parametrize("count", [None, Count(lowest=-3, highest=3)], ids=["no count", "count"])
def test_kept_shoes_teach_the_same_as_the_pure_rules(name: str, method: str, count: Count | None) -> None:
    """By the layer of the true count too. The count is of all cards that the player has seen."""
    rules, knobs, rounds, seed = KEPT[name], METHODS[method], 400, 5
    layers = 1 if count is None else len(count.counts)
    shoe = KeptShoe(rules, seed)
    with nullcontext(first_of_cells) if count is None else layered(rules, count, shoe) as cell:
        learner = pure_learner(rules, knobs)
        games = [play(rules, shoe, learner, cell) for _ in range(rounds)]
    learned, game = nothing(rules, knobs, layers), game_of_rules(rules)
    kept = new_shoe(game.full, game.fewest, key_of(seed), 0)
    counting = None if count is None else counting_of(rules, count, layers)
    for some in (1, 150, rounds - 151):  # to stop and go on changes nothing
        if counting is None:
            learn = learn_kept_by_own if knobs is None else learn_kept_by_textbook
            assert learn(game, learned, knobs or Knobs(), some, kept, *room())
        else:
            learn_counting = learn_counting_by_own if knobs is None else learn_counting_by_textbook
            assert learn_counting(game, learned, knobs or Knobs(), counting, some, kept, *room())
    assert_same(learned, Pure(learner, games))
    assert shoe.shoe.at.tolist() == kept.at.tolist()
    assert sum(any(part) for part in np.array(learner.counts()).reshape(layers, -1)) > layers // 2
