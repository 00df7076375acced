"""A round as an automaton against `cards.Round`: the same cards give the same round, card by card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cards import PRESETS, Ace, DealerStands, Decision, DecisionTaken, Naturals, Rules
from kernels.automaton import OVER, is_sure, round_automaton
from kernels.hand_tables import hand_tables, hit_chances
from kernels.interleaved import follow
from kernels.rounds import OUTCOMES
from policies.decisions import at_random, mimic
from tests.helpers.kernels import any_policy, orders, play_by_cards, stacked

GAMES = {
    "course": Rules(),
    "devs": PRESETS["devs"],
    "infinite deck": Rules(decks=None),
    "hard17": Rules(dealer_stands=DealerStands.HARD17, decks=None),
    "aces of 11": Rules(ace=Ace.ELEVEN),
    "naturals, 8 decks": Rules(naturals=Naturals.BEAT, decks=8),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_same_cards_end_in_the_same_way(name: str) -> None:
    """The automaton takes the hole card when the dealer plays, so the hole card is moved there."""
    rules = GAMES[name]
    policies = [any_policy(5)]
    automaton = round_automaton(hand_tables(rules), hit_chances(rules, policies[0])).ravel()
    for cards in orders(rules, 1_000, 11):
        game = play_by_cards(rules, policies, stacked(cards))
        hits = sum(
            isinstance(record, DecisionTaken) and record.decision is Decision.HIT for record in game.records
        )
        ranks = np.concatenate([cards[:3], cards[4 : 4 + hits], cards[3:4], cards[4 + hits :]]) % np.uint8(13)
        outcome, taken = follow(automaton, ranks)
        assert OUTCOMES[outcome] is game.outcomes[0]
        played = 4 + hits + len(game.dealer.cards) - 2 if game.dealer else 0
        assert taken == played - (game.hands[0].is_bust)


def test_every_way_ends_and_a_round_that_is_over_stays_so() -> None:
    rules = Rules()
    automaton = round_automaton(hand_tables(rules), hit_chances(rules, mimic(rules)))
    assert (automaton[OVER] == OVER).all()
    assert (automaton[:OVER, :13] == automaton[OVER + 1, :13]).all()
    ended = np.arange(len(automaton)) < OVER
    for _ in range(30):
        reached = ended[automaton[:, :13]].all(axis=1)
        ended = ended | reached
    assert ended[np.arange(len(automaton)) != OVER].all()


def test_chance_is_seen() -> None:
    assert is_sure(hit_chances(Rules(), mimic(Rules())))
    assert not is_sure(hit_chances(Rules(), at_random()))
    assert is_sure(hit_chances(replace(Rules(), decks=2), any_policy(1)))
