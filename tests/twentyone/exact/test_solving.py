"""Exact values: the reference figures to all their digits, and laws for all rules and policies.

The reference figures, where no other source is named: exact fractions for the infinite deck, and a full
enumeration in long double for 52 cards, both made by other programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cards import PRESETS, Ace, Cutoff, DealerStands, Penetration, Rules, rules_from
from tests.helpers.strategies import UNPAID
from tests.helpers.tiers import first_of
from twentyone.exact.best.mixed import evaluate_policy
from twentyone.exact.solving import Evaluation, evaluate, solve, solve_total_only
from twentyone.exact.values.game import NoExactFormError, alone, seat_game
from twentyone.policies import decisions
from twentyone.policies.chances import of_table
from twentyone.policies.qtable import HIT, STAND

Floats = NDArray[np.float64]

COURSE: Final = Rules()
INFINITE: Final = Rules(decks=None)
ACE_ONE: Final = Rules(decks=None, ace=Ace.ONE)
UPCARDS: Final = (11, *range(2, 11))
"""In the order of the printed charts: A, 2..10."""

TIGHT: Final = 1e-13
"""A bound on rounding errors."""


def digits(value: float, expected: str) -> bool:
    """Whether a value equals a printed one when it is rounded to the same digits."""
    places = len(expected.partition(".")[2])
    return f"{value:.{places}f}" == expected


def best_play(rules: Rules) -> float:
    """The value of the best play by the cards of a hand."""
    return seat_game(alone(rules)).best_play().value


def greedy(action_values: Floats) -> Floats:
    """HIT where its value is greater."""
    return (action_values[..., HIT] > action_values[..., STAND]).astype(np.float64)


def of_random() -> Evaluation:
    """The values of random play."""
    return evaluate(INFINITE, decisions.at_random().hit)


def random_greedy_total_only() -> Floats:
    """Greedy on the random policy's values, averaged over hard and soft hands of the same total."""
    random = of_random()
    sums = random.reach[:, :, np.newaxis] * np.nan_to_num(random.action_values)
    alike = greedy(sums[:, 2:12] + sums[:, 12:22])
    return np.concatenate([np.zeros((22, 2)), alike, alike], axis=1)


INFINITE_POLICIES: Final[dict[str, tuple[str, Callable[[], Floats]]]] = {
    "optimal": ("-0.0465559771", lambda: solve(INFINITE).policy),
    "sees only total and upcard": ("-0.0559118641", lambda: solve_total_only(INFINITE)),
    "random": ("-0.3958959928", lambda: decisions.at_random().hit),
    "greedy on random, not seeing softness": ("-0.1269522983", random_greedy_total_only),
    "greedy on random": ("-0.1129531809", lambda: greedy(of_random().action_values)),
    "never bust": ("-0.0854748205", lambda: decisions.never_bust().hit),
    "always stand": ("-0.1863676662", lambda: decisions.threshold(0).hit),
}


@pytest.mark.parametrize(("expected", "policy"), INFINITE_POLICIES.values(), ids=INFINITE_POLICIES)
def test_reference_values_of_the_infinite_deck(expected: str, policy: Callable[[], Floats]) -> None:
    assert digits(evaluate(INFINITE, policy()).value, expected)


TEXTBOOK: Final = {"player": "-0.0431131054", "equal": "-0.0465559771", "beat": "-0.0467563521"}


@pytest.mark.parametrize(("naturals", "expected"), TEXTBOOK.items())
def test_reference_values_of_the_textbook(naturals: str, expected: str) -> None:
    rules = rules_from({"preset": "textbook", "naturals": naturals})
    assert digits(solve(rules).value, expected)
    assert digits(best_play(rules), expected)


@pytest.mark.parametrize(("below", "expected"), [(16, "-0.0823170951"), (15, "-0.0740007634")])
def test_reference_values_of_drawing_below_a_total_with_low_aces(below: int, expected: str) -> None:
    assert digits(evaluate(ACE_ONE, decisions.threshold(below).hit).value, expected)


