"""Index numbers beside published ones, the margins that they rest on, and the expected shoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import nan

import numpy as np
import pytest

from cards import PRESETS, Cutoff, Decision, EveryRound, Rules, Surrender, rules_from
from twentyone.analysis.studies.counting import playing
from twentyone.analysis.studies.counting.compositions import (
    centred_tags,
    expected_shoe,
    middle,
    true_counts_for,
)
from twentyone.analysis.studies.counting.effects import effects_of
from twentyone.analysis.studies.counting.indices import (
    Index,
    Lines,
    index_of,
    lines_from,
    shoes_for,
    solved_counts,
)
from twentyone.analysis.studies.counting.margins import PLAYS, ROWS, Margins, Play, margins_of
from twentyone.analysis.studies.counting.published import PUBLISHED
from twentyone.exact.values.game import seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.kernels.decisions import DECISIONS
from twentyone.kernels.tables import row_of
from twentyone.policies.counting import HI_LO, SYSTEMS, System, system_named
from twentyone.policies.policy import Observation

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision

SEVERAL_DECKS = replace(PRESETS["vegas"], decks=4)
"""The published indices are for several decks and hold for 4 to 8; with 4 the shoes are solved soonest."""


ACES = system_named("tags:-1,0,0,0,0,0,0,0,0,0")
"""Of which few true counts come."""


@cache
def margins(rules: Rules, shoe: Shoe) -> Margins:
    return margins_of(rules, shoe)


def found_with(rules: Rules, system: System) -> Lines:
    return lines_from(rules, system, [margins_of(rules, shoe) for shoe in shoes_for(rules, system)])


@pytest.mark.check
def test_the_indices_are_the_published_ones_within_one() -> None:
    found = found_with(SEVERAL_DECKS, HI_LO).indices()
    assert all(found[play].rises for play in PUBLISHED)
    numbers = {play: (found[play].number, number) for play, number in PUBLISHED.items()}
    assert {play: (ours, theirs) for play, (ours, theirs) in numbers.items() if abs(ours - theirs) > 1} == {}


def test_a_margin_is_the_mean_over_the_hands_that_make_the_total() -> None:
    # A hard 20 of two cards can only be two tens; a soft 20 an ace and a 9: exact values of single hands.
    rules = replace(PRESETS["reno"], surrender=Surrender.LATE)
    shoe = Shoe.of(rules)
    found, game = margins(rules, shoe), seat_game(rules, shoe)
    soft = game.options([11, 9], 6)
    row = ROWS[Play(SURRENDER, "S20", 6)]
    assert found.values[row] == pytest.approx(soft[SURRENDER] - soft[STAND])
    assert found.cards[row].tolist() == [0, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    tens = game.options([10, 10], 6)
    row = ROWS[Play(SPLIT, "P10", 6)]
    assert found.values[row] == pytest.approx(tens[SPLIT] - tens[STAND])
    # 15 of two cards against a ten, where nobody would split: 10-5, 9-6 and 8-7 by their chances.
    hands = {(10, 5): 15 * 4, (9, 6): 4 * 4, (8, 7): 4 * 4}
    known = {cards: ways * (1 - 4 / 49) for cards, ways in hands.items()}
    options = {cards: game.options(cards, 10) for cards in hands}
    means = {
        each: sum(known[cards] * options[cards][each] for cards in hands) / sum(known.values())
        for each in (STAND, HIT, SURRENDER)
    }
    row = ROWS[Play(SURRENDER, "H15", 10)]
    assert found.values[row] == pytest.approx(means[SURRENDER] - max(means[STAND], means[HIT]))
    assert np.isnan(found.values[ROWS[Play(DOUBLE, "H9", 6)]])  # reno doubles 10 and 11


def test_early_surrender_saves_what_a_natural_would_take() -> None:
    rules = rules_from({"preset": "reno", "surrender": "early"})
    early = margins(rules, Shoe.of(rules))
    late = margins(replace(rules, surrender=Surrender.LATE), Shoe.of(rules))
    play = ROWS[Play(SURRENDER, "H16", 11)]
    game = seat_game(rules, Shoe.of(rules))
    assert early.values[play] > late.values[play] > 0
    before = game.before_peek([10, 6], 11)
    assert before[SURRENDER] > before[DECLINE]
    assert np.isnan(margins(replace(rules, surrender=Surrender.NONE), Shoe.of(rules)).values[play])


def test_an_index_is_the_root_that_is_nearest_to_zero() -> None:
    counts = np.array([-3.0, -1.0, 1.0, 3.0])
    for values, at, rises in (
        ([-3, -1, 1, 3], 0.0, True),
        ([3, 1, -3, -5], -0.5, False),
        ([nan, -1, 2, 2], -1 + 2 / 3, True),
        ([-1, 1, 2, -4], 5 / 3, False),
    ):
        found = index_of(counts, np.array(values, float))
        assert found is not None and found.at == pytest.approx(at)
        assert found.rises is rises
    assert index_of(counts, np.ones(4)) is None


def test_a_number_is_for_true_counts_that_are_rounded_down() -> None:
    # At 0.5 itself, the middle of 0, neither play is better: not at 0, but at 1 above and at -1 below.
    numbers = {2.51: (3, 2), 3.49: (3, 2), -0.4: (0, -1), -0.6: (-1, -2), 0.5: (1, -1), -1.5: (-1, -3)}
    for at, (first, last) in numbers.items():
        assert Index(at, rises=True).number == first
        assert Index(at, rises=False).number == last


def test_play_by_margins_takes_the_first_decision_that_is_worth_it() -> None:
    """Surrender, then to split, to double by the total, and to stand."""
    first, free = (SURRENDER, DECLINE), (HIT, STAND, DOUBLE, SPLIT, SURRENDER)

    def decided(worth: Sequence[Play], *seen: object, options: Sequence[Decision]) -> Decision:
        margins = np.full(len(PLAYS), -1.0)
        margins[[ROWS[play] for play in worth]] = 1.0
        total, is_soft, upcard, pair = seen
        return playing.policy_at(margins)(Observation(total, is_soft, upcard, pair, tuple(options)))  # type: ignore[arg-type]

    insured = [Play(INSURE, "", 11)]
    assert decided(insured, 16, False, 11, 0, options=(INSURE, DECLINE)) is INSURE
    assert decided([], 16, False, 11, 0, options=(INSURE, DECLINE)) is DECLINE
    words = {SURRENDER: "P8", SPLIT: "P8", DOUBLE: "H16", STAND: "H16"}
    eights = [Play(decision, word, 10) for decision, word in words.items()]
    assert [decided(eights[n:], 16, False, 10, 8, options=free) for n in range(5)] == [*words, HIT]
    assert decided(eights, 16, False, 10, 8, options=first) is SURRENDER
    assert decided(eights[1:], 16, False, 10, 8, options=first) is DECLINE
    assert decided(eights, 16, False, 10, 8, options=(HIT, STAND)) is STAND
    assert decided(eights, 16, False, 9, 8, options=free) is HIT, "that is another upcard"
    assert decided(eights, 16, True, 10, 0, options=(HIT, STAND)) is HIT, "and that is a soft hand"
    assert decided([], 16, False, 10, 0, options=(STAND, DOUBLE)) is STAND


def test_a_policy_for_each_true_count_is_that_of_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A true count of 3 stands for 3 to 4: of two cells that turn at 3.4 and at 3.6, one turns before."""
    counts, margins = np.tile([-20.0, 20.0], (len(PLAYS), 1)), np.full((len(PLAYS), 2), -1.0)
    for word, at in (("H16", 3.4), ("H15", 3.6)):
        margins[ROWS[Play(STAND, word, 10)]] = -20.0 - at, 20.0 - at
    monkeypatch.setattr(playing, "TRUE_COUNTS", range(2, 6))
    policies = playing.policies_by_index(Lines(counts, margins), PRESETS["reno"])
    assert [policy.name for policy in policies] == [f"indices at +{count}" for count in range(2, 6)]
    for total, first in ((16, 3), (15, 4), (14, 6)):
        decided = [DECISIONS[policy.decisions[0, row_of(total, False), 9]] for policy in policies]
        assert [decision is STAND for decision in decided] == [count >= first for count in range(2, 6)]


