"""Training at a real dealer beside the same rounds in memory, and what these teach by their own account."""

from __future__ import annotations

import asyncio
from typing import Final

from cards import Decision, DecisionTaken, Round, Rules, seeded, shoe_for
from cards.rules import HoleCard
from player.address import Address
from player.trainer import Plan, Trainer
from tests.helpers.patience import PATIENCE
from twentyone.learning.cells import first_of
from twentyone.learning.episodes import INSURE, Episode, Steps, bits_of
from twentyone.learning.learners import Learner
from twentyone.learning.methods import End
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.policy import decisions_of, observation
from twentyone.policies.qtable import is_by_hand

HOUSE_SEED: Final = 5
"""The seed of the dealer whose cards are dealt again in memory, on one connection."""


def plan_for(port: int, rounds: int, connections: int = 1) -> Plan:
    return Plan(Address("127.0.0.1", port), rounds, connections, seed=9)


async def learned_at(plan: Plan, learner: Learner) -> Trainer:
    """A training run whose learner is there already."""

    def make(told: Rules | None) -> tuple[Learner, Rules]:
        assert told is not None
        return learner, told

    trainer = Trainer(plan, make, lambda _: None)
    await asyncio.wait_for(trainer.run(), PATIENCE)
    assert (trainer.end, trainer.fault) == (End.DONE, None)
    return trainer


def learn_in_memory(rules: Rules, rounds: int, learner: Learner) -> None:
    """Let a learner play what a dealer deals on the only connection of a run."""
    shoe, chance = shoe_for(rules, seeded(HOUSE_SEED, 1)), seeded(9, 0, 0)
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        has_begun = False
        while round_.turn is not None:
            seen = observation(round_, 0)
            first = first_of(seen, by_hand=is_by_hand(rules))
            round_.decide(0, learner.choose(first, seen.options, chance, is_start=not has_begun))
            has_begun = has_begun or Decision.DECLINE not in seen.options
        learner.learn(episode_of(round_), chance)


def episode_of(round_: Round) -> Episode:
    """What the only seat of a round that is over has to learn from it, by the cards and not by messages."""
    rules, dealer = round_.rules, round_.dealer
    assert dealer is not None
    taken = [record for record in round_.records if isinstance(record, DecisionTaken)]
    steps, insured, declined = Steps([], [], [], []), -1, -1
    for (seen, decision), record in zip(decisions_of(round_, 0), taken, strict=True):
        first = first_of(seen, by_hand=True)
        if decision is Decision.INSURE:
            insured = first + INSURE
        elif decision is Decision.DECLINE:
            declined = first if Decision.SURRENDER in seen.options else declined
        elif Decision.DECLINE not in seen.options:
            numbers = first, bits_of(seen.options), ACTIONS.index(decision), record.hand
            for column, number in zip(steps, numbers, strict=True):
                column.append(number)
    hands = round_.hands_of(0)
    payoffs = [float(hand.payoff or 0) for hand in hands]
    takes_one = dealer.is_natural and rules.hole_card is HoleCard.OBO
    if takes_one and len(hands) > 1:
        payoffs = [-1.0] * len(hands)
    insurance = 1.0 if dealer.is_natural else -0.5
    return Episode(
        steps,
        tuple(payoffs),
        1.0 if takes_one else 0.0,
        insured,
        insurance if insured >= 0 else 0.0,
        declined,
        dealer.is_natural and rules.hole_card is HoleCard.PEEK,
    )
