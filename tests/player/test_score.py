"""What is said of a play at the end of a run."""

from __future__ import annotations

import pytest

from cards import PRESETS, Ace, Card, Hand, Rules
from cards.card import Rank, Suit
from exact import solving
from exact.named import named
from exact.report import as_qtable
from player.score import NO_ROUND, Record, grade_play
from policies.decisions import greedy
from policies.qtable import HIT, STAND

INFINITE = Rules(decks=None)


def hand(*ranks: Rank) -> Hand:
    return Hand(Ace.EITHER, [Card(rank, Suit.SPADES) for rank in ranks])


def test_a_record_keeps_hands_as_they_were_dealt() -> None:
    record = Record()
    ten = Card(Rank.QUEEN, Suit.HEARTS)
    record.add(ten, hand(Rank.ACE, Rank.KING))
    record.add(ten, hand(Rank.ACE, Rank.TEN))
    record.add(ten, hand(Rank.TEN, Rank.ACE))
    record.add(None, hand(Rank.TEN, Rank.ACE))
    record.add(ten, hand(Rank.TEN))
    assert record.played == {(10, (11, 10)): 2, (10, (10, 11)): 1}


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        # Infinite deck: uniformly random -0.3958959928, always stand -0.1863676662.
        ("random", -0.3958959928),
        ("threshold:0", -0.1863676662),
    ],
)
def test_a_policy_is_valued_exactly(policy: str, value: float) -> None:
    record = Record()
    record.add(Card(Rank.SIX, Suit.CLUBS), hand(Rank.TEN, Rank.EIGHT))
    report = grade_play(INFINITE, policy, named(policy, INFINITE), record)
    assert report.members["exact"]["value"] == pytest.approx(value, abs=5e-11)
    assert report.members["exact"]["gap"] == pytest.approx(-0.0465559771 - value, abs=1e-10)
    assert report.members["ev_lost"]["per_round"] == 0.0  # to stand on 18 against 6 is right
    assert f"expected value of {policy}" in report.text


def test_a_play_by_a_table_is_valued_by_the_rules_that_were_played() -> None:
    stands = as_qtable(solving.solve(INFINITE))
    stands.values[:, :, HIT], stands.values[:, :, STAND] = -1.0, 0.0
    report = grade_play(INFINITE, "qtable", greedy(stands, "qtable"), Record())
    assert report.members["exact"]["value"] == pytest.approx(-0.1863676662, abs=5e-11)
    assert report.members["ev_lost"]["per_round"] is None


def test_a_play_of_no_round_has_the_same_members() -> None:
    assert set(NO_ROUND.members) == set(grade_play(INFINITE, "human", None, Record()).members)
    assert set(grade_play(PRESETS["casino"], "human", None, Record()).members) == set(NO_ROUND.members)
