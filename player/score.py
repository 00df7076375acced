"""The grade of a play: the exact value of its policy, and the cost of its decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from cards import HIT_OR_STAND, Card, Decision, Hand, Rules
from twentyone.policies.chances import MixedPolicy
from twentyone.policies.chart import Chart
from twentyone.policies.hands import UPCARDS
from twentyone.policies.policy import Situation, situation_of
from twentyone.support.progress import Progress
from twentyone.support.summary import Report, columns, without_exact_value

if TYPE_CHECKING:
    from twentyone.exact.values.game import SeatGame

_NO_VALUES: Final[dict[str, Any]] = {"exact": None, "ev_lost": None}

NO_ROUND: Final = Report("", {**_NO_VALUES, "no_exact_value": "no round was played"})
"""Of a play that came to nothing."""


class Record:
    """The rounds that were played to their end, counted.

    Attributes:
        answered: how often each round came: its questions, each with the answer. Rounds without a dealer are
            not kept.
    """

    def __init__(self) -> None:
        self.answered: Counter[tuple[tuple[Situation, Decision], ...]] = Counter()
        self._known: dict[tuple[Situation, Decision], tuple[Situation, Decision]] = {}

    def add(self, upcard: Card | None, hand: Hand) -> None:
        """Count one round of HIT and STAND: it was hit until its last card, and stood if it was not bust."""
        if upcard is None or len(hand.cards) < 2:
            return
        asked = [
            situation_of(hand.cards[:number], upcard, False, HIT_OR_STAND)
            for number in range(2, len(hand.cards) + (not hand.is_bust))
        ]
        answers = [Decision.HIT] * (len(hand.cards) - 2) + [Decision.STAND]
        self.add_decided(zip(asked, answers, strict=False))

    def add_decided(self, decided: Iterable[tuple[Situation, Decision]]) -> None:
        """Count one round. Equal answers are kept once: rounds are many, these are few."""
        self.answered[tuple(self._known.setdefault(each, each) for each in decided)] += 1


Played = Chart | MixedPolicy
"""A policy, to be valued exactly."""


def grade_play(rules: Rules, name: str, policy: Played | None, record: Record) -> Report:
    """The value of the policy that was played, and the cost of the decisions.

    A shoe that is kept over rounds counts as a fresh one. The members: `exact`, with the `value` of the
    policy, `best_chart` and `best_play` (their values), whether the chart is `proved` best, the `bound` that
    no chart is worth more than, and the `gap` to the best chart, the value and the gap null for a person;
    `ev_lost` against the best chart, with `rounds`, `decisions`, `per_round`, `standard_error`,
    `per_decision` and `per_decision_standard_error`; and `no_exact_value`. Without exact values the first two
    are null, otherwise the last.

    Args:
        rules: what was played.
        name: what the policy is called.
        policy: the policy; None for a person, and for one that counts cards.
        record: what came of it.
    """
    from twentyone.exact.ev_lost import ChartCosts, ev_lost
    from twentyone.exact.values.game import NoExactFormError
    from twentyone.exact.yardsticks import note_of, yardsticks_of

    try:
        costs = ChartCosts(rules)
        with Progress("valuing the play", len(UPCARDS), "upcards") as progress:
            for done, upcard in enumerate(UPCARDS, 1):
                costs.learn(upcard)
                progress.show(done)
        cost = ev_lost(costs, record.answered)
    except NoExactFormError as error:
        return without_exact_value(error, _NO_VALUES)
    game, yardsticks = costs.game, yardsticks_of(costs.game)
    value = None if policy is None else _value_of(game, policy)
    lost = None if value is None else yardsticks.best_chart - value
    own = [] if value is None else [(f"expected value of {name}", f"{value:+z.7f}", "", "")]
    rows = [
        ("in initial bets", "exact", "as played", "standard error"),
        *own,
        *((name, f"{value:+z.7f}", "", "") for name, value in yardsticks.values()),
        ("EV lost per round", _plain(lost), _plain(cost.per_round), _plain(cost.standard_error)),
        ("EV lost per decision", "", _plain(cost.per_decision), _plain(cost.per_decision_error)),
    ]
    return Report(
        columns(rows) + note_of(rules),
        {
            "exact": {"value": value, **yardsticks.as_json(), "gap": lost},
            "ev_lost": cost.as_json(),
            "no_exact_value": None,
        },
    )


def _value_of(game: SeatGame, policy: Played) -> float:
    """The exact value of a policy."""
    from twentyone.exact.best.mixed import evaluate_policy
    from twentyone.exact.values.charts import evaluate

    if isinstance(policy, Chart):
        return evaluate(game, policy).value
    return evaluate_policy(game, policy).value


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:z.7f}"
