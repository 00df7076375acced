"""An exact solution as a Q table, a summary, a chart and a document."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exact.chart import UPCARDS, Line, Piece, letter, policy_lines, rules_in_short, upcard_name
from exact.grades import best_name
from exact.solving import Solution
from exact.whole.certificate import Certificate
from policies.qtable import HIT, STAND, QTable, dealer_column
from support.summary import columns


def margins(solution: Solution) -> NDArray[np.float64]:
    """Q(hit) - Q(stand) in initial bets, shape (22, 22); NaN in cells that the policy never reaches."""
    values = solution.evaluation.action_values
    return np.asarray(values[:, :, HIT] - values[:, :, STAND])


def decision_values(solution: Solution) -> NDArray[np.float64]:
    """The value of the policy's own decision in each cell, in initial bets; NaN in cells never reached."""
    values = solution.evaluation.action_values
    return np.where(solution.policy == 1, values[:, :, HIT], values[:, :, STAND])


def hit_below(solution: Solution, soft: bool) -> list[int | None]:
    """The total below which the policy hits and from which it stands, by upcard, 2 to 10 and the ace.

    None where no single total describes the decisions, or where there are no such hands.
    """
    known = ~np.isnan(margins(solution))
    return [
        _hit_below(solution.policy[:, column], np.flatnonzero(known[:, column]).tolist())
        for column in (dealer_column(upcard, soft) for upcard in UPCARDS)
    ]


def as_qtable(solution: Solution) -> QTable:
    """A Q table whose greedy play is the policy, in every cell that the policy reaches.

    The values are the exact ones of both actions; the counts are 1 where a value is known and 0 elsewhere.
    """
    known = ~np.isnan(solution.evaluation.action_values)
    values = np.where(known, solution.evaluation.action_values, 0.0)
    # Where both actions are worth the same, rounding may put either first; the policy says which is played.
    hit, stand = values[:, :, HIT], values[:, :, STAND]
    tied = known.all(axis=2) & ((hit > stand) != (solution.policy == 1))
    values[:, :, HIT] = np.where(
        tied, np.where(solution.policy == 1, np.nextafter(stand, np.inf), stand), hit
    )
    return QTable(values, known.astype(np.int64), solution.rules, method="exact", rounds=0)


def solution_lines(solution: Solution, figures: NDArray[np.float64], meaning: str) -> list[Line]:
    """A solution for a terminal: its value, a summary, and the charts of hard and soft hands.

    Args:
        solution: the solution.
        figures: the figures next to the letters, shape (22, 22).
        meaning: what those figures mean.
    """
    lines: list[Line] = [[Piece(line)] for line in _head(solution).splitlines()]
    lines += [[], *_summary_lines(solution), [], [Piece(f"H hit, S stand; {meaning}, in initial bets:")]]
    for soft in (False, True):
        chart = policy_lines(solution.policy, figures, soft)
        lines += [[], *chart] if chart else []
    return lines


def certificate_lines(solution: Solution) -> list[Line]:
    """What proves that the policy is best, for a terminal."""
    lines = [
        f"No policy by total, softness and upcard is {'' if solution.proved else 'known to be '}better.",
        "Cells are settled in passes: one decision is better under any policy that",
        "decides as settled in the cells of earlier passes. It gains at least this over",
        "the other one, in initial bets each time:",
    ]
    heading = ("upcard", "cells settled", "in doubt", "passes", "least gain", "where")
    rows = [
        (
            upcard_name(each["upcard"]),
            str(each["settled"]),
            str(each["in_doubt"]),
            str(each["passes"]),
            f"{each['least_gain']:z.7f}",
            f"{each['hand']} {each['total']}",
        )
        for each in certificate_json(solution)
    ]
    return [[Piece(line)] for line in [*lines, *columns([heading, *rows]).splitlines()]]


def certificate_json(solution: Solution) -> list[dict[str, Any]]:
    """What proves that the policy is best, a document for each upcard."""
    return [_settled(solution.best.certificates[upcard - UPCARDS[0]], upcard) for upcard in UPCARDS]


def _settled(certificate: Certificate, upcard: int) -> dict[str, Any]:
    """How many hands of an upcard are settled and in doubt, in how many passes, and where least is gained."""
    hand, gain = min(certificate.gain.items(), key=lambda each: each[1])
    return {
        "upcard": upcard,
        "settled": len(certificate.gain),
        "in_doubt": len(certificate.doubt),
        "passes": max(certificate.settled_in.values()),
        "least_gain": gain,
        "hand": "soft" if hand[0] == "S" else "hard",
        "total": int(hand[1:]),
    }


def as_json(solution: Solution) -> dict[str, Any]:
    """A solution as a document; the help of `analysis solve` lists its keys."""
    return {
        "rules": solution.rules.fields(),
        "value": solution.value,
        "proved": solution.proved,
        "composition_dependent": solution.optimum,
        "upcards": list(UPCARDS),
        "hit_below": {"hard": hit_below(solution, soft=False), "soft": hit_below(solution, soft=True)},
        "value_by_upcard": solution.evaluation.by_upcard.tolist(),
        "cells": [
            _cell(solution, total, upcard, soft)
            for soft in (False, True)
            for total in range(22)
            for upcard in UPCARDS
            if not np.isnan(margins(solution)[total, dealer_column(upcard, soft)])
        ],
    }


def _hit_below(hit: NDArray[np.float64], totals: list[int]) -> int | None:
    hits = [total for total in totals if hit[total] == 1]
    stands = [total for total in totals if hit[total] != 1]
    if not totals or (hits and stands and max(hits) > min(stands)):
        return None
    return min(stands) if stands else max(hits) + 1


def _head(solution: Solution) -> str:
    is_finite = solution.rules.decks is not None
    values = [
        ("expected value", "initial bets per round"),
        (best_name(solution.proved), f"{solution.value:+z.10f}"),
        ("composition-dependent optimum", f"{solution.optimum:+z.10f}"),
    ]
    return f"rules: {rules_in_short(solution.rules)}\n{columns(values if is_finite else values[:2])}"


def _summary_lines(solution: Solution) -> list[Line]:
    lines: list[Line] = [[Piece(f"{'hit below':<10}"), *(Piece(f"{upcard_name(u):>6}") for u in UPCARDS)]]
    for soft in (False, True):
        totals = hit_below(solution, soft)
        if any(total is not None for total in totals):
            cells = [Piece(f"{'-' if total is None else total:>6}") for total in totals]
            lines.append([Piece(f"  {'soft' if soft else 'hard':<8}"), *cells])
    return lines


def _cell(solution: Solution, total: int, upcard: int, soft: bool) -> dict[str, Any]:
    column = dealer_column(upcard, soft)
    hit, stand = solution.evaluation.action_values[total, column].tolist()
    return {
        "hand": "soft" if soft else "hard",
        "total": total,
        "upcard": upcard,
        "decision": letter(float(solution.policy[total, column])),
        "hit": hit,
        "stand": stand,
        "reach": float(solution.evaluation.reach[total, column]),
    }
