"""How good a play was: what its policy is worth exactly, and what its decisions have cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cards import Card, Decision, Hand, Rules
from policies.chances import MixedPolicy
from policies.chart import Chart
from policies.decisions import DecisionTable, fresh
from policies.hands import UPCARDS
from policies.policy import Situation, upcard_value
from support.progress import Progress
from support.summary import Report, columns, without_exact_value

if TYPE_CHECKING:
    from exact.ev_lost import EvLost

_NO_VALUES: Final[dict[str, Any]] = {"exact": None, "ev_lost": None}

NO_ROUND: Final = Report("", {**_NO_VALUES, "no_exact_value": "no round was played"})
"""Of a play that came to nothing."""


class Record:
    """The rounds that were played to their end, counted.

    Attributes:
        played: how often each hand of HIT and STAND came: the upcard, and the cards in the order in which
            they were dealt, each as 2 to 11 (the ace). Hands without an upcard are not kept.
        answered: how often each round of the whole game came: its questions, each with the answer.
    """

    def __init__(self) -> None:
        self.played: Counter[tuple[int, tuple[int, ...]]] = Counter()
        self.answered: Counter[tuple[tuple[Situation, Decision], ...]] = Counter()
        self._known: dict[tuple[Situation, Decision], tuple[Situation, Decision]] = {}

    def add(self, upcard: Card | None, hand: Hand) -> None:
        """Count one round."""
        if upcard is not None and len(hand.cards) >= 2:
            self.played[upcard_value(upcard), tuple(map(upcard_value, hand.cards))] += 1

    def add_whole(self, decided: Iterable[tuple[Situation, Decision]]) -> None:
        """Count one round of the whole game. Equal answers are kept once: rounds are many, these are few."""
        self.answered[tuple(self._known.setdefault(each, each) for each in decided)] += 1


def grade_play(rules: Rules, name: str, policy: DecisionTable | None, record: Record) -> Report:
    """What the policy that was played is worth, and what its decisions have cost.

    The members: `exact`, with the `value` of the policy, `total_dependent` (the value of the best
    total-dependent policy), whether that is `proved` best, `composition_dependent` (by every card that is
    seen) and the `gap` to the best total-dependent policy, the value and the gap null for a person;
    `ev_lost`, with `rounds`, `decisions`, `per_round`, `standard_error`, `per_decision` and
    `per_decision_standard_error`; and `no_exact_value`. Without exact values the first two are null, else the
    last.

    Args:
        rules: what was played, with HIT and STAND only.
        name: what the policy is called.
        policy: the policy; None for a person.
        record: what came of it.
    """
    from exact import solving
    from exact.ev_lost import ev_lost
    from exact.whole.game import NoExactFormError

    try:
        solution = solving.solve(rules)
        value = None if policy is None else solving.evaluate(rules, policy.hit).value
        cost = ev_lost(rules, record.played)
    except NoExactFormError as error:
        return without_exact_value(error, _NO_VALUES)
    return _report(name, _Exact(value, solution.value, solution.proved, solution.optimum), cost)


def grade_whole(rules: Rules, name: str, policy: Chart | MixedPolicy | None, record: Record) -> Report:
    """The same for the whole game, by exact values of a fresh shoe: also where the shoe is kept.

    Here each decision is compared with the best one for the very cards of its hand. So the EV lost is
    expected to be the gap to `composition_dependent`.

    Args:
        rules: what was played.
        name: what the policy is called.
        policy: the policy; None for a person, and for one that counts cards.
        record: what came of it.
    """
    from exact.whole.advice import adviser_for
    from exact.whole.basic import basic_chart
    from exact.whole.certificate import ROUNDING
    from exact.whole.charts import evaluate
    from exact.whole.ev_lost import ev_lost
    from exact.whole.game import NoExactFormError
    from exact.whole.mixed import evaluate_policy

    adviser = adviser_for(rules)
    try:
        with Progress("valuing the play", len(UPCARDS), "upcards") as progress:
            for done, upcard in enumerate(UPCARDS, 1):
                adviser.learn(upcard)
                progress.show(done)
            best = evaluate(adviser.game, basic_chart(rules)).value
        cost = ev_lost(rules, record.answered)
    except NoExactFormError as error:
        return without_exact_value(error, _NO_VALUES)
    if isinstance(policy, Chart):
        value: float | None = evaluate(adviser.game, policy).value
    else:
        value = None if policy is None else evaluate_policy(adviser.game, policy).value
    optimum = adviser.game.optimum().value
    # The cards that a hand holds are of no use with an infinite deck: there no chart is worth more.
    proved = rules.decks is None and optimum - best < ROUNDING
    return _report(name, _Exact(value, best, proved, optimum), cost, rules)


class _Exact(NamedTuple):
    """What is known without playing, in initial bets.

    Attributes:
        value: what the policy is worth, if that is known.
        best: the best total-dependent policy.
        proved: whether that is proved to be best.
        optimum: the best play by every card that is seen.
    """

    value: float | None
    best: float
    proved: bool
    optimum: float


def _report(name: str, exact: _Exact, cost: EvLost, whole: Rules | None = None) -> Report:
    """The report, for the whole game if its rules are given."""
    from exact.grades import best_name

    value, best, optimum = exact.value, exact.best, exact.optimum
    is_whole, is_kept = whole is not None, whole is not None and fresh(whole) != whole
    own = [] if value is None else [(f"expected value of {name}", f"{value:+z.7f}", "", "")]
    by_cards = [("best play by the cards of the hand", f"{optimum:+z.7f}", "", "")] if is_whole else []
    lost = None if value is None else (optimum if is_whole else best) - value
    rows = [
        ("in initial bets", "exact", "as played", "standard error"),
        *own,
        (best_name(exact.proved), f"{best:+z.7f}", "", ""),
        *by_cards,
        ("EV lost per round", _plain(lost), _plain(cost.per_round), _plain(cost.standard_error)),
        ("EV lost per decision", "", _plain(cost.per_decision), _plain(cost.per_decision_error)),
    ]
    note = "\nThe exact values are those of a shoe that is fresh every round." if is_kept else ""
    return Report(
        columns(rows) + note,
        {
            "exact": {
                "value": value,
                "total_dependent": best,
                "proved": exact.proved,
                "composition_dependent": optimum,
                "gap": None if value is None else best - value,
            },
            "ev_lost": cost.as_json(),
            "no_exact_value": None,
        },
    )


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:z.7f}"
