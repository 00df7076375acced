"""Training over connections that are lost: it comes back, and learns only what it has seen to its end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from cards import Decision, Payoff, RandBelow, Round, Rules
from dealer.lobby.house import House
from dealer.tables.config import Config
from dealer.tables.seat import Seat
from player.address import Address
from player.trainer import Plan, Trainer
from tests.helpers.cutting import Cut, cutting
from tests.helpers.house import NEVER, serving
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from twentyone.learning.episodes import Episode
from twentyone.learning.learners import Learner, TableLearner
from twentyone.learning.methods import End
from twentyone.learning.settings import knobs_for
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.files import RANDOM_PLAY
from twentyone.policies.policy import decisions_of

ROUNDS = 60

Played = tuple[tuple[Decision, ...], Payoff]
"""The decisions and the payoff of a round."""


class Listener(TableLearner):
    """Learns, and notes the decisions and the payoff of each round that it is given."""

    def __init__(self) -> None:
        super().__init__(RANDOM_PLAY, knobs_for(RANDOM_PLAY), Rules())
        self.learned: Counter[Played] = Counter()

    def learn(self, episode: Episode, rand_below: RandBelow) -> None:
        super().learn(episode, rand_below)
        decisions = tuple(ACTIONS[action] for action in episode.steps.actions)
        self.learned[decisions, int(episode.payoffs[0])] += 1


async def trained_over(cuts: Sequence[Cut | None]) -> tuple[Trainer, Listener, Counter[Played]]:
    """A run over four connections, what it has learned from, and what the dealer has dealt."""
    dealt: Counter[Played] = Counter()
    config = Config(port=0, rounds=0, seed=3, decision_clock=NEVER)
    learner = Listener()

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        return learner, told or Rules()

    class Noting(House):
        def settled(self, round_: Round, seats: Sequence[Seat]) -> None:
            (payoff,) = round_.payoffs
            assert payoff is not None
            dealt[tuple(decision for _, decision in decisions_of(round_, 0)), payoff] += 1

    async with serving(config, house=Noting()) as server, cutting(server.port, cuts) as port:
        trainer = Trainer(Plan(Address(LOCALHOST, port), ROUNDS, 4, seed=1), make, lambda _: None)
        await asyncio.wait_for(trainer.run(), PATIENCE)
    return trainer, learner, dealt


@pytest.mark.parametrize(
    ("cuts", "missed"),
    [
        ([Cut("<", "RESULT", 3), Cut("<", "RESULT", 4), None, Cut("<", "RESULT", 5)], 3),
        ([Cut("<", "DECISION", 3), Cut("<", "DECISION", 5), Cut(">", "HIT", 4), Cut(">", "STAND", 2)], 0),
        (
            [
                Cut("<", "CARD", 9),
                Cut("<", "BEGIN", 4),
                Cut("<", "BEGIN", 5, None),
                Cut("<", "RESULT", 5, None),
            ],
            0,
        ),
    ],
    ids=["results", "questions and answers", "cards"],
)
async def test_nothing_is_learned_from_a_round_that_was_not_seen_to_its_end(
    cuts: Sequence[Cut | None], missed: int
) -> None:
    """What is learned is what the dealer has dealt, with the learner's own decisions."""
    trainer, learner, dealt = await trained_over(cuts)
    assert (trainer.end, trainer.fault, trainer.missed, trainer.passed_over) == (End.DONE, None, missed, 0)
    assert dealt.total() == ROUNDS
    assert learner.learned <= dealt
    assert trainer.played == learner.rounds == trainer.tally.rounds == ROUNDS - missed
