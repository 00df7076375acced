"""The certificate of the best total-dependent policy: its bounds hold whatever open cells do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import PRESETS, Ace, DealerStands, Naturals, Rules
from exact.certificate import certificate_for, settled
from exact.game import Game, Kind, game_of
from exact.solving import evaluate, solve
from policies.decisions import fresh, never_bust
from policies.qtable import HIT, STAND
from tests.helpers.strategies import UNPAID
from tests.helpers.tiers import first_of

Floats = NDArray[np.float64]

ROUNDED: Final = 1e-12
"""A bound on rounding errors."""

OPEN: Final = 6
"""The cells of an upcard that are open in a test."""

COURSE: Final = Kind(1, Ace.EITHER, DealerStands.ALL17, Naturals.EQUAL)

KINDS: Final = [
    COURSE,
    Kind(1, Ace.EITHER, DealerStands.HARD17, Naturals.BEAT),
    Kind(1, Ace.ONE, DealerStands.ALL17, Naturals.EQUAL),
    Kind(2, Ace.ELEVEN, DealerStands.ALL17, Naturals.BEAT),
]

EACH_KIND: Final = [
    pytest.param(kind, marks=pytest.mark.check if place else ()) for place, kind in enumerate(KINDS)
]


def games(kind: Kind) -> Iterator[tuple[Game, Floats]]:
    """The game, and games that are stranger than any rules, each with a table that is partly open.

    In the game itself the hands of a cell are so alike that no cell is left in doubt. In the strange ones
    only low hands are dealt, and standing is better in some hands of a cell and worse in others.
    """
    for seed in range(6):
        random = np.random.default_rng(seed)
        game = game_of(kind)
        table = partly_open(game, random)
        if seed % 2:
            start = np.where(game.hands.total[:, np.newaxis] < 10, game.hands.start, 0.0)
            hit = game.values(game.plan(np.nan_to_num(table))).hit
            stand = hit + random.uniform(-1, 1, hit.shape)
            game = replace(game, hands=replace(game.hands, start=start), stand=stand)
        yield game, table


def partly_open(game: Game, random: np.random.Generator) -> Floats:
    """(22, 22): any decision in each cell, and NaN in the same few totals, hard or soft, of every upcard."""
    exists = game.by_cell(np.ones(game.cells.shape)) > 0
    # Three in four of the other cells hit below 17, so that open cells are reached.
    usual = np.where(np.arange(22)[:, np.newaxis] < 17, 1, 0)
    hit = np.where(random.random((22, 22)) < 0.75, usual, random.integers(0, 2, (22, 22))).astype(np.float64)
    places = [(total, soft) for total in range(5, 22) for soft in (0, 1) if exists[total, 2 + 10 * soft]]
    for place in random.choice(len(places), OPEN, replace=False):
        total, soft = places[place]
        hit[total, 2 + 10 * soft : 12 + 10 * soft] = np.nan
    return np.where(exists, hit, 0.0)


@pytest.mark.parametrize("kind", EACH_KIND)
@pytest.mark.parametrize("doubtful", [0.0, 1.0])
def test_a_settled_decision_gains_what_the_certificate_says_whatever_cells_in_doubt_do(
    kind: Kind, doubtful: float
) -> None:
    for game, start in games(kind):
        certificate = settled(game, start)
        plan = game.plan(np.where(certificate.doubt, doubtful, certificate.hit))
        reach = game.reach(plan)
        checked = (game.by_cell(reach) > 0) & ~np.isnan(certificate.gain)
        sums = game.by_cell(reach * (game.values(plan).hit - game.stand))
        gains = np.where(certificate.hit == 1, sums, -sums)[checked] / game.by_cell(reach)[checked]
        assert checked.any()
        assert (gains >= certificate.gain[checked] - ROUNDED).all()
        assert (certificate.gain[checked] >= -ROUNDED).all(), "what may be worse is in doubt"


@pytest.mark.parametrize("kind", EACH_KIND)
def test_a_settled_decision_needs_only_the_cells_of_earlier_passes(kind: Kind) -> None:
    game, certificate = game_of(kind), certificate_for(kind)
    exists = game.by_cell(np.ones(game.cells.shape)) > 0
    last = int(certificate.settled_in.max())
    assert last > 1
    for seed, number in product(range(20), range(1, last + 1)):
        anything = np.random.default_rng(seed).integers(0, 2, (22, 22))
        policy = np.where(exists & (certificate.settled_in >= number), anything, certificate.hit)
        plan = game.plan(policy.astype(np.float64))
        reached = game.by_cell(game.reach(plan))
        checked = (certificate.settled_in == number) & (reached > 0)
        sums = game.by_cell(game.reach(plan) * (game.values(plan).hit - game.stand))
        gains = np.where(certificate.hit == 1, sums, -sums)[checked] / reached[checked]
        assert checked.any()
        assert (gains >= certificate.gain[checked] - ROUNDED).all()


def test_a_cell_of_a_later_pass_may_be_worse_if_earlier_ones_decide_otherwise() -> None:
    certificate = certificate_for(COURSE)
    assert (certificate.hit[6, 4], certificate.settled_in[6, 4] > 1) == (1, True)
    assert certificate.gain[6, 4] == pytest.approx(0.0097, abs=1e-4)
    # If all cells hit, hands bust, and hitting on hard 6 against 4 is worth far less than standing.
    hit, stand = evaluate(Rules(), np.ones((22, 22))).action_values[6, 4]
    assert (hit, stand) == (pytest.approx(-1), pytest.approx(-0.168, abs=1e-3))


def kinds_of(decks: int | None) -> Iterator[Kind]:
    """All rules with so many decks."""
    return (Kind(decks, *fields) for fields in product(Ace, DealerStands, UNPAID))


@pytest.mark.parametrize("decks", first_of([None, 1, 2, 8]))
def test_the_policy_is_proved_best(decks: int | None) -> None:
    for kind in kinds_of(decks):
        solution = solve(
            Rules(decks=kind.decks, ace=kind.ace, dealer_stands=kind.stands, naturals=kind.naturals)
        )
        assert solution.proved and not solution.certificate.doubt.any()
        # Every cell that the policy reaches is settled by more than rounding errors.
        assert (solution.certificate.gain[solution.evaluation.reach > 0] > 5e-5).all()
        # Nor does the change of any single cell help, by the exact values of both decisions.
        values = solution.evaluation.action_values[solution.evaluation.reach > 0]
        hits = solution.policy[solution.evaluation.reach > 0] == 1
        assert np.array_equal(values[:, HIT] > values[:, STAND], hits)


def test_the_policy_of_every_preset_with_a_fresh_shoe_is_proved_best() -> None:
    for preset in ("course", "study", "devs", "casino"):
        assert solve(fresh(PRESETS[preset])).proved, preset


def test_a_worse_policy_is_not_proved_best() -> None:
    certificate = certificate_for(COURSE)
    worse = never_bust().hit
    assert not certificate.proves(worse, evaluate(Rules(), worse).reach)
    # Hard 12 against 4, the closest decision: HIT costs about 0.0025.
    other = solve(Rules()).policy
    other[12, 4] = 1 - other[12, 4]
    assert not certificate.proves(other, evaluate(Rules(), other).reach)


def test_a_policy_that_reaches_a_cell_in_doubt_is_not_proved_best() -> None:
    solution = solve(Rules())
    hit = solution.certificate.hit.copy()
    hit[16, 10] = np.nan
    certificate = replace(solution.certificate, hit=hit)
    assert (solution.policy[16, 10], certificate.policy[16, 10]) == (1, 0)
    uncertain = replace(solution, certificate=certificate, policy=certificate.policy)
    assert (solution.proved, uncertain.proved) == (True, False)
