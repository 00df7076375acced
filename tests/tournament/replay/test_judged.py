"""Costs in a history: a forged one is found though its chain fits, and one without exact values is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cards import PRESETS, Bets, EveryRound, Rules
from dealer.tables.history import chained
from tests.helpers.schema import faults
from tests.tournament.replay.made import dealers_lines, results_of, settings_of
from tests.tournament.replay.test_verify import SCHEMA
from tournament.replay.history import lines
from tournament.replay.judged import DIGITS, history_costs
from tournament.replay.lines import Replayer, questions_in_order
from tournament.replay.verify import Verdict, verify_lines

VEGAS = replace(PRESETS["vegas"], reshuffle=EveryRound())
Change = Callable[[dict[str, Any]], object]


def questions(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for seat in told["seats"] for hand in seat["hands"] for one in hand["decisions"]]


def changed(texts: list[str], change: Change) -> Verdict:
    """The verdict on lines in which each question is changed, with a chain that fits."""
    chain, forged = "", []
    for text in texts:
        told = json.loads(text)
        del told["chain"]
        for question in questions(told):
            change(question)
        line, chain = chained(told, chain)
        forged.append(line.encode())
    return verify_lines(forged)


def more(cost: float) -> Change:
    return lambda question: question.update(cost=round(question["cost"] + cost, DIGITS))


@pytest.mark.parametrize("rules", [PRESETS["course"], pytest.param(VEGAS, marks=pytest.mark.check)])
def test_a_forged_cost_is_found_though_the_chain_fits(rules: Rules) -> None:
    """Within one unit of the last decimal it is right: another machine may round it otherwise."""
    told = list(lines(results_of(settings_of(rules, rounds=6))))
    asked = sum(bool(questions(json.loads(text))) for text in told)
    assert asked > 6
    for unit in (1, -1):
        verdict = changed(told, more(unit * 10**-DIGITS))
        assert (verdict.faults, "cost" in verdict.unverified) == ([], False)
        assert changed(told, more(2 * unit * 10**-DIGITS)).faulty == asked
    assert changed(told, lambda question: question.pop("cost")).faults == []  # none is told
    assert changed(told, lambda question: question.update(cost=1)).faulty == asked  # an integer


def test_one_cost_too_few_is_found() -> None:
    told = next(
        told
        for told in map(json.loads, lines(results_of(settings_of(PRESETS["course"], rounds=20))))
        if len(questions(told)) > 1
    )
    del told["chain"], questions(told)[0]["cost"]
    (fault,) = verify_lines([chained(told, "")[0].encode()]).faults
    assert "decisions[0].cost is missing: expected" in fault.text


@pytest.mark.parametrize("rules", [replace(VEGAS, seats=2), PRESETS["vegas"], PRESETS["showdown"]])
def test_costs_are_named_where_there_are_no_exact_values(rules: Rules) -> None:
    verdict = changed(dealers_lines([rules], 4), lambda question: question.update(cost=0.5))
    assert (verdict.faults, "cost" in verdict.unverified) == ([], True)


def told_to_a_player(rules: Rules) -> dict[str, Any]:
    """A round of which HISTORY tells what the decisions cost."""
    told: dict[str, Any] = json.loads(dealers_lines([rules], 1, seed=5)[0])
    del told["chain"]
    round_ = Replayer().replay(told).round
    for question, found in zip(questions_in_order(told, round_), history_costs(round_), strict=True):
        if found is not None:
            question["cost"], question["best"] = round(found.cost, 6), found.best
    return told | {"you": 0, "your_round": 1}


@pytest.mark.parametrize(
    "rules",
    [
        PRESETS["course"],
        replace(PRESETS["casino"], seats=3),
        replace(PRESETS["showdown"], seats=2),
        pytest.param(replace(PRESETS["vegas"], seats=2, bets=Bets(10, 80)), marks=pytest.mark.check),
    ],
)
def test_costs_and_best_decisions_of_a_history_are_verified(rules: Rules) -> None:
    """Those are known for any number of seats and any shoe: they are by the values of a fresh one."""
    told = told_to_a_player(rules)
    assert faults(told, SCHEMA) == []
    verdict = verify_lines([json.dumps(told).encode()])
    assert (verdict.faults, verdict.unverified & {"cost", "best"}) == ([], set())
    question = next(one for one in questions(told) if "best" in one)
    cost, best = question["cost"], question["best"]
    worse = next(option for option in question["options"] if option != best)
    for forged in ({"cost": cost + 2e-6}, {"best": worse}):
        question.update({"cost": cost, "best": best} | forged)
        assert verify_lines([json.dumps(told).encode()]).faulty == 1
