"""How good a play was: what its policy is worth exactly, and what its decisions have cost."""

from __future__ import annotations

from collections import Counter
from typing import Final

from cards import Card, Hand, Rules
from policies.decisions import DecisionTable
from policies.policy import upcard_value
from support.summary import Report, columns, without_exact_value

NO_ROUND: Final = Report("", {"exact": None, "ev_lost": None, "no_exact_value": "no round was played"})
"""Of a play that came to nothing."""


class Record:
    """The hands that were played to their end, counted.

    Attributes:
        played: how often each came: the upcard, and the cards in the order in which they were dealt, each as
            2 to 11 (the ace). Hands without an upcard are not kept.
    """

    def __init__(self) -> None:
        self.played: Counter[tuple[int, tuple[int, ...]]] = Counter()

    def add(self, upcard: Card | None, hand: Hand) -> None:
        """Count one round."""
        if upcard is not None and len(hand.cards) >= 2:
            self.played[upcard_value(upcard), tuple(map(upcard_value, hand.cards))] += 1


def grade_play(rules: Rules, name: str, policy: DecisionTable | None, record: Record) -> Report:
    """What the policy that was played is worth, and what its decisions have cost.

    The members: `exact`, with the `value` of the policy, `total_dependent` (the value of the best
    total-dependent policy), whether that is `proved` best, `composition_dependent` (by every card that is
    seen) and the `gap` to the best total-dependent policy, the value and the gap null for a person;
    `ev_lost`, with `rounds`, `decisions`, `per_round`, `standard_error`, `per_decision` and
    `per_decision_standard_error`; and `no_exact_value`. Without exact values the first two are null, else the
    last.

    Args:
        rules: what was played.
        name: what the policy is called.
        policy: the policy; None for a person.
        record: what came of it.
    """
    from exact import solving
    from exact.certificate import best_name
    from exact.ev_lost import ev_lost

    try:
        solution = solving.solve(rules)
        value = None if policy is None else solving.evaluate(rules, policy.hit).value
        cost = ev_lost(rules, record.played)
    except solving.NoExactFormError as error:
        return without_exact_value(error, {"exact": None, "ev_lost": None})
    gap = None if value is None else solution.value - value
    own = [] if value is None else [(f"expected value of {name}", f"{value:+.7f}", "", "")]
    rows = [
        ("in initial bets", "exact", "as played", "standard error"),
        *own,
        (best_name(solution.proved), f"{solution.value:+.7f}", "", ""),
        ("EV lost per round", _plain(gap), _plain(cost.per_round), _plain(cost.standard_error)),
        ("EV lost per decision", "", _plain(cost.per_decision), _plain(cost.per_decision_error)),
    ]
    return Report(
        columns(rows),
        {
            "exact": {
                "value": value,
                "total_dependent": solution.value,
                "proved": solution.proved,
                "composition_dependent": solution.optimum,
                "gap": gap,
            },
            "ev_lost": cost.as_json(),
            "no_exact_value": None,
        },
    )


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.7f}"
