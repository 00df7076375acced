"""What a table by true count has learned: its index numbers, and what it wins beside play without a count."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from cards import PRESETS, Decision
from twentyone.analysis.studies.counting.indices import lines_from, shoes_for
from twentyone.analysis.studies.counting.learned import borrowed_in, indices_of, learned_of
from twentyone.analysis.studies.counting.margins import INSURANCE, Play, margins_of
from twentyone.analysis.studies.counting.pairs import PART, Pairs, play_pairs, policies_from
from twentyone.analysis.studies.counting.playing import TRUE_COUNTS as PLAYED
from twentyone.analysis.studies.counting.playing import play_by_count, policies_by_index
from twentyone.analysis.studies.policies import policy_for
from twentyone.exact.named import parsed
from twentyone.kernels.decisions import CompiledPolicy, compile_policy
from twentyone.policies.action_values import ACTIONS, SHAPE, TRUE_COUNTS, TRUSTED, ActionValues, Origin
from twentyone.policies.counting import HI_LO
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.policy import hit_or_stand, threshold

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, _ = Decision
RENO = PRESETS["reno"]


def table_with(visits: int, *plays: tuple[str, int, Decision, float, float]) -> ActionValues:
    """A table by hand: each play has a value that is 0 at a true count and grows by some for each."""
    values, counts = np.zeros(SHAPE), np.zeros(SHAPE, np.int64)
    for hand, upcard, action, zero, slope in plays:
        at = HANDS.index(hand), UPCARDS.index(upcard), ACTIONS.index(action)
        values[:, *at] = slope * (np.array(TRUE_COUNTS) - zero)
        counts[:, *at] = visits
    return ActionValues(values, counts, Origin(RENO, "qlearning", 1), HI_LO)


SIXTEEN = Play(STAND, "H16", 10)


def test_an_index_is_where_the_layers_turn() -> None:
    # Standing gains 0.02 for each count, hitting nothing: it is worth it from 2 on, where it is above 0.
    table = table_with(TRUSTED, ("H16", 10, STAND, 1.5, 0.02), ("H16", 10, HIT, 0, 0))
    found = learned_of(table, SIXTEEN)
    assert found.margins == pytest.approx(0.02 * (np.array(TRUE_COUNTS) - 1.5))
    assert (found.number, found.is_trusted) == (2, True)
    assert not learned_of(table_with(TRUSTED - 1, ("H16", 10, STAND, 1.5, 0.02)), SIXTEEN).is_trusted


def test_a_layer_in_which_chance_has_the_last_word_does_not_move_an_index() -> None:
    table = table_with(TRUSTED, ("H16", 10, STAND, 1.5, 0.02), ("H16", 10, HIT, 0, 0))
    at = HANDS.index("H16"), UPCARDS.index(10)
    for true_count, value in ((-7, 0.3), (5, -0.4)):
        layer = TRUE_COUNTS.index(true_count)
        table.values[layer, *at, ACTIONS.index(STAND)] = value
        table.counts[layer, *at] //= 20
    assert learned_of(table, SIXTEEN).number == 2


def test_a_play_is_compared_with_the_best_of_those_after_it() -> None:
    table = table_with(
        TRUSTED,
        ("H14", 10, SURRENDER, 0, 0.0),  # the same at all counts, where hitting loses more and more
        ("H14", 10, STAND, 500, 0.01),
        ("H14", 10, HIT, 2.5, -0.01),
        ("H15", 10, STAND, 3.5, 0.03),
        ("H15", 10, HIT, 3.5, 0.01),
        ("H9", 2, DOUBLE, 0.5, 0.04),
        ("H9", 2, HIT, 0.5, 0.01),
        ("P10", 5, SPLIT, 4.5, 0.05),
        ("P10", 5, STAND, 4.5, 0.01),
        ("P10", 5, SURRENDER, -20.0, 9.0),  # comes before a split, so it is not what that is compared with
    )
    expected = {
        Play(SURRENDER, "H14", 10): 3,
        Play(STAND, "H15", 10): 4,
        Play(DOUBLE, "H9", 2): 1,
        Play(SPLIT, "P10", 5): 5,
    }
    found = indices_of(table, [*expected, Play(STAND, "H12", 4)])  # the last was never met
    assert {play: learned.number for play, learned in found.items()} == expected


def test_insurance_is_one_play_over_all_hands() -> None:
    table = table_with(TRUSTED, ("H16", 11, INSURE, 2.4, 0.01), ("S18", 11, INSURE, 4.4, 0.01))
    found = learned_of(table, Play(INSURE, INSURANCE, 11))
    assert found.margins == pytest.approx(0.01 * (np.array(TRUE_COUNTS) - 3.4))
    assert found.number == 4
    assert learned_of(table_with(TRUSTED), Play(INSURE, INSURANCE, 11)).number is None


def test_hands_that_were_met_too_seldom_are_counted() -> None:
    table = table_with(TRUSTED, ("H16", 10, STAND, 0, 0.1), ("H12", 2, STAND, 0, 0.1))
    table.counts[-1, HANDS.index("H12"), UPCARDS.index(2)] = 0
    table.counts[0, HANDS.index("H12"), UPCARDS.index(2), ACTIONS.index(STAND)] = 10
    hands, met, share = borrowed_in(table)
    assert (hands, met) == (1, 2 * len(TRUE_COUNTS) - 1)
    assert share == pytest.approx(10 / table.counts.sum())


# Play beside a policy without a count.


def standing_from(total: int) -> CompiledPolicy:
    return compile_policy(hit_or_stand(threshold(total)), RENO, f"threshold:{total}")


def test_the_same_play_wins_the_same_from_the_same_shoes() -> None:
    plain = standing_from(16)
    pairs = play_pairs(RENO, [plain] * len(PLAYED), plain, HI_LO, 3 * PART + 100, 5)
    assert pairs.own.tolist() == pairs.plain.tolist()
    assert pairs.own.shape == (4, 3, len(PLAYED))
    ones = np.ones(len(PLAYED), np.int64)
    assert (pairs.difference(ones).mean, pairs.difference(ones).standard_error) == (0, 0)
    own, _ = pairs.by_count
    assert own.total == 3 * PART + 100


def test_the_error_of_a_difference_is_that_of_its_parts() -> None:
    # Four parts of 1 bet a round more or less, at the true count of the bets: 10 tenths for each of PART.
    own, plain = np.zeros((4, 3, 1), np.int64), np.zeros((4, 3, 1), np.int64)
    own[:, 0] = plain[:, 0] = PART
    own[:, 1, 0] = [10 * PART, -10 * PART, 10 * PART, -10 * PART]
    difference = Pairs(own, plain).difference(np.array([2]))
    assert difference.mean == 0
    assert difference.standard_error == pytest.approx(2 * np.std([1, -1, 1, -1], ddof=1) / 2)
    assert Pairs(own[:1], plain[:1]).difference(np.array([1])).standard_error == inf


def test_a_table_is_played_layer_by_layer() -> None:
    """A table that stands on all from 0 up and draws to 17 below is played as just that."""
    values, counts = np.zeros(SHAPE), np.zeros(SHAPE, np.int64)
    stands = {f"{kind}{total}" for kind in "HS" for total in range(17, 22)} | {"P9", "P10"}
    for row, hand in enumerate(HANDS):
        for action in (HIT, STAND):
            counts[:, row, :, ACTIONS.index(action)] = TRUSTED
        if hand not in stands:
            values[: len(TRUE_COUNTS) // 2, row, :, ACTIONS.index(HIT)] = 1
    table = ActionValues(values, counts, Origin(RENO, "qlearning", 1), HI_LO)
    own = [standing_from(17 if count < 0 else 2) for count in PLAYED]
    found = play_by_count(RENO, policies_from(table, RENO), HI_LO, 50_000, 3)
    expected = play_by_count(RENO, own, HI_LO, 50_000, 3)
    assert found.sums.tolist() == expected.sums.tolist()


@pytest.mark.check
def test_play_by_the_indices_wins_more_than_basic_strategy() -> None:
    """The comparison finds what counting is worth: with one deck, a tenth of a bet in 100 rounds and more."""
    lines = lines_from(RENO, HI_LO, [margins_of(RENO, shoe) for shoe in shoes_for(RENO, HI_LO)])
    pairs = play_pairs(
        RENO, policies_by_index(lines, RENO), policy_for(parsed("basic"), RENO), HI_LO, 1 << 21, 1
    )
    difference = pairs.difference(np.ones(len(PLAYED), np.int64))
    assert difference.mean > 4 * difference.standard_error > 0