def test_reference_values_of_52_cards() -> None:
    solution = solve(COURSE)
    assert digits(best_play(COURSE), "-0.0424622758")
    assert digits(solution.value, "-0.0428061253")
    assert np.array_equal(solution.policy, solve(INFINITE).policy)


def test_the_best_policy_that_cannot_see_softness() -> None:
    policy = solve_total_only(INFINITE)
    stands_from = [4 + int(policy[4:, upcard].sum()) for upcard in UPCARDS]
    assert stands_from == [18, 14, 13, 13, 12, 12, 17, 17, 17, 17]
    assert np.array_equal(policy[:, 2:12], policy[:, 12:])


def test_the_closest_decisions_of_the_infinite_deck() -> None:
    values = solve(INFINITE).evaluation.action_values
    margins = np.abs(values[:, :, HIT] - values[:, :, STAND])
    for number, (total, upcard, margin) in enumerate([(12, 4, "0.00247"), (16, 10, "0.00647")], 1):
        assert digits(float(margins[total, upcard]), margin)
        assert np.nansum(margins <= margins[total, upcard]) == number
    values = evaluate(INFINITE, decisions.at_random().hit).action_values
    margins = np.sort(np.abs(values[:, :, HIT] - values[:, :, STAND]), axis=None)
    assert digits(float(margins[0]), "0.0004")


@pytest.mark.parametrize(("decks", "natural"), [(None, 4 / 13), (1, 16 / 51), (8, 128 / 415)])
def test_the_dealer_s_naturals_by_hand(decks: int | None, natural: float) -> None:
    ends = seat_game(Rules(decks=decks)).dealer_ends()
    assert ends.shape == (10, 7)
    assert ends.sum(axis=1) == pytest.approx(np.ones(10), abs=TIGHT)
    assert ends[9, 5] == pytest.approx(natural, abs=TIGHT)
    assert ends[8, 5] == pytest.approx(natural / 4, abs=TIGHT)
    assert not ends[:8, 5].any()


def test_an_ace_of_eleven_busts_as_dealt() -> None:
    # A pair of aces is 22, a bust as dealt, with a chance of 1/169; the dealer's with 1/13 given its ace.
    rules = Rules(decks=None, ace=Ace.ELEVEN)
    stand = evaluate(rules, decisions.threshold(0).hit)
    assert stand.reach.sum() == pytest.approx(168 / 169, abs=TIGHT)
    assert seat_game(rules).dealer_ends()[9, 6] >= 1 / 13
    assert np.isnan(stand.action_values[:, 12:]).all()  # and no hand is soft


@pytest.mark.parametrize(("decks", "stands"), first_of(product([None, 1, 8], DealerStands), 3))
def test_what_naturals_beat_is_even_for_a_player_that_draws_as_the_dealer(
    decks: int | None, stands: DealerStands
) -> None:
    # Either side has a natural against another 21 with the same chance, if both draw by the same rule.
    equal, beat = (Rules(decks=decks, dealer_stands=stands, naturals=naturals) for naturals in UNPAID[:2])
    hit = decisions.mimic(equal).hit
    assert evaluate(equal, hit).value == pytest.approx(evaluate(beat, hit).value, abs=TIGHT)
    assert abs(solve(equal).value - solve(beat).value) > 1e-6


def test_fewer_decks_are_better_for_the_player() -> None:
    values = [solve(Rules(decks=decks)).value for decks in (1, 2, 8, None)]
    assert values == sorted(values, reverse=True)
    optima = [best_play(Rules(decks=decks)) for decks in (1, 2, 8)]
    assert all(optimum >= value for optimum, value in zip(optima, values, strict=False))


def test_a_seat_is_worth_the_same_at_a_full_table() -> None:
    assert solve(Rules(seats=7)).value == solve(COURSE).value
    assert solve(Rules(seats=7)).rules.seats == 7


def test_rules_without_exact_form_are_named_in_a_sentence() -> None:
    with pytest.raises(NoExactFormError, match="showdown has no short exact form: without a dealer"):
        solve(PRESETS["showdown"])


def test_a_shoe_that_is_kept_counts_as_a_fresh_one() -> None:
    kept = Rules(decks=4, reshuffle=Penetration(0.75))
    assert solve(kept).value == solve(Rules(decks=4)).value
    policy = decisions.threshold(16).hit
    assert evaluate(Rules(reshuffle=Cutoff(26)), policy).value == evaluate(COURSE, policy).value


