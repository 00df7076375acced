"""The value of any policy, and what each of its decisions costs against the best chart.

No chart need say what it does: it may leave decisions to chance, and tell apart whatever a seat sees. Its own
bets on insurance are in its value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
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
from twentyone.exact.best.mixed_costs import costs_of
from twentyone.exact.report.blocks import entries_of
from twentyone.exact.report.grades import Cell, Grade
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.compositions import ACE
from twentyone.exact.values.game import SeatGame
from twentyone.policies.chances import Chances, MixedPolicy, sure
from twentyone.policies.chart import ENTRIES, Chart, policy_of
from twentyone.policies.functions import Function, Question
from twentyone.policies.hand_charts import OF_ONE_ENTRY, hands_under
from twentyone.policies.hands import HANDS, hand_of
from twentyone.policies.hands import UPCARDS as SHOWN
from twentyone.policies.policy import Observation, Policy

Answers = dict[tuple[Observation, int], Chances]
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


def grade_policy(game: SeatGame, policy: Policy, name: str, best: BestChart) -> Grade:
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


def grade_mixed(game: SeatGame, policy: MixedPolicy, name: str, best: BestChart) -> Grade:
    """Grade a policy that may leave decisions to chance; as `grade_policy` for the rest."""
    asked = _Asked(policy)
    values = evaluate_policy(game, asked)
    played = _cells(game, asked, best.chart, lambda hand, upcard: _written(game, asked.by_cell[hand, upcard]))
    cells = (*played, *_of_insurance(game, asked))
    return Grade(name, values, best.values.value - values.value, cells, insures=True)


def grade_chart(game: SeatGame, chart: Chart, name: str, best: BestChart) -> Grade:
    """Grade a chart that is followed as written; insurance is taken where it pays on the cards seen."""
    values, ace = evaluate(game, chart), game.rules.ace
    asked = _Asked(sure(policy_of(chart, game.rules)))
    written = {hand: entries_of(chart, hand, ace) for hand in hands_under(game.rules)}
    cells = _cells(game, asked, best.chart, lambda hand, upcard: written[hand][upcard - SHOWN[0]])
    return Grade(name, values, best.values.value - values.value, tuple(cells))


def answers_of(function: Function, game: SeatGame) -> MixedPolicy:
    """A function of the user's own as a policy: it is asked about everything that can come.

    Raises:
        CommandError: if it fails, or answers what is not an action or not allowed.
    """
    questions = [Question(*each) for each in questions_of(game)]
    answers = dict(zip(questions, function.answers(questions, game.rules), strict=True))
    return lambda seen, hands: answers[Question(seen, hands)]


class _Asked:
    """A policy that is asked each question once.

    Attributes:
        by_cell: its answers by the word of the hand and the upcard, without those about insurance.
    """

    def __init__(self, policy: MixedPolicy) -> None:
        self._policy = policy
        self._known: Answers = {}
        self.by_cell: defaultdict[tuple[str, int], Answers] = defaultdict(dict)

    def __call__(self, seen: Observation, hands: int) -> Chances:
        key = seen, hands
        if key not in self._known:
            self._known[key] = chances = self._policy(seen, hands)
            if Decision.INSURE not in seen.options:
                assert seen.upcard is not None, "exact values are of play against a dealer"
                self.by_cell[hand_of(seen), seen.upcard][key] = chances
        return self._known[key]


def _cells(game: SeatGame, asked: _Asked, best: Chart, entry_of: Callable[[str, int], str]) -> Iterator[Cell]:
    """All cells that a policy is asked about, beside the best chart, in the order of charts."""
    as_best = sure(policy_of(best, game.rules))
    for upcard, chance in enumerate(game.upcards.tolist()):
        if not game.shoe.counts[upcard]:
            continue
        plans = mixed_plan(game, upcard, asked), mixed_plan(game, upcard, as_best)
        costs, shown = costs_of(game, upcard, *plans), upcard + SHOWN[0]
        for hand in HANDS:
            if (hand, shown) in asked.by_cell:
                better = entries_of(best, hand, game.rules.ace)[upcard]
                figures = (chance * each for each in costs[hand])
                yield Cell(hand, shown, entry_of(hand, shown), better, *figures)


def _written(game: SeatGame, cell: Answers) -> str:
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


def _of_insurance(game: SeatGame, policy: MixedPolicy) -> Iterator[Cell]:
    """The hands that are asked about insurance; a hand is judged by its total alone."""
    if not is_insurance_asked(game):
        return
    bets, chances, dealt = insurance_bets(game), insured(game, policy), game.against(ACE).dealt
    words = np.array([hand_of(seen_of_row(game, ACE, row, None, INSURANCE)) for row in dealt.rows.tolist()])
    for word in dict.fromkeys(words.tolist()):
        at = words == word
        worth, chance = float(bets[at].sum()), float(chances[at][0])
        reach, best = float(game.upcards[ACE] * dealt.chances[at].sum()), float(worth > 0)
        entry = {0.0: NO_INSURANCE, 1.0: INSURE}.get(chance, f"{INSURE} {_percent(chance)}")
        better, differs = INSURE if best else NO_INSURANCE, abs(best - chance)
        cost = worth * (best - chance)
        yield Cell(word, ACE + SHOWN[0], entry, better, cost, reach, reach * differs, is_insurance=True)
