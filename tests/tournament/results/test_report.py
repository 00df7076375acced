"""The tables of a tournament on a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cards import Rules
from tests.tournament.results.made import results_of
from tournament.results import report
from tournament.results.statistics import standing
from tournament.settings import Clocks, Fault
from twentyone.exact import solving


def payoffs(entrants: int, rounds: int = 1_000) -> Any:
    base = np.random.default_rng(1).choice([10, 0, -10], (1, rounds))
    return np.repeat(base, entrants, axis=0) - (np.arange(rounds) % 20 < np.arange(entrants)[:, None])


def test_few_entrants_are_compared_in_numbers() -> None:
    found = report.text(standing(results_of(payoffs(3))))
    lines = found.splitlines()
    assert lines[0].split()[:3] == ["entrant", "rank", "rounds"]
    assert lines[1].split()[:3] == ["player0", "1", "1,000"]
    assert all(text in found for text in ("+0.0050*", "-0.0100*", "hold together"))
    lost = np.arange(3)[:, None] * np.linspace(0, 0.2, 1_000)
    known = standing(results_of(payoffs(3), lost))
    table = report.crosstable(known)
    assert known.as_json()["yardstick"] == {"name": "best chart", "value": solving.solve(Rules()).value}
    said = " ".join(report.text(known).split())
    assert (
        "against the best chart, which goes by the total, the pair and the upcard: it is worth -0.0428"
        in said
    )
    assert "-0.1000*" in table and "+0.2000*" in table
    assert "player1" in report.text(standing(results_of([[10], [-10]])))


def test_eighteen_entrants_fit_into_a_hundred_columns() -> None:
    lost = np.arange(18)[:, None] * np.linspace(0, 0.2, 1_000)
    found = standing(results_of(payoffs(18), lost))
    told = report.text(found)
    assert max(map(len, told.splitlines())) <= 130
    table = report.crosstable(found).splitlines()
    assert max(map(len, table)) <= 100
    assert table[1].split()[1:] == ["player0", *["++"] * 17]
    assert table[18].split()[1:] == ["player17", *["--"] * 17]


def test_faults_and_times_have_a_table_only_where_there_are_any() -> None:
    assert report.troubles(standing(results_of(payoffs(2)))) == ""
    seconds = [np.full(10, 0.002, np.float32), np.zeros(0, np.float32)]
    faults = [Fault(1, 1, 3, "crashed", "."), Fault(1, 1, 3, "started", ".")]
    lines = report.troubles(standing(results_of(payoffs(2), faults=faults, thinking=seconds))).splitlines()
    assert lines[0].split() == ["entrant", "median", "ms", "99", "%", "ms", "crashed", "started"]
    assert lines[1].split() == ["player0", "2.00", "2.00", "0", "0"]
    assert lines[2].split() == ["player1", "-", "-", "1", "1"]


def test_what_is_to_be_known_is_said() -> None:
    kept = report.text(standing(results_of(payoffs(2), kept_shoe=True)))
    assert "did not have the same cards" in kept
    same = np.repeat(payoffs(1), 2, axis=0)
    assert "player0 and player1 have played alike, and share a rank" in " ".join(
        report.text(standing(results_of(same))).split()
    )
    sure = report.text(standing(results_of(payoffs(2), sure_after=1_000)))
    assert "by mean payoff was certain after 1,000 rounds" in sure


def test_clocks_are_told_where_programs_played() -> None:
    results = results_of(payoffs(2))
    policies = standing(results)
    first, second = results.settings.entrants
    program = replace(second, policy=None, command=("bot", "{port}"))
    settings = replace(results.settings, entrants=(first, program), clocks=Clocks(0.5, 3.0, 0.25))
    programs = standing(replace(results, settings=settings))
    told = " ".join(report.text(programs).split())
    assert "0.5 s for a decision, and then a bank of 3 s, into which each round put back 0.25 s" in told
    assert programs.as_json()["clocks"] == {"decision": 0.5, "bank": 3.0, "refill": 0.25}
    assert "a bank of" not in report.text(policies)
    assert policies.as_json()["clocks"] is None


def test_names_that_differ_at_their_end_stay_apart() -> None:
    results = results_of(payoffs(2))
    named = tuple(
        replace(each, name=f"a-very-long-name-no-{each.name}") for each in results.settings.entrants
    )
    told = report.ranking(standing(replace(results, settings=replace(results.settings, entrants=named))))
    assert "…-player0" in told and "…-player1" in told
