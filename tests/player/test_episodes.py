"""What is learned from rounds over a wire is what was played in them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS, Decision, RandBelow, Rules
from cards.rules import Bets, HoleCard, Surrender
from tests.helpers.house import open_house
from tests.player.dealt import HOUSE_SEED, learn_in_memory, learned_at, plan_for
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import TableLearner
from twentyone.learning.settings import knobs_for

VEGAS = PRESETS["vegas"]
EARLY = replace(VEGAS, surrender=Surrender.EARLY)
ROUNDS = 600


class Gambler(TableLearner):
    """Decides by chance, splits when it can, and keeps what it was to learn from."""

    def __init__(self, rules: Rules) -> None:
        super().__init__("random-play", knobs_for("random-play"), rules)
        self.episodes: list[Episode] = []

    def choose(
        self, first: int, options: tuple[Decision, ...], rand_below: RandBelow, *, is_start: bool
    ) -> Decision:
        if Decision.SPLIT in options and rand_below(8):
            return Decision.SPLIT
        return options[rand_below(len(options))]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        super().learn(episode, rand_below)
        self.episodes.append(episode)


@pytest.mark.parametrize(
    "rules",
    [
        replace(EARLY, bets=Bets(20, 20), bankroll=1_000_000),
        replace(EARLY, hole_card=HoleCard.OBO),
        pytest.param(PRESETS["europe"], marks=pytest.mark.check),
        pytest.param(VEGAS, marks=pytest.mark.check),
    ],
    ids=["in chips, early surrender", "a natural takes the initial bet", "europe", "vegas"],
)
async def test_an_episode_from_the_wire_is_that_of_the_round(rules: Rules) -> None:
    learner, again = Gambler(rules), Gambler(rules)
    with open_house(rules=rules, seed=HOUSE_SEED) as house:
        trainer = await learned_at(plan_for(house.port, ROUNDS), learner)
    learn_in_memory(rules, ROUNDS, again)
    assert trainer.passed_over == 0
    assert learner.episodes == again.episodes
    assert {len(episode.payoffs) for episode in learner.episodes} == set(range(1, rules.split + 1))
    assert {episode.insurance for episode in learner.episodes} >= ({-0.5, 1.0} if rules.insurance else {0.0})
    assert any(episode.ended_at_peek for episode in learner.episodes) is (rules.hole_card is HoleCard.PEEK)
    assert any(episode.returned for episode in learner.episodes) is (rules.hole_card is HoleCard.OBO)
    asks_first = rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.PEEK
    assert any(episode.declined >= 0 for episode in learner.episodes) is asks_first
