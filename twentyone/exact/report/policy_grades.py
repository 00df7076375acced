"""The value of any policy, and the cells that cost most against the best chart.

No chart need say what it does: it may leave decisions to chance, and tell apart whatever a seat sees. Its own
bets on insurance are in its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from cards import Decision
from twentyone.exact.best.chart import BestChart
from twentyone.exact.best.mixed import (
    INSURANCE,
    evaluate_policy,
    insurance_bets,
    insured,
    is_insurance_asked,
    mixed_plan,
    questions_of,
    seen_of_row,
)
from twentyone.exact.best.mixed_gains import gains_of
from twentyone.exact.report.blocks import entries_of
from twentyone.exact.report.grades import LEAST, ChartGrade, Mistake
from twentyone.exact.report.letters import UPCARDS
from twentyone.exact.values.compositions import ACE
from twentyone.exact.values.game import SeatGame
from twentyone.policies.chances import Chances, MixedPolicy, sure
from twentyone.policies.chart import ENTRIES, Chart, policy_of
from twentyone.policies.functions import Function, Question
from twentyone.policies.hand_charts import OF_ONE_ENTRY
from twentyone.policies.hands import HANDS, hand_of
from twentyone.policies.hands import UPCARDS as SHOWN
from twentyone.policies.policy import Observation, Policy

Cell = dict[tuple[Observation, int], Chances]
"""The chances of decisions about a hand against an upcard, by what is seen and the number of hands."""

LETTERS: Final = {
    Decision.HIT: "H",
    Decision.STAND: "S",
    Decision.DOUBLE: "D",
    Decision.SPLIT: "P",
    Decision.SURRENDER: "R",
}
"""The letter of a decision where a policy leaves it to chance."""

INSURE, NO_INSURANCE = "insure", "no insurance"


def grade_policy(game: SeatGame, policy: Policy, name: str, best: BestChart) -> ChartGrade:
    """Grade a policy that leaves nothing to chance by exact values, with its own bets on insurance.

    Args:
        game: the game.
        policy: what it does with what it sees; it is asked about everything that can come.
        name: what to call it.
        best: the best chart of the game.

    Raises:
        ValueError: if it does what is not allowed.
    """
    return grade_mixed(game, sure(policy), name, best)


def grade_mixed(game: SeatGame, policy: MixedPolicy, name: str, best: BestChart) -> ChartGrade:
    """Grade a policy that may leave decisions to chance; as `grade_policy` for the rest."""
    known: Cell = {}

    def asked_once(seen: Observation, hands: int) -> Chances:
        if (seen, hands) not in known:
            known[seen, hands] = policy(seen, hands)
        return known[seen, hands]

    values = evaluate_policy(game, asked_once)
    cells = _cells(known)
    mistakes = [*_mistakes(game, asked_once, cells, best.chart), *_of_insurance(game, asked_once)]
    mistakes.sort(key=lambda each: -each.cost)
    return ChartGrade(name, values, best.values.value - values.value, tuple(mistakes), insures=True)


def differing_cells(game: SeatGame, policy: Policy, best: Chart) -> set[tuple[str, int]]:
    """The cells, by hand and upcard, that are not played as by the best chart, if that makes a difference.

    Here all other cells are played as by the best chart. So a mistake is found too where the policy errs
    again later, and changing this cell alone would gain nothing.

    Args:
        game: the game.
        policy: what is done with what is seen.
        best: the best chart of the game.
    """
    as_best, own = sure(policy_of(best, game.rules)), sure(policy)
    return {
        (hand, upcard + SHOWN[0])
        for upcard in range(len(UPCARDS))
        if game.shoe.counts[upcard]
        for hand, gain in gains_of(
            game, upcard, mixed_plan(game, upcard, as_best), mixed_plan(game, upcard, own)
        ).items()
        if abs(game.upcards[upcard] * gain) > LEAST
    }


def answers_of(function: Function, game: SeatGame) -> MixedPolicy:
    """A function of the user's own as a policy: it is asked about everything that can come.

    Raises:
        CommandError: if it fails, or answers what is not an action or not allowed.
    """
    questions = [Question(*each) for each in questions_of(game)]
    answers = dict(zip(questions, function.answers(questions, game.rules), strict=True))
    return lambda seen, hands: answers[Question(seen, hands)]


def _cells(known: Cell) -> dict[tuple[str, int], Cell]:
    """The questions by the word of the hand and the upcard, insurance left out, in the order of charts."""
    cells: dict[tuple[str, int], Cell] = {(hand, upcard): {} for upcard in SHOWN for hand in HANDS}
    for (seen, hands), chances in known.items():
        if Decision.INSURE not in seen.options:
            assert seen.upcard is not None, "exact values are of play against a dealer"
            cells[hand_of(seen), seen.upcard][seen, hands] = chances
    return {key: cell for key, cell in cells.items() if cell}


def _mistakes(
    game: SeatGame, policy: MixedPolicy, cells: Mapping[tuple[str, int], Cell], best: Chart
) -> Iterator[Mistake]:
    """The cells that are not played as by the best chart, if that makes a difference."""
    as_best = sure(policy_of(best, game.rules))
    gains = {
        upcard + SHOWN[0]: gains_of(
            game, upcard, mixed_plan(game, upcard, policy), mixed_plan(game, upcard, as_best)
        )
        for upcard in range(len(UPCARDS))
        if game.shoe.counts[upcard]
    }
    for (hand, shown), cell in cells.items():
        cost = float(game.upcards[shown - SHOWN[0]]) * gains[shown][hand]
        is_other = any(not _is_same(chances, as_best(*key)) for key, chances in cell.items())
        if is_other and abs(cost) > LEAST:
            entry = entries_of(best, hand, game.rules.ace)[shown - SHOWN[0]]
            yield Mistake(hand, shown, _written(game, cell), entry, cost)


def _is_same(one: Chances, other: Chances) -> bool:
    return all(one.get(each, 0.0) == other.get(each, 0.0) for each in {*one, *other})


def _written(game: SeatGame, cell: Cell) -> str:
    """The decisions of a policy in a cell: an entry of charts, or the chances where most is allowed."""
    for entry, chart in OF_ONE_ENTRY.items():
        is_fit = any(seen.pair for seen, _ in cell) or Decision.SPLIT not in ENTRIES[entry]
        if is_fit and all(
            chances.get(chart.decide(seen, game.rules)) == 1 for (seen, _), chances in cell.items()
        ):
            return entry
    chances = cell[max(cell, key=lambda key: (-key[1], len(key[0].options)))]
    parts = [(LETTERS[each], chance) for each, chance in chances.items() if chance and each in LETTERS]
    return " ".join(letter if chance == 1 else f"{letter}{_percent(chance)}" for letter, chance in parts)


def _percent(chance: float) -> str:
    """A chance between 0 and 1 as a whole number, in so few letters that five fit into a line."""
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{100 * chance:z.0f}%"


def _of_insurance(game: SeatGame, policy: MixedPolicy) -> Iterator[Mistake]:
    """The hands that are insured, or are not, at a cost; a hand is judged by its total alone."""
    if not is_insurance_asked(game):
        return
    bets, chances = insurance_bets(game), insured(game, policy)
    rows = game.against(ACE).dealt.rows.tolist()
    words = np.array([hand_of(seen_of_row(game, ACE, row, None, INSURANCE)) for row in rows])
    for word in dict.fromkeys(words.tolist()):
        at = words == word
        worth, chance = float(bets[at].sum()), float(chances[at][0])
        cost = worth * ((worth > 0) - chance)
        if cost > LEAST:
            entry = {0.0: NO_INSURANCE, 1.0: INSURE}.get(chance, f"{INSURE} {_percent(chance)}")
            yield Mistake(word, ACE + SHOWN[0], entry, INSURE if worth > 0 else NO_INSURANCE, cost)
