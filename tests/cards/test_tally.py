"""Counts, mean payoff and standard error, beside the standard library's statistics."""

from __future__ import annotations

from math import isclose, sqrt
from statistics import mean, stdev

from hypothesis import given
from hypothesis import strategies as st

from cards import Outcome, Tally

outcomes = st.lists(st.sampled_from(Outcome), max_size=60)


def tally_of(counted: list[Outcome]) -> Tally:
    """A tally of these rounds, one by one."""
    tally = Tally()
    for outcome in counted:
        tally.add(outcome)
    return tally


@given(outcomes)
def test_the_figures_are_those_of_the_payoffs_one_by_one(counted: list[Outcome]) -> None:
    tally = tally_of(counted)
    payoffs = [float(outcome.payoff) for outcome in counted]
    assert tally.rounds == len(payoffs)
    assert tally.total_payoff == sum(payoffs)
    if payoffs:
        assert tally.mean_payoff is not None
        assert isclose(tally.mean_payoff, mean(payoffs), abs_tol=1e-12)
    else:
        assert tally.mean_payoff is None
    if len(payoffs) >= 2:
        assert tally.standard_error is not None
        assert isclose(tally.standard_error, stdev(payoffs) / sqrt(len(payoffs)), abs_tol=1e-12)
    else:
        assert tally.standard_error is None


@given(outcomes, outcomes)
def test_merged_tallies_count_the_rounds_of_both(one: list[Outcome], other: list[Outcome]) -> None:
    tally, added = tally_of(one), tally_of(other)
    tally.merge(added)
    assert tally.counts == tally_of(one + other).counts
    assert added.counts == tally_of(other).counts, "what is merged stays as it was"


def test_a_tally_starts_from_counts_without_sharing_them() -> None:
    counts = {Outcome.WIN: 3}
    tally = Tally(counts)
    tally.add(Outcome.WIN)
    assert tally.counts == dict.fromkeys(Outcome, 0) | {Outcome.WIN: 4}
    assert counts == {Outcome.WIN: 3}


def test_a_bust_is_a_loss_and_counted_again_as_a_bust() -> None:
    tally = Tally({Outcome.WIN: 4, Outcome.PUSH: 1, Outcome.LOSE: 2, Outcome.BUST: 3})
    assert tally.as_json() == {
        "rounds": 10,
        "wins": 4,
        "pushes": 1,
        "losses": 5,
        "busts": 3,
        "mean_payoff": -0.1,
        # Four of +1, one of 0, five of -1: squares about the mean 8.9, so s**2 is 8.9 / 9.
        "standard_error": sqrt(8.9 / 9 / 10),
    }


def test_the_error_of_equal_payoffs_is_nought() -> None:
    assert Tally({Outcome.WIN: 1000}).standard_error == 0.0