def test_an_expected_shoe_has_its_true_count() -> None:
    shoe = Shoe.of(PRESETS["vegas"])
    for name, system in SYSTEMS.items():
        for count in (-6, 0, 3):
            found = expected_shoe(system, shoe, 195, count)
            cards = np.array(found.shoe.counts) + found.missing
            assert cards.sum() == pytest.approx(found.shoe.size) == 195, name
            assert np.abs(found.missing).max() < 1
            running = -float(centred_tags(system, shoe) @ cards)
            assert running * 52 / 195 == pytest.approx(count)


def test_a_value_is_corrected_for_the_parts_of_cards_that_are_missing() -> None:
    shoe = Shoe.of(PRESETS["vegas"])
    weights = np.linspace(-1, 1, 10)

    def mean_weight(each: Shoe) -> float:
        return float(weights @ np.array(each.counts) / each.size)

    expected = expected_shoe(HI_LO, shoe, 199, 5)
    cards = np.array(expected.shoe.counts) + expected.missing
    found = expected.corrected(np.array(mean_weight(expected.shoe)), effects_of(mean_weight, shoe))
    assert mean_weight(expected.shoe) != pytest.approx(float(weights @ cards / 199), abs=1e-4)
    assert float(found) == pytest.approx(float(weights @ cards / 199), abs=1e-12)


def test_the_middle_is_half_of_what_is_dealt() -> None:
    assert middle(PRESETS["vegas"]) == (312 + 79) // 2
    assert middle(replace(PRESETS["reno"], reshuffle=Cutoff(20))) == 36
    assert middle(replace(PRESETS["reno"], reshuffle=EveryRound())) == 52


def test_the_true_counts_that_are_solved_reach_as_far_as_they_come() -> None:
    shoe, rules = Shoe.of(PRESETS["vegas"]), PRESETS["reno"]
    assert true_counts_for(HI_LO, shoe, 12) == range(-12, 13)
    assert true_counts_for(ACES, shoe, 12) == range(-2, 3), "at others cards would be missing"
    assert solved_counts(rules, HI_LO) == [-12, -9, -6, -3, 0, 3, 6, 9, 12]
    assert solved_counts(rules, ACES) == [-2, -1, 0, 1, 2]
    for tens in range(1, 10):
        system = system_named(f"tags:0,0,0,0,0,0,0,0,0,-{tens}")
        counts = solved_counts(rules, system)
        assert counts[-1] == true_counts_for(system, Shoe.of(rules), 12)[-1]
        assert len(counts) >= 5 and counts == [-count for count in reversed(counts)]
        assert set(np.diff(counts)) <= {1, 2, 3}


def test_a_count_of_aces_alone_has_indices_at_whose_numbers_the_play_turns() -> None:
    few = found_with(PRESETS["reno"], ACES)
    found = few.indices()
    assert few.counts.shape[1] == 5
    assert found[Play(DOUBLE, "H10", 10)].number == 1
    assert {index.rises for index in found.values()} == {True, False}
    for play, index in found.items():
        beyond = index.number - 1 if index.rises else index.number + 1
        turned, before = (few.at(count + 0.5)[ROWS[play]] for count in (index.number, beyond))
        assert turned > 0 >= before, (play, index)