@pytest.mark.parametrize("hit", [np.zeros((22, 2)), np.full((22, 22), 1.5), np.full((22, 22), np.nan)])
def test_what_is_no_table_of_chances_is_refused(hit: Floats) -> None:
    with pytest.raises(ValueError, match="chances of HIT from 0 to 1"):
        evaluate(COURSE, hit)


def test_nobody_can_change_a_solution_for_others() -> None:
    solve(COURSE).policy[:] = 0.0
    solve_total_only(INFINITE)[:] = 0.0
    assert digits(solve(COURSE).value, "-0.0428061253")
    assert digits(evaluate(INFINITE, solve_total_only(INFINITE)).value, "-0.0559118641")


exact_rules = st.builds(
    Rules,
    decks=st.sampled_from([None, 1]),
    ace=st.sampled_from(Ace),
    dealer_stands=st.sampled_from(DealerStands),
    naturals=st.sampled_from(UNPAID),
)


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    """Chances of HIT: any, or decisions only."""
    source = np.random.default_rng(draw(st.integers(0, 2**32)))
    chances = source.random((22, 22))
    return draw(st.sampled_from([chances, np.round(chances), np.zeros((22, 22)), np.ones((22, 22))]))


@settings(max_examples=15)
@given(exact_rules, tables())
def test_no_policy_is_better_than_the_optimum(rules: Rules, hit: Floats) -> None:
    solution = solve(rules)
    assert evaluate(rules, hit).value <= solution.value + TIGHT <= best_play(rules) + 2 * TIGHT


@settings(max_examples=15)
@given(exact_rules, tables())
def test_a_table_is_worth_what_the_general_form_says(rules: Rules, hit: Floats) -> None:
    policy = of_table(decisions.DecisionTable("a table", hit))
    general = evaluate_policy(seat_game(alone(rules)), policy)
    assert evaluate(rules, hit).value == pytest.approx(general.value, abs=TIGHT)


@settings(max_examples=15)
@given(exact_rules, tables())
def test_every_round_ends_with_a_stand_or_a_bust(rules: Rules, hit: Floats) -> None:
    result = evaluate(rules, hit)
    standing = result.reach * (1 - hit)
    won = np.nansum(standing * result.action_values[:, :, STAND])
    assert result.value == pytest.approx(won - (1 - standing.sum()), abs=TIGHT)
    upcards = np.array([1 / 13] * 8 + [4 / 13, 1 / 13])
    assert result.value == pytest.approx(result.by_upcard @ upcards, abs=TIGHT)
    assert np.array_equal(np.isnan(result.action_values[:, :, HIT]), result.reach == 0)


@pytest.mark.parametrize("rules", [INFINITE, COURSE, replace(COURSE, dealer_stands=DealerStands.HARD17)])
def test_no_change_of_a_single_total_makes_the_total_only_policy_better(rules: Rules) -> None:
    policy = solve_total_only(rules)
    best = evaluate(rules, policy).by_upcard
    for total in range(4, 22):
        changed = policy.copy()
        changed[total, 2:] = 1 - changed[total, 2:]
        assert (evaluate(rules, changed).by_upcard <= best + TIGHT).all()


@pytest.mark.parametrize("ace", [Ace.ONE, Ace.ELEVEN])
def test_without_soft_hands_there_is_nothing_that_a_total_only_policy_does_not_see(ace: Ace) -> None:
    rules = Rules(ace=ace)
    assert np.array_equal(solve_total_only(rules)[:, :12], solve(rules).policy[:, :12])


def test_a_single_deck_has_a_different_policy_where_that_is_better() -> None:
    # With low aces, 16 against a 10 is a stand from an infinite deck, and a hit from 52 cards.
    rules = Rules(ace=Ace.ONE)
    changed = np.argwhere(solve(rules).policy != solve(ACE_ONE).policy)
    assert changed.tolist() == [[16, 10]]
    assert solve(rules).value > evaluate(rules, solve(ACE_ONE).policy).value
