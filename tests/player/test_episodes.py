"""What is learned from rounds over a wire is what was played in them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from cards import PRESETS, Decision, RandBelow, Rules
from cards.rules import Bets, HoleCard, Surrender
from learning.episodes import Episode
from learning.learners import Learner, TextbookLearner
from learning.methods import End
from learning.settings import knobs_for
from player.address import Address
from player.trainer import Plan, Trainer
from policies.policy import Observation
from tests.helpers.patience import PATIENCE
from tests.player.dealt import CHIPS, House, episode_of

VEGAS = PRESETS["vegas"]
EARLY = replace(VEGAS, surrender=Surrender.EARLY)
INITIAL_BET = replace(VEGAS, surrender=Surrender.EARLY, hole_card=HoleCard.OBO)


ROUNDS = 600


class Gambler(TextbookLearner):
    """Decides by chance, splits when it can, and keeps what it was to learn from."""

    def __init__(self, rules: Rules) -> None:
        super().__init__("random-play", knobs_for("random-play"), rules)
        self.episodes: list[Episode] = []

    def choose(self, seen: Observation, rand_below: RandBelow, *, is_start: bool) -> Decision:
        options = seen.options
        if Decision.SPLIT in options and rand_below(8):
            return Decision.SPLIT
        return options[rand_below(len(options))]

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        super().learn(episode, rand_below)
        self.episodes.append(episode)


async def learned_at(port: int, rounds: int, learner: Learner) -> Trainer:
    """A training run of some rounds on one connection."""

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        assert told is not None
        return learner, told

    plan = Plan(Address("127.0.0.1", port), rounds, 1, seed=3)
    trainer = Trainer(plan, make, print)
    await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    return trainer


@pytest.mark.parametrize(
    "rules",
    [
        replace(EARLY, bets=Bets(CHIPS, CHIPS)),
        INITIAL_BET,
        pytest.param(PRESETS["europe"], marks=pytest.mark.check),
        pytest.param(VEGAS, marks=pytest.mark.check),
    ],
    ids=["in chips, early surrender", "a natural takes the initial bet", "europe", "vegas"],
)
async def test_an_episode_from_the_wire_is_that_of_the_round(rules: Rules) -> None:
    house, learner = House(rules, ROUNDS, seed=1), Gambler(rules)
    async with house.listening() as port:
        trainer = await learned_at(port, ROUNDS, learner)
    assert trainer.passed_over == 0
    assert learner.episodes == [episode_of(round_) for round_ in house.dealt]
    assert {len(episode.payoffs) for episode in learner.episodes} == set(range(1, rules.split + 1))
    assert {episode.insurance for episode in learner.episodes} >= ({-0.5, 1.0} if rules.insurance else {0.0})
    assert any(episode.ended_at_peek for episode in learner.episodes) is (rules.hole_card is HoleCard.PEEK)
    assert any(episode.returned for episode in learner.episodes) is (rules.hole_card is HoleCard.OBO)
    asks_first = rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.PEEK
    assert any(episode.declined >= 0 for episode in learner.episodes) is asks_first
