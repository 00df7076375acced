"""The two sentences of what is certain, at the top of the report."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from html import escape

import numpy as np

from tests.tournament.results.made import results_of
from tournament.results.certain import certain
from tournament.results.page import page
from tournament.results.statistics import standing
from tournament.settings import Fault

ROUNDS = 1_000


def lost(*means: float) -> list[np.ndarray]:
    """EV lost that varies a little around means, each in its own way."""
    chance = np.random.default_rng(3)
    return [mean * chance.uniform(0.5, 1.5, ROUNDS) for mean in means]


def payoffs(entrants: int) -> np.ndarray:
    return np.repeat(np.random.default_rng(1).choice([10, -10], (1, ROUNDS), p=[0.3, 0.7]), entrants, axis=0)


def test_an_order_that_is_certain_is_told_whole() -> None:
    first, second = certain(standing(results_of(payoffs(3), lost(0.1, 0.2, 0.05))))
    assert first == (
        "By EV lost the whole order is certain: player2, then player0, then player1, with an error of at most"
        " 5 % in all."
    )
    assert second.startswith("player2 is ahead of player0 by 0.04992 initial bets per round")
    assert "with an interval from 0.0474" in second


def test_the_best_and_those_that_may_be_are_named() -> None:
    first, second = certain(standing(results_of(payoffs(3), lost(0.1, 0.1001, 0.2))))
    assert first.startswith("By EV lost it is certain that the best is player0 or player1, and 2 of 3 pairs")
    assert (
        "1 pair of neighbours in the ranking cannot be told apart; player0 and player1 would take" in second
    )


def test_two_that_play_alike_share_a_rank_although_their_costs_are_added_up_in_another_order() -> None:
    """A kernel and a dealer add the same costs in different orders: the sums differ by 1e-17."""
    (base,) = lost(0.1)
    found = standing(results_of(payoffs(2), [base, base + 1e-17 + 1e-16]))
    assert [row.rank_by_lost for row in found.rows] == [row.rank for row in found.rows] == [1, 1]
    first, second = certain(found)
    assert first == "Nothing is certain yet: by EV lost no two of the 2 entrants can be told apart."
    assert "player0 and player1 have played alike, and share a rank" in second


def test_names_that_are_equal_in_all_else_come_in_natural_order() -> None:
    results = results_of(payoffs(3))
    names = ("training (10)", "training (2)", "training")
    named = [replace(each, name=name) for each, name in zip(results.settings.entrants, names, strict=True)]
    found = standing(replace(results, settings=replace(results.settings, entrants=tuple(named))))
    assert [found.rows[number].name for number in found.order] == [
        "training",
        "training (2)",
        "training (10)",
    ]


def test_where_nobody_can_be_compared_it_says_so_and_the_page_begins_with_it() -> None:
    faults = [Fault(number, number, 2, "does not start", "it ended") for number in (0, 1)]
    results = results_of(payoffs(2), faults=faults)
    found = standing(results)
    sentences = certain(found)
    assert sentences[0] == "Nothing is certain about the order: no entrant is ranked."
    assert f'<p class="certain">{escape(" ".join(sentences))}</p>' in page(
        results, found, "cup", date(2026, 1, 2)
    )
