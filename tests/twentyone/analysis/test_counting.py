"""Effects of removal and the figures by which systems of counting are compared, beside published ones."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from twentyone.analysis.studies.counting.effects import (
    Effects,
    correlation,
    effects_from,
    effects_of,
    shoes_of,
)
from twentyone.analysis.studies.counting.efficiency import (
    Plays,
    betting_correlation,
    gain,
    insurance_correlation,
    normal_loss,
    playing_efficiency,
)
from twentyone.analysis.studies.counting.plays import (
    TEN,
    FirstPlays,
    first_plays,
    insurance_value,
    plays_from,
    published_game,
    round_value,
)
from twentyone.exact.values.game import FIRST, seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.counting import HI_LO, SYSTEMS, system_named

RULES = published_game()
SHOE = Shoe.of(RULES)

PUBLISHED = {
    "hi-lo": (0.97, 0.51, 0.76),
    "ko": (0.98, 0.55, 0.78),
    "hi-opt-1": (0.88, 0.61, 0.85),
    "hi-opt-2": (0.91, 0.67, 0.91),
    "omega-2": (0.92, 0.67, 0.85),
    "zen": (0.96, 0.63, 0.85),
}
"""Betting correlation, playing efficiency and insurance correlation, as the tables of systems have them since
Griffin, "The Theory of Blackjack", chapter 4, and Vancura and Fuchs, "Knock-Out Blackjack", for KO."""

REMOVED = (0.38, 0.44, 0.55, 0.69, 0.46, 0.28, 0.00, -0.18, -0.51, -0.61)
"""Effects of removal on the value of one deck in percent, 2 to ace: Griffin, chapter 4, p. 44."""


@pytest.fixture(scope="module")
def value() -> Effects:
    return effects_of(lambda shoe: round_value(RULES, shoe), SHOE)


@pytest.fixture(scope="module")
def found() -> list[FirstPlays]:
    return [first_plays(RULES, each) for each in shoes_of(SHOE)]


@pytest.fixture(scope="module")
def plays(found: list[FirstPlays]) -> Plays:
    return plays_from(SHOE, found, insurance=True)


def test_the_effects_of_removal_are_those_that_griffin_published(value: Effects) -> None:
    assert value.full == pytest.approx(0.0004125158, abs=1e-9)
    assert 100 * value.centred == pytest.approx(np.array(REMOVED), abs=0.04)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_systems_have_their_published_figures(name: str, value: Effects, plays: Plays) -> None:
    system = SYSTEMS[name]
    insurance = effects_of(insurance_value, SHOE)
    found = (
        betting_correlation(system, value),
        playing_efficiency(system, plays),
        insurance_correlation(system, insurance),
    )
    assert found == pytest.approx(PUBLISHED[name], abs=0.01)


def test_the_effect_on_insurance_is_by_the_tens_alone_also_among_several_values() -> None:
    insurance = effects_of(insurance_value, SHOE)
    assert float(insurance.full) == pytest.approx(3 * 16 / 51 - 1)
    assert insurance.removed[TEN] == pytest.approx(3 * 15 / 50 - 3 * 16 / 51)
    assert len(set(np.delete(insurance.removed, TEN))) == 1
    tens = system_named("tags:4,4,4,4,4,4,4,4,4,-9")
    assert insurance_correlation(tens, insurance) == pytest.approx(1)
    both = effects_from(SHOE, [np.array([insurance_value(each), each.size]) for each in shoes_of(SHOE)])
    assert both.removed[:, 0] == pytest.approx(insurance.removed)
    assert set(both.removed[:, 1]) == {-1}
    assert both.deviation(30)[1] == 0


def test_the_margins_of_plays_are_exact_differences(plays: Plays) -> None:
    """16 of a 10 and a 6 against a 10: they differ only where the dealer has no natural."""
    options = seat_game(RULES, SHOE).options([10, 6], 10)
    chance = 16 / 52 * 2 * 15 * 4 / (51 * 50)  # of these cards and that upcard
    found = plays.margins.full[np.isclose(plays.chances, chance)]
    assert np.isclose(found, (1 - 4 / 49) * (options[FIRST[1]] - options[FIRST[0]]), atol=1e-12).any()


def test_the_variance_of_a_mean_is_that_of_all_subsets() -> None:
    # A value that is exactly linear: the mean tag of the cards left.
    tags = np.array(HI_LO.tags, float)

    def mean_tag(shoe: Shoe) -> float:
        counts = np.array(shoe.counts, float)
        return float(counts @ tags / counts.sum())

    effects = effects_of(mean_tag, SHOE)
    # Drawing 26 of 52 without replacement: variance of tags / 26 * (52 - 26) / (52 - 1).
    assert float(effects.deviation(26)) == pytest.approx(sqrt(10 / 13 / 26 * 26 / 51))
    assert correlation(tags, effects.removed, effects.shares) == pytest.approx(-1)


def test_the_loss_integral_is_that_of_the_tables_and_the_gain_follows_from_it() -> None:
    # Raiffa and Schlaifer, "Applied Statistical Decision Theory" (1961), table II.
    losses = {0.0: 0.3989, 0.5: 0.1978, 1.0: 0.0833, 2.0: 0.0085}
    assert normal_loss(np.array([*losses])) == pytest.approx([*losses.values()], abs=5e-5)
    assert gain(np.array([0.2]), np.array([0.2])) == pytest.approx(0.2 * losses[1.0], abs=1e-5)
    assert gain(np.array([0.3, 0.0]), np.zeros(2)).tolist() == [0, 0]


def test_a_game_without_insurance_has_one_play_less(plays: Plays, found: list[FirstPlays]) -> None:
    assert len(plays_from(SHOE, found, insurance=False).chances) == len(plays.chances) - 1 == 550
    assert float(plays.chances[:-1].sum()) == pytest.approx(1)
