"""Grades of policies that no chart can say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pytest

from cards import PRESETS, Decision, Rules
from tests.helpers.tiers import first_of
from tests.twentyone.exact.games import GAMES, a_game, random_policy
from twentyone.exact.best.cells import cell_values
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.report.grades import Cell
from twentyone.exact.report.policy_grades import grade_chart, grade_mixed, grade_policy
from twentyone.exact.values.game import SeatGame, seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies import action_values
from twentyone.policies.action_values import Origin, Row, of_rows
from twentyone.policies.chances import Chances, sure
from twentyone.policies.chart import policy_of
from twentyone.policies.hands import hand_of
from twentyone.policies.policy import Observation

RENO = PRESETS["reno"]


@pytest.fixture(scope="module")
def game() -> SeatGame:
    return seat_game(RENO)


@pytest.fixture(scope="module")
def best(game: SeatGame) -> BestChart:
    return best_chart(game)


def test_a_chart_has_the_grade_that_it_has_as_a_chart(game: SeatGame, best: BestChart) -> None:
    chart = best.chart
    rows = {**chart.rows, "H16": ("S",) * 10, "P8": ("H",) * 10, "H11": ("H", *chart.rows["H11"][1:])}
    worse = type(chart)("worse", rows, chart.rules)
    as_chart = grade_chart(game, worse, "worse", best)
    found = grade_policy(game, policy_of(worse, game.rules), "worse", best)
    assert found.gap == pytest.approx(as_chart.gap, abs=1e-13)
    costs = {(each.hand, each.upcard): (each.entry, each.better) for each in found.mistakes}
    assert costs == {(each.hand, each.upcard): (each.entry, each.better) for each in as_chart.mistakes}
    for one, other in zip(found.mistakes, as_chart.mistakes, strict=True):
        assert one.cost == pytest.approx(other.cost, abs=1e-13)


def test_a_table_that_insures_where_it_should_not_loses_by_it(game: SeatGame, best: BestChart) -> None:
    """With a full deck, 16 tens among 49 cards at most: insurance never pays (it needs a third)."""
    plain = cell_values(game, best.chart)
    rows: dict[tuple[str, int], Mapping[Decision, Row]] = {**plain.rows}
    rows["H15", 11] = {**rows["H15", 11], Decision.INSURE: Row(0.1, 1)}
    insuring = of_rows(rows, Origin(RENO, "exact", 0))
    without, having = (
        grade_policy(game, action_values.policy_of(table), "table", best) for table in (plain, insuring)
    )
    bet = game.before_peek((5, 10), 11)[Decision.INSURE], game.before_peek((6, 9), 11)[Decision.INSURE]
    dealt = game.against(9).dealt
    chances = {tuple(game.hands.counts[row]): chance for row, chance in zip(*dealt, strict=True)}
    hands = [(card, 15 - card) for card in (5, 6, 7)]
    worth = sum(
        chances[tuple(int(value in hand) for value in range(2, 12))]
        * game.before_peek(hand, 11)[Decision.INSURE]
        for hand in hands
    )
    assert max(bet) < 0
    assert having.values.insurance == pytest.approx(worth / 13, abs=1e-13)
    assert having.gap == pytest.approx(without.gap - worth / 13, abs=1e-13)
    (mistake,) = (each for each in having.mistakes if each.entry == "insure")
    assert (mistake.hand, mistake.upcard, mistake.better) == ("H15", 11, "no insurance")
    assert mistake.cost == pytest.approx(-worth / 13, abs=1e-13)


@pytest.mark.check
def test_who_declines_insurance_that_pays_loses_it() -> None:
    shoe = Shoe.of(RENO).without([2, 2, 3, 3, 4, 4, 5, 5])
    game = seat_game(RENO, shoe)
    best = best_chart(game)
    never = grade_policy(game, policy_of(best.chart, game.rules), "never", best)
    assert best.values.insurance > 0
    assert never.values.insurance == 0
    assert never.gap == pytest.approx(best.values.insurance, abs=1e-13)
    assert sum(each.cost for each in never.mistakes) == pytest.approx(never.gap, abs=1e-3)
    assert {each.better for each in never.mistakes} == {"insure"}


@pytest.mark.parametrize("seed", first_of(GAMES[::2]))
def test_costs_add_up_to_the_gap(seed: int) -> None:
    """The performance difference lemma (Kakade and Langford, 2002), of a policy that leaves all to chance.

    It tells apart all that it sees, under any rules, after a split too.
    """
    game = a_game(seed)
    best = best_chart(game)
    found = grade_mixed(game, random_policy(seed), "mixed", best)
    costs = [each for each in found.cells if not each.is_insurance]
    gap = (best.values.value - best.values.insurance) - (found.values.value - found.values.insurance)
    assert sum(each.cost for each in costs) == pytest.approx(gap, abs=1e-13)
    assert len(found.mistakes) > 5 and any("%" in each.entry for each in found.mistakes)


@pytest.mark.parametrize("seed", first_of(GAMES[1::4]))
def test_the_cost_of_one_cell_is_the_whole_gap(seed: int) -> None:
    """Where only one cell is not played as by the best chart, also after splits."""
    game = a_game(seed)
    best, policy = best_chart(game), random_policy(seed)
    chart = sure(policy_of(best.chart, game.rules))
    pairs = [each for each in grade_mixed(game, policy, "mixed", best).mistakes if each.hand[0] == "P"]
    for cell in [*pairs[:1], *grade_mixed(game, policy, "mixed", best).mistakes[:3]]:

        def changed(seen: Observation, hands: int, cell: Cell = cell) -> Chances:
            is_there = (hand_of(seen), seen.upcard) == (cell.hand, cell.upcard)
            return (policy if is_there and Decision.INSURE not in seen.options else chart)(seen, hands)

        grade = grade_mixed(game, changed, "changed", best)
        gap = best.values.value - best.values.insurance - (grade.values.value - grade.values.insurance)
        found = [each for each in grade.mistakes if not each.is_insurance]  # none where no play comes there
        assert sum(each.cost for each in found) == pytest.approx(gap, abs=1e-12)
        assert {(each.hand, each.upcard) for each in found} <= {(cell.hand, cell.upcard)}


def test_what_is_reached_and_what_differs_are_chances_per_round(game: SeatGame, best: BestChart) -> None:
    """Every first hand but a natural, which is paid at once, is asked about while the dealer has none."""
    always_stands = grade_policy(game, lambda _: Decision.STAND, "stands", best)
    by_hand: defaultdict[str, float] = defaultdict(float)
    for cell in always_stands.cells:
        by_hand["first" if not cell.is_insurance else "insurance"] += cell.reach
        assert 0 <= cell.differs <= cell.reach + 1e-15
    dealt = sum(
        game.upcards[upcard]
        * float((dealt.chances * against.counted[dealt.rows])[dealt.rows != against.own].sum())
        for upcard in range(10)
        for against in [game.against(upcard)]
        for dealt in [against.dealt]
    )
    assert by_hand["first"] == pytest.approx(dealt, abs=1e-12)


def test_a_pair_that_is_split_once_is_decided_three_times() -> None:
    """First as a pair, then each of its two hands; aces get one card each, so they are decided once.

    Of 52 cards each rank makes 6 of 1326 pairs; tens and pictures are one kind of 16 cards, and make 120.
    """
    game = seat_game(Rules(split=2))
    splits = grade_policy(
        game, lambda seen: Decision.SPLIT if seen.pair else Decision.STAND, "splits", best_chart(game)
    )
    after = 2 * (8 * 6 + 120) / 1326
    assert sum(cell.reach for cell in splits.cells) == pytest.approx(1 + after, abs=1e-12)
    assert sum(cell.cost for cell in splits.cells) == pytest.approx(splits.gap, abs=1e-13)
