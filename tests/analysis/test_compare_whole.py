"""Variants of the whole game: the same cards, exact sums, the cut card, and the command."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from analysis.studies.compare import Comparison, compare
from analysis.studies.montecarlo import simulate
from analysis.studies.variants import Variant, rules_with, swept, variants_of
from analysis.studies.whole import bytes_of, play_batches_of, policy_named
from cards import PRESETS, Cutoff, Double, Round, Surrender
from kernels.whole.decisions import WholePolicy, compile_policy
from kernels.whole.tables import TENTHS
from policies.policy import observation
from support.command import CommandError
from tests.analysis.laboratory import analysis, document
from tests.helpers.kernel_rounds import any_policy, some_rules
from tests.helpers.kernel_shoe import KernelShoe

VEGAS, RENO, CASINO = PRESETS["vegas"], PRESETS["reno"], PRESETS["casino"]


def payoffs(variant: Variant, number: int = 40, rounds: int = 500) -> Any:
    """The payoff of each batch, in tenths."""
    return play_batches_of(variant.rules, bytes_of(variant.policy), 1, 0, number, rounds)[1]


def figures(comparison: Comparison) -> tuple[Any, ...]:
    return comparison.counts, comparison.payoffs, comparison.squares, comparison.products


# Batches.


@pytest.mark.check
@pytest.mark.parametrize("seed", range(8))
def test_batches_are_the_rounds_of_the_engine_with_the_same_cards(seed: int) -> None:
    rules = replace(some_rules(Random(seed)), decks=6, reshuffle=Cutoff(100))
    policy = any_policy(seed)
    table = compile_policy(policy, rules)
    counts, found = play_batches_of(rules, bytes_of(table), 3, 5, 2, 100)
    for batch in range(2):
        shoe = KernelShoe(rules, 3, 5 + batch)
        total = Fraction(0)
        for _ in range(100):
            game = Round(rules, shoe)
            game.deal()
            while (seat := game.turn) is not None:
                game.decide(seat, policy(observation(game, seat)))
            total += sum(Fraction(each) for each in game.payoffs if each is not None)
        assert found[batch] == TENTHS * total
    assert counts.sum() == 2 * 100 * rules.seats


def test_a_batch_is_a_shard_of_its_own() -> None:
    (variant,) = variants_of(VEGAS, ["basic"], [])
    counts, found = play_batches_of(VEGAS, bytes_of(variant.policy), 1, 0, 1, 5_000)
    simulated = simulate(VEGAS, [variant.policy], 5_000, 1)
    assert np.array_equal(counts, simulated.outcomes[0])
    assert found[0] == simulated.totals @ (np.arange(simulated.totals.size) - simulated.totals.size // 2)
    assert len(set(payoffs(variant, number=5).tolist())) > 1, "batches are dealt different cards"


# The sums, and the estimates from them.


def test_the_figures_are_those_of_the_batches_also_beside_a_game_of_hit_and_stand() -> None:
    changes = ["surrender=none", "rules=reno seats=3", "rules=casino"]
    variants = variants_of(VEGAS, ["mimic"], changes)
    assert [isinstance(each.policy, WholePolicy) for each in variants] == [True, True, False]
    comparison = compare(variants, 40 * 500, seed=1, batch=500)
    means = [payoffs(each) / (500 * TENTHS * each.rules.seats) for each in variants[:2]]
    for index, mean in enumerate(means):
        assert sum(comparison.counts[index]) == 20_000 * variants[index].rules.seats
        for found, values in (
            (comparison.estimate(index), mean),
            (comparison.difference(index), mean - means[0]),
        ):
            assert found.mean == pytest.approx(values.mean(), abs=1e-14)
            error = values.std(ddof=1) / np.sqrt(40)
            assert found.standard_error == pytest.approx(error, rel=1e-9, abs=1e-14)
    simple = compare(variants[2:], 40 * 500, seed=1, batch=500)
    assert simple.estimate(0) == comparison.estimate(2)
    assert simple.counts[0] == comparison.counts[2]


def test_finished_batches_are_kept(tmp_path: Path) -> None:
    variants = variants_of(RENO, ["basic", "mimic"], [])
    file = tmp_path / "checkpoint"
    first = compare(variants, 20_000, seed=3, checkpoint=file)
    assert figures(first) == figures(compare(variants, 20_000, seed=3, checkpoint=file))
    assert figures(first) != figures(compare(variants, 20_000, seed=4))
    with pytest.raises(CommandError, match="other work"):
        compare(variants_of(RENO, ["basic", "random"], []), 20_000, seed=3, checkpoint=file)


def test_a_shoe_that_is_used_up_is_told_in_a_sentence() -> None:
    rules = replace(RENO, seats=9, split=4, reshuffle=Cutoff(1))
    greedy = compile_policy(lambda seen: seen.options[-1] if seen.pair else seen.options[0], rules)
    with pytest.raises(CommandError, match=r"^two: all cards of 1 deck were on the table in a round"):
        compare([Variant("one", RENO, greedy), Variant("two", rules, greedy)], 100_000, seed=1)


# Variants.


def test_a_variant_changes_fields_of_the_whole_game() -> None:
    assert rules_with(VEGAS, "surrender=none split=2") == replace(VEGAS, surrender=Surrender.NONE, split=2)
    assert rules_with(CASINO, "double=any") == replace(CASINO, double=Double.ANY)
    with pytest.raises(CommandError, match="double-after-split"):
        rules_with(VEGAS, "double=none")


def test_the_policy_of_a_sweep_is_made_once_for_all_shoes_that_are_kept() -> None:
    first, second = swept(VEGAS, ["basic"], "cutoff:26,78")
    assert first.policy is second.policy
    assert bytes_of(first.policy) == bytes_of(policy_named("basic", VEGAS))


# The command.


def test_the_cut_card_is_swept_by_the_command(tmp_path: Path) -> None:
    words = ("compare", 40_000, "--rules", "vegas", "--sweep", "cutoff:26,312", "--seed", 1, "--workers", 1)
    found = document(tmp_path, *words, "--csv", "a.csv", "--plot", "a.png")["variants"]
    assert [each["name"] for each in found] == ["cutoff:26", "cutoff:312"]
    for each in found:
        assert each["policy"] == "basic"
        assert each["wins"] + each["pushes"] + each["losses"] == 40_000
        assert 0 < each["surrenders"] < each["losses"] - each["busts"]
        assert each["mean_payoff"] * 400_000 == pytest.approx(round(each["mean_payoff"] * 400_000))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["by surrender"]) for row in rows] == [each["surrenders"] for each in found]
    rules, policy, heading, *lines = analysis(tmp_path, *words).out.splitlines()
    assert (rules, policy) == ("rules: vegas", "policy: basic")
    assert "by surrender %" in heading
    assert lines[0].split()[0] == "cutoff:26"
    assert max(map(len, [heading, *lines[:2]])) <= 120


def test_surrenders_are_not_shown_where_nobody_can(tmp_path: Path) -> None:
    words = ("compare", 20_000, "--rules", "reno", "--policy", "basic", "--policy", "mimic", "--workers", 1)
    done = analysis(tmp_path, *words, "--csv", "a.csv")
    assert done.status == 0, done.err
    for text in (done.out, (tmp_path / "a.csv").read_text(encoding="utf-8")):
        assert "by busting" in text and "by surrender" not in text
