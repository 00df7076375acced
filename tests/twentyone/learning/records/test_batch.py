"""Learning from records alone, beside the same worked out slowly, and beside the exact values."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Decision, EveryRound, Rules, Surrender
from tests.helpers.recorded import ONE_SEAT, VEGAS, gathered_at_random
from tests.helpers.tiers import first_of
from twentyone.learning.grading import grade_table
from twentyone.learning.records.batch import (
    BATCH,
    KEEP,
    KINDS,
    UNSEEN,
    BatchError,
    CellValues,
    action_values,
    learn_cells,
    q_table,
)
from twentyone.learning.records.grading import grade_learned
from twentyone.learning.records.transitions import Transitions
from twentyone.learning.records.unseen import cells_of
from twentyone.learning.records.watching import SURRENDER
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.hands import HANDS
from twentyone.policies.qtable import HIT, STAND


def worked_out(transitions: Transitions) -> dict[Any, float]:
    """The value of each cell and action that has one, by the definition: means, from the last one back.

    A key is the observation without the number of hands, but for a split; and the action.
    """
    seen, masks = transitions.observations.tolist(), transitions.masks.tolist()
    actions = transitions.actions.tolist()
    follows: list[list[int]] = transitions.follows.tolist()
    credits: list[float] = transitions.credits.tolist()
    rows: dict[Any, list[int]] = defaultdict(list)

    def key(row: int, action: int) -> Any:
        total, upcard, soft, pair, hands, _ = seen[row]
        cell = (0, upcard, 0, pair) if pair else (total, upcard, soft, 0)
        return cell, action, hands if action == 3 else 0

    for row, action in enumerate(actions):
        is_play = seen[row][5] == 0 and masks[row] != 0b10
        if is_play or action == 5:
            rows[key(row, action)].append(row)

    @cache
    def value(of: Any) -> float:
        return float(np.mean([credits[row] + sum(map(best, led_to(row))) for row in rows[of]]))

    def led_to(row: int) -> list[int]:
        return [row + ahead for ahead in follows[row] if ahead]

    def best(row: int) -> float:
        keys = [key(row, action) for action in range(6) if masks[row] >> action & 1]
        return max(value(each) for each in keys if each in rows)

    return {of: value(of) for of in rows}


@pytest.mark.parametrize(
    "rules", first_of(reversed([rules for rules in ONE_SEAT if rules.surrender is not Surrender.EARLY]), 4)
)
def test_it_is_the_game_that_the_records_show_solved(rules: Rules) -> None:
    transitions = gathered_at_random(rules, 1500, 7)
    table = action_values(learn_cells(transitions), rules, 1500)
    found = {(*cell, action): row.value for cell, rows in table.rows.items() for action, row in rows.items()}
    expected = {
        (_word(total, soft, pair), upcard, ACTIONS[action]): value
        for ((total, upcard, soft, pair), action, hands), value in worked_out(transitions).items()
        if hands < 2 and total < 22
    }
    assert found == pytest.approx(expected, abs=1e-12)


def _word(total: int, soft: int, pair: int) -> str:
    return f"P{'A' if pair == 1 else pair}" if pair else f"{'S' if soft else 'H'}{total}"


@pytest.mark.check
def test_from_random_rounds_it_comes_near_the_best_policy() -> None:
    table = q_table(learn_cells(gathered_at_random(Rules(), 60_000, 1)), Rules(), 60_000)
    graded = grade_learned(table, "learned")
    assert (table.method, table.rounds) == (BATCH, 60_000)
    assert table.counts.sum() == pytest.approx(82_500, rel=0.01)
    assert 0 < graded.report.members["grade"]["gap"] < 0.005
    assert graded.unseen.gaps == ()


def without(transitions: Transitions, rows: Any) -> Transitions:
    """The episodes that have none of these rows."""
    episode = transitions.dones[::-1].cumsum()  # counted from the last one
    kept = ~np.isin(episode, episode[rows[::-1]])[::-1]
    names = Transitions.__dataclass_fields__.keys() - {"rules"}
    arrays = {name: getattr(transitions, name)[kept] for name in names}
    return Transitions(**arrays, rules=transitions.rules)


def of_one_cell(
    seen: tuple[int, ...], actions: list[int], credits: list[float], follows: list[int], dones: list[bool]
) -> Transitions:
    """Transitions at HIT and STAND from one observation to the same one."""
    size = len(actions)
    return Transitions(
        observations=np.array([seen] * size, np.int8),
        actions=np.array(actions, np.int8),
        rewards=np.array(credits) * dones,
        next_observations=np.array([seen] * size, np.int8),
        dones=np.array(dones),
        masks=np.full(size, 0b11, np.uint8),
        credits=np.array(credits),
        follows=np.array([(ahead, 0) for ahead in follows], np.int8),
        rule=np.zeros(size, np.int16),
        rules=(Rules(),),
    )


def test_what_was_never_tried_is_not_chosen_and_is_named_with_its_cost() -> None:
    """Records in which nobody hits a hard 12 against a 2, or ever sees a hard 11 against a 6."""
    transitions = gathered_at_random(Rules(), 12_000, 2)
    seen = transitions.observations[:, :3]
    spoils = (seen == (12, 2, 0)).all(axis=1) & (transitions.actions == HIT)
    spoils |= (seen == (11, 6, 0)).all(axis=1)
    table = q_table(learn_cells(without(transitions, spoils)), Rules(), 1)
    assert (table.values[12, 2, HIT], table.counts[12, 2, HIT]) == (UNSEEN, 0)
    assert table.values[11, 6].tolist() == [0, 0]
    report, unseen = grade_learned(table, "learned")
    gaps = {(gap.hand, gap.upcard): gap for gap in unseen.gaps}
    never, partly = gaps["H11", 6], gaps["H12", 2]
    assert unseen.gaps[0] == never  # to stand there is the dearest mistake
    assert never.is_new
    assert never.cost == report.members["grade"]["costliest_cells"][0]["cost"]
    assert (partly.actions, partly.is_new) == ((Decision.HIT,), False)
    assert unseen.cells == len(cells_of(Rules()))
    cost = sum(gap.cost for gap in unseen.gaps if gap.cost is not None)
    assert f" Together their decisions cost {cost:.6f} initial bets per round." in unseen.text()
    assert "Together" not in unseen._replace(gaps=(never._replace(cost=None),)).text()


def test_an_action_that_always_loses_is_chosen_before_one_that_was_never_tried() -> None:
    lost = of_one_cell((20, 10, 0, 0, 1, 0), [HIT] * 3, [-1.0] * 3, [0] * 3, [True] * 3)
    table = q_table(learn_cells(lost), Rules(), 3)
    assert table.values[20, 10].tolist() == [-1, UNSEEN]
    assert table.values[20, 10, HIT] > table.values[20, 10, STAND]


def test_a_circle_is_no_blackjack() -> None:
    """Hitting a 10 pays 1 and gives the same 10 again, so there is no end of it."""
    circle = of_one_cell((10, 10, 0, 0, 1, 0), [HIT, STAND], [1.0, 0.0], [1, 0], [False, True])
    with pytest.raises(BatchError, match="a hand leads back to its own cell"):
        learn_cells(circle)


@pytest.mark.check
def test_surrender_before_the_peek_is_compared_with_keeping_the_hand() -> None:
    """Half the bet is less than a hard 16 loses against a ten, a natural included."""
    rules = replace(VEGAS, surrender=Surrender.EARLY, insurance=False)
    transitions = gathered_at_random(rules, 40_000, 4)
    table = action_values(learn_cells(transitions), rules, 40_000)
    for hand, is_given_up in (("H16", True), ("H19", False)):
        known = table.rows[hand, 10]
        others = max(row.value for action, row in known.items() if action is not Decision.SURRENDER)
        assert (known[Decision.SURRENDER].value > others) == is_given_up


def test_surrender_is_as_far_above_the_other_actions_as_it_was_above_keeping_the_hand() -> None:
    values, counts = np.full((len(HANDS), 12, KINDS), -np.inf), np.zeros((len(HANDS), 12, KINDS), np.int64)
    cell = HANDS.index("H16"), 10
    for kind, value in ((HIT, -0.5), (STAND, -0.625), (SURRENDER, -0.5), (KEEP, -0.75)):
        values[*cell, kind], counts[*cell, kind] = value, 3
    rows = action_values(CellValues(values, counts), VEGAS, 3).rows["H16", 10]
    assert {action.name: row.value for action, row in rows.items()} == {
        "HIT": -0.5,
        "STAND": -0.625,
        "SURRENDER": -0.25,
    }


def test_records_of_new_rules_name_the_cells_that_they_never_saw() -> None:
    rules = replace(PRESETS["europe"], decks=None, reshuffle=EveryRound())
    table = action_values(learn_cells(gathered_at_random(rules, 300, 5)), rules, 300)
    report, unseen = grade_learned(table, "learned")
    assert report == grade_table(table, "learned")
    cells = cells_of(rules)
    assert unseen.cells == len(cells)
    never = {(gap.hand, gap.upcard) for gap in unseen.gaps if gap.is_new}
    assert never == {cell for cell in cells if cell not in table.rows}
    assert ("P8", 10) in cells
    assert cells["P8", 10] == (Decision.HIT, Decision.STAND, Decision.SPLIT)
    assert cells["H10", 5] == (Decision.HIT, Decision.STAND, Decision.DOUBLE)
