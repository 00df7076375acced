"""Basic strategy without a dealer: exact values with an infinite deck, the search, the pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Ace, Cutoff, Naturals, Rules
from cards.rules import MAX_SEATS
from tests.helpers.kernels import any_policy
from tests.twentyone.analysis.laboratory import analysis, refusal
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.montecarlo import simulate
from twentyone.analysis.studies.thresholds import NOISE, Responses, responses, search
from twentyone.exact.named import named
from twentyone.exact.showdown import PAIRS, Pair, action_values, gains, pair_for, steadiest, value
from twentyone.kernels.decisions import compile_table
from twentyone.policies.decisions import DecisionTable, threshold
from twentyone.policies.qtable import HIT, STAND

SHOWDOWN = PRESETS["showdown"]
ERRORS = 4
SEATS = range(2, MAX_SEATS + 1)


def table(seats: int, **changes: Any) -> Rules:
    return replace(SHOWDOWN, seats=seats, **changes)


def endless(seats: int, **changes: Any) -> Rules:
    return table(seats, decks=None, **changes)


# Exact values, with an infinite deck.


def test_values_against_one_who_never_hits_are_counted_by_hand() -> None:
    """Of the 13 x 13 ways to be dealt two cards, 8 make a natural, 16 two tens, and 2 a soft 20."""
    values = action_values(endless(2), np.zeros((22, 22)))
    wins_and_losses = {(20, 0): (143, 8), (20, 1): (143, 8), (21, 1): (161, 0)}
    for cell, (wins, losses) in wins_and_losses.items():
        assert values[cell][STAND] == pytest.approx((wins - losses) / 169)
    # Only an ace does not bust 20, and 21 of three cards loses to a natural alone.
    assert values[20, 0, HIT] == pytest.approx((161 - 8) / 169 / 13 - 12 / 13)
    assert np.isnan(values[21, 0]).all(), "nobody hits, so a hard 21 never comes"
    equal = action_values(endless(2, naturals=Naturals.EQUAL), np.zeros((22, 22)))
    assert equal[20, 0, HIT] == pytest.approx(161 / 169 / 13 - 12 / 13)


def payoff_of(rules: Rules, own: DecisionTable, others: Pair, seat: int, rounds: int) -> Estimate:
    """The mean payoff of one seat that plays otherwise than all others, by the kernel of all rules."""
    tables = [DecisionTable(f"{others}", others.hit)] * rules.seats
    tables[seat] = own
    compiled = [compile_table(each, rules) for each in tables]
    tally = simulate(rules, compiled, rounds, seed=10).tally(seat)
    assert tally.mean_payoff is not None and tally.standard_error is not None
    return Estimate(tally.mean_payoff, tally.standard_error)


@pytest.mark.parametrize("rules", [endless(3, naturals=Naturals.EQUAL), endless(5, ace=Ace.ONE)], ids=str)
def test_exact_values_agree_with_rounds_by_the_kernel_of_all_rules(rules: Rules) -> None:
    others, policy = steadiest(rules), any_policy(1)
    played = payoff_of(rules, policy, others, 0, 200_000)
    assert abs(value(rules, policy.hit, others.hit) - played.mean) < ERRORS * played.standard_error


@pytest.mark.parametrize("rules", [endless(2), endless(6, ace=Ace.ELEVEN)], ids=str)
def test_the_better_action_is_the_one_that_raises_the_value(rules: Rules) -> None:
    hit = steadiest(rules).hit
    values = action_values(rules, hit)
    cells = np.argwhere(~np.isnan(values[:, :, HIT]))
    assert len(cells) >= 18
    for total, column in cells:
        changed = hit.copy()
        changed[total, column] = 1 - hit[total, column]
        loss = value(rules, hit, hit) - value(rules, changed, hit)
        sign = 1 if hit[total, column] else -1
        margin = sign * (values[total, column, HIT] - values[total, column, STAND])
        assert loss >= 0 and margin >= 0
        assert loss <= margin, "a cell is not come to in every round"


def test_no_pair_gains_on_the_steadiest_where_there_is_one() -> None:
    temptation = {seats: gains(endless(seats)).max(axis=1) for seats in SEATS}
    for seats in SEATS:
        rules, pair = endless(seats), steadiest(endless(seats))
        most = float(temptation[seats][PAIRS.index(pair)])
        assert most == temptation[seats].min()
        # With four seats they form a cycle: 19/20 gains on 18/20, 17/20 on 19/20, and 18/20 on 17/20.
        assert most == (pytest.approx(0.00182, abs=1e-5) if seats == 4 else pytest.approx(0, abs=1e-12))
        by_pair = value(rules, Pair(17, 18).hit, pair.hit) - value(rules, pair.hit, pair.hit)
        assert gains(rules)[PAIRS.index(pair), PAIRS.index(Pair(17, 18))] == pytest.approx(by_pair, abs=1e-12)


# Simulation.


def test_the_last_seat_plays_every_pair_as_any_seat_would() -> None:
    """The kernel of the search against that of all rules, where seats take turns."""
    rules, pair, other = table(3), Pair(18, 19), Pair(15, 17)
    found = responses(rules, pair, 200_000, seed=1)
    played = payoff_of(rules, DecisionTable(f"{other}", other.hit), pair, 1, 200_000)
    # The payoff of the last seat is about as uncertain as that of the seat next to it.
    error = hypot(played.standard_error, found.payoff.standard_error)
    assert abs(found.gain(other).mean + found.payoff.mean - played.mean) < ERRORS * error


def test_gains_are_those_of_exact_values() -> None:
    rules, pair = endless(4), Pair(18, 20)
    found = responses(rules, pair, 300_000, seed=2)
    exact = gains(rules)[PAIRS.index(pair)]
    for index, other in enumerate(PAIRS):
        gain = found.gain(other)
        assert abs(gain.mean - exact[index]) <= ERRORS * gain.standard_error
    best = found.gain(found.best)
    assert best.mean == max(found.gain(other).mean for other in PAIRS if other != pair)
    assert best.standard_error < found.payoff.standard_error / 2, "the cards are the same"


def test_only_the_seed_decides_the_cards_and_rules_without_a_dealer_are_wanted() -> None:
    pair = Pair(16, 18)
    one, again, other = (responses(table(2), pair, 270_000, seed) for seed in (5, 5, 6))
    assert np.array_equal(one.sums, again.sums)
    assert not np.array_equal(one.sums, other.sums)
    assert one.sums[PAIRS.index(pair), 2] == 0, "it gains nothing over itself, in any round"
    for rules, rounds, said in ((PRESETS["casino"], 1_000, "without a dealer"), (table(2), 0, "0 rounds")):
        with pytest.raises(ValueError, match=said):
            responses(rules, pair, rounds, seed=1)


# The search.


def answer(pair: Pair, gain: Mapping[Pair, int], spread: int = 10_000) -> Responses:
    """Responses in 1,000,000 rounds, in which some pairs have given gains and all others lose."""
    sums = np.zeros((len(PAIRS), 3), np.int64)
    for index, other in enumerate(PAIRS):
        if other != pair:
            sums[index] = gain.get(other, -5_000), 900_000, spread
    return Responses(pair, 1_000_000, sums)


def searched(start: Pair, gain: Mapping[Pair, Mapping[Pair, int]]) -> tuple[Responses, list[Pair]]:
    asked: list[Pair] = []

    def respond(pair: Pair) -> Responses:
        asked.append(pair)
        return answer(pair, gain.get(pair, {}))

    return search(start, respond), asked


A, B, C, D = Pair(16, 18), Pair(17, 18), Pair(18, 18), Pair(18, 19)


def test_the_search_goes_from_best_response_to_best_response() -> None:
    found, asked = searched(A, {A: {B: 900, C: 300}, B: {D: 1_000}})
    assert asked == [A, B, D]
    assert (found.pair, found.is_steady, found.gain(found.best).mean) == (D, True, -0.005)


def test_what_may_be_noise_is_no_gain() -> None:
    # A gain of 100 in a million rounds in which 10,000 ended otherwise: one standard error.
    found, asked = searched(A, {A: {B: 100}})
    assert (found.pair, found.best, asked) == (A, B, [A])
    gain = found.gain(B)
    assert gain.mean == pytest.approx(1e-4) and gain.standard_error == pytest.approx(1e-4, rel=1e-3)
    assert searched(A, {A: {B: 300}})[0].pair == B
    assert NOISE == 2


def test_in_a_circle_the_pairs_between_are_tried_too() -> None:
    around: dict[Pair, dict[Pair, int]] = {A: {C: 2_000}, C: {D: 900}, D: {B: 700}, B: {C: 900}}
    steady, asked = searched(A, around)
    # The cycle is C, D, B: only 17/19 lies between them, and it is its own best response.
    assert (steady.pair, asked) == (Pair(17, 19), [A, C, D, B, Pair(17, 19)])
    found, _ = searched(A, around | {Pair(17, 19): {A: 800}})
    assert (found.pair, found.is_steady, found.best) == (D, False, B)


# The pairs, and what a search with one deck found.

FOUND = {
    2: ("16/18", -0.043394, "16/19", -0.0015747, 2.6e-5),
    3: ("18/19", -0.36720525, "17/19", -0.00118105, 7.3e-5),
    4: ("18/20", -0.5031939, "19/20", 0.00139205, 6.1e-5),
    5: ("19/20", -0.5992553, "19/19", -0.00228895, 2.2e-5),
    6: ("19/20", -0.65571775, "20/20", -0.0005651, 5.0e-5),
    7: ("20/20", -0.7056923, "19/20", -0.00030815, 5.0e-5),
    8: ("20/20", -0.7348792, "20/21", -0.00218075, 2.0e-5),
    9: ("20/20", -0.75917645, "20/21", -0.00141795, 1.8e-5),
}
"""By seats: the pair of `analysis thresholds --rounds 20M --seed 1`, the payoff of a seat if all play it, the
best deviation, and what it gains, with its standard error. At 4 seats it gains."""


def test_the_pairs_of_an_infinite_deck_are_those_that_are_found_with_one_deck() -> None:
    assert {seats: str(pair_for(table(seats))) for seats in SEATS} == {
        seats: pair for seats, (pair, *_) in FOUND.items()
    }


@pytest.mark.check
@pytest.mark.parametrize("seats", SEATS)
def test_a_pair_stands_up_to_other_cards(seats: int) -> None:
    _, payoff, deviation, most, error = FOUND[seats]
    found = responses(table(seats), pair_for(table(seats)), 100_000, seed=2)
    assert abs(found.payoff.mean - payoff) < ERRORS * found.payoff.standard_error
    for other in PAIRS:
        gain = found.gain(other)
        assert gain.mean - max(most, 0) <= ERRORS * gain.standard_error
        if str(other) == deviation:
            assert abs(gain.mean - most) < ERRORS * hypot(gain.standard_error, error)


def test_basic_is_the_pair_whatever_the_upcard() -> None:
    for rules in (table(5), table(5, reshuffle=Cutoff(20))):
        policy = named("basic", rules)
        assert policy.name == "basic"
        for columns, below in (([0, *range(2, 12)], 19), ([1, *range(12, 22)], 20)):
            assert np.array_equal(policy.hit[:, columns], np.repeat(threshold(below).hit[:, :1], 11, axis=1))


def test_other_rules_without_a_dealer_have_the_pair_of_an_infinite_deck() -> None:
    several: list[dict[str, Any]] = [{"decks": 4}, {"decks": None}, {"naturals": Naturals.EQUAL}]
    for changes in (*several, {"ace": Ace.ONE}, {"ace": Ace.ELEVEN, "decks": 8}):
        for seats in (2, 9):
            rules = table(seats, **changes)
            pair = pair_for(rules)
            assert pair == steadiest(replace(rules, decks=None)), rules
            assert np.array_equal(named("basic", rules).hit, pair.hit)


# The command.

KEYS = {"seats", "hard", "soft", "payoff", "payoff_error", "deviation", "gain", "gain_error", "steady"}


def test_the_command_finds_pairs(tmp_path: Path) -> None:
    options = ("--rounds", 100_000, "--seed", 3, "--workers", 1, "--seats", 2)
    found = json.loads(analysis(tmp_path, "thresholds", *options, "--json").out)
    (entry,) = found["found"]
    assert found["rules"] == {name: text for name, text in SHOWDOWN.fields().items() if name != "seats"}
    assert {*entry} == KEYS | {"rounds", "seed"}
    assert (entry["seats"], entry["hard"], entry["steady"]) == (2, 16, True)


def test_the_command_as_a_person_reads_it(tmp_path: Path) -> None:
    rules = ("--seats", 7, "--decks", "inf", "--ace", "1")
    done = analysis(tmp_path, "thresholds", *rules, "--rounds", 200_000, "--seed", 1, "--workers", 1)
    lines = done.out.splitlines()
    assert lines[0] == "rules: showdown decks=inf ace=1"
    assert " ".join(lines[2].split()) == "seats hard soft payoff s.e. best deviation gain s.e."
    assert lines[3].split()[:3] == ["7", "20", "-"], "an ace that counts 1 makes no hand soft"
    assert lines[4].startswith("200,000 rounds for each best response; seed 1; ")
    assert lines[5].startswith("at 7 seats no pair is its own best response: a single seat gains least by")


def test_what_cannot_be_searched_is_refused(tmp_path: Path) -> None:
    for options, said in {
        "--rules casino": "casino has a dealer, so every seat plays alone",
        "--rules vegas": "vegas has a dealer, so every seat plays alone",
        "--double any": "showdown has no dealer, so double any makes no sense there",
        "--seats 1": "seats is '1': expected 2 to 9, or all",
        "--seats 2,3": "seats is '2,3': expected 2 to 9, or all",
    }.items():
        assert said in refusal(tmp_path, "thresholds", "--rounds", "1000", *options.split())
