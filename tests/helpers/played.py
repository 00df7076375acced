"""Rules with payoffs and charts by chance, and rounds played by policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cards import (
    PRESETS,
    Ace,
    DealerStands,
    Double,
    HoleCard,
    Naturals,
    Round,
    Rules,
    RulesError,
    Shoe,
    SplitAces,
    Surrender,
    seeded,
    shoe_for,
)
from twentyone.policies.chart import ENTRIES, Chart
from twentyone.policies.hands import HANDS
from twentyone.policies.policy import Policy, observation


def rules_with_payoffs(random: Random) -> Rules:
    """Rules with payoffs, each field by chance, for 1 to 3 seats."""
    while True:
        try:
            rules = replace(
                PRESETS[random.choice(("vegas", "reno", "europe"))],
                ace=random.choice((Ace.EITHER, Ace.EITHER, Ace.ONE, Ace.ELEVEN)),
                dealer_stands=random.choice(list(DealerStands)),
                naturals=random.choice(list(Naturals)),
                seats=random.randint(1, 3),
                double=random.choice(list(Double)),
                double_after_split=random.choice((False, True)),
                split=random.randint(1, 4),
                split_aces=random.choice(list(SplitAces)),
                surrender=random.choice(list(Surrender)),
                insurance=random.choice((False, True)),
                hole_card=random.choice(list(HoleCard)),
            )
        except RulesError:
            continue
        if rules.tells_payoffs:
            return rules


def random_chart(random: Random, name: str = "random") -> Chart:
    """A chart that has a row for each hand, and anything in it."""
    fits = {True: tuple(ENTRIES), False: tuple(entry for entry in ENTRIES if "P" not in entry.upper())}
    return Chart(name, {hand: tuple(random.choices(fits[hand[0] == "P"], k=10)) for hand in HANDS})


def by_cards(rules: Rules, policies: Sequence[Policy], shoe: Shoe) -> Round:
    """A round in which each seat decides by its policy; a decision that is not allowed is refused."""
    game = Round(rules, shoe)
    game.deal()
    while (seat := game.turn) is not None:
        game.decide(seat, policies[seat](observation(game, seat)))
    return game


def played(rules: Rules, policy: Policy, rounds: int, seed: int) -> list[Round]:
    """Rounds in which every seat decides by a policy."""
    shoe = shoe_for(rules, seeded(seed))
    return [by_cards(rules, [policy] * rules.seats, shoe) for _ in range(rounds)]
