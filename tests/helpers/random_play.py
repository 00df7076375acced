"""Rounds played in memory, for learners and simulations."""

from __future__ import annotations

from collections.abc import Iterator

from cards import Chance, Decision, Round, Rules, seeded, shoe_for
from twentyone.policies.policy import Observation, Policy, upcard_value
from twentyone.policies.qtable import HIT, STAND, state_of


def rounds_of(
    policy: Policy, rules: Rules, rand_below: Chance, rounds: int
) -> Iterator[tuple[list[int], int]]:
    """The steps, as indices of values in a table of 22 x 22 x 2, and the payoff of rounds by a policy."""
    shoe = shoe_for(rules, rand_below)
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        steps = []
        upcard = round_.upcard
        assert upcard is not None
        while round_.turn == 0:
            hand = round_.hands[0]
            observation = Observation(hand.total, hand.is_soft, upcard_value(upcard))
            decision = policy(observation)
            steps.append(2 * state_of(observation) + (HIT if decision is Decision.HIT else STAND))
            round_.decide(0, decision)
        outcome = round_.outcomes[0]
        assert outcome is not None
        yield steps, int(outcome.payoff)


def random_rounds(rounds: int, seed: int, rules: Rules | None = None) -> Iterator[tuple[list[int], int]]:
    """Rounds in which every decision is a coin's."""
    coin = seeded(seed, "coin")

    def toss(_: Observation) -> Decision:
        return Decision.STAND if coin(2) else Decision.HIT

    return rounds_of(toss, rules or Rules(), seeded(seed, "cards"), rounds)
