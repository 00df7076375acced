"""What is said of a play at the end of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import HIT_OR_STAND, PRESETS, Ace, Card, Decision, EveryRound, Hand, Rules, seeded
from cards.card import Rank, Suit
from player.chosen import KINDS, ChosenPolicy, chosen_policy
from player.score import NO_ROUND, Record, grade_play
from twentyone.exact import solving
from twentyone.exact.best.basic import basic_chart
from twentyone.exact.hand_advice import adviser_for
from twentyone.exact.report.qtables import as_qtable
from twentyone.policies.chances import of_table, sure
from twentyone.policies.chart import Chart, policy_of
from twentyone.policies.decisions import at_random
from twentyone.policies.hands import HARD, SOFT
from twentyone.policies.names import parse
from twentyone.policies.policy import Situation
from twentyone.policies.qtable import HIT, STAND

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
    stood = (Situation((10, 11), 10, False, HIT_OR_STAND), Decision.STAND)
    assert record.answered == {(stood,): 3}
    record.add(ten, hand(Rank.TEN, Rank.SIX, Rank.KING))
    assert ((Situation((6, 10), 10, False, HIT_OR_STAND), Decision.HIT),) in record.answered


def test_a_policy_is_valued_exactly() -> None:
    """Infinite deck: uniformly random -0.3958959928, always stand -0.1863676662."""
    for policy, value in (("random", -0.3958959928), ("threshold:0", -0.1863676662)):
        record = Record()
        record.add(Card(Rank.SIX, Suit.CLUBS), hand(Rank.TEN, Rank.EIGHT))
        chosen = chosen_policy(policy, None, INFINITE, 1)
        assert chosen is not None
        report = grade_play(INFINITE, policy, chosen.played(INFINITE), record)
        assert report.members["exact"]["value"] == pytest.approx(value, abs=5e-11)
        assert report.members["exact"]["gap"] == pytest.approx(-0.0465559771 - value, abs=1e-10)
        assert report.members["ev_lost"]["per_round"] == 0.0  # to stand on 18 against 6 is right
        assert f"expected value of {policy}" in report.text


def test_a_play_by_a_table_is_valued_by_the_rules_that_were_played() -> None:
    stands = as_qtable(solving.solve(INFINITE))
    stands.values[:, :, HIT], stands.values[:, :, STAND] = -1.0, 0.0
    chosen = ChosenPolicy(parse("qtable", KINDS), stands, seeded(1))
    report = grade_play(INFINITE, "qtable", chosen.played(INFINITE), Record())
    assert report.members["exact"]["value"] == pytest.approx(-0.1863676662, abs=5e-11)
    assert report.members["ev_lost"]["per_round"] is None


def test_a_play_of_no_round_has_the_same_members() -> None:
    assert set(NO_ROUND.members) == set(grade_play(INFINITE, "human", None, Record()).members)
    assert set(grade_play(PRESETS["casino"], "human", None, Record()).members) == set(NO_ROUND.members)


# Tables that tell payoffs.

ELEVEN = Situation((5, 6), 6, False, (Decision.HIT, Decision.STAND, Decision.DOUBLE))


def test_a_play_with_every_option_is_valued_by_a_fresh_shoe() -> None:
    rules = PRESETS["vegas"]
    record = Record()
    record.add_decided([])
    record.add_decided([(ELEVEN, Decision.STAND)])
    report = grade_play(rules, "basic", basic_chart(rules), record)
    exact, lost = report.members["exact"], report.members["ev_lost"]
    assert exact["best_play"] == pytest.approx(-0.0045900139, abs=5e-11)  # as in docs/reference
    assert exact["value"] == exact["best_chart"] < exact["best_play"]
    assert (exact["gap"], exact["proved"]) == (0, True)
    assert (lost["rounds"], lost["decisions"]) == (2, 1)
    assert lost["per_decision"] == pytest.approx(adviser_for(rules).cost(ELEVEN, Decision.STAND), abs=0.01)
    rows = [line.split("  ")[0] for line in report.text.splitlines()]
    assert rows == [
        *("in initial bets", "expected value of basic", "best chart"),
        *("best play", "EV lost per round", "EV lost per decision"),
        "The exact values are those of a shoe that is fresh every round.",
    ]
    assert report.text.splitlines()[4].split()[4] == "0.0000000"  # against the best chart


def test_with_an_infinite_deck_the_best_chart_is_proved_best() -> None:
    rules = replace(PRESETS["vegas"], decks=None, reshuffle=EveryRound())
    stands = Chart("stand", dict.fromkeys((*HARD, *SOFT), ("S",) * 10))
    report = grade_play(rules, "stand", stands, Record())
    exact = report.members["exact"]
    assert exact["proved"] is True
    assert exact["value"] == pytest.approx(exact["best_chart"] - exact["gap"], abs=1e-15)
    assert exact["best_chart"] == pytest.approx(exact["best_play"], abs=1e-12)
    assert exact["gap"] > 0.1
    assert report.members["ev_lost"]["per_round"] is None
    assert "fresh every round" not in report.text


def test_what_no_chart_says_is_valued_by_its_chances() -> None:
    rules = replace(PRESETS["europe"], decks=None, reshuffle=EveryRound())
    stands = Chart("stand", dict.fromkeys((*HARD, *SOFT), ("S",) * 10))
    by_chart, by_chances, drawn = (
        grade_play(rules, "mine", policy, Record()).members["exact"]
        for policy in (stands, sure(policy_of(stands, rules)), of_table(at_random()))
    )
    assert by_chances["value"] == pytest.approx(by_chart["value"], abs=1e-12)
    assert drawn["value"] < by_chart["value"]
    assert drawn["gap"] == drawn["best_chart"] - drawn["value"]


def test_a_person_with_every_option_has_no_value_and_the_same_members() -> None:
    report = grade_play(
        replace(PRESETS["europe"], decks=None, reshuffle=EveryRound()), "human", None, Record()
    )
    assert set(report.members) == set(NO_ROUND.members)
    assert report.members["exact"]["value"] is report.members["exact"]["gap"] is None
    assert "expected value of" not in report.text


def test_equal_answers_of_a_record_are_one() -> None:
    record = Record()
    record.add_decided([(ELEVEN, Decision.HIT)])
    record.add_decided([(Situation(*ELEVEN), Decision.HIT), (ELEVEN, Decision.STAND)])
    (first,), (again, _) = record.answered
    assert first is again
