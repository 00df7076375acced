"""What is said of a table, and of a play, at the end of a run."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import exact, solved
from cards import PRESETS, Ace, Card, Hand, Rules
from cards.card import Rank, Suit
from player.learning import CourseLearner, QLearner, table_of
from player.qtable import HIT, STAND, QTable
from player.score import NO_ROUND, Record, of_play, of_table
from tests.player.play import random_rounds

INFINITE = Rules(decks=None)


def best_table(rules: Rules) -> QTable:
    return solved.as_qtable(exact.solve(rules))


def hand(*ranks: Rank) -> Hand:
    return Hand(Ace.EITHER, [Card(rank, Suit.SPADES) for rank in ranks])


# Tables.


def test_the_best_table_has_no_gap() -> None:
    report = of_table(best_table(Rules()), "best.txt")
    grade = report.members["grade"]
    assert grade["value"] == grade["best"] == pytest.approx(-0.0428061253, abs=5e-11)
    assert grade["optimum"] == pytest.approx(-0.0424622758, abs=5e-11)
    assert (grade["gap"], grade["differing_cells"], grade["costliest_cells"]) == (0.0, 0, [])
    assert (report.members["course_limit"], report.members["no_exact_value"]) == (None, None)
    assert "best.txt" in report.text and "in all of the 280 cells" in report.text


def test_a_table_that_knows_nothing_stands_on_everything() -> None:
    # Always stand, infinite deck: -0.1863676662.
    report = of_table(table_of(QLearner(), INFINITE, None), "empty")
    assert report.members["grade"]["value"] == pytest.approx(-0.1863676662, abs=5e-11)
    assert len(report.members["grade"]["costliest_cells"]) == 5
    assert "costliest cells" in report.text


def test_a_table_of_the_course_is_told_where_its_method_ends() -> None:
    # Greedy on the random policy's values, soft hands kept apart: -0.1129531809, 0.066 below the optimum.
    report = of_table(table_of(CourseLearner(), INFINITE, None), "course.txt")
    limit = report.members["course_limit"]
    assert limit["value"] == pytest.approx(-0.1129531809, abs=5e-11)
    assert limit["gap"] == pytest.approx(0.1129531809 - 0.0465559771, abs=1e-10)
    assert "limit of the method course, however long it learns" in report.text
    assert max(map(len, report.text.splitlines())) <= 80


def test_the_values_that_the_course_learns_come_to_those_that_its_limit_is_computed_from() -> None:
    learner = CourseLearner()
    for steps, payoff in random_rounds(40_000, seed=3):
        learner.learn(steps, payoff)
    table = table_of(learner, Rules(), 3)
    truth = exact.evaluate(Rules(), np.full((22, 22), 0.5)).action_values
    seen = table.counts >= 100
    # Payoffs are within -1 and 1, so a mean of n of them has a standard error of 1 / sqrt n at most.
    far = np.abs(table.values - truth)[seen] * np.sqrt(table.counts[seen])
    assert seen.sum() > 200
    assert far.max() < 4.5
    assert (far**2).mean() < 1.1


@pytest.mark.parametrize("preset", ["study", "casino", "showdown"])
def test_without_an_exact_form_a_sentence_says_so(preset: str) -> None:
    report = of_table(table_of(QLearner(), PRESETS[preset], None), "table")
    assert report.members["grade"] is report.members["course_limit"] is None
    assert report.text == f"no exact value: {report.members['no_exact_value']}"
    assert "has no short exact form" in report.text and "\n" not in report.text


# Plays.


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
    report = of_play(INFINITE, policy, None, record)
    assert report.members["exact"]["value"] == pytest.approx(value, abs=5e-11)
    assert report.members["exact"]["gap"] == pytest.approx(-0.0465559771 - value, abs=1e-10)
    assert report.members["ev_lost"]["per_round"] == 0.0  # to stand on 18 against 6 is right
    assert f"expected value of {policy}" in report.text


def test_a_play_by_a_table_is_valued_by_the_rules_that_were_played() -> None:
    stands = best_table(INFINITE)
    stands.values[:, :, HIT], stands.values[:, :, STAND] = -1.0, 0.0
    report = of_play(INFINITE, "qtable", stands, Record())
    assert report.members["exact"]["value"] == pytest.approx(-0.1863676662, abs=5e-11)
    assert report.members["ev_lost"]["per_round"] is None


def test_a_play_of_no_round_has_the_same_members() -> None:
    assert set(NO_ROUND.members) == set(of_play(INFINITE, "human", None, Record()).members)
    assert set(of_play(PRESETS["casino"], "human", None, Record()).members) == set(NO_ROUND.members)
